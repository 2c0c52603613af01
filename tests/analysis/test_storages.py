"""Storages at a moment: who shares them, which bytes each tensor touches, who made them and who wrote last."""

from typing import Any

import pytest

from tensorscope.analysis.results import Source
from tensorscope.analysis.storages import byte_range, is_contiguous, iteration_message_ns, storage_view
from tensorscope.errors import TensorScopeError
from tensorscope.protocol.records import Scope, TensorRole
from tests.support.trace_builder import TraceBuilder

LINE = [("/user/train.py", 12, "main")]


def tensor(name: str, shape: list[int], stride: list[int], offset: int = 0, **more: Any) -> dict[str, Any]:
    described = {"impl": 1, "names": [name], "shape": shape, "stride": stride, "offset": offset, "dtype": "float32", "itemsize": 4, "version": 0}
    return {**described, "is_view": False, "base": 0, "requires_grad": False, "is_parameter": False, "category": "", **more}


def seen(at: int, *tensors: dict[str, Any], data: int = 0x10, reason: str = "iteration", **more: Any) -> dict[str, Any]:
    storage = {"storage": 0x5, "data": data, "nbytes": 96, "device": "cpu", "is_external": False, "tensors": list(tensors), "holders": ["local x in main()"]}
    return {"type": "storages", "time_ns": at, "reason": reason, "iteration": 9, "is_complete": True, "storages": [{**storage, **more}]}


def touch(builder: TraceBuilder, name: str, begin: int, end: int, *tensors: tuple[int, int], parent: int = 0, data: int = 0x10) -> TraceBuilder:
    """An operator with (role, version) of its tensors on the storage at ``data``."""
    builder.operator(name, begin=begin, end=end, stack=LINE if not parent else 0, parent=parent)
    for role, version in tensors:
        builder.tensor(role=role, data=data, storage=0x5, version=version)
    return builder


IN, OUT = TensorRole.INPUT, TensorRole.OUTPUT


def test_a_transposed_slice_touches_the_bytes_between_its_first_and_last_element() -> None:
    assert byte_range((6, 4), (1, 6), 0, 4) == (0, 96)
    assert byte_range((2, 2), (6, 1), 7, 4) == (28, 60)  # elements 7, 8, 13, 14
    assert byte_range((3, 6), (0, 1), 0, 4) == (0, 24)
    assert byte_range((), (), 5, 8) == (40, 48)
    assert byte_range((0, 3), (3, 1), 2, 4) == (8, 8)


@pytest.mark.parametrize(
    ("shape", "stride", "expected"),
    [((2, 3), (3, 1), True), ((3, 2), (1, 3), False), ((1, 3), (99, 1), True), ((3, 6), (0, 1), False), ((0, 3), (7, 5), True), ((), (), True)],
)
def test_contiguity_is_what_torch_says(shape: tuple[int, ...], stride: tuple[int, ...], expected: bool) -> None:
    assert is_contiguous(shape, stride) is expected


def test_tensors_of_one_storage_stand_in_its_row() -> None:
    builder = TraceBuilder().message(seen(50, tensor("table", [4, 6], [6, 1]), tensor("first", [6], [1], 6, is_view=True, version=2, requires_grad=True)))
    (row,) = storage_view(builder.snapshot()).rows
    assert (row.id, row.data, row.device, row.nbytes, row.seen_ns, row.holders) == (0x5, 0x10, "cpu", 96, 50, ("local x in main()",))
    table, first = row.tensors
    assert (table.names, table.begin_byte, table.end_byte, table.is_view, table.is_contiguous) == (("table",), 0, 96, False, True)
    assert (first.begin_byte, first.end_byte, first.is_view, first.version, first.requires_grad) == (24, 48, True, 2, True)


def test_the_newest_look_at_or_before_the_moment_counts() -> None:
    snapshot = TraceBuilder().message(seen(50, tensor("a", [1], [1]))).message(seen(90, tensor("b", [1], [1]), reason="exit")).snapshot()
    assert storage_view(snapshot, 89).rows[0].tensors[0].names == ("a",)
    assert (storage_view(snapshot, 90).seen_ns, storage_view(snapshot).reason) == (90, "exit")
    nothing = storage_view(snapshot, 49)
    assert (nothing.rows, nothing.is_complete) == ((), False)


def test_the_newest_look_that_found_any_storage_is_shown_where_no_moment_is_given() -> None:
    empty = {"type": "storages", "time_ns": 90, "reason": "exit", "is_complete": True, "storages": []}
    snapshot = TraceBuilder().message(seen(50, tensor("a", [1], [1]))).message(empty).snapshot()
    assert [storage_view(snapshot, at).seen_ns for at in (None, 90)] == [50, 90]


def test_the_look_at_an_iterations_end_is_the_first_one_after_it() -> None:
    builder = TraceBuilder()
    for index, at in enumerate((40, 80)):
        builder.message({"type": "iteration", "index": index, "time_ns": at, "learning_rate": None, "optimizers": []})
        builder.message(seen(at + 5, tensor("a", [1], [1])))
    snapshot = builder.snapshot()
    assert [iteration_message_ns(snapshot, index) for index in (0, 1)] == [45, 85]
    assert [storage_view(snapshot, at).iteration for at in (45, 85)] == [0, 1]
    with pytest.raises(TensorScopeError, match="Iteration 2 is not on record"):
        iteration_message_ns(snapshot, 2)


def test_an_iteration_without_a_look_of_its_own_shows_what_was_seen_before() -> None:
    builder = TraceBuilder().message(seen(5, tensor("a", [1], [1])))
    builder.message({"type": "iteration", "index": 0, "time_ns": 40, "learning_rate": None, "optimizers": []})
    assert iteration_message_ns(builder.snapshot(), 0) == 40


def test_the_outermost_operator_that_gave_a_storage_out_made_it() -> None:
    builder = touch(TraceBuilder(), "aten::zeros", 10, 20, (OUT, 0))
    touch(builder, "aten::empty", 11, 12, (OUT, 0), parent=1)
    touch(builder, "aten::zero_", 13, 14, (IN, 0), (OUT, 0), parent=1)
    (row,) = storage_view(builder.message(seen(50, tensor("a", [1], [1]))).snapshot()).rows
    assert (row.made_by, row.last_writer) == ("aten::zeros", "aten::zeros")
    assert row.made_source == Source("/user/train.py", 12, "main")


def test_the_last_operator_that_raised_the_version_wrote_last_and_views_did_not() -> None:
    builder = touch(TraceBuilder(), "aten::empty", 10, 12, (OUT, 0))
    touch(builder, "aten::add_", 20, 22, (IN, 0), (OUT, 1))
    touch(builder, "aten::view", 30, 32, (IN, 1), (OUT, 1))
    (row,) = storage_view(builder.message(seen(50, tensor("a", [1], [1]))).snapshot()).rows
    assert (row.made_by, row.last_writer) == ("aten::empty", "aten::add_")


def test_writes_after_the_moment_do_not_count() -> None:
    builder = touch(TraceBuilder(), "aten::empty", 10, 12, (OUT, 0)).message(seen(15, tensor("a", [1], [1])))
    assert storage_view(touch(builder, "aten::add_", 20, 22, (IN, 0), (OUT, 1)).snapshot()).rows[0].last_writer == "aten::empty"


def test_an_operator_over_lists_that_returns_nothing_is_known_by_the_next_version() -> None:
    builder = touch(TraceBuilder(), "aten::empty", 10, 12, (OUT, 0))
    touch(builder, "aten::_foreach_add_", 20, 22, (IN, 0))
    touch(builder, "aten::mul", 30, 32, (IN, 1))
    assert storage_view(builder.message(seen(50, tensor("a", [1], [1]))).snapshot()).rows[0].last_writer == "aten::_foreach_add_"


def test_an_address_used_before_the_block_was_allocated_was_another_storage() -> None:
    builder = touch(TraceBuilder(), "aten::rand", 10, 12, (OUT, 0)).free(address=0x10, time=15).alloc(address=0x10, size=96, time=21)
    touch(builder, "aten::ones", 20, 23, (OUT, 0))
    (row,) = storage_view(builder.message(seen(50, tensor("a", [1], [1]))).snapshot()).rows
    assert row.made_by == "aten::ones"


def test_category_and_module_come_from_the_block() -> None:
    builder = TraceBuilder().message({"type": "module", "id": 1, "fqn": "fc", "class": "Linear", "parent": 0, "root": 0, "source": ""})
    builder.module_call(1, begin=5, end=30).operator("aten::mm", begin=10, end=20).alloc(address=0x10, size=96, time=11, op=1, module_call=1)
    (row,) = storage_view(builder.message(seen(50, tensor("a", [1], [1]))).snapshot()).rows
    assert (row.category, row.module, row.is_external) == ("temporary", "fc", False)


def test_a_gradient_made_in_backward_belongs_to_the_forward_line() -> None:
    builder = TraceBuilder().operator("aten::mm", begin=1, end=2, sequence_nr=3, stack=LINE)
    builder.graph(1, ["MmBackward0"], []).backward(1, begin=8, addresses=[1], sequence_nrs=[3]).node("MmBackward0", backward=1, index=0, begin=9, end=30)
    builder.operator("MmBackward0", begin=10, end=29, parent=builder.last_node, scope=Scope.BACKWARD_FUNCTION)
    touch(builder, "aten::mm", 11, 20, (OUT, 0), parent=builder.last_operator)
    (row,) = storage_view(builder.message(seen(50, tensor("w.grad", [1], [1], category="gradient"))).snapshot()).rows
    assert (row.made_by, row.made_source) == ("aten::mm", Source("/user/train.py", 12, "main"))


def test_memory_that_torch_did_not_give_is_external_with_the_category_it_was_told() -> None:
    message = seen(50, tensor("w", [1], [1], category="parameter"), is_external=True)
    (row,) = storage_view(TraceBuilder().message(message).snapshot()).rows
    assert (row.is_external, row.category, row.made_by, row.last_writer) == (True, "parameter", "", "")


def test_external_memory_passed_into_a_root_call_lately_is_input() -> None:
    builder = TraceBuilder()
    for index, at in enumerate((100, 200, 300)):
        builder.module_call(1, begin=at, end=at + 10)
        if index == 1:
            builder.tensor(op=builder.last_call, role=TensorRole.ROOT_INPUT, data=0x10)
        builder.message({"type": "iteration", "index": index, "time_ns": at + 50, "learning_rate": None, "optimizers": []})
        builder.message(seen(at + 51, tensor("images", [1], [1]), is_external=True))
    snapshot = builder.snapshot()
    assert [storage_view(snapshot, at).rows[0].category for at in (151, 251, 351)] == ["unknown", "input", "unknown"]


def test_a_tied_parameter_has_its_aliases_among_its_names_while_it_is_tied() -> None:
    told = {"type": "parameter", "id": 1, "fqn": "token.weight", "aliases": [], "former_aliases": ["head.weight"], "module": 0}
    tied = seen(50, tensor("token.weight", [1], [1]))
    untied = seen(90, tensor("token.weight", [1], [1]))
    untied["storages"] += seen(90, tensor("head.weight", [1], [1]), data=0x20)["storages"]
    snapshot = TraceBuilder().message(told).message(tied).message(untied).snapshot()
    assert [[row.tensors[0].names for row in storage_view(snapshot, at).rows] for at in (50, 90)] == [
        [("token.weight", "head.weight")],
        [("token.weight",), ("head.weight",)],
    ]
