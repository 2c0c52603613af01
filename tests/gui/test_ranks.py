"""Several ranks in one window: the panels show the chosen one."""

from dataclasses import replace

from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QToolButton

from tensorscope.gui.panels.gradients import GradientsPanel
from tensorscope.gui.panels.memory import MemoryPanel
from tensorscope.session.session import RankInfo, RunState, Status
from tensorscope.viewmodel.ranks import rank_that_stopped, ranks_view
from tensorscope.viewmodel.workspace import Aspect, BlockSelection, ParameterSelection, Workspace
from tests.gui.conftest import Opener, wait_until_ready
from tests.support.demo_trace import demo_snapshot
from tests.support.fake_session import FakeSession

RUNNING = Status(RunState.RUNNING, "Running, iteration 3")


def two_ranks() -> FakeSession:
    session = FakeSession(demo_snapshot(is_held=False), RUNNING)
    session.more_ranks = (RankInfo(1, "rank 1", 4322, RUNNING, "cpu", 0),)
    session.of_rank[1] = replace(demo_snapshot(is_held=False), end_ns=9_000_000_000)
    return session


def test_the_panels_show_the_snapshot_of_the_chosen_rank(open_window: Opener) -> None:
    session = two_ranks()
    window = open_window(session)
    assert window.snapshot is session.current
    window.workspace.show_rank(1)
    wait_until_ready(window)
    assert window.snapshot is session.of_rank[1]
    window.workspace.show_rank(0)
    wait_until_ready(window)
    assert window.snapshot is session.current


def test_what_has_a_name_stays_selected_in_another_rank_and_an_address_does_not() -> None:
    workspace, told = Workspace(), list[Aspect]()
    workspace.select(ParameterSelection("fc.weight"))
    workspace.observe(told.append)
    workspace.show_rank(1)
    assert (workspace.selection, told) == (ParameterSelection("fc.weight"), [Aspect.RANK])
    workspace.select(BlockSelection(0x10, 5, "cpu"))
    workspace.show_rank(0)
    assert workspace.selection is None


def info(rank: int, status: Status = RUNNING, quiet_s: float = 0, backwards: int = 5) -> RankInfo:
    return RankInfo(rank, f"rank {rank}", 100 + rank, status, "cpu", round(quiet_s * 1e9), backwards)


def test_one_rank_leaves_nothing_to_choose() -> None:
    assert ranks_view([info(0)], 0) is None


def test_of_silent_ranks_the_one_that_has_come_least_far_is_named() -> None:
    view = ranks_view([info(0, quiet_s=12, backwards=6), info(1, quiet_s=12.5, backwards=5)], 0)
    assert view is not None
    assert view.trouble is not None
    assert (view.trouble.strong, view.troubled_rank) == ("Rank 1", 1)
    assert view.trouble.rest == "silent for 12.5 s, before backward 5: the others wait for it"


def test_a_killed_rank_is_named_and_a_quiet_one_beside_a_held_one_waits() -> None:
    killed = Status(RunState.CRASHED, "Killed by SIGKILL", exit_code=137)
    view = ranks_view([info(0), info(1, killed)], 0)
    assert view is not None
    assert [row.text for row in view.rows] == ["rank 0 · Running, iteration 3", "rank 1 · Killed by SIGKILL"]
    assert view.troubled_rank == 1
    held = Status(RunState.HELD, "Held before node 1 of 5")
    view = ranks_view([info(0, quiet_s=60, backwards=5), info(1, held, quiet_s=60, backwards=6)], 0)
    assert view is not None
    assert view.trouble is None
    assert view.rows[0].text == "rank 0 · Waiting, rank 1 held"


def test_of_dead_ranks_the_one_that_the_launcher_did_not_end_is_named() -> None:
    ended = Status(RunState.REPLAY, "Killed by SIGTERM", exit_code=143)
    view = ranks_view([info(0, ended), info(1, Status(RunState.REPLAY, "Killed by SIGKILL", exit_code=137)), info(2, ended)], 0)
    assert view is not None
    assert (view.troubled_rank, view.trouble and view.trouble.rest) == (1, "Killed by SIGKILL")
    unseen = Status(RunState.CRASHED, "Ended without a word: killed, or by os._exit")
    view = ranks_view([info(0, unseen), info(1, Status(RunState.CRASHED, "Killed by SIGKILL", exit_code=137))], 0)
    assert view is not None
    assert view.troubled_rank == 1


def test_the_toolbar_offers_the_ranks_and_keys_walk_over_them(open_window: Opener) -> None:
    session = two_ranks()
    window = open_window(session)
    selector = window.toolbar.ranks
    assert selector.isVisible()
    selector.fill_menu()
    assert [action.text() for action in selector.menu.actions()] == ["rank 0 · Running, iteration 3", "rank 1 · Running, iteration 3"]
    QTest.keyClick(window, Qt.Key.Key_PageDown, Qt.KeyboardModifier.ControlModifier)
    wait_until_ready(window)
    assert (window.workspace.rank, selector.view and selector.view.label) == (1, "rank 1")
    selector.menu.actions()[0].trigger()
    assert window.workspace.rank == 0


def test_a_click_on_the_trouble_shows_the_rank_that_died(open_window: Opener) -> None:
    session = two_ranks()
    session.more_ranks = (info(1, Status(RunState.CRASHED, "Killed by SIGKILL", exit_code=137)),)
    window = open_window(session)
    chip = next(chip for chip in window.toolbar.chips if chip.view is not None and chip.view.strong == "Rank 1")
    chip.clicked.emit()
    assert window.workspace.rank == 1


def test_the_window_goes_to_the_rank_that_comes_to_a_stop_unless_the_shown_one_is_held() -> None:
    held = Status(RunState.HELD, "Held before node 2 of 9")
    assert rank_that_stopped([info(0), info(1)], [info(0), info(1, held)], 0) == 1
    assert rank_that_stopped([info(0), info(1, held)], [info(0), info(1, held)], 0) == 0  # the user went back
    assert rank_that_stopped([info(0, held), info(1)], [info(0, held), info(1, held)], 0) == 0


def test_each_rank_has_a_lane_below_the_strip_and_a_click_on_it_shows_the_rank(open_window: Opener) -> None:
    window = open_window(two_ranks())
    lanes, strip = window.scrubber.lanes, window.scrubber.strip
    assert [lane.label for lane in lanes.lanes] == ["rank 0", "rank 1"]
    assert lanes.isVisible()
    assert lanes.mapTo(window.scrubber, QPoint(0, 0)).y() >= strip.geometry().bottom()
    QTest.mouseClick(lanes, Qt.MouseButton.LeftButton, pos=QPoint(200, round(lanes.height() * 0.75)))
    wait_until_ready(window)
    assert window.workspace.rank == 1
    assert window.snapshot.end_ns == 9_000_000_000


def test_a_single_rank_leaves_the_scrubber_as_it_was(open_window: Opener) -> None:
    window = open_window(FakeSession(demo_snapshot(is_held=False), RUNNING))
    assert not window.scrubber.lanes.isVisible()
    assert window.scrubber.height() == window.theme().px("size.scrubber")


def test_memory_and_gradients_show_the_other_ranks_until_they_are_not_wanted(open_window: Opener) -> None:
    window = open_window(two_ranks())
    memory = next(panel for panel in window.deck.panels if isinstance(panel, MemoryPanel))
    gradients = next(panel for panel in window.deck.panels if isinstance(panel, GradientsPanel))
    for panel in (memory, gradients):
        window.deck.show_panel(panel.key)
        wait_until_ready(window)
    assert gradients.plot.look is not None
    window.workspace.select(ParameterSelection(gradients.plot.look.view.parameters[0]))
    wait_until_ready(window)
    assert gradients.plot.marks.band is not None
    assert not window.grab().isNull()
    assert memory.plot.view is not None
    assert len(memory.plot.view.other_bytes) == 1
    tools = memory.tool_row()
    assert tools is not None
    button = next(button for button in tools.findChildren(QToolButton) if button.text() == "Ranks")
    assert not button.isHidden()
    button.click()
    wait_until_ready(window)
    window.grab()
    assert memory.plot.view.other_bytes == ()
    assert window.failures == []
