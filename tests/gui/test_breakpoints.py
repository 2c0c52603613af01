"""Breakpoints of the window: set in the gutter and by key, kept, obeyed by the session; stepping keys; walking over recorded nodes."""

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest

from tensorscope.gui.break_menu import BreakMenu
from tensorscope.gui.breakpoint_keeper import BreakpointKeeper
from tensorscope.gui.main_window import MainWindow
from tensorscope.gui.panels.code_area import CodeArea
from tensorscope.gui.panels.source import SourcePanel
from tensorscope.gui.settings import Settings
from tensorscope.session.session import RunState, Status
from tensorscope.viewmodel.breakpoints import Breakpoints
from tensorscope.viewmodel.node_walk import node_after, node_before
from tensorscope.viewmodel.workspace import NodeSelection, SourceSelection
from tests.gui.conftest import Opener, wait_until_ready
from tests.support.demo_run import SCRIPT, line_of
from tests.support.demo_trace import demo_snapshot
from tests.support.fake_session import FakeSession

RELU = line_of("x = self.gelu(x)")


def code_of(window: MainWindow) -> CodeArea:
    panel = window.deck.panel("source")
    assert isinstance(panel, SourcePanel)
    code = panel.findChild(CodeArea)
    assert isinstance(code, CodeArea)
    return code


def click_line(code: CodeArea, line: int, x: int) -> None:
    code.reveal(line)
    y = (line - 1) * code.line_height - code.verticalScrollBar().value() + code.line_height // 2
    QTest.mouseClick(code.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(x, y))


def test_a_click_left_of_a_line_sets_and_takes_a_breakpoint(open_window: Opener) -> None:
    session = FakeSession(demo_snapshot())
    window = open_window(session)
    before = window.workspace.selection
    click_line(code_of(window), RELU, x=10)
    assert session.breakpoints == (f"line:{SCRIPT}:{RELU}",)
    assert window.workspace.selection == before, "the gutter chooses no line"
    click_line(code_of(window), RELU, x=10)
    assert session.breakpoints == ()


def test_f9_sets_one_at_the_selected_line(open_window: Opener) -> None:
    session = FakeSession(demo_snapshot())
    window = open_window(session)
    window.workspace.select(SourceSelection(str(SCRIPT), RELU + 1))
    wait_until_ready(window)
    QTest.keyClick(window, Qt.Key.Key_F9)
    assert session.breakpoints == (f"line:{SCRIPT}:{RELU + 1}",)


def test_breakpoints_are_kept_for_the_next_window_but_not_those_of_the_command_line() -> None:
    session = FakeSession(demo_snapshot())
    session.breakpoints = ("grad>100",)
    first = Breakpoints()
    BreakpointKeeper(first, session, Settings())
    first.toggle_line("/user/a.py", 3)
    first.add("nonfinite")
    assert session.breakpoints == ("grad>100", "line:/user/a.py:3", "nonfinite")
    again = FakeSession(demo_snapshot())
    second = Breakpoints()
    BreakpointKeeper(second, again, Settings())
    assert again.breakpoints == ("line:/user/a.py:3", "nonfinite")
    second.remove("nonfinite")
    assert Settings().breakpoints == ["line:/user/a.py:3"]


def test_one_that_is_switched_off_stays_in_the_list() -> None:
    breakpoints = Breakpoints()
    breakpoints.toggle_line("/user/a.py", 3)
    breakpoints.switch("line:/user/a.py:3")
    assert (breakpoints.specs, breakpoints.active) == (("line:/user/a.py:3",), ())
    assert breakpoints.lines_of("/user/a.py") == {3: False}


def test_the_menu_lists_and_switches_them(open_window: Opener) -> None:
    session = FakeSession(demo_snapshot())
    window = open_window(session)
    window.breakpoints.toggle_line(str(SCRIPT), RELU)
    menu = BreakMenu(window.breakpoints, window.theme, window)
    menu.aboutToShow.emit()
    words = [action.text() for action in menu.actions() if action.isCheckable()]
    assert words == ["NaN or infinity in a gradient", f"{SCRIPT.name}:{RELU}"]
    menu.actions()[0].trigger()
    assert session.breakpoints == (f"line:{SCRIPT}:{RELU}", "nonfinite")
    menu.deleteLater()


def test_the_stepping_keys_reach_the_session(open_window: Opener) -> None:
    session = FakeSession(demo_snapshot())
    window = open_window(session)
    QTest.keyClick(window, Qt.Key.Key_F11)
    QTest.keyClick(window, Qt.Key.Key_F11, Qt.KeyboardModifier.ShiftModifier)
    QTest.keyClick(window, Qt.Key.Key_F10, Qt.KeyboardModifier.ControlModifier)
    assert session.asked == ["step module", "step out", "step iteration"]


def test_back_looks_at_the_node_before_and_node_returns(open_window: Opener) -> None:
    session = FakeSession(demo_snapshot())
    window = open_window(session)
    for _ in range(2):
        QTest.keyClick(window, Qt.Key.Key_F10, Qt.KeyboardModifier.ShiftModifier)
    runs = [node_before(window.snapshot, None)]
    assert runs[0] is not None
    second = node_before(window.snapshot, runs[0][1])
    assert second is not None
    assert (window.workspace.selection, window.workspace.cursor_ns) == second
    QTest.keyClick(window, Qt.Key.Key_F10)
    assert (window.workspace.selection, window.workspace.cursor_ns) == runs[0]
    QTest.keyClick(window, Qt.Key.Key_F10)
    assert window.workspace.cursor_ns is None
    assert session.asked == [], "nothing was stepped while looking back"
    QTest.keyClick(window, Qt.Key.Key_F10)
    assert session.asked == ["step_node"]
    wait_until_ready(window)


def test_in_a_recording_node_and_back_walk(open_window: Opener) -> None:
    session = FakeSession(demo_snapshot(is_held=False), Status(RunState.REPLAY, "Ended, exit code 0"), is_live=False)
    window = open_window(session)
    window.workspace.move_cursor(0)
    QTest.keyClick(window, Qt.Key.Key_F10)
    assert window.workspace.selection == NodeSelection(0, 0)
    assert session.asked == []
    wait_until_ready(window)


def test_before_the_first_and_after_the_last_there_is_no_node() -> None:
    snapshot = demo_snapshot()
    assert node_before(snapshot, 0) is None
    assert node_after(snapshot, snapshot.end_ns) is None


@pytest.mark.parametrize("theme", ["dark", "light"])
def test_a_breakpoint_is_a_dot_in_the_gutter(open_window: Opener, theme: str) -> None:
    window = open_window(theme=theme)
    code = code_of(window)
    code.reveal(RELU)
    window.breakpoints.toggle_line(str(SCRIPT), RELU)
    y = (RELU - 1) * code.line_height - code.verticalScrollBar().value() + code.line_height // 2
    picture = code.viewport().grab().toImage()
    # the script is held at that very line: the dot shows left of the arrow's point
    colours = {picture.pixelColor(x, y + dy).name() for x in range(5, 17) for dy in range(-5, 6)}
    assert window.theme().color("breakpoint").name() in colours
