"""Gradient rows: norms, stages, order of parameters, iterations."""

import math

import numpy as np

from tensorscope.analysis.gradients import UNREAD, gradient_table, module_norms
from tensorscope.protocol.records import GradientStage, MarkKind
from tests.support.trace_builder import TraceBuilder


def model() -> TraceBuilder:
    """Registered head first; the forward uses body (number 3) before head (number 5)."""
    builder = TraceBuilder()
    for identity, fqn in ((1, "head"), (2, "body")):
        builder.message({"type": "module", "id": identity, "fqn": fqn, "class": "Linear", "parent": 0, "root": 0, "source": ""})
        builder.message({"type": "parameter", "id": identity, "fqn": f"{fqn}.weight", "module": identity})
    builder.message({"type": "parameter", "id": 3, "fqn": "unused", "module": 0})
    names = ["MmBackward0", "MmBackward0", "torch::autograd::AccumulateGrad", "torch::autograd::AccumulateGrad"]
    builder.graph(1, names, [(0, 0, 1, 0), (0, 1, 2, 0), (1, 1, 3, 0)], [0, 0, 1, 2])
    for at in (10, 110):
        builder.backward(1, begin=at, addresses=[1, 2, 3, 4], sequence_nrs=[at + 5, at + 3, -1, -1])
        builder.mark(MarkKind.BACKWARD, begin=at, end=at + 20, a=builder.last_backward, b=1)
    return builder.message({"type": "iteration", "index": 0, "time_ns": 50, "learning_rate": 0.1, "optimizers": []})


def test_rows_stand_by_backward_stage_and_depth() -> None:
    builder = model().gradient(1, backward=2, norm=8, time=131).gradient(1, backward=1, norm=2, time=31).gradient(2, backward=1, norm=3, time=31)
    builder.gradient(1, backward=1, norm=1, time=40, stage=GradientStage.CLIPPED)
    table = gradient_table(builder.snapshot())
    assert table.parameters == ("body.weight", "head.weight")
    assert table.modules == ("body", "head")
    assert table.backward.tolist() == [0, 0, 0, 1]
    assert table.stage.tolist() == [1, 1, 3, 1]
    assert table.parameter.tolist() == [0, 1, 1, 1]
    assert table.norm.tolist() == [3, 2, 1, 8]


def test_a_row_belongs_to_the_iteration_of_its_backward() -> None:
    builder = model().gradient(1, backward=1, norm=2, time=31).gradient(1, backward=2, norm=2, time=131)
    assert gradient_table(builder.snapshot()).iteration.tolist() == [0, 1]


def test_a_clip_before_any_backward_is_numbered_zero() -> None:
    table = gradient_table(TraceBuilder().gradient(1, backward=0, norm=2, time=5, stage=GradientStage.CLIPPED).snapshot())
    assert (table.backward.tolist(), table.iteration.tolist(), table.parameters) == ([0], [0], ("?1",))


def test_parameters_outside_of_every_graph_follow_as_registered() -> None:
    builder = model().gradient(3, backward=1, norm=1, time=31).gradient(1, backward=1, norm=1, time=31)
    assert gradient_table(builder.snapshot()).parameters == ("head.weight", "unused")


def test_what_an_optimizer_holds_is_named_though_no_gradient_ever_reached_it() -> None:
    builder = model().message({"type": "optimizer", "id": 1, "name": "opt", "parameters": [1, 2, 3], "class": "SGD", "state_bytes": 0})
    assert gradient_table(builder.snapshot()).parameters == ()
    table = gradient_table(builder.gradient(1, backward=1, norm=2, time=31).snapshot())
    assert table.parameters == ("body.weight", "head.weight", "unused")
    assert table.parameter.tolist() == [1]


def test_a_norm_over_nonfinite_elements_is_what_torch_says() -> None:
    builder = model()
    builder.gradient(1, backward=1, norm=2, time=31, nonfinite=1, max_abs=math.inf).gradient(2, backward=1, norm=2, time=31, nonfinite=1, max_abs=math.nan)
    table = gradient_table(builder.snapshot())
    assert math.isnan(table.norm[0])
    assert math.isinf(table.norm[1])


def test_statistics_that_were_not_read_are_unknown() -> None:
    table = gradient_table(model().gradient(1, backward=1, norm=0, time=31, flags=UNREAD, weight_norm=2).snapshot())
    assert math.isnan(table.norm[0])
    assert math.isnan(table.max_abs[0])
    assert (table.weight_norm[0], math.isnan(table.update_norm[0])) == (2, True)


def test_a_modules_norm_is_over_all_its_parameters() -> None:
    builder = model().message({"type": "parameter", "id": 4, "fqn": "body.bias", "module": 2})
    for parameter, norm in ((2, 3), (4, 4), (1, 7)):
        builder.gradient(parameter, backward=1, norm=norm, time=31)
    norms = module_norms(gradient_table(builder.snapshot()))
    assert {name: (backwards.tolist(), values.tolist()) for name, (backwards, values) in norms.items()} == {"body": ([0], [5]), "head": ([0], [7])}


def test_a_run_without_gradients_gives_an_empty_table() -> None:
    table = gradient_table(TraceBuilder().snapshot())
    assert table.parameters == ()
    assert table.norm.dtype == np.float64
