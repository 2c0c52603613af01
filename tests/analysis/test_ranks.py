"""What is compared across ranks, on a few rows made by hand."""

from typing import Any

import pytest

from tensorscope.analysis import ranks as across
from tensorscope.analysis.ranks import desynchronised, rank_costs
from tensorscope.trace.snapshot import Snapshot
from tests.support.trace_builder import TraceBuilder


def rank(norms: dict[str, float], *, collective: str = "gloo:all_reduce", forward_ns: int = 10) -> Snapshot:
    """One iteration: a forward, a backward that leaves these norms, a collective."""
    return TraceBuilder().operator(collective, begin=1, end=1 + forward_ns).snapshot()


@pytest.fixture
def norms(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Snapshots whose gradient norms by (iteration, parameter) are given."""

    def make(*given: dict[tuple[int, str], float], collective: str = "gloo:all_reduce") -> dict[int, Snapshot]:
        snapshots = {number: rank({}, collective=collective) for number in range(len(given))}
        by_id = {id(snapshot): given[number] for number, snapshot in snapshots.items()}
        monkeypatch.setattr(across, "_last_norms", lambda snapshot: by_id[id(snapshot)])
        return snapshots

    return make


def test_a_parameter_whose_reduced_gradients_differ_is_named_with_the_first_iteration(norms: Any) -> None:
    found = desynchronised(norms({(0, "a"): 1.0, (0, "b"): 2.0, (1, "b"): 3.0, (2, "b"): 4.0}, {(0, "a"): 1.0, (0, "b"): 2.0, (1, "b"): 3.1, (2, "b"): 5.0}))
    assert [(one.parameter, one.iteration, one.norms) for one in found] == [("b", 1, {0: 3.0, 1: 3.1})]


def test_ranks_that_reduce_nothing_may_differ(norms: Any) -> None:
    assert desynchronised(norms({(0, "a"): 1.0}, {(0, "a"): 2.0}, collective="aten::mm")) == ()


def test_one_rank_has_nothing_to_compare(norms: Any) -> None:
    assert desynchronised(norms({(0, "a"): 1.0})) == ()
    costs = rank_costs(norms({}))
    assert costs[0].is_straggler is False
