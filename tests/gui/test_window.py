"""The window over a held run: every panel is filled, keys reach the session, one selection and one cursor serve all."""

from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QImage
from PySide6.QtTest import QTest

from tensorscope.errors import TensorScopeError
from tensorscope.gui.command_palette import CommandPalette
from tensorscope.gui.panels.catalog import CATALOG
from tensorscope.gui.panels.events import EventsPanel
from tensorscope.gui.panels.inspector import InspectorPanel
from tensorscope.gui.panels.source import SourcePanel
from tensorscope.session.session import RunState, Status
from tensorscope.trace.snapshot import Health
from tensorscope.trace.trace import Trace
from tensorscope.viewmodel.palette_search import Offer, matching
from tensorscope.viewmodel.workspace import NodeSelection, ParameterSelection
from tests.gui.conftest import Opener, wait_until_ready
from tests.support.demo_run import line_of
from tests.support.demo_trace import demo_snapshot
from tests.support.fake_session import FakeSession

SHEETS = 7  # of the wide arrangement


def test_every_panel_of_the_catalog_is_there_and_painted(open_window: Opener) -> None:
    window = open_window()
    assert [panel.key for panel in window.deck.panels] == [entry.key for entry in CATALOG]
    assert len(window.deck.shown_panels()) == SHEETS
    for panel in window.deck.shown_panels():
        assert colours_in(panel.grab().toImage()) > 12, f"{panel.key} is empty"


def colours_in(image: QImage) -> int:
    return len({image.pixel(x, y) for x in range(0, image.width(), 3) for y in range(0, image.height(), 3)})


@pytest.mark.parametrize("theme", ["dark", "light"])
@pytest.mark.parametrize("size", [(1600, 900), (1280, 720)])
def test_the_window_is_painted_in_both_themes_and_sizes(open_window: Opener, tmp_path: Path, theme: str, size: tuple[int, int]) -> None:
    window = open_window(size=size, theme=theme)
    path = tmp_path / f"{theme}.png"
    assert window.grab().save(str(path))
    picture = QImage(str(path))
    assert (picture.width(), picture.height()) == size
    assert picture.pixelColor(2, size[1] // 2) == window.theme().color("surface.window")
    assert window.deck.arrangement is not None
    assert window.deck.arrangement.name == ("wide" if size[0] >= 1500 else "narrow")


def test_at_a_stop_the_waiting_node_is_selected_everywhere(open_window: Opener) -> None:
    window = open_window()
    held = demo_snapshot().holds[0]
    assert window.workspace.selection == NodeSelection(held["backward"] - 1, held["node_index"])
    inspector, source, events = (window.deck.panel(key) for key in ("inspector", "source", "events"))
    assert isinstance(inspector, InspectorPanel)
    assert inspector.view is not None
    assert inspector.view.title == "GeluBackward0"
    assert inspector.view.module == "h.2.mlp.gelu"
    assert isinstance(source, SourcePanel)
    assert source.view is not None
    assert source.view.held_line == source.view.selected_line == line_of("x = self.gelu(x)")
    assert isinstance(events, EventsPanel)
    (row,) = [row for row in events.rows if row.state == "held"]
    assert row.label == "GeluBackward0"


def test_the_run_keys_reach_the_session(open_window: Opener) -> None:
    session = FakeSession(demo_snapshot())
    window = open_window(session)
    QTest.keyClick(window, Qt.Key.Key_F10)
    QTest.keyClick(window, Qt.Key.Key_F5)
    QTest.keyClick(window, Qt.Key.Key_F6)  # held: there is nothing to pause
    QTest.keyClick(window, Qt.Key.Key_F5, Qt.KeyboardModifier.ShiftModifier)
    assert session.asked == ["step_node", "resume", "stop"]
    session.tell(Status(RunState.RUNNING, "Running, iteration 8"))
    wait_until_ready(window)
    session.asked.clear()
    QTest.keyClick(window, Qt.Key.Key_F5)
    QTest.keyClick(window, Qt.Key.Key_F10)
    QTest.keyClick(window, Qt.Key.Key_F6)
    assert session.asked == ["pause"]


def test_alt_and_a_digit_goes_to_a_panel(open_window: Opener) -> None:
    window = open_window(size=(1280, 720))
    for number, entry in enumerate(CATALOG):
        QTest.keyClick(window, Qt.Key(Qt.Key.Key_1 + number), Qt.KeyboardModifier.AltModifier)
        panel = window.deck.panel(entry.key)
        assert window.deck.focused is panel
        assert panel in window.deck.shown_panels()
    wait_until_ready(window)


def test_the_past_is_told_from_now(open_window: Opener) -> None:
    window = open_window()
    window.workspace.move_cursor(1_600_000_000)
    wait_until_ready(window)
    views = [chip.view for chip in window.toolbar.chips]
    assert views[0] is not None
    assert views[1] is not None
    assert (views[0].strong, views[0].rest) == ("Held", "at 1.672 s")
    assert (views[1].strong, views[1].rest) == ("Looking back", "1.600 s")
    QTest.keyClick(window, Qt.Key.Key_Escape)
    assert window.workspace.cursor_ns is None
    assert window.toolbar.chips[1].view is None


def test_a_run_that_is_over_is_not_looking_back_until_the_user_moves_the_cursor(open_window: Opener) -> None:
    snapshot = replace(demo_snapshot(is_held=False), exit={"code": 0})
    window = open_window(FakeSession(snapshot, Status(RunState.REPLAY, "Ended, exit code 0")))
    rest = window.workspace.cursor_ns
    assert rest is not None
    assert window.toolbar.chips[1].view is None
    assert window.scrubber.follow_button.isHidden()
    window.workspace.move_cursor(1_500_000_000)
    assert window.toolbar.chips[1].view is not None
    QTest.keyClick(window, Qt.Key.Key_Escape)
    assert window.workspace.cursor_ns == rest
    assert window.toolbar.chips[1].view is None
    wait_until_ready(window)


def test_only_what_the_user_waits_for_is_shown_as_busy(open_window: Opener, monkeypatch: pytest.MonkeyPatch) -> None:
    session = FakeSession(demo_snapshot(is_held=False))
    window = open_window(session)
    asked: list[str] = []
    monkeypatch.setattr(window.deck, "set_busy", lambda panel, is_busy: asked.append(panel.key) if is_busy else None)
    session.tell(snapshot=replace(demo_snapshot(is_held=False), end_ns=9_000_000_000))
    wait_until_ready(window)
    assert asked == []
    window.workspace.move_cursor(1_500_000_000)
    wait_until_ready(window)
    assert "source" in asked


def test_a_drop_turns_the_cost_chip_into_a_warning(open_window: Opener) -> None:
    session = FakeSession(replace(demo_snapshot(), health=Health(dropped_events=1200)))
    window = open_window(session)
    view = window.toolbar.cost.view
    assert view is not None
    assert (view.icon, view.strong, view.rest) == ("triangle-alert", "1,200 events", "dropped")


def test_an_empty_run_says_what_to_do_and_fails_nowhere(open_window: Opener) -> None:
    session = FakeSession(Trace().snapshot(), Status(RunState.BUILDING, "Building the probe"))
    window = open_window(session)
    assert not window.failures
    assert not window.actions_by_name["pause"].isEnabled()
    assert window.toolbar.chips[0].view is not None
    assert window.toolbar.chips[0].view.strong == "Building"


def test_a_run_that_is_over_rests_at_its_last_iteration(open_window: Opener) -> None:
    snapshot = demo_snapshot(is_held=False)
    window = open_window(FakeSession(snapshot))
    assert window.workspace.cursor_ns == snapshot.iterations[-1]["time_ns"]
    assert not window.actions_by_name["restart"].isEnabled()


def test_the_other_theme_repaints_everything(open_window: Opener) -> None:
    window = open_window()
    window.actions_by_name["theme"].trigger()
    wait_until_ready(window)
    assert not window.theme().is_dark
    for panel in window.deck.shown_panels():
        sheet = window.deck.sheet_of(panel)
        assert sheet.grab().toImage().pixelColor(8, 60).lightness() > 200, f"{panel.key} is still dark"


def test_a_maximized_panel_has_all_the_room_and_gives_it_back(open_window: Opener) -> None:
    window = open_window()
    window.deck.show_panel("gradients")
    window.actions_by_name["maximize"].trigger()
    wait_until_ready(window)
    assert [panel.key for panel in window.deck.shown_panels()] == ["gradients"]
    panel = window.deck.panel("gradients")
    assert panel is not None
    assert window.deck.sheet_of(panel).width() == window.deck.width()
    window.actions_by_name["maximize"].trigger()
    wait_until_ready(window)
    assert len(window.deck.shown_panels()) == SHEETS


def test_export_saves_the_focused_panel_or_the_window(open_window: Opener, tmp_path: Path) -> None:
    window = open_window()
    window.deck.set_focused(None)
    window.commands.export_panel(tmp_path / "window.png")
    assert QImage(str(tmp_path / "window.png")).width() == 1600
    window.deck.show_panel("inspector")
    window.commands.export_panel(tmp_path / "inspector.png")
    panel = window.deck.panel("inspector")
    assert panel is not None
    assert QImage(str(tmp_path / "inspector.png")).width() == window.deck.sheet_of(panel).width()
    with pytest.raises(TensorScopeError, match="could not be written"):
        window.commands.export_panel(tmp_path / "missing" / "x.png")


def test_a_parameter_is_inspected_with_its_last_gradient(open_window: Opener) -> None:
    window = open_window()
    window.workspace.select(ParameterSelection("h.1.mlp.c_fc.weight"))
    wait_until_ready(window)
    inspector = window.deck.panel("inspector")
    assert isinstance(inspector, InspectorPanel)
    assert inspector.view is not None
    assert inspector.view.title == "h.1.mlp.c_fc.weight"
    stages = [row.name for row in inspector.view.sections[0].rows if hasattr(row, "norm")]
    assert stages == ["raw", "clipped"]


def test_closing_detaches_and_joins(open_window: Opener) -> None:
    session = FakeSession(demo_snapshot())
    window = open_window(session)
    window.close()
    assert session.asked == ["close"]
    assert session.listeners == []
    window.close()
    assert session.asked == ["close"]


def test_save_as_is_done_aside_and_said(open_window: Opener, tmp_path: Path) -> None:
    session = FakeSession(demo_snapshot())
    window = open_window(session)
    window.commands.save_as(tmp_path / "kept.tscope")
    wait_until_ready(window)
    assert session.asked == [f"save_as {tmp_path / 'kept.tscope'}"]
    assert window.status_bar.notice == f"Saved {tmp_path / 'kept.tscope'}"


def test_a_panel_that_fails_says_so_and_the_others_live_on(open_window: Opener) -> None:
    window = open_window()
    panel = window.deck.panel("inspector")
    assert panel is not None
    window.fail(panel, ZeroDivisionError("division by zero"))
    sheet = window.deck.sheet_of(panel)
    assert not panel.isVisible()
    assert colours_in(sheet.grab().toImage()) > 3
    assert window.failures[0][0] is panel
    window.failures.clear()
    panel.refresh()
    wait_until_ready(window)
    assert panel.isVisible()


def test_the_palette_finds_an_action_by_its_words_and_does_it(open_window: Opener) -> None:
    session = FakeSession(demo_snapshot())
    window = open_window(session)
    window.activateWindow()
    QTest.keyClick(window, Qt.Key.Key_P, Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier)
    palette = window.findChild(CommandPalette)
    assert palette is not None
    assert palette.isVisible()
    QTest.keyClicks(palette.field, "let run on")
    QTest.keyClick(palette.field, Qt.Key.Key_Return)
    assert session.asked == ["resume"]
    assert not palette.isVisible()
    wait_until_ready(window)


def test_the_palette_puts_what_begins_so_first_and_what_is_off_last() -> None:
    offers = [
        Offer("Pause", "", "F6", False),
        Offer("Save as", "Keep this run as a recording", "Ctrl+Shift+S", True),
        Offer("Open recording", "", "Ctrl+O", True),
    ]
    assert matching(offers, "") == (1, 2, 0)
    assert matching(offers, "recording") == (2, 1)
    assert matching(offers, "pause") == (0,)
    assert matching(offers, "nothing such") == ()
