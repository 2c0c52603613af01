"""What a trace over its budget lets go of, and what it never does."""

import numpy as np

from tensorscope.protocol.records import AllocationAction, MarkKind
from tensorscope.trace.columns import BLOCK_ROWS
from tensorscope.trace.ingest import batches_of_records
from tensorscope.trace.retention import LARGE_BYTES, Keep, retired_span, without_small_allocations
from tensorscope.trace.schema import ALLOCATIONS, MARKS, OPERATORS, TENSORS, Table
from tensorscope.trace.trace import Trace
from tests.support.trace_builder import TraceBuilder

PER_ITERATION = BLOCK_ROWS // 2


def block_bytes(table: Table) -> int:
    """Memory of one block of rows."""
    return BLOCK_ROWS * sum(np.dtype(column.type).itemsize for column in table.columns)


def add_rows(trace: Trace, row: TraceBuilder, count: int = BLOCK_ROWS) -> None:
    """Append a hand-written row ``count`` times."""
    for thread, content in row.blocks():
        trace.add_batches(batches_of_records(content * count, thread)[0])


def test_only_iterations_between_the_first_and_the_last_may_go() -> None:
    ends = [10, 20, 30, 40, 50, 60]
    assert retired_span(ends, Keep(first=2, last=3)) == (20, 30)
    assert retired_span(ends, Keep(first=3, last=3)) is None


def test_a_trace_over_its_budget_keeps_the_first_and_last_iterations_in_full() -> None:
    trace = Trace(Keep(memory_bytes=5 * block_bytes(OPERATORS) + block_bytes(MARKS), first=2, last=2, check_rows=1))
    builder = TraceBuilder()
    for iteration in range(12):
        row = TraceBuilder().operator("aten::mm", begin=iteration * 100 + 10, end=iteration * 100 + 20)
        marks = TraceBuilder().mark(MarkKind.OPTIMIZER_STEP, begin=iteration * 100 + 90, a=iteration)
        for thread, content in (*row.blocks(), *marks.blocks()):
            count = PER_ITERATION if content is row.blocks()[0][1] or (len(content) == 64 and content[0] == 1) else 1
            trace.add_batches(batches_of_records(content * count, thread)[0])
        builder.message({"type": "iteration", "index": iteration, "time_ns": iteration * 100 + 99})
        trace.add_definitions(builder.definitions()[-1:])
    trace.add_definitions(builder.definitions()[:1])
    snapshot = trace.snapshot()
    kept = sorted({int(begin) // 100 for begin in snapshot.table(OPERATORS).column("begin_ns")})
    assert kept[:2] == [0, 1]
    assert kept[-3:] == [9, 10, 11]
    assert len(kept) < 12
    assert len(snapshot.table(MARKS)) == 12
    lost = 12 * PER_ITERATION - len(snapshot.table(OPERATORS))
    assert snapshot.health.retired_rows == lost > 0
    assert set(range(12)) - set(kept) <= set(snapshot.health.retired_iterations)


def test_of_allocations_only_small_ones_born_and_freed_together_go() -> None:
    builder = (
        TraceBuilder()
        .alloc(address=0x10, size=100, time=1)  # goes
        .free(address=0x10, time=2)
        .alloc(address=0x10, size=200, time=3)  # lives on
        .alloc(address=0x20, size=LARGE_BYTES, time=4)  # large
        .free(address=0x20, time=5)
        .free(address=0x30, time=6)  # born elsewhere
        .alloc(address=0x40, size=1, time=7, action=AllocationAction.OOM)
    )
    trace = builder.trace()
    lighter = without_small_allocations(trace._stores[ALLOCATIONS.name].blocks[0])
    assert lighter.arrays["address"][: lighter.rows].tolist() == [0x10, 0x20, 0x20, 0x30, 0x40]
    assert lighter.arrays["size"][: lighter.rows].tolist() == [200, LARGE_BYTES, 0, 0, 1]
    assert lighter.is_light  # and is not looked at again


def test_backwards_and_storages_of_middle_iterations_go_when_they_are_large() -> None:
    trace = Trace(Keep(memory_bytes=4, first=1, last=1))
    builder = TraceBuilder().graph(1, ["MulBackward0"], [])
    for iteration in range(4):
        begin = iteration * 100
        builder.backward(1, begin=begin + 10, addresses=[0x10 + iteration], sequence_nrs=[iteration])
        builder.message({"type": "graph_details", "graph": 1, "backward": iteration + 1, "nodes": []})
        builder.message({"type": "storages", "reason": "iteration", "time_ns": begin + 90, "storages": []})
        builder.message({"type": "storages", "reason": "hold", "time_ns": begin + 91, "storages": []})
        builder.message({"type": "iteration", "index": iteration, "time_ns": begin + 99})
    trace.add_definitions(builder.definitions())
    trace.add_batches([])
    snapshot = trace.snapshot()
    assert [backward.sequence_nrs.tolist() for backward in snapshot.backwards.values()] == [[0], [-1], [-1], [3]]
    assert [backward.begin_ns for backward in snapshot.backwards.values()] == [10, 110, 210, 310]
    assert list(snapshot.graph_details) == [1, 4]
    assert [message["time_ns"] for message in snapshot.storages] == [90, 91, 191, 291, 390, 391]


def test_tensors_go_with_their_operators_though_they_have_no_times() -> None:
    budget = 4 * block_bytes(TENSORS) + block_bytes(OPERATORS)
    trace = Trace(Keep(memory_bytes=budget, first=1, last=1, check_rows=1))
    builder = TraceBuilder()
    for iteration in range(12):
        add_rows(trace, TraceBuilder().operator("aten::mm", begin=iteration * 100 + 10, end=iteration * 100 + 20), 1)
        add_rows(trace, TraceBuilder().tensor(op=iteration, shape=(2,)))
        builder.message({"type": "iteration", "index": iteration, "time_ns": iteration * 100 + 99})
        trace.add_definitions(builder.definitions()[-1:])
    kept = sorted(set(trace.snapshot().table(TENSORS).column("op").tolist()))
    assert len(kept) <= 4
    assert (kept[0], kept[-1]) == (0, 11)


def test_a_script_without_iterations_stays_within_the_budget_and_keeps_the_newest() -> None:
    trace = Trace(Keep(memory_bytes=5 * block_bytes(OPERATORS), check_rows=1))
    for turn in range(20):
        add_rows(trace, TraceBuilder().operator("aten::mm", begin=turn * 100 + 10, end=turn * 100 + 20))
        assert trace.size_bytes <= 5 * block_bytes(OPERATORS)
    snapshot = trace.snapshot()
    kept = sorted(set((snapshot.table(OPERATORS).column("begin_ns") // 100).tolist()))
    assert kept[-3:] == [17, 18, 19]
    assert snapshot.health.retired_rows == (20 - len(kept)) * BLOCK_ROWS
