"""The ranks' lanes below the strip: whose is long, whose is short, what is said of each."""

import pytest

from tensorscope.session.session import RankInfo, RunState, Status
from tensorscope.viewmodel.rank_lanes import lanes_shown, rank_lanes, run_strip
from tensorscope.viewmodel.scrubber import ScrubberAxis
from tests.analysis.test_rank_times import rank

RUNNING = Status(RunState.RUNNING, "Running, iteration 2")
KILLED = Status(RunState.CRASHED, "Killed by SIGKILL", exit_code=137)


def info(number: int, status: Status = RUNNING) -> RankInfo:
    return RankInfo(number, f"rank {number}", 100 + number, status, "cpu", 0, 2)


def test_a_single_rank_has_no_lane() -> None:
    assert rank_lanes({0: rank(30)}, [info(0)], 0, ScrubberAxis(1100)) == ()


def test_the_lane_of_a_straggler_marks_where_the_others_waited_and_says_its_own_time() -> None:
    ranks = {0: rank(30, 30, 30, number=0), 1: rank(30, 80, 80, number=1), 2: rank(30, 30, 30, number=2)}
    first, slow, last = rank_lanes(ranks, [info(0), info(1), info(2)], 0, ScrubberAxis(1300))
    assert [(lane.label, lane.note) for lane in (first, slow, last)] == [("rank 0", "40 ns"), ("rank 1", "90 ns"), ("rank 2", "40 ns")]
    assert [lane.is_noted for lane in (first, slow, last)] == [False, True, False]
    assert "The others wait for it" in slow.hint
    assert slow.slow == (pytest.approx((1100 / 1300, 1200 / 1300)), pytest.approx((1200 / 1300, 1.0)))
    assert (first.slow, last.slow) == ((), ())
    assert slow.turns == pytest.approx((1000 / 1300, 1100 / 1300, 1200 / 1300))


def test_the_strip_is_as_long_as_the_longest_rank_and_a_killed_ones_lane_ends_where_it_died() -> None:
    ranks = {0: rank(30, 30, number=0), 1: rank(30, number=1)}
    view, (first, killed) = run_strip(ranks, [info(0), info(1, KILLED)], 1)
    assert view.axis.end_ns == 1200
    assert killed.end == view.axis.position(1100) < first.end == 1.0
    assert (killed.how, killed.note, killed.is_noted, killed.hint.splitlines()[0]) == ("died", "SIGKILL", True, "rank 1 · Killed by SIGKILL")
    assert max(strip.end for strip in killed.strips) == pytest.approx(killed.end, abs=0.01)
    assert max(strip.end for strip in view.strips) == pytest.approx(killed.end, abs=0.01)  # the strip above shows rank 1's run


def test_of_very_many_ranks_those_around_the_shown_one_have_a_lane() -> None:
    assert lanes_shown(tuple(range(5)), 3) == (0, 1, 2, 3, 4)
    assert lanes_shown(tuple(range(10)), 0, most=4) == (0, 1, 2, 3)
    assert lanes_shown(tuple(range(10)), 5, most=4) == (3, 4, 5, 6)
    assert lanes_shown(tuple(range(10)), 9, most=4) == (6, 7, 8, 9)
