"""Gathers every text that people read into the Linguist catalogues, and compiles them.

``python .ci/translations.py`` after changing a text; then translate what it counts as missing (in Qt Linguist, or by hand) and run it again.
lupdate cannot do it: it knows ``self.tr`` of a class, not a function of ours, and not ``plural``.
"""

from __future__ import annotations

import ast
import subprocess
import sys
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
CATALOGUES = ROOT / "resources" / "translations"
CONTEXT = "TensorScope"


def messages(package: Path = ROOT / "tensorscope") -> dict[str, str]:
    """Every text given to ``tr``, ``tr_later`` or ``plural``, with the file where it comes first. ValueError for one that is not a literal."""
    found: dict[str, str] = {}
    for file in sorted(package.rglob("*.py")):
        name = str(file.relative_to(package.parent))
        for text in _texts(ast.parse(file.read_text(encoding="utf-8")), name):
            found.setdefault(text, name)
    return found


def _texts(tree: ast.Module, file: str) -> Iterator[str]:
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name):
            continue
        match node.func.id, node.args:
            case "tr" | "tr_later", [ast.Constant(value=str(text))]:
                yield text
            case "tr_later", _:
                raise ValueError(f"{file}:{node.lineno}: tr_later takes one literal")
            case "plural", [_, ast.Constant(value=str(one)), *rest]:
                many = rest[0].value if rest and isinstance(rest[0], ast.Constant) else f"{one}s"
                yield f"{{count}} {one}"
                yield f"{{count}} {many}"


def read(catalogue: Path) -> dict[str, str]:
    """The translations of a ``.ts`` file; "" where one is missing."""
    root = ET.parse(catalogue).getroot()
    return {str(message.findtext("source")): message.findtext("translation") or "" for message in root.iter("message")}


def write(catalogue: Path, language: str, texts: dict[str, str], known: dict[str, str]) -> int:
    """Put the texts, in their files' order, with the translations known; returns how many have none."""
    root = ET.Element("TS", version="2.1", language=language, sourcelanguage="en")
    context = ET.SubElement(root, "context")
    ET.SubElement(context, "name").text = CONTEXT
    missing = 0
    for text, file in sorted(texts.items(), key=lambda item: (item[1], item[0])):
        message = ET.SubElement(context, "message")
        ET.SubElement(message, "location", filename=f"../../{file}")
        ET.SubElement(message, "source").text = text
        translated = ET.SubElement(message, "translation")
        translated.text = known.get(text, "")
        if not translated.text:
            translated.set("type", "unfinished")
            missing += 1
    ET.indent(root)
    catalogue.write_text(f'<?xml version="1.0" encoding="utf-8"?>\n<!DOCTYPE TS>\n{ET.tostring(root, encoding="unicode")}\n', encoding="utf-8")
    return missing


def main() -> int:
    missing = 0
    for catalogue in sorted(CATALOGUES.glob("*.ts")):
        language = catalogue.stem.partition("_")[2]
        missing += write(catalogue, language, messages(), read(catalogue))
        subprocess.run([Path(sys.executable).with_name("pyside6-lrelease"), "-silent", catalogue, "-qm", catalogue.with_suffix(".qm")], check=True)
    print(f"{missing} texts have no translation", file=sys.stderr)
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main())
