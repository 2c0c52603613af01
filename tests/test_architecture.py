"""The import table of the packages: who may import whom, at which level, and what is never written where."""

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

import tensorscope

ROOT = Path(tensorscope.__file__).parent
FOR_ALL = {"errors", "units", "language"}  # leaf modules; the bare ``tensorscope`` (its version) is for all as well

OURS: dict[str, set[str]] = {
    "protocol": set(),
    "agent": {"protocol"},
    "trace": {"protocol"},
    "analysis": {"trace", "protocol"},
    "recording": {"trace", "protocol"},
    "session": {"recording", "trace", "protocol"},
    "viewmodel": {"analysis", "trace", "session", "protocol"},
    "render": {"viewmodel", "analysis", "resources"},
    "export": {"render", "viewmodel", "analysis", "trace"},
    "gui": {"export", "render", "viewmodel", "analysis", "trace", "session", "protocol", "resources"},
    "cli": {"protocol", "trace", "analysis", "recording", "session", "viewmodel", "render", "export", "gui", "agent", "resources"},
    "errors": set(),
    "units": set(),
    "language": set(),
    "resources": set(),
    "": {"agent"},  # attach() and detach(), inside functions
}
THIRD_PARTY: dict[str, set[str]] = {
    "protocol": set(),
    "agent": {"torch", "torchviz", "_tensorscope_probe", "sitecustomize", "handing_on"},
    "trace": {"numpy"},
    "analysis": {"numpy"},
    "recording": {"msgspec", "numpy"},
    "session": {"msgspec", "numpy"},
    "viewmodel": {"numpy"},
    "render": {"PySide6", "numpy"},
    "export": {"graphviz", "PySide6", "numpy"},
    "gui": {"PySide6", "pyqtgraph", "numpy"},
    "cli": {"rich", "numpy"},
    "errors": set(),
    "units": set(),
    "language": set(),
    "resources": set(),
    "": set(),
}
QT_PARTS = {"render": {"QtCore", "QtGui", "QtSvg"}, "export": {"QtCore", "QtGui"}}
CLI_INSIDE_FUNCTIONS = {"gui", "render", "export"}  # each of them loads Qt
AGENT_FILES_OF_THE_HOST = (["build"],)  # agent.build compiles the probe: the host calls it before the launch


@dataclass(frozen=True)
class Import:
    file: Path
    line: int
    module: str  # absolute dotted name; relative imports keep their dots
    is_at_top: bool

    def __str__(self) -> str:
        return f"{self.file.relative_to(ROOT.parent)}:{self.line} imports {self.module}"


def package_of(file: Path) -> str:
    """``gui`` for tensorscope/gui/panels/graph.py, ``errors`` for tensorscope/errors.py, "" for tensorscope/__init__.py."""
    parts = file.relative_to(ROOT).with_suffix("").parts
    return {"__init__": "", "__main__": "cli"}.get(parts[0], parts[0])  # `python -m tensorscope` is the command line


def imports_of(file: Path) -> Iterator[Import]:
    tree = ast.parse(file.read_text(encoding="utf-8"), str(file))
    inside_functions = {
        id(child) for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) for child in ast.walk(node) if child is not node
    }
    for node in ast.walk(tree):
        is_at_top = id(node) not in inside_functions
        if isinstance(node, ast.Import):
            yield from (Import(file, node.lineno, alias.name, is_at_top) for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level:
            yield Import(file, node.lineno, "." * node.level + (node.module or ""), is_at_top)
        elif isinstance(node, ast.ImportFrom) and node.module in ("tensorscope", "PySide6"):
            yield from (Import(file, node.lineno, f"{node.module}.{alias.name}", is_at_top) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield Import(file, node.lineno, node.module or "", is_at_top)


@cache
def all_imports() -> tuple[Import, ...]:
    files = sorted(file for file in ROOT.rglob("*.py") if "resources" not in file.relative_to(ROOT).parts[:1])
    return tuple(found for file in files for found in imports_of(file))


def our_target(found: Import) -> str | None:
    """The package of ours that is imported, None for others' modules."""
    first, _, rest = found.module.partition(".")
    if first != "tensorscope":
        return None
    target = rest.partition(".")[0]
    return "" if target in ("", "__version__") else target


def told(wrong: list[Import]) -> str:
    return "\n".join(map(str, wrong))


def test_every_package_stands_in_the_table() -> None:
    assert {package_of(file) for file in ROOT.rglob("*.py")} <= OURS.keys()
    assert OURS.keys() == THIRD_PARTY.keys()


def test_no_import_is_relative() -> None:
    assert not (wrong := [found for found in all_imports() if found.module.startswith(".")]), told(wrong)


def test_packages_import_only_the_packages_below_them() -> None:
    def is_allowed(found: Import) -> bool:
        target, package = our_target(found), package_of(found.file)
        return target is None or target in ("", package) or target in FOR_ALL or target in OURS[package]

    assert not (wrong := [found for found in all_imports() if not is_allowed(found)]), told(wrong)


def test_packages_import_only_their_third_parties() -> None:
    def is_allowed(found: Import) -> bool:
        first = found.module.partition(".")[0]
        return first == "tensorscope" or first in sys.stdlib_module_names or first in THIRD_PARTY[package_of(found.file)]

    assert not (wrong := [found for found in all_imports() if not is_allowed(found)]), told(wrong)


def test_the_host_imports_no_torch_anywhere() -> None:
    wrong = [found for found in all_imports() if found.module.partition(".")[0] in ("torch", "torchviz") and package_of(found.file) != "agent"]
    assert not wrong, told(wrong)


def test_nothing_of_the_host_imports_the_agent_but_its_build() -> None:
    """``tensorscope.attach()`` is the agent's way into a process that runs already: the package itself imports that, inside a function."""
    from_outside = [found for found in all_imports() if our_target(found) == "agent" and package_of(found.file) != "agent"]
    joining = [found for found in from_outside if package_of(found.file) == "" and not found.is_at_top and found.module == "tensorscope.agent.joining"]
    wrong = [found for found in from_outside if found not in joining and found.module.split(".")[2:3] not in AGENT_FILES_OF_THE_HOST]
    assert not wrong, told(wrong)


def test_painting_uses_only_the_qt_parts_that_need_no_widgets() -> None:
    def is_allowed(found: Import) -> bool:
        parts = QT_PARTS.get(package_of(found.file))
        return parts is None or not found.module.startswith("PySide6") or found.module.split(".")[1:2] in ([part] for part in parts)

    assert not (wrong := [found for found in all_imports() if not is_allowed(found)]), told(wrong)


def test_commands_load_qt_only_inside_functions() -> None:
    wrong = [found for found in all_imports() if package_of(found.file) == "cli" and found.is_at_top and our_target(found) in CLI_INSIDE_FUNCTIONS]
    assert not wrong, told(wrong)


HEAVY = ("torch", "PySide6", "pyqtgraph")


@pytest.mark.parametrize(
    ("package", "banned"),
    [
        ("cli", ("torch", "PySide6", "pyqtgraph")),
        ("session", (*HEAVY, "rich")),
        ("viewmodel", ("torch", "PySide6", "pyqtgraph")),
        ("render", ("torch", "pyqtgraph", "PySide6.QtWidgets")),
        ("gui", ("torch",)),
    ],
)
def test_importing_a_package_does_not_load(package: str, banned: tuple[str, ...]) -> None:
    modules = [".".join(file.relative_to(ROOT.parent).with_suffix("").parts).removesuffix(".__init__") for file in sorted((ROOT / package).rglob("*.py"))]
    program = f"import importlib, sys\nfor name in {modules!r}: importlib.import_module(name)\nprint([name for name in {banned!r} if name in sys.modules])"
    result = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert (result.returncode, result.stdout.strip()) == (0, "[]"), result.stderr


COLOUR = re.compile(r"#(?:[0-9a-fA-F]{8}|[0-9a-fA-F]{6}|[0-9a-fA-F]{3})\b|\brgba?\(\s*\d")


def colour_literals(text: str, name: str) -> Iterator[str]:
    """Hex and rgb() strings, QColor of numbers or names, Qt.GlobalColor: all of which belong into tokens.json."""
    for node in ast.walk(ast.parse(text, name)):
        where = f"{name}:{getattr(node, 'lineno', 0)}"
        match node:
            case ast.Constant(value=str(word)) if COLOUR.search(word):
                yield f"{where} {word!r}"
            case ast.Call(func=ast.Name(id="QColor") | ast.Attribute(attr="QColor"), args=[ast.Constant(), *_]):
                yield f"{where} QColor of a literal"
            case ast.Call(func=ast.Attribute(attr="fromRgb" | "fromRgbF" | "fromHsl" | "fromHsv"), args=[ast.Constant(), *_]):
                yield f"{where} colour of literal numbers"
            case ast.Attribute(attr=colour, value=ast.Attribute(attr="GlobalColor")) if colour != "transparent":
                yield f"{where} Qt.GlobalColor.{colour}"


@pytest.mark.parametrize("package", ["gui", "render"])
def test_every_colour_comes_from_the_tokens(package: str) -> None:
    files = sorted((ROOT / package).rglob("*.py"))
    wrong = [found for file in files for found in colour_literals(file.read_text(encoding="utf-8"), str(file.relative_to(ROOT.parent)))]
    assert not wrong, "\n".join(wrong)


def test_the_colour_search_finds_literals_and_lets_tokens_pass() -> None:
    text = "a = '#ff8800'\nb = QColor(1, 2, 3)\nc = Qt.GlobalColor.red\nd = 'color: rgb(1, 2, 3)'\ne = QColor(theme.panel)\nf = '#1 of 3'\n"
    assert sorted(found.split()[0] for found in colour_literals(text, "x")) == ["x:1", "x:2", "x:3", "x:4"]
