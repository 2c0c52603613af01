"""Which operator made a node: by name, number and thread. The numbers were read from torch 2.13 (``node._sequence_nr()`` beside torch.profiler's)."""

import pytest

from tensorscope.analysis.join import ForwardJoin, fits, node_name
from tensorscope.analysis.operators import call_index
from tensorscope.protocol.records import Scope, TensorFlag
from tests.support.trace_builder import TraceBuilder

LINE = [("/user/train.py", 12, "main")]


def makers(builder: TraceBuilder, *nodes: tuple[str, int]) -> list[int]:
    """Operator ids that made these (node, number)."""
    builder.graph(1, [name for name, _ in nodes], [])
    builder.backward(1, begin=900, addresses=list(range(1, len(nodes) + 1)), sequence_nrs=[number for _, number in nodes])
    snapshot = builder.snapshot()
    return [int(maker) for maker in ForwardJoin(snapshot, call_index(snapshot)).makers(1)]


@pytest.mark.parametrize(
    ("node", "operator"),
    [
        ("AddmmBackward0", "aten::addmm"),
        ("NativeLayerNormBackward0", "aten::native_layer_norm"),
        ("MaxPool2DWithIndicesBackward0", "aten::max_pool2d_with_indices"),
        ("NllLossBackward0", "aten::nll_loss_forward"),
        ("LogSoftmaxBackward0", "aten::_log_softmax"),
        ("AddBackward0", "aten::add_"),
        ("CopyBackwards", "aten::copy_"),
        ("DoubledBackward", "Doubled"),
        ("ToCopyBackward0", "aten::_to_copy"),
        ("MeanBackward1", "aten::mean"),
    ],
)
def test_autograd_names_fit_their_operators(node: str, operator: str) -> None:
    assert fits(node, operator)


def test_other_names_do_not_fit() -> None:
    assert not fits("TBackward0", "aten::linear")
    assert not fits("AddmmBackward0", "aten::add")
    assert not fits("Backward", "aten::add")


def test_namespaces_of_torchs_own_nodes_are_dropped() -> None:
    assert node_name("torch::autograd::AccumulateGrad") == "AccumulateGrad"
    assert node_name("AddmmBackward0") == "AddmmBackward0"


def test_of_several_operators_with_one_number_the_innermost_that_fits_made_the_node() -> None:
    builder = TraceBuilder().operator("aten::linear", begin=10, end=40, sequence_nr=22)
    builder.operator("aten::t", begin=12, end=15, parent=1, sequence_nr=22)
    builder.operator("aten::matmul", begin=16, end=30, parent=1, sequence_nr=23).operator("aten::mm", begin=17, end=29, parent=3, sequence_nr=23)
    assert makers(builder, ("MmBackward0", 23), ("TBackward0", 22)) == [4, 2]


def test_of_two_operators_that_fit_the_inner_one_made_the_node() -> None:
    builder = TraceBuilder().operator("aten::sum", begin=10, end=40, sequence_nr=8).operator("aten::sum", begin=12, end=15, parent=1, sequence_nr=8)
    assert makers(builder, ("SumBackward1", 8)) == [2]


def test_numbers_of_other_threads_are_other_numbers() -> None:
    builder = TraceBuilder().operator("aten::mul", begin=10, end=20, sequence_nr=5, thread=2).operator("aten::mul", begin=12, end=22, sequence_nr=5, thread=1)
    assert makers(builder, ("MulBackward0", 5)) == [2]


def test_backward_functions_carry_the_number_too_but_made_nothing() -> None:
    builder = TraceBuilder().operator("aten::mul", begin=10, end=20, sequence_nr=5)
    builder.operator("MulBackward0", begin=30, end=40, sequence_nr=5, scope=Scope.BACKWARD_FUNCTION)
    assert makers(builder, ("MulBackward0", 5)) == [1]


def test_copy_slices_belongs_to_the_writer_one_number_before() -> None:
    """``x[0] = v``: select 2, copy_ 3, CopySlices 4."""
    builder = TraceBuilder().operator("aten::select", begin=10, end=12, sequence_nr=2).operator("aten::copy_", begin=13, end=15, sequence_nr=3)
    assert makers(builder, ("torch::autograd::CopySlices", 4)) == [2]


def test_a_view_made_anew_belongs_to_the_writer_or_to_the_reader_before() -> None:
    """``x[0].add_(1)``: add_ 10, CopySlices 11, AsStridedBackward0 12; a view read after its base was written: mul 19, AsStridedBackward0 20."""
    builder = TraceBuilder().operator("aten::add_", begin=10, end=12, sequence_nr=10).operator("aten::mul", begin=20, end=22, sequence_nr=19)
    assert makers(builder, ("AsStridedBackward0", 12), ("AsStridedBackward0", 20), ("MulBackward0", 19)) == [1, 2, 2]


def test_a_node_of_another_name_is_its_operators_only_if_that_made_something_differentiable() -> None:
    builder = TraceBuilder().operator("mylib::fused", begin=10, end=12, sequence_nr=3).tensor(flags=TensorFlag.REQUIRES_GRAD)
    builder.operator("aten::empty", begin=20, end=22, sequence_nr=4).tensor()
    assert makers(builder, ("torch::autograd::CppNode<Fused>", 3), ("torch::autograd::CppNode<Fused>", 4)) == [1, 0]


def test_nodes_without_number_or_operator_are_unknown() -> None:
    assert makers(TraceBuilder().operator("aten::mul", begin=1, end=2, sequence_nr=9), ("torch::autograd::AccumulateGrad", -1), ("SumBackward0", 8)) == [0, 0]


def test_work_inside_a_node_belongs_to_the_line_and_module_of_its_forward_operator() -> None:
    builder = TraceBuilder().operator("aten::mul", begin=10, end=20, sequence_nr=5, stack=LINE, module_call=7)
    builder.node("MulBackward0", backward=1, index=0, begin=40, end=60)
    builder.operator("MulBackward0", begin=41, end=59, parent=builder.last_node, scope=Scope.BACKWARD_FUNCTION)
    builder.operator("aten::mul", begin=42, end=50, parent=builder.last_operator)
    builder.graph(1, ["MulBackward0"], []).backward(1, begin=40, addresses=[1], sequence_nrs=[5])
    snapshot = builder.snapshot()
    join = ForwardJoin(snapshot, call_index(snapshot))
    assert join.origin(join.index.find_one(builder.last_operator)) == (1, 7)


def test_an_inner_operator_takes_stack_and_module_from_the_one_around_it() -> None:
    builder = TraceBuilder().operator("aten::linear", begin=10, end=20, stack=LINE, module_call=7).operator("aten::t", begin=11, end=12, parent=1)
    snapshot = builder.snapshot()
    join = ForwardJoin(snapshot, call_index(snapshot))
    assert join.origin(join.index.find_one(2)) == (1, 7)
