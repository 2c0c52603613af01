"""The key sheet has every key: of every action, and of every panel as its code reads them; typing narrows it, Esc closes it."""

import ast
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

import tensorscope.gui.panels
from tensorscope.gui.actions import ACTIONS
from tensorscope.gui.keys import KeyRow, in_columns, key_groups, narrowed
from tensorscope.gui.panel_keys import PANEL_KEYS
from tensorscope.gui.panels.catalog import CATALOG
from tests.gui.conftest import Opener

FOLDER = Path(tensorscope.gui.panels.__file__).parent
OWNERS = {"event": "events", "graph": "graph", "code": "source", "source": "source", "memory": "memory", "gradients": "gradients"}
OWNERS |= {"storage": "storages", "storages": "storages", "sharing": "storages", "problem": "problems", "problems": "problems", "output": "output"}
SAME = {"Return": "Enter", "Equal": "+", "Plus": "+", "Minus": "-", "Escape": "Esc"}
NOT_OF_A_PANEL = {"graph_side_kinds.py"}  # a row of switches: arrows and Space as everywhere


def keys_read(file: Path) -> set[str]:
    """Names of ``Qt.Key.Key_…`` in a file, in the sheet's words."""
    nodes = ast.walk(ast.parse(file.read_text(encoding="utf-8")))
    found = {node.attr.removeprefix("Key_") for node in nodes if isinstance(node, ast.Attribute) and node.attr.startswith("Key_")}
    return {SAME.get(name, name) for name in found}


def test_every_key_that_a_panel_reads_is_on_the_sheet() -> None:
    missing = []
    for file in sorted(FOLDER.glob("*.py")):
        owner = OWNERS.get(file.stem.partition("_")[0])
        if owner is not None and file.name not in NOT_OF_A_PANEL:
            listed = {key for row in PANEL_KEYS[owner] for key in row.keys.split(" ")} | {"C"}
            missing += [f"{file.name}: {key}; add it to gui/panel_keys.py" for key in sorted(keys_read(file) - listed)]
    assert missing == []
    assert "P" in keys_read(FOLDER / "memory_plot.py")


def test_every_action_and_every_panel_is_on_the_sheet(qapp: object) -> None:
    groups = key_groups()
    titles = [group[0].words for group in groups]
    assert titles[3:] == [*(entry.title for entry in CATALOG), "The whole run"]
    assert sum(len(group) - 1 for group in groups[:2]) == len(ACTIONS)
    assert KeyRow("F10", "Step: Node") in groups[0]


def test_columns_keep_groups_whole_and_are_about_even() -> None:
    group = tuple(KeyRow(str(number), "") for number in range(4))
    assert in_columns([group] * 4, 2) == [[*group, None, *group]] * 2
    assert in_columns([group], 3) == [list(group)]


def test_typing_narrows_the_sheet_and_escape_closes_it(open_window: Opener) -> None:
    window = open_window()
    window.actions_by_name["keys"].trigger()
    sheet = window.key_sheet
    assert sheet is not None
    assert len(sheet.rows) > 80
    QTest.keyClicks(sheet.field, "memory peak")
    assert [row.keys for row in sheet.rows] == ["P"]
    QTest.keyClick(sheet.field, Qt.Key.Key_Escape)
    assert len(sheet.rows) > 80
    QTest.keyClick(sheet.field, Qt.Key.Key_Escape)
    assert not sheet.isVisible()
    assert narrowed(key_groups(), "nothing such") == ()
