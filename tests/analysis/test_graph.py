"""Graphs of backwards: nodes, edges, modules, lines, saved tensors, durations."""

from typing import Any

import pytest

from tensorscope.analysis.graph import backward_graph, backwards, last_backward
from tensorscope.analysis.results import ModuleCallNode, Source
from tensorscope.errors import TensorScopeError
from tensorscope.protocol.records import MarkKind, OperatorFlag, TensorRole
from tests.support.trace_builder import TraceBuilder

LINE = [("/venv/torch/linear.py", 125, "forward"), ("/user/train.py", 12, "main")]


def saved(name: str, shape: list[int], data: int = 0x100, parameter: bool = False) -> dict[str, Any]:
    size = 4
    for one in shape:
        size *= one
    return {
        "name": name, "shape": shape, "dtype": "float32", "nbytes": size, "storage": 9, "data": data, "version": 3, "is_leaf_parameter": parameter,
    }  # fmt: skip


def linear(builder: TraceBuilder | None = None, at: int = 0, number: int = 4, rows: int = 2) -> TraceBuilder:
    """One call of Net ▸ fc (Linear): linear 7..28 with t 8..10 and addmm 11..20, and its backward 40..60 in which addmm's node ran 41..45."""
    first = builder is None
    builder = builder or TraceBuilder()
    if first:
        for identity, fqn, kind, parent in ((1, "", "Net", 0), (2, "fc", "Linear", 1)):
            builder.message({"type": "module", "id": identity, "fqn": fqn, "class": kind, "parent": parent, "root": 1, "source": ""})
        builder.message({"type": "parameter", "id": 1, "fqn": "fc.weight", "module": 2, "is_buffer": False, "data": 0x900})
        builder.graph(1, ["AddmmBackward0", "TBackward0", "torch::autograd::AccumulateGrad"], [(0, 2, 1, 0), (1, 0, 2, 0)], [0, 0, 1])
    builder.module_call(1, begin=at + 5, end=at + 30)
    outer = builder.last_call
    builder.module_call(2, begin=at + 6, end=at + 29, parent=outer)
    call = builder.last_call
    builder.operator("aten::linear", begin=at + 7, end=at + 28, sequence_nr=number, stack=LINE, module_call=call)
    around = builder.last_operator
    builder.operator("aten::t", begin=at + 8, end=at + 10, parent=around, sequence_nr=number, module_call=call)
    builder.operator("aten::addmm", begin=at + 11, end=at + 20, parent=around, sequence_nr=number + 1, module_call=call)
    builder.tensor(role=TensorRole.OUTPUT, shape=(rows, 3), storage=5, data=0x200, nbytes=24)
    builder.backward(1, begin=at + 40, addresses=[1, 2, 3], sequence_nrs=[number + 1, number, -1])
    builder.node("AddmmBackward0", backward=builder.last_backward, index=0, begin=at + 41, end=at + 45)
    return builder.mark(MarkKind.BACKWARD, begin=at + 40, end=at + 60, a=builder.last_backward, b=1, x=3)


def details(backward: int, rows: int = 2) -> dict[str, Any]:
    nodes = [{"index": 0, "class": "AddmmBackward0", "saved": [saved("mat1", [rows, 4]), saved("mat2", [4, 3], 0x900, True)]}]
    return {"type": "graph_details", "graph": 1, "backward": backward, "nodes": [*nodes, {"index": 1, "class": "TBackward0", "saved": []}]}


def test_nodes_have_operator_module_line_durations_and_output_shape() -> None:
    node = backward_graph(linear().snapshot(), 0).nodes[0]
    assert (node.name, node.thread, node.sequence_nr) == ("AddmmBackward0", 1, 5)
    assert (node.module, node.module_class, node.call) == ("fc", "Linear", 2)
    assert node.source == Source("/user/train.py", 12, "main")
    assert (node.operator, node.output_shape) == (3, (2, 3))
    assert (node.forward_ns, node.backward_ns, node.begin_ns, node.end_ns) == (9, 4, 41, 45)


def test_what_a_node_keeps_of_its_operators_call_is_known_as_json() -> None:
    told = details(1)
    told["nodes"][0]["attributes"] = {"alpha": 1, "sizes": [2, 3], "training": True, "name": "x"}
    graph = backward_graph(linear().message(told).snapshot(), 0)
    assert graph.nodes[0].attributes == (("alpha", "1"), ("sizes", "[2, 3]"), ("training", "true"), ("name", '"x"'))
    assert graph.nodes[1].attributes == graph.nodes[2].attributes == ()


def test_a_node_that_raised_is_told_apart_from_one_that_ran() -> None:
    builder = linear()
    builder.node("TBackward0", backward=1, index=1, begin=46, end=47, flags=OperatorFlag.RAISED)
    assert [node.has_raised for node in backward_graph(builder.snapshot(), 0).nodes] == [False, True, False]


def test_an_accumulator_belongs_to_the_module_that_owns_its_parameter() -> None:
    node = backward_graph(linear().snapshot(), 0).nodes[2]
    assert (node.name, node.parameter, node.module, node.module_class, node.call) == ("AccumulateGrad", "fc.weight", "fc", "Linear", 2)
    assert (node.sequence_nr, node.source, node.operator, node.saved_bytes) == (-1, None, 0, 0)


def test_edges_run_from_a_node_to_what_it_feeds() -> None:
    graph = backward_graph(linear().snapshot(), 0)
    assert [(edge.source, edge.target, edge.output_nr, edge.input_nr) for edge in graph.edges] == [(0, 1, 2, 0), (1, 2, 0, 0)]
    assert graph.roots == (0,)


def test_calls_are_the_module_calls_around_the_nodes_outermost_first() -> None:
    assert backward_graph(linear().snapshot(), 0).calls == (ModuleCallNode(1, 0, "", "Net"), ModuleCallNode(2, 1, "fc", "Linear"))


def test_the_dummy_above_several_roots_is_dropped() -> None:
    names = ["torch::autograd::GraphRoot", "SinBackward0", "CosBackward0"]
    builder = TraceBuilder().graph(1, names, [(0, 0, 1, 0), (0, 1, 2, 0)]).backward(1, begin=10, addresses=[1, 2, 3], sequence_nrs=[-1, 1, 0])
    snapshot = builder.snapshot()
    graph = backward_graph(snapshot, 0)
    assert [node.id for node in graph.nodes] == [1, 2]
    assert (graph.edges, graph.roots, backwards(snapshot)[0].node_count) == ((), (1, 2), 2)


def test_saved_tensors_come_from_the_backwards_own_details() -> None:
    graph = backward_graph(linear().message(details(1)).snapshot(), 0)
    first, second = graph.nodes[0].saved
    assert (first.name, first.shape, first.dtype, first.nbytes, first.data, first.version) == ("mat1", (2, 4), "float32", 32, 0x100, 3)
    assert second.is_parameter
    assert [node.saved_bytes for node in graph.nodes] == [32 + 48, 0, 0]


def test_an_equal_graph_lends_its_saved_tensors_but_not_their_addresses() -> None:
    graph = backward_graph(linear(linear().message(details(1)), at=100, number=14).snapshot(), 1)
    assert graph.nodes[0].saved_bytes == 80
    assert [(one.data, one.version) for one in graph.nodes[0].saved] == [(0, 0), (0x900, 0)]


def test_a_smaller_last_batch_borrows_nothing() -> None:
    graph = backward_graph(linear(linear().message(details(1)), at=100, number=14, rows=1).snapshot(), 1)
    assert (graph.nodes[0].saved, graph.nodes[0].saved_bytes) == ((), None)


def test_without_details_saved_bytes_are_unknown() -> None:
    assert backward_graph(linear().snapshot(), 0).nodes[0].saved_bytes is None


def test_one_tensor_saved_twice_counts_once() -> None:
    twice = {"type": "graph_details", "graph": 1, "backward": 1, "nodes": [{"index": 0, "saved": [saved("self", [2]), saved("other", [2])]}]}
    assert backward_graph(linear().message(twice).snapshot(), 0).nodes[0].saved_bytes == 8


def test_an_unfinished_backward_has_nodes_that_did_not_run() -> None:
    builder = TraceBuilder().graph(1, ["SumBackward0", "MulBackward0", "SinBackward0"], [(0, 0, 1, 0), (1, 0, 2, 0)])
    builder.backward(1, begin=10, addresses=[1, 2, 3], sequence_nrs=[3, 2, 1])
    builder.node("SumBackward0", backward=1, index=0, begin=11, end=15).node("MulBackward0", backward=1, index=1, begin=16, end=0)
    snapshot = builder.snapshot()
    graph = backward_graph(snapshot, 0)
    assert graph.end_ns is None
    assert [(node.begin_ns, node.end_ns, node.backward_ns) for node in graph.nodes] == [(11, 15, 4), (16, None, None), (None, None, None)]
    assert backwards(snapshot)[0].end_ns is None


def test_unregistered_nodes_stay_honestly_unknown() -> None:
    builder = TraceBuilder().graph(1, ["torch::autograd::CppNode<Mine>"], []).backward(1, begin=10, addresses=[1], sequence_nrs=[3])
    node = backward_graph(builder.snapshot(), 0).nodes[0]
    assert (node.module, node.call, node.source, node.operator, node.forward_ns, node.output_shape) == ("", 0, None, 0, None, None)


def test_summaries_tell_iteration_size_and_nesting() -> None:
    builder = linear().message({"type": "iteration", "index": 0, "time_ns": 70, "learning_rate": None, "optimizers": []})
    linear(builder, at=100, number=14).backward(1, begin=150, addresses=[1, 2, 3], parent=2)
    first, second, third = backwards(builder.snapshot())
    assert (first.backward, first.iteration, first.begin_ns, first.end_ns, first.node_count, first.graph) == (0, 0, 40, 60, 3, 1)
    assert (second.iteration, second.is_nested, third.is_nested) == (1, False, True)
    assert last_backward(builder.snapshot()) == 1


def test_a_backward_that_is_not_there_is_one_sentence() -> None:
    assert last_backward(TraceBuilder().snapshot()) is None
    with pytest.raises(TensorScopeError, match="Backward 7 is not on record; only backward 0 is"):
        backward_graph(linear().snapshot(), 7)


def test_a_graph_whose_definition_was_lost_is_listed_but_cannot_be_shown() -> None:
    snapshot = TraceBuilder().backward(9, begin=10, addresses=[1]).snapshot()
    assert [summary.node_count for summary in backwards(snapshot)] == [0]
    with pytest.raises(TensorScopeError, match="not on record"):
        backward_graph(snapshot, 0)
