"""Iterations and phases from hand-written marks and module calls."""

import numpy as np

from tensorscope.analysis.iterations import _flatten, backward_spans, iteration_at, iteration_bounds, iterations, phases, raised_iterations
from tensorscope.protocol.records import MarkKind
from tests.support.trace_builder import TraceBuilder


def ended(index: int, time: int, rate: float | None = 0.1) -> dict[str, object]:
    return {"type": "iteration", "index": index, "time_ns": time, "learning_rate": rate, "optimizers": [1]}


def backward(builder: TraceBuilder, begin: int, end: int | None, parent: int = 0) -> TraceBuilder:
    builder.graph(1, ["MulBackward0"], []).backward(1, begin=begin, addresses=[1], sequence_nrs=[7], parent=parent)
    return builder if end is None else builder.mark(MarkKind.BACKWARD, begin=begin, end=end, a=builder.last_backward, b=1, x=1)


def kinds(builder: TraceBuilder) -> list[tuple[str, int, int, int]]:
    return [(phase.kind, phase.iteration, phase.begin_ns, phase.end_ns) for phase in phases(builder.snapshot())]


def two_iterations() -> TraceBuilder:
    builder = TraceBuilder()
    for index, at in enumerate((100, 200)):
        builder.module_call(1, begin=at, end=at + 30)
        backward(builder, at + 40, at + 60)
        builder.mark(MarkKind.OPTIMIZER_STEP, begin=at + 70, end=at + 80, a=1).message(ended(index, at + 80, 0.1 / (index + 1)))
    return builder


def test_each_iteration_ends_at_its_step_and_the_next_begins_there() -> None:
    assert iteration_bounds(two_iterations().snapshot()) == ((0, 100, 180, True), (1, 180, 280, True))


def test_iterations_carry_the_time_of_each_phase_and_the_learning_rate() -> None:
    first, second = iterations(two_iterations().snapshot())
    assert (first.forward_ns, first.backward_ns, first.optimizer_ns, first.learning_rate) == (30, 20, 10, 0.1)
    assert (second.index, second.is_ended, second.learning_rate) == (1, True, 0.05)


def test_an_iteration_whose_last_backward_raised_is_told_and_one_that_tried_again_is_not() -> None:
    builder = TraceBuilder()
    for begin, raised in ((100, 1), (120, 0), (220, 1)):
        backward(builder, begin, None).mark(MarkKind.BACKWARD, begin=begin, end=begin + 9, a=builder.last_backward, b=1, x=1, flags=raised)
        if not raised:
            builder.message(ended(0, 200))
    snapshot = builder.message(ended(1, 300)).snapshot()
    assert raised_iterations(snapshot, iteration_bounds(snapshot)) == {1}
    whole = two_iterations().snapshot()
    assert raised_iterations(whole, iteration_bounds(whole)) == frozenset()


def test_peak_of_an_iteration_counts_what_was_there_before_it() -> None:
    builder = two_iterations().alloc(address=0x10, size=100, time=50).alloc(address=0x20, size=7, time=110).free(address=0x20, time=120)
    builder.alloc(address=0x20, size=5, time=210)
    assert [one.peak_allocated_bytes for one in iterations(builder.snapshot())] == [107, 105]


def test_phases_cover_the_run_without_gaps_or_overlaps() -> None:
    assert kinds(two_iterations()) == [
        ("other", -1, 0, 100),
        ("forward", 0, 100, 130),
        ("other", 0, 130, 140),
        ("backward", 0, 140, 160),
        ("other", 0, 160, 170),
        ("optimizer", 0, 170, 180),
        ("other", 1, 180, 200),
        ("forward", 1, 200, 230),
        ("other", 1, 230, 240),
        ("backward", 1, 240, 260),
        ("other", 1, 260, 270),
        ("optimizer", 1, 270, 280),
    ]


def test_only_calls_of_root_modules_are_forward() -> None:
    builder = TraceBuilder().module_call(1, begin=10, end=30).module_call(2, begin=15, end=25, parent=1)
    assert [piece for piece in kinds(builder) if piece[0] == "forward"] == [("forward", 0, 10, 30)]


def test_a_closure_inside_a_step_keeps_its_own_phases() -> None:
    builder = TraceBuilder().module_call(1, begin=20, end=30)
    backward(builder, 40, 50).mark(MarkKind.OPTIMIZER_STEP, begin=10, end=60, a=1).message(ended(0, 60))
    assert kinds(builder) == [
        ("other", -1, 0, 10),
        ("optimizer", 0, 10, 20),
        ("forward", 0, 20, 30),
        ("optimizer", 0, 30, 40),
        ("backward", 0, 40, 50),
        ("optimizer", 0, 50, 60),
    ]


def test_modules_recomputed_inside_a_backward_are_backward() -> None:
    builder = backward(TraceBuilder().module_call(1, begin=10, end=20), 30, 60).module_call(1, begin=40, end=50)
    assert [piece[0] for piece in kinds(builder) if piece[0] != "other"] == ["forward", "backward"]


def test_a_backward_that_is_still_running_lasts_until_now() -> None:
    builder = backward(TraceBuilder().module_call(1, begin=10, end=20), 30, None).operator("aten::mul", begin=40, end=45)
    snapshot = builder.snapshot()
    assert backward_spans(snapshot) == ((1, 30, 45),)
    assert iteration_bounds(snapshot) == ((0, 10, 45, False),)


def test_a_backward_that_raised_or_was_killed_lasted_until_its_last_node() -> None:
    builder = backward(TraceBuilder().module_call(1, begin=10, end=20), 30, None).node("MulBackward0", backward=1, index=0, begin=31, end=35)
    builder.operator("aten::mul", begin=40, end=90)
    assert backward_spans(builder.snapshot()) == ((1, 30, 90),)
    raised = {"type": "exception", "exception": "ValueError", "message": "", "source": "", "frames": [], "time_ns": 50}
    assert backward_spans(builder.message(raised).snapshot()) == ((1, 30, 35),)


def test_a_backward_without_an_end_is_over_when_the_next_one_begins() -> None:
    builder = backward(TraceBuilder(), 30, None).node("MulBackward0", backward=1, index=0, begin=31, end=35)
    assert backward_spans(backward(builder, 60, 70).snapshot()) == ((1, 30, 35), (2, 60, 70))


def test_a_backward_inside_a_backward_is_not_outermost() -> None:
    builder = backward(TraceBuilder(), 10, 50)
    backward(builder, 20, 30, parent=1)
    assert [span[0] for span in backward_spans(builder.snapshot())] == [1]
    assert [span[0] for span in backward_spans(builder.snapshot(), outermost=False)] == [1, 2]


def test_the_first_iteration_of_hand_written_training_begins_with_the_operator_that_made_its_first_node() -> None:
    builder = TraceBuilder().operator("aten::randn", begin=10, end=12).operator("aten::mul", begin=20, end=22, sequence_nr=7)
    assert iteration_bounds(backward(builder, 30, 40).message(ended(0, 50)).snapshot()) == ((0, 20, 50, True),)


def test_an_operator_without_a_node_bears_the_number_of_the_next_one_and_begins_no_iteration() -> None:
    builder = TraceBuilder().operator("aten::detach", begin=10, end=12, sequence_nr=7).operator("aten::linear", begin=20, end=29)
    builder.operator("aten::addmm", begin=22, end=28, sequence_nr=7, parent=builder.last_operator).operator("aten::mul", begin=29, end=30, sequence_nr=8)
    assert iteration_bounds(backward(builder, 30, 40).message(ended(0, 50)).snapshot()) == ((0, 20, 50, True),)


def test_an_evaluation_after_the_last_step_is_no_iteration_once_the_script_ended_well() -> None:
    builder = two_iterations().module_call(1, begin=300, end=320)
    assert len(iteration_bounds(builder.snapshot())) == 3
    assert len(iteration_bounds(builder.message({"type": "exit", "code": 0, "time_ns": 330}).snapshot())) == 2


def test_a_script_that_dies_in_its_forward_leaves_an_unfinished_iteration() -> None:
    builder = two_iterations().module_call(1, begin=300, end=0)
    builder.message({"type": "exception", "exception": "ValueError", "message": "", "source": "", "frames": [], "time_ns": 310})
    builder.message({"type": "exit", "code": 1, "time_ns": 320})
    assert iteration_bounds(builder.snapshot())[-1] == (2, 280, 320, False)


def test_an_empty_run_has_no_iterations_and_no_phases() -> None:
    snapshot = TraceBuilder().snapshot()
    assert iterations(snapshot) == ()
    assert phases(snapshot) == ()


def test_moments_outside_of_all_iterations_have_number_minus_one() -> None:
    bounds = iteration_bounds(two_iterations().snapshot())
    assert iteration_at(bounds, np.array([99, 100, 180, 181, 280, 281])).tolist() == [-1, 0, 0, 1, 1, -1]
    assert iteration_at((), np.array([5])).tolist() == [-1]


def test_time_that_trackers_took_is_not_the_scripts() -> None:
    builder = two_iterations()
    for begin, end in ((105, 115), (110, 120), (125, 150), (158, 175)):
        builder.mark(MarkKind.TRACKER, begin=begin, end=end)
    first = iterations(builder.snapshot())[0]
    assert (first.forward_ns, first.backward_ns, first.optimizer_ns) == (30 - 15 - 5, 20 - 10 - 2, 10 - 5)


SCRIPT = "/user/train.py"


def hand_written() -> TraceBuilder:
    """Turns of a loop in main(): line 37 forward, 39 backward, 42 update. The agent tells each end when the next backward begins."""
    builder = TraceBuilder()
    for turn, at in enumerate((100, 200)):
        builder.operator("aten::mul", begin=at, end=at + 5, sequence_nr=7, stack=[(SCRIPT, 7, "predict"), (SCRIPT, 37, "main"), (SCRIPT, 55, "<module>")])
        builder.operator("aten::ones_like", begin=at + 9, end=at + 10, stack=[(SCRIPT, 39, "main"), (SCRIPT, 55, "<module>")])
        backward(builder, at + 10, at + 20)
        builder.operator("aten::sub_", begin=at + 25, end=at + 30, stack=[(SCRIPT, 42, "main"), (SCRIPT, 55, "<module>")])
        builder.operator("aten::zero_", begin=at + 31, end=at + 33, stack=[(SCRIPT, 3, "clear"), (SCRIPT, 43, "main"), (SCRIPT, 55, "<module>")])
        told = 210 if turn == 0 else 300
        builder.message({**ended(turn, told, None), "is_estimated": True, "source": f"{SCRIPT}:39"})
    return builder


def test_a_hand_written_loop_turn_ends_where_a_line_above_its_backward_runs_again() -> None:
    assert iteration_bounds(hand_written().snapshot()) == ((0, 100, 200, True), (1, 200, 300, True))


def test_a_turn_whose_forward_stands_in_the_line_of_its_backward_ends_where_that_line_runs_again() -> None:
    builder = TraceBuilder()
    for at, told in ((100, 213), (200, 300)):
        builder.operator("aten::mul", begin=at, end=at + 5, stack=[(SCRIPT, 39, "main")])
        backward(builder, at + 10, at + 20).message({**ended(at // 100 - 1, told, None), "is_estimated": True, "source": f"{SCRIPT}:39"})
    assert iteration_bounds(builder.snapshot())[0][2] == 200


def test_without_stacks_a_turn_ends_before_the_backward_whose_begin_told_it() -> None:
    builder = TraceBuilder()
    for at, told in ((100, 213), (200, 300)):
        backward(builder, at + 10, at + 20).message({**ended(at // 100 - 1, told, None), "is_estimated": True, "source": ""})
    assert iteration_bounds(builder.snapshot())[0][2] == 209


def test_an_estimated_end_stays_as_told_where_no_operator_says_more() -> None:
    message = {**ended(0, 90, None), "is_estimated": True, "source": "/user/other.py:3"}
    assert iteration_bounds(backward(TraceBuilder(), 10, 20).message(message).snapshot()) == ((0, 10, 90, True),)


def test_a_span_that_ends_before_it_begins_does_not_hang() -> None:
    assert _flatten([(0, 10, "forward"), (2, 1, "backward")]) == [(0, 2, "forward"), (2, 10, "forward")]
