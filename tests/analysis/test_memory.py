"""Blocks, curves and what is alive, on traces of a few rows."""

import time
from dataclasses import replace

import numpy as np
import pytest

from tensorscope.analysis.memory import block_names, default_device, devices, live_at, memory_timeline, peak_ns, step_at
from tensorscope.analysis.results import Refusal
from tensorscope.errors import TensorScopeError
from tensorscope.protocol.records import AllocationAction, Scope, TensorRole
from tensorscope.trace.schema import ALLOCATIONS
from tensorscope.trace.snapshot import Snapshot, TableView
from tests.support.trace_builder import TraceBuilder


def test_a_free_ends_the_allocation_of_its_address_before_it() -> None:
    snapshot = (
        TraceBuilder()
        .alloc(address=0x10, size=100, time=10)
        .alloc(address=0x20, size=50, time=20)
        .free(address=0x10, time=30)
        .alloc(address=0x10, size=8, time=40)
        .free(address=0x20, time=50)
        .snapshot()
    )
    timeline = memory_timeline(snapshot, "cpu")
    assert timeline.blocks.address.tolist() == [0x10, 0x20, 0x10]
    assert timeline.blocks.end_ns.tolist() == [30, 50, 50]
    assert timeline.blocks.is_live.tolist() == [False, False, True]
    assert timeline.times_ns.tolist() == [10, 20, 30, 40, 50]
    assert timeline.allocated_bytes.tolist() == [100, 150, 50, 58, 8]
    assert peak_ns(timeline) == 20
    assert timeline.reserved_bytes is None


def test_live_blocks_are_those_allocated_at_or_before_and_freed_after() -> None:
    snapshot = TraceBuilder().alloc(address=0x10, size=1, time=10).free(address=0x10, time=30).alloc(address=0x20, size=2, time=30).snapshot()
    timeline = memory_timeline(snapshot, "cpu")
    assert [live_at(timeline, at).tolist() for at in (9, 10, 29, 30, 99)] == [[], [0], [0], [1], [1]]
    assert [step_at(timeline, at) for at in (9, 10, 30)] == [-1, 0, 2]


def test_a_block_freed_by_another_thread_is_joined_by_time_not_by_arrival() -> None:
    snapshot = (
        TraceBuilder()
        .free(address=0x10, time=30, thread=2)
        .alloc(address=0x10, size=5, time=40, thread=2)
        .alloc(address=0x10, size=9, time=10, thread=1)
        .snapshot()
    )
    timeline = memory_timeline(snapshot, "cpu")
    assert timeline.blocks.size.tolist() == [9, 5]
    assert timeline.blocks.is_live.tolist() == [False, True]
    assert timeline.allocated_bytes.tolist() == [9, 0, 5]
    assert timeline.unknown_frees == 0


def test_events_at_one_time_keep_their_order_of_arrival() -> None:
    builder = TraceBuilder().alloc(address=0x10, size=4, time=10).free(address=0x10, time=10).alloc(address=0x10, size=6, time=10)
    timeline = memory_timeline(builder.snapshot(), "cpu")
    assert timeline.allocated_bytes.tolist() == [4, 0, 6]
    assert live_at(timeline, 10).tolist() == [1]


def test_frees_of_blocks_that_are_not_on_record_are_counted_and_change_nothing() -> None:
    timeline = memory_timeline(TraceBuilder().free(address=0x99, time=5).alloc(address=0x10, size=4, time=10).snapshot(), "cpu")
    assert timeline.allocated_bytes.tolist() == [4]
    assert timeline.unknown_frees == 1


def test_a_block_whose_free_was_lost_ends_when_its_address_comes_again() -> None:
    timeline = memory_timeline(TraceBuilder().alloc(address=0x10, size=4, time=10).alloc(address=0x10, size=6, time=20).snapshot(), "cpu")
    assert timeline.blocks.end_ns.tolist() == [20, 20]
    assert timeline.blocks.is_live.tolist() == [False, True]
    assert timeline.allocated_bytes.tolist() == [4, 0, 6]
    assert timeline.lost_frees == 1


def test_blocks_from_before_the_probe_count_as_allocated() -> None:
    builder = TraceBuilder().alloc(address=0x10, size=64, time=1, action=AllocationAction.BEFORE).free(address=0x10, time=9)
    timeline = memory_timeline(builder.snapshot(), "cpu")
    assert timeline.allocated_bytes.tolist() == [64, 0]


def test_devices_are_told_apart_and_the_fullest_is_the_default() -> None:
    builder = TraceBuilder().alloc(address=0x10, size=5, time=10)
    for index, size in enumerate((70, 80)):
        builder.alloc(address=0x10, size=size, time=20, device_type=1, device_index=index)
    snapshot = builder.snapshot()
    assert devices(snapshot) == ("cpu", "cuda:0", "cuda:1")
    assert default_device(snapshot) == "cuda:1"
    assert [memory_timeline(snapshot, device).allocated_bytes.tolist() for device in devices(snapshot)] == [[5], [70], [80]]


def test_reserved_bytes_are_the_sum_of_segments() -> None:
    def cuda(builder: TraceBuilder, action: AllocationAction, size: int, at: int, address: int = 0x1000) -> TraceBuilder:
        return builder.alloc(address=address, size=size, time=at, action=action, device_type=1, device_index=0)

    builder = cuda(TraceBuilder(), AllocationAction.SEGMENT_ALLOC, 2048, 10)
    cuda(builder, AllocationAction.ALLOC, 512, 11)
    cuda(builder, AllocationAction.FREE_REQUESTED, 512, 20)
    cuda(builder, AllocationAction.FREE_COMPLETED, 512, 21)
    cuda(builder, AllocationAction.SEGMENT_FREE, 2048, 30)
    timeline = memory_timeline(builder.snapshot(), "cuda:0")
    assert timeline.times_ns.tolist() == [10, 11, 20, 30]
    assert timeline.allocated_bytes.tolist() == [0, 512, 0, 0]
    assert timeline.reserved_bytes is not None
    assert timeline.reserved_bytes.tolist() == [2048, 2048, 2048, 0]
    assert timeline.category_bytes.sum(axis=0).tolist() == [0, 512, 0, 0]


def test_a_run_without_memory_has_an_empty_cpu_timeline_and_names_unknown_devices() -> None:
    snapshot = TraceBuilder().snapshot()
    assert memory_timeline(snapshot, "cpu").peak_index == -1
    with pytest.raises(TensorScopeError, match="No memory of device cuda:3 is on record"):
        memory_timeline(snapshot, "cuda:3")


def test_categories_add_up_to_allocated() -> None:
    builder = TraceBuilder().operator("aten::empty", begin=5, end=15).alloc(address=0x10, size=3, time=10, op=1).alloc(address=0x20, size=4, time=20)
    timeline = memory_timeline(builder.snapshot(), "cpu")
    assert timeline.category_bytes.sum(axis=0).tolist() == timeline.allocated_bytes.tolist() == [3, 7]


def test_a_block_is_named_by_the_nearest_storages_message_of_its_own_life() -> None:
    def seen(name: str, at: int) -> dict[str, object]:
        return {"type": "storages", "time_ns": at, "storages": [{"data": 0x10, "tensors": [{"names": [name]}]}]}

    builder = TraceBuilder().alloc(address=0x10, size=4, time=10).free(address=0x10, time=20).alloc(address=0x10, size=4, time=30)
    snapshot = builder.message(seen("old", 15)).message(seen("new", 35)).message(seen("newest", 60)).snapshot()
    timeline = memory_timeline(snapshot, "cpu")
    assert block_names(snapshot, timeline, np.array([0, 1]), 40) == {0: ("old",), 1: ("new",)}


def test_a_gradient_that_no_message_saw_is_named_by_its_parameter() -> None:
    builder = TraceBuilder().message({"type": "parameter", "id": 3, "fqn": "fc.weight", "module": 0})
    builder.graph(1, ["torch::autograd::AccumulateGrad"], [], [3]).backward(1, begin=40, addresses=[1])
    builder.node("torch::autograd::AccumulateGrad", backward=1, index=0, begin=41, end=50)
    builder.operator("torch::autograd::AccumulateGrad", begin=42, end=49, parent=builder.last_node, scope=Scope.BACKWARD_FUNCTION)
    builder.tensor(role=TensorRole.INPUT, data=0x10).alloc(address=0x10, size=4, time=30).free(address=0x10, time=60).alloc(address=0x10, size=4, time=70)
    snapshot = builder.snapshot()
    timeline = memory_timeline(snapshot, "cpu")
    assert block_names(snapshot, timeline, np.array([0]), 45) == {0: ("fc.weight.grad",)}
    assert block_names(snapshot, timeline, np.array([1]), 75) == {}


def test_a_million_allocations_are_joined_well_under_two_seconds() -> None:
    count = 1_000_000
    columns = {column.name: np.zeros(2 * count, column.type) for column in ALLOCATIONS.columns}
    columns["time_ns"][:] = np.arange(2 * count)
    columns["action"][:] = np.tile([AllocationAction.ALLOC, AllocationAction.FREE], count)
    columns["address"][:] = np.repeat(np.arange(count) % 1000 * 64 + 64, 2)
    columns["size"][::2] = 64
    empty = TraceBuilder().snapshot()
    snapshot = _with_allocations(empty, TableView(ALLOCATIONS, columns, 2 * count))
    begin = time.process_time()  # other processes of the machine do not count
    timeline = memory_timeline(snapshot, "cpu")
    assert time.process_time() - begin < 2
    assert len(timeline.blocks.address) == count
    assert int(timeline.allocated_bytes.max()) == 64


def _with_allocations(snapshot: Snapshot, view: TableView) -> Snapshot:
    return replace(snapshot, tables={**snapshot.tables, ALLOCATIONS.name: view}, end_ns=len(view))


def test_where_the_allocator_found_no_room_is_on_record_with_what_was_wanted_and_free() -> None:
    cuda = {"device_type": 1, "device_index": 0}
    builder = TraceBuilder().alloc(address=0x200, size=100, time=10, **cuda)
    builder.alloc(address=77, size=4096, time=20, action=AllocationAction.OOM, **cuda).alloc(
        address=5, size=9, time=30, action=AllocationAction.OOM, device_type=1, device_index=1
    )
    timeline = memory_timeline(builder.snapshot(), "cuda:0")
    assert timeline.refusals == (Refusal(20, 4096, 77),)
    assert timeline.allocated_bytes.tolist() == [100]
