"""A panel in a window of its own: by tab, menu or key; it follows cursor and selection; closing it gives the panel back; its place is kept."""

from collections.abc import Callable

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtTest import QTest

from tensorscope.gui.app import run_window
from tensorscope.gui.main_window import MainWindow
from tensorscope.gui.panel_window import PanelWindow, on_screen
from tensorscope.gui.panels.inspector import InspectorPanel
from tensorscope.gui.settings import Settings
from tensorscope.viewmodel.workspace import ParameterSelection
from tests.gui.conftest import Opener, wait_until_ready
from tests.gui.test_app import when_ready
from tests.support.demo_trace import demo_snapshot
from tests.support.fake_session import FakeSession

CONTROL_SHIFT = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
SCREEN, SECOND = QRect(0, 0, 1920, 1080), QRect(1920, 0, 1280, 720)


def undocked(window: MainWindow, key: str) -> PanelWindow:
    return next(one for one in window.deck.windows if one.key == key)


def test_a_panel_goes_into_a_window_by_key_and_back_by_closing_it(open_window: Opener) -> None:
    window = open_window(size=(1280, 720))
    window.deck.show_panel("storages")
    QTest.keyClick(window, Qt.Key.Key_M, CONTROL_SHIFT)
    wait_until_ready(window)
    own = undocked(window, "storages")
    panel = window.deck.panel("storages")
    assert panel is not None
    assert own.isVisible()
    assert panel.window() is own
    assert window.deck.focused is panel
    shown = {one.key for one in window.deck.shown_panels()}
    assert "storages" in shown
    assert shown & {"memory", "gradients", "problems", "output"}  # what shared its sheet is seen beside it
    own.close()
    wait_until_ready(window)
    assert window.deck.windows == ()
    assert panel.window() is window
    sheet = window.deck.sheet_of(panel)
    assert [one.key for one in sheet.panels] == ["memory", "gradients", "storages", "problems", "output"]
    assert sheet.current is panel


def test_the_key_gives_the_panel_back_as_well(open_window: Opener) -> None:
    window = open_window()
    window.deck.show_panel("graph")
    window.actions_by_name["undock"].trigger()
    QTest.keyClick(undocked(window, "graph"), Qt.Key.Key_M, CONTROL_SHIFT)
    assert window.deck.windows == ()
    wait_until_ready(window)


def test_a_sheet_without_a_panel_gives_its_room_away_and_takes_it_back(open_window: Opener) -> None:
    window = open_window()
    graph, source = window.deck.panel("graph"), window.deck.panel("source")
    assert graph is not None
    assert source is not None
    home, before = window.deck.sheet_of(source), (window.deck.sheet_of(graph).width(), window.deck.sheet_of(source).width())
    window.deck.undock("source")
    wait_until_ready(window)
    assert not home.isVisible()
    assert window.deck.sheet_of(graph).width() > before[0] + 50
    window.deck.dock("source")
    wait_until_ready(window)
    after = (window.deck.sheet_of(graph).width(), window.deck.sheet_of(source).width())
    assert all(abs(one - other) <= 4 for one, other in zip(before, after, strict=True))


def test_a_tab_dragged_out_of_its_header_becomes_a_window_where_it_is_let_go(open_window: Opener) -> None:
    window = open_window()
    problems = window.deck.panel("problems")
    assert problems is not None
    header = window.deck.sheet_of(problems).header
    held = next(rect.center().toPoint() for tab, rect in zip(header.tabs[0], header.tab_rects(), strict=True) if tab.key == "problems")
    for far, count in (((160, 20), 0), ((120, -200), 1)):
        QTest.mousePress(header, Qt.MouseButton.LeftButton, pos=held)
        QTest.mouseMove(header, QPoint(*far))
        QTest.mouseRelease(header, Qt.MouseButton.LeftButton, pos=QPoint(*far))
        assert len(window.deck.windows) == count
    assert problems.window() is undocked(window, "problems")
    assert undocked(window, "problems").pos().y() < header.mapToGlobal(QPoint()).y()
    wait_until_ready(window)


def test_selection_cursor_and_run_keys_reach_an_undocked_panel(open_window: Opener) -> None:
    session = FakeSession(demo_snapshot())
    window = open_window(session)
    window.deck.undock("inspector")
    window.workspace.select(ParameterSelection("h.1.mlp.c_fc.weight"))
    wait_until_ready(window)
    inspector = window.deck.panel("inspector")
    assert isinstance(inspector, InspectorPanel)
    assert inspector.view is not None
    assert inspector.view.title == "h.1.mlp.c_fc.weight"
    own = undocked(window, "inspector")
    own.activateWindow()
    QTest.keyClick(own, Qt.Key.Key_F10)
    assert session.asked == ["step_node"]
    QTest.keyClick(own, Qt.Key.Key_2, Qt.KeyboardModifier.AltModifier)
    assert window.deck.focused is window.deck.panel("graph")


def test_another_arrangement_and_another_theme_leave_an_undocked_panel_where_it_is(open_window: Opener) -> None:
    window = open_window()
    window.deck.undock("memory")
    window.resize(1280, 720)
    window.actions_by_name["theme"].trigger()
    wait_until_ready(window)
    own = undocked(window, "memory")
    assert own.isVisible()
    assert own.grab().toImage().pixelColor(1, 1) == window.theme().color("surface.window")
    window.actions_by_name["reset_layout"].trigger()
    assert window.deck.windows == ()
    wait_until_ready(window)


@pytest.fixture
def reopened(qapp: object) -> Callable[[Callable[[MainWindow], object]], None]:
    """Open a window that remembers, do something in it, close it."""

    def reopen(act: Callable[[MainWindow], object]) -> None:
        when_ready(lambda window: (act(window), window.close()))
        run_window(FakeSession(demo_snapshot()))

    return reopen


def test_undocked_panels_and_their_places_are_there_after_a_restart(reopened: Callable[[Callable[[MainWindow], object]], None]) -> None:
    place = QRect(60, 70, 500, 400)
    reopened(lambda window: window.deck.undock("gradients", place))
    seen: list[tuple[str, QRect]] = []
    reopened(lambda window: seen.extend((one.key, one.geometry()) for one in window.deck.windows))
    assert seen == [("gradients", place)]


def test_a_window_of_a_screen_that_is_gone_comes_back_into_view(reopened: Callable[[Callable[[MainWindow], object]], None]) -> None:
    settings = Settings()
    settings.keep_undocked([("graph", QRect(9000, 300, 500, 400))])
    del settings
    seen: list[bool] = []
    reopened(lambda window: seen.extend(window.screen().availableGeometry().contains(one.geometry()) for one in window.deck.windows))
    assert seen == [True]


def test_a_place_is_kept_as_long_as_one_can_take_hold_of_it() -> None:
    reachable = QRect(1800, 1000, 600, 500)
    assert on_screen(reachable, [SCREEN]) == reachable
    on_second = QRect(2000, 100, 640, 480)
    assert on_screen(on_second, [SCREEN, SECOND]) == on_second
    assert on_screen(on_second, [SCREEN]) == QRect(1280, 100, 640, 480)
    assert on_screen(QRect(100, -300, 640, 480), [SCREEN]) == QRect(100, 0, 640, 480)
    assert on_screen(QRect(-5000, -5000, 4000, 3000), [SCREEN]) == SCREEN
    assert on_screen(on_second, []) == on_second
