"""Events, Source and Inspector answer to mouse and keys: rows open and are chosen, lines are chosen, values are copied."""

from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, QRectF, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget

from tensorscope.gui.main_window import MainWindow
from tensorscope.gui.panels.code_area import CodeArea
from tensorscope.gui.panels.event_list import EventList
from tensorscope.gui.panels.events import EventsPanel
from tensorscope.gui.panels.field import SearchField
from tensorscope.gui.panels.inspector import InspectorPanel
from tensorscope.gui.panels.prompt import Prompt
from tensorscope.gui.panels.source import SourcePanel
from tensorscope.render.event_row import time_rect
from tensorscope.session.session import RunState, Status
from tensorscope.trace.trace import Trace
from tensorscope.viewmodel.bookmarks import Bookmark
from tensorscope.viewmodel.line_heat import Heat
from tensorscope.viewmodel.workspace import ModuleSelection, NodeSelection, SourceSelection
from tests.gui.conftest import Opener, wait_until_ready
from tests.support.demo_run import SCRIPT, line_of
from tests.support.demo_trace import demo_snapshot
from tests.support.fake_session import FakeSession


@pytest.fixture
def window(open_window: Opener) -> MainWindow:
    return open_window()


def events_of(window: MainWindow) -> tuple[EventsPanel, EventList]:
    panel = window.deck.panel("events")
    assert isinstance(panel, EventsPanel)
    rows = panel.findChild(EventList)
    assert isinstance(rows, EventList)
    return panel, rows


def click_row(rows: EventList, label: str, x: int = 120) -> None:
    place = next(place for place, row in enumerate(rows.rows) if row.label == label)
    rows.scrollTo(rows.model().index(place, 0), EventList.ScrollHint.PositionAtCenter)
    middle = rows.visualRect(rows.model().index(place, 0)).center().y()
    QTest.mouseClick(rows.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(x, middle))


def test_a_click_opens_an_iteration_and_the_arrow_closes_it(window: MainWindow) -> None:
    panel, rows = events_of(window)
    before = len(panel.rows)
    click_row(rows, "Iteration 3")
    wait_until_ready(window)
    assert len(panel.rows) > before
    QTest.keyClick(rows, Qt.Key.Key_Left)
    wait_until_ready(window)
    assert len(panel.rows) == before


def test_a_chosen_row_is_the_windows_selection(window: MainWindow) -> None:
    _, rows = events_of(window)
    click_row(rows, "lm_head")
    assert window.workspace.selection == ModuleSelection("lm_head", 7)
    click_row(rows, "NllLossBackward0")
    assert window.workspace.selection == NodeSelection(7, 0)
    wait_until_ready(window)
    inspector = window.deck.panel("inspector")
    assert isinstance(inspector, InspectorPanel)
    assert inspector.view is not None
    assert inspector.view.title == "NllLossBackward0"


def test_a_double_click_shows_the_rows_time(window: MainWindow) -> None:
    _, rows = events_of(window)
    place = next(place for place, row in enumerate(rows.rows) if row.label == "lm_head")
    rows.scrollTo(rows.model().index(place, 0), EventList.ScrollHint.PositionAtCenter)
    at = QPoint(120, rows.visualRect(rows.model().index(place, 0)).center().y())
    QTest.mouseDClick(rows.viewport(), Qt.MouseButton.LeftButton, pos=at)
    row = rows.rows[place]
    assert window.workspace.range_ns is not None
    begin, end = window.workspace.range_ns
    assert begin < row.begin_ns < row.end_ns < end
    assert not window.workspace.is_following


def test_ctrl_c_copies_exact_values(window: MainWindow) -> None:
    _, rows = events_of(window)
    click_row(rows, "lm_head")
    QTest.keyClick(rows, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    text = QGuiApplication.clipboard().text()
    assert text.startswith("lm_head: 2,812,000 ns (2,812,000 ns itself) from ")
    assert text.endswith(" B")


def test_the_filter_leaves_what_fits(window: MainWindow) -> None:
    panel, _ = events_of(window)
    field = window.deck.sheet_of(panel).findChild(SearchField)
    assert isinstance(field, SearchField)
    field.setFocus()
    QTest.keyClicks(field, "gelu_backward")
    QTest.qWait(200)
    wait_until_ready(window)
    assert {row.label for row in panel.rows if not row.has_children} == {"aten::gelu_backward"}
    QTest.keyClicks(field, " dur>x")
    QTest.qWait(200)
    wait_until_ready(window)
    assert panel.message_shown == "“dur>x” needs a number and a unit, such as dur>1ms or mem>1MiB."
    QTest.keyClick(field, Qt.Key.Key_Escape)
    wait_until_ready(window)
    assert any(row.label == "Iteration 0" for row in panel.rows)


def test_a_clicked_line_is_selected(window: MainWindow) -> None:
    panel = window.deck.panel("source")
    assert panel is not None
    code = panel.findChild(CodeArea)
    assert isinstance(code, CodeArea)
    line = line_of("return self.c_proj(x)")
    code.reveal(line)
    y = (line - 1) * code.line_height - code.verticalScrollBar().value() + 8
    QTest.mouseClick(code.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(200, y))
    assert window.workspace.selection == SourceSelection(str(SCRIPT), line)
    wait_until_ready(window)
    QTest.keyClick(code, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QGuiApplication.clipboard().text() == "return self.c_proj(x)"


def test_the_scrubber_moves_the_cursor_and_follow_brings_it_back(window: MainWindow) -> None:
    strip = window.scrubber.strip
    QTest.mouseClick(strip, Qt.MouseButton.LeftButton, pos=QPoint(strip.width() // 2, 10))
    cursor = window.workspace.cursor_ns
    assert cursor is not None
    assert 1_400_000_000 < cursor < 1_672_000_000
    QTest.mouseClick(window.scrubber.follow_button, Qt.MouseButton.LeftButton)
    assert window.workspace.cursor_ns is None
    assert window.workspace.is_following


def test_the_dearest_line_comes_into_view_when_costs_arrive(open_window: Opener) -> None:
    snapshot = demo_snapshot(is_held=False)
    session = FakeSession(replace(snapshot, tables=Trace().snapshot().tables, backwards={}, iterations=(), exit=None), Status(RunState.RUNNING, "Running"))
    window = open_window(session, size=(1600, 700))
    panel = window.deck.panel("source")
    assert isinstance(panel, SourcePanel)
    code = panel.findChild(CodeArea)
    assert isinstance(code, CodeArea)
    assert code.verticalScrollBar().value() == 0
    session.tell(snapshot=replace(snapshot, exit=None))
    wait_until_ready(window)
    assert panel.view is not None
    assert panel.view.focus_line == line_of("y = F.scaled_dot_product_attention")  # 4 · (520 + 1041) µs
    assert code.verticalScrollBar().value() > 0


def test_the_scrubber_answers_to_keys_and_tells_its_marks(window: MainWindow) -> None:
    strip = window.scrubber.strip
    view = window.scrubber.view
    assert view is not None
    QTest.keyClick(strip, Qt.Key.Key_Home)
    assert window.workspace.cursor_ns == view.iteration_begins_ns[0]
    QTest.keyClick(strip, Qt.Key.Key_Right)
    assert window.workspace.cursor_ns == view.iteration_begins_ns[1]
    QTest.keyClick(strip, Qt.Key.Key_Plus)
    assert window.workspace.range_ns is not None
    window.bookmarks.toggle(Bookmark(1_500_000_000, "here"))
    assert "Bookmark: here at 1.500 s" in strip.hint(view.axis.position(1_500_000_000) * strip.width())


def test_the_inspectors_menu_copies_a_row(window: MainWindow) -> None:
    panel = window.deck.panel("inspector")
    assert isinstance(panel, InspectorPanel)
    words = [(action.text(), action.isEnabled()) for action in panel.menu_of("forward output").actions()]
    assert words == [("Copy value", True), ("Copy row", True), ("Copy all", True), ("Copy all as JSON", True)]
    panel.menu_of("forward output").actions()[1].trigger()
    assert QGuiApplication.clipboard().text().startswith("forward output: ")


def test_source_finds_a_text_and_goes_to_a_line(window: MainWindow) -> None:
    panel = window.deck.panel("source")
    assert isinstance(panel, SourcePanel)
    find, go_to = panel.findChildren(Prompt)
    line = line_of("x = self.gelu(x)")
    go_to.open()
    QTest.keyClicks(go_to.field, "99999")
    QTest.keyClick(go_to.field, Qt.Key.Key_Return)
    assert go_to.said.startswith("Type a line from 1 to ")
    go_to.field.setText("1")
    QTest.keyClick(go_to.field, Qt.Key.Key_Return)
    wait_until_ready(window)
    assert window.workspace.selection == SourceSelection(str(SCRIPT), 1)
    find.open()
    QTest.keyClicks(find.field, "X = SELF.gelu(")
    QTest.keyClick(find.field, Qt.Key.Key_Return)
    wait_until_ready(window)
    assert window.workspace.selection == SourceSelection(str(SCRIPT), line)
    find.field.setText("no such text")
    QTest.keyClick(find.field, Qt.Key.Key_Return)
    assert find.said == "No line of this file holds it."


def test_a_click_on_the_times_head_changes_to_self_times_and_back(window: MainWindow) -> None:
    panel, rows = events_of(window)
    head = next(widget for widget in panel.findChildren(QWidget) if hasattr(widget, "self_chosen"))
    at = time_rect(QRectF(0, 0, rows.viewport().width(), head.height())).center().toPoint()
    QTest.mouseClick(head, Qt.MouseButton.LeftButton, pos=at)
    assert head.toolTip().startswith("Time that lies in no row under it")
    QTest.mouseClick(head, Qt.MouseButton.LeftButton, pos=at)
    assert head.toolTip().startswith("Time with all that ran inside")


def test_the_source_is_compared_by_what_is_chosen_and_its_keys_walk(window: MainWindow) -> None:
    window.deck.show_panel("source")
    wait_until_ready(window)
    panel = window.deck.panel("source")
    assert isinstance(panel, SourcePanel)
    menu = panel.heat_button.menu_shown()
    assert [action.text() for action in menu.actions()[:4]] == ["time", "live bytes", "operators", "saved bytes"]
    menu.actions()[2].trigger()
    wait_until_ready(window)
    assert panel.view is not None
    assert panel.view.heat is Heat.OPERATORS
    hottest = panel.view.hot[:2]
    code = panel.findChild(CodeArea)
    assert isinstance(code, CodeArea)
    for line in hottest:
        QTest.keyClick(code, Qt.Key.Key_H)
        assert window.workspace.selection == SourceSelection(line.file, line.line)
    QTest.keyClick(code, Qt.Key.Key_H, Qt.KeyboardModifier.ShiftModifier)
    assert window.workspace.selection == SourceSelection(hottest[0].file, hottest[0].line)
