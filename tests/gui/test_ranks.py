"""Several ranks in one window: the panels show the chosen one."""

from dataclasses import replace

from tensorscope.session.session import RankInfo, RunState, Status
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
