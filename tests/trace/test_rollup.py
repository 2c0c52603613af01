"""Old iterations are rolled up when there are too many, and say what they stand for; those that matter stay as they are."""

import numpy as np

from tensorscope.analysis.iterations import iterations, rolled_up_with
from tensorscope.trace.flags import Flags
from tensorscope.trace.health import ByPlace, HealthCounter
from tensorscope.trace.ingest import batches_of_records
from tensorscope.trace.live_bytes import LiveBytes
from tensorscope.trace.retention import Keep
from tensorscope.trace.rollup import Message, rolled_up
from tensorscope.trace.trace import Trace
from tests.support.trace_builder import BEGIN_NS, TraceBuilder


def told(index: int, end_ns: int, **more: int | None) -> Message:
    return {"type": "iteration", "index": index, "time_ns": end_ns, "forward_ns": index, "backward_ns": 2, "optimizer_ns": 3, "peak_bytes": 10, **more}


def test_few_iterations_stay_as_they_are() -> None:
    rows = [told(index, 100 * index + 100) for index in range(8)]
    assert rolled_up(rows, 1, set(), most=8) is rows


def test_the_first_the_newest_and_the_flagged_stay_and_the_others_are_summed_up() -> None:
    rows = [told(index, 100 * index + (150 if index == 2 else 100), peak_bytes=99 if index == 5 else 10) for index in range(16)]
    found = rolled_up(rows, 1, {4}, most=8)
    assert [(row.get("first_index", row["index"]), row["index"]) for row in found] == [(0, 0), (1, 3), (4, 4), (5, 11), *((one, one) for one in range(12, 16))]
    first, second = found[1], found[3]
    assert (first["iterations"], first["forward_ns"], first["peak_bytes"]) == (3, 2, 10)
    assert (first["shortest_ns"], first["longest_ns"]) == (50, 150)  # iterations 3 and 2
    assert (second["iterations"], second["forward_ns"], second["peak_bytes"]) == (7, 8, 99)


def test_a_row_is_rolled_up_again_with_the_weight_of_all_it_stands_for() -> None:
    rows = [told(0, 100), told(3, 400, first_index=1, iterations=3, forward_ns=10, shortest_ns=90, longest_ns=120), told(4, 500, forward_ns=50)]
    found = rolled_up([*rows, *(told(index, 100 * index + 100) for index in range(5, 9))], 1, set(), most=6)
    row = next(one for one in found if one["index"] in (4, 5))
    assert row["first_index"] == 1
    assert row["forward_ns"] == (3 * 10 + 50 + (5 if row["index"] == 5 else 0)) // row["iterations"]
    assert (row["shortest_ns"], row["longest_ns"]) == (90, 120)


def test_a_gap_in_a_recording_is_one_row_for_all_that_are_not_in_it() -> None:
    trace = Trace()
    for index, end in ((0, 100), (1, 200), (6, 700)):
        trace.add_message({"type": "iteration", "index": index, "time_ns": end})
    snapshot = trace.snapshot()
    assert rolled_up_with(snapshot, 4) == (2, 6)
    assert rolled_up_with(snapshot, 1) is None
    assert snapshot.iteration_count == 7
    assert [one.index for one in iterations(snapshot)] == [0, 1, 6]


def test_new_peaks_are_noticed_and_each_iteration_has_its_highest() -> None:
    live = LiveBytes()
    builder = TraceBuilder()
    for address, size, time in ((1, 100, 10), (2, 50, 20)):
        builder.alloc(address=address, size=size, time=time)
    builder.free(address=2, time=30)
    builder.alloc(address=2, size=20, time=40)
    ((thread, content),) = builder.blocks()
    (batch,) = batches_of_records(content, thread)[0]
    assert live.take(batch) == [BEGIN_NS + 20]
    assert live.highest([BEGIN_NS + 25, BEGIN_NS + 35]).tolist() == [150, 100]
    assert live.highest([BEGIN_NS + 45, BEGIN_NS + 50]).tolist() == [120, -1]


def test_flagged_iterations_are_each_told_once_with_the_best_reason() -> None:
    flags = Flags()
    for reason, moment in (("peak", 150), ("bookmark", 160), ("nonfinite", 350), ("hold", 0)):
        flags.note(reason, moment)
    numbers, ends = (0, 7, 8, 9, 15), (100, 200, 300, 400, 500)
    messages = [{"index": number, "time_ns": end} for number, end in zip(numbers, ends, strict=True)]
    messages[-1]["first_index"] = 10  # rolled up: what it was flagged for is gone
    flags.note("bookmark", 450)
    found = flags.flagged(messages, ends)
    assert [(one.iteration, one.reason, one.span) for one in found] == [(7, "bookmark", (100, 200)), (9, "nonfinite", (300, 400))]


def test_the_detail_of_a_flagged_iteration_stays_when_that_around_it_goes() -> None:
    trace = Trace(Keep(memory_bytes=24 << 20, first=1, last=1, check_rows=1))
    for iteration in range(12):
        builder = TraceBuilder()
        for number in range(64):
            builder.operator("aten::mm", begin=iteration * 1000 + number * 2 + 1, end=iteration * 1000 + number * 2 + 2)
        ((thread, content),) = builder.blocks()
        if iteration == 5:
            trace.add_message({"type": "exception", "exception": "ValueError", "time_ns": BEGIN_NS + 5500})
        trace.add_batches(batches_of_records(content * 1024, thread)[0])  # a block of 65,536 rows
        trace.add_message({"type": "iteration", "index": iteration, "time_ns": BEGIN_NS + iteration * 1000 + 999})
    begins = trace.snapshot().tables["operators"].column("begin_ns")
    kept = set(np.unique((begins - int(begins[0])) // 1000).tolist())
    assert 5 in kept
    assert len(kept) < 8
    assert trace.snapshot().health.flagged == ((5, "exception"),)


def test_what_went_is_told_by_numbers_where_the_list_has_gaps_and_beyond_its_end() -> None:
    health = HealthCounter()
    ByPlace(health, [{"index": 0}, {"index": 7}, {"index": 8}]).retired(5, range(1, 5))
    assert health.view().retired_iterations == range(7, 11)  # 7, 8, and the two that come after
