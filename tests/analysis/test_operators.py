"""Looking up operators, and what each did to memory."""

import numpy as np

from tensorscope.analysis.effects import RESULTS, operator_results, writes_by_name
from tensorscope.analysis.operators import call_index, outermost, tensor_index
from tensorscope.protocol.records import OperatorFlag, Scope, TensorRole
from tests.support.trace_builder import TraceBuilder


def results(builder: TraceBuilder) -> dict[int, str]:
    snapshot = builder.snapshot()
    index = call_index(snapshot)
    return {int(identity): RESULTS[code] for identity, code in zip(index.id, operator_results(snapshot, index), strict=True)}


def operator(builder: TraceBuilder, name: str, inputs: list[tuple[int, int]], outputs: list[tuple[int, int]]) -> TraceBuilder:
    """An operator with (storage, version) of its inputs and outputs."""
    builder.operator(name, begin=10, end=20)
    for role, tensors in ((TensorRole.INPUT, inputs), (TensorRole.OUTPUT, outputs)):
        for place, (storage, version) in enumerate(tensors):
            builder.tensor(role=role, argument=place, storage=storage, data=storage * 16, version=version)
    return builder


def test_an_output_on_a_storage_of_its_own_is_new() -> None:
    assert results(operator(TraceBuilder(), "aten::add", [(1, 0), (2, 0)], [(3, 0)])) == {1: "new"}


def test_an_output_on_an_inputs_storage_shares_it() -> None:
    assert results(operator(TraceBuilder(), "aten::view", [(1, 4)], [(1, 4)])) == {1: "shares"}


def test_an_output_on_an_inputs_storage_with_a_higher_version_was_written() -> None:
    assert results(operator(TraceBuilder(), "aten::add_", [(1, 4), (2, 0)], [(1, 5)])) == {1: "writes"}


def test_storages_are_compared_within_one_operator_only() -> None:
    builder = operator(TraceBuilder(), "aten::view", [(1, 0)], [(1, 0)])
    assert results(operator(builder, "aten::empty", [], [(1, 0)])) == {1: "shares", 2: "new"}


def test_an_in_place_operator_that_returns_nothing_writes() -> None:
    assert results(operator(TraceBuilder(), "aten::_foreach_add_", [(1, 0)], [])) == {1: "writes"}


def test_in_place_names_write_though_inner_calls_raise_no_version() -> None:
    assert results(operator(TraceBuilder(), "aten::zero_", [(1, 4)], [(1, 4)])) == {1: "writes"}
    assert writes_by_name("aten::_foreach_add_")
    assert not writes_by_name("aten::__and__")


def test_a_layout_changed_in_place_is_shared_not_written() -> None:
    assert results(operator(TraceBuilder(), "aten::t_", [(1, 4)], [(1, 5)])) == {1: "shares"}


def test_a_later_argument_that_comes_out_again_was_written() -> None:
    builder = TraceBuilder().operator("aten::sum", begin=10, end=20)
    for role, argument, impl in ((TensorRole.INPUT, 0, 7), (TensorRole.INPUT, 1, 8), (TensorRole.OUTPUT, 0, 8)):
        builder.tensor(role=role, argument=argument, impl=impl, storage=impl)
    assert results(builder) == {1: "writes"}


def test_a_named_range_is_no_operator() -> None:
    builder = TraceBuilder().operator("Optimizer.step#Adam.step", begin=1, end=9, scope=Scope.USER_SCOPE).operator("aten::add_", begin=2, end=3, parent=1)
    index = call_index(builder.snapshot())
    assert index.id[outermost(index, index.find(np.array([2], np.uint64)))].tolist() == [2]
    assert outermost(index, index.find(np.array([1], np.uint64))).tolist() == [-1]


def test_an_operator_without_tensors_has_no_result() -> None:
    assert results(operator(TraceBuilder(), "aten::manual_seed", [], [])) == {1: ""}


def test_tensors_without_storage_are_not_taken_for_one() -> None:
    assert results(operator(TraceBuilder(), "aten::add", [(0, 0)], [(0, 0)])) == {1: "new"}


def test_operators_and_nodes_are_found_by_id_and_unknown_ids_are_not() -> None:
    builder = TraceBuilder().operator("a", begin=5, end=9, id=7).node("SumBackward0", backward=1, index=0, begin=1, end=2, id=3)
    index = call_index(builder.snapshot())
    assert index.find(np.array([7, 3, 0, 99], np.uint64)).tolist() == [1, 0, -1, -1]
    assert index.is_node.tolist() == [True, False]
    assert call_index(TraceBuilder().snapshot()).find(np.array([1], np.uint64)).tolist() == [-1]


def test_our_own_operators_are_left_out() -> None:
    builder = TraceBuilder().operator("aten::norm", begin=1, end=2, flags=OperatorFlag.OURS)
    assert len(call_index(builder.snapshot()).id) == 0
    assert len(call_index(builder.snapshot(), with_ours=True).id) == 1


def test_a_running_operator_lasts_until_now() -> None:
    builder = TraceBuilder().operator("aten::mm", begin=5, end=0).operator("aten::add", begin=6, end=30)
    assert call_index(builder.snapshot()).end_ns.tolist() == [30, 30]


def test_the_outermost_operator_stops_at_the_node_that_runs() -> None:
    builder = TraceBuilder().operator("aten::linear", begin=1, end=9).operator("aten::addmm", begin=2, end=8, parent=1)
    builder.node("MmBackward0", backward=1, index=0, begin=20, end=30).operator("aten::mm", begin=21, end=29, parent=3)
    index = call_index(builder.snapshot())
    assert index.id[outermost(index, index.find(np.array([2, 4, 1], np.uint64)))].tolist() == [1, 3, 1]
    assert outermost(index, np.array([-1])).tolist() == [-1]


def test_tensors_are_grouped_inputs_first_by_argument() -> None:
    builder = TraceBuilder().operator("aten::mm", begin=1, end=9)
    for role, argument in ((TensorRole.OUTPUT, 0), (TensorRole.INPUT, 1), (TensorRole.INPUT, 0), (TensorRole.ROOT_INPUT, 0)):
        builder.tensor(op=1, role=role, argument=argument)
    grouped = tensor_index(builder.snapshot())
    assert grouped.of(1).tolist() == [2, 1, 0]
    assert grouped.of(5).tolist() == []
