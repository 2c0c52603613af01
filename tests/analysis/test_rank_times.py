"""What of an iteration is a rank's own work, and which rank the others wait for, on a few rows made by hand."""

import pytest

from tensorscope.analysis.rank_times import are_one_job, rank_times, slow_iterations
from tensorscope.analysis.ranks import rank_costs
from tensorscope.protocol.records import MarkKind
from tensorscope.trace.snapshot import Snapshot
from tests.support.trace_builder import TraceBuilder


def rank(*last_nodes: int, number: int | None = 0, size: int | None = 3) -> Snapshot:
    """Iterations of 100 ns, each with a backward from 20 to 90 whose last node ends at the given time after the iteration's begin."""
    built = TraceBuilder(distributed_rank=number, world_size=size)
    built.graph(1, ["MulBackward0"], [])
    for place, last in enumerate(last_nodes):
        at = 1000 + 100 * place
        built.module_call(1, begin=at, end=at + 10)
        built.backward(1, begin=at + 20, addresses=[0x10])
        built.node("MulBackward0", backward=place + 1, index=0, begin=at + 21, end=at + last)
        built.mark(MarkKind.BACKWARD, begin=at + 20, end=at + 90, a=place + 1)
        built.mark(MarkKind.OPTIMIZER_STEP, begin=at + 90, end=at + 100)
        built.message({"type": "iteration", "index": place, "time_ns": at + 100, "learning_rate": 0.1, "optimizers": [1]})
    return built.message({"type": "exit", "code": 0, "time_ns": 1000 + 100 * len(last_nodes)}).snapshot()


def test_the_own_time_leaves_out_what_follows_the_last_node_of_a_backward() -> None:
    times = rank_times(rank(30, 80))
    assert times.index.tolist() == [0, 1]
    assert times.whole_ns.tolist() == [100, 100]
    assert times.own_ns.tolist() == [40, 90]  # it waited from 30, and from 80, to 90


def test_the_slowest_rank_is_marked_in_the_iterations_in_which_the_others_wait_for_it() -> None:
    times = {0: rank_times(rank(30, 30)), 1: rank_times(rank(30, 80)), 2: rank_times(rank(31, 45))}
    assert {number: slow.tolist() for number, slow in slow_iterations(times).items()} == {0: [], 1: [1], 2: []}


def test_ranks_of_one_job_are_told_from_independent_processes() -> None:
    assert are_one_job({0: rank(number=0), 1: rank(number=1)})
    assert not are_one_job({0: rank(number=0)})
    assert not are_one_job({0: rank(number=None, size=None), 1: rank(number=None, size=None)})
    assert not are_one_job({0: rank(number=0), 1: rank(number=0)})  # two jobs after one another
    assert not are_one_job({0: rank(number=0, size=2), 1: rank(number=1, size=4)})


@pytest.mark.parametrize(("is_job", "stragglers"), [(True, [False, True, False]), (False, [False, False, False])])
def test_a_straggler_is_named_only_among_ranks_of_one_job(is_job: bool, stragglers: list[bool]) -> None:
    last = (30, 80, 30)
    ranks = {place: rank(30, at, at, number=place if is_job else None) for place, at in enumerate(last)}
    costs = rank_costs(ranks)
    assert [costs[place].is_straggler for place in range(3)] == stragglers
    assert [(costs[place].iteration_ns, costs[place].own_ns) for place in range(3)] == [(100, 40), (100, 90), (100, 40)]
