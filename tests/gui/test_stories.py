"""Each story of the samples in the real window, by keys: F8 goes to its problem, Source shows the line, the memory timeline is exported."""

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QImage
from PySide6.QtTest import QTest

from tensorscope.gui.panels.problems import ProblemsPanel
from tensorscope.gui.panels.source import SourcePanel
from tensorscope.session.replay import ReplaySession
from tensorscope.viewmodel.workspace import NodeSelection
from tests.gui.conftest import Opener, wait_until_ready
from tests.truth.harness import Recording

STORIES = {"inplace_conflict.py": "in place", "leak.py": "graph", "missing_zero_grad.py": "zero_grad", "broadcasting.py": ""}


@pytest.mark.parametrize("sample", STORIES)
def test_a_story_is_found_looked_at_and_exported_by_keys(open_window: Opener, recorded: Callable[[str], Recording], tmp_path: Path, sample: str) -> None:
    window = open_window(ReplaySession(recorded(sample).file))  # type: ignore[arg-type]
    window.activateWindow()
    if STORIES[sample]:
        QTest.keyClick(window, Qt.Key.Key_F8)
        wait_until_ready(window)
        problems, source = window.deck.panel("problems"), window.deck.panel("source")
        assert isinstance(problems, ProblemsPanel)
        assert isinstance(source, SourcePanel)
        assert problems.chosen is not None
        assert STORIES[sample] in problems.chosen.words
        assert source.view is not None
        assert Path(source.view.file).name == sample
        assert source.view.selected_line > 0
    if sample == "inplace_conflict.py":  # nothing ran backward before its problem
        QTest.keyClick(window, Qt.Key.Key_F10, Qt.KeyboardModifier.ShiftModifier)
        assert window.status_bar.notice.startswith("No node ran before this moment")
        QTest.keyClick(window, Qt.Key.Key_F10)
        assert isinstance(window.workspace.selection, NodeSelection)
    else:
        QTest.keyClick(window, Qt.Key.Key_F10, Qt.KeyboardModifier.ShiftModifier)
        before = window.workspace.selection
        QTest.keyClick(window, Qt.Key.Key_F10, Qt.KeyboardModifier.ShiftModifier)
        assert isinstance(before, NodeSelection)
        assert window.workspace.selection != before
    QTest.keyClick(window, Qt.Key.Key_5, Qt.KeyboardModifier.AltModifier)
    wait_until_ready(window)
    assert window.deck.focused is window.deck.panel("memory")
    window.commands.export_panel(tmp_path / "memory.png")
    assert QImage(str(tmp_path / "memory.png")).width() > 300
