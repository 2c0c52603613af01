"""Scripts of ``mistakes/``: every line marked ``# FINDS rule`` is named by that rule, and no other line by any."""

import re
from pathlib import Path

import pytest

from tensorscope.analysis.findings import find
from tensorscope.session.replay import ReplaySession

from .harness import tensorscope

FOLDER = Path(__file__).resolve().parent / "mistakes"
SCRIPTS = sorted(path.name for path in FOLDER.glob("*.py"))


def marked(script: Path) -> set[tuple[str, int]]:
    lines = script.read_text(encoding="utf-8").splitlines()
    return {(rule, number) for number, line in enumerate(lines, 1) for rule in re.findall(r"# FINDS ([\w-]+)", line)}


@pytest.mark.parametrize("name", SCRIPTS)
def test_every_marked_line_is_named_and_no_other(name: str, tmp_path: Path) -> None:
    file = tmp_path / "run.tscope"
    ended = tensorscope("record", "-o", file, FOLDER / name, folder=tmp_path)
    session = ReplaySession(file)
    try:
        found = find(session.snapshot())
    finally:
        session.close()
    named = {(one.rule, one.source.line if one.source is not None else 0) for one in found}
    assert named == marked(FOLDER / name), ended.stderr.decode()
