"""The README says what is so: its commands exist, its files exist, and its picture is what the window shows.

``TENSORSCOPE_WRITE_PICTURES=1 pytest tests/test_readme.py`` renders the picture anew.
"""

import os
import re
import shutil
import struct
from collections.abc import Callable
from pathlib import Path

from tensorscope.cli.main import COMMANDS
from tests.truth.harness import Recording, tensorscope

ROOT = Path(__file__).resolve().parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
PICTURE = ROOT / "docs" / "window.png"
SIZE = (1600, 900)


def size_of_png(file: Path) -> tuple[int, int]:
    head = file.read_bytes()[:24]
    assert head.startswith(b"\x89PNG\r\n\x1a\n")
    width, height = struct.unpack(">II", head[16:24])
    return width, height


def test_the_table_of_commands_names_every_command() -> None:
    assert set(re.findall(r"^\| `tensorscope (\w+)[ `]", README, re.MULTILINE)) == set(COMMANDS)


def test_every_file_that_is_linked_exists() -> None:
    linked = re.findall(r"\]\((?!https?:)([^)#]+)\)", README)
    assert linked
    assert [name for name in linked if not (ROOT / name).exists()] == []


def test_the_picture_is_the_window_on_the_digits_sample(recorded: Callable[[str], Recording], tmp_path: Path) -> None:
    rendered = tmp_path / "window.png"
    ended = tensorscope("export", recorded("digits_cnn.py").file, "--window-png", rendered, "--size", "x".join(map(str, SIZE)), folder=tmp_path)
    assert (ended.code, ended.stderr) == (0, b"")
    assert size_of_png(rendered) == SIZE
    if os.environ.get("TENSORSCOPE_WRITE_PICTURES"):
        shutil.copyfile(rendered, PICTURE)
    assert size_of_png(PICTURE) == SIZE
    assert rendered.stat().st_size > PICTURE.stat().st_size / 2, "far less to see than in the README's picture"
