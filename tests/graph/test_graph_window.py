"""The graph's keys in the whole window, where other panels have keys too."""

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from tensorscope.gui.panels.graph import GraphPanel
from tests.gui.conftest import Opener, open_window  # noqa: F401 (a fixture)


def test_ctrl_f_finds_in_the_graph_while_it_has_the_focus(open_window: Opener) -> None:  # noqa: F811
    window = open_window()
    panel = window.findChild(GraphPanel)
    window.activateWindow()
    panel.canvas.setFocus()
    QTest.keyClick(panel.canvas, Qt.Key.Key_F, Qt.KeyboardModifier.ControlModifier)
    assert window.focusWidget() is panel.tools.search
