"""Gradients compared across ranks, on a few rows made by hand."""

import numpy as np

from tensorscope.analysis.rank_gradients import desynchronised, rank_norms
from tensorscope.protocol.records import GradientStage, MarkKind
from tensorscope.trace.snapshot import Snapshot
from tests.support.trace_builder import TraceBuilder

PARAMETERS = ("a", "b")


def rank(*iterations: dict[str, float], does: tuple[str, ...] = ("gloo:all_reduce",), accumulates: bool = False) -> Snapshot:
    """Iterations of 100 ns, each with a backward that leaves these norms; ``accumulates``: and one before it that leaves 9."""
    built = TraceBuilder()
    for number, name in enumerate(PARAMETERS, 1):
        built.message({"type": "parameter", "id": number, "fqn": name, "module": 0, "is_buffer": False, "data": 16 * number})
    for name in does:
        built.operator(name, begin=1, end=2)
    built.graph(1, ["MulBackward0"], [])
    for index, norms in enumerate(iterations):
        at = 1000 + 100 * index
        for begin in (at + 20, at + 50) if accumulates else (at + 20,):
            built.backward(1, begin=begin, addresses=[0x10])
            built.mark(MarkKind.BACKWARD, begin=begin, end=begin + 20, a=built.last_backward)
            for name, norm in norms.items():
                is_first = accumulates and begin == at + 20
                built.gradient(PARAMETERS.index(name) + 1, backward=built.last_backward, norm=9 if is_first else norm, time=begin + 20)
        built.mark(MarkKind.OPTIMIZER_STEP, begin=at + 90, end=at + 100)
        built.message({"type": "iteration", "index": index, "time_ns": at + 100, "learning_rate": 0.1, "optimizers": [1]})
    return built.message({"type": "exit", "code": 0, "time_ns": 2000}).snapshot()


def test_a_parameter_whose_reduced_gradients_differ_is_named_with_the_first_iteration() -> None:
    first = rank({"a": 1, "b": 2}, {"b": 3}, {"b": 4})
    other = rank({"a": 1, "b": 2}, {"b": 3.1}, {"b": 5})
    (found,) = desynchronised({0: first, 1: other})
    assert (found.parameter, found.iteration, found.norms) == ("b", 1, {0: 3.0, 1: 3.1})


def test_ranks_that_reduce_nothing_or_only_their_parts_may_differ_and_one_rank_has_nothing_to_compare() -> None:
    for does in ((), ("gloo:all_reduce", "c10d::reduce_scatter_")):
        assert desynchronised({0: rank({"a": 1}, does=does), 1: rank({"a": 2}, does=does)}) == ()
    assert desynchronised({0: rank({"a": 1})}) == ()
    assert rank_norms({0: rank({"a": 1})}) is None


def test_only_what_all_ranks_have_is_compared_with_the_last_backward_of_each_iteration() -> None:
    norms = rank_norms({0: rank({"a": 3, "b": 4}, {"a": 1}), 5: rank({"a": 6, "b": 8}, accumulates=True)}, GradientStage.RAW)
    assert norms is not None
    assert (norms.ranks, norms.iteration.tolist(), [norms.parameters[place] for place in norms.parameter]) == ((0, 5), [0, 0], ["a", "b"])
    assert norms.norms.tolist() == [[3, 4], [6, 8]]
    iterations, together = norms.together(["a", "b"])
    assert (iterations.tolist(), together.tolist()) == ([0], [[5], [10]])


def test_parameters_together_are_known_only_where_all_of_them_are() -> None:
    norms = rank_norms({0: rank({"a": 3, "b": 4}, {"a": 1}), 1: rank({"a": 3, "b": 4}, {"a": 2})})
    assert norms is not None
    assert norms.together(["a", "b"])[0].tolist() == [0]
    iterations, alone = norms.together(["a"])
    assert np.array_equal(iterations, [0, 1])
    assert alone.tolist() == [[3, 1], [3, 2]]
