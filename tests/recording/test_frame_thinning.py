"""A recording without end stays within its budget: spared iterations keep their detail, and of everything else less and less stays, evenly."""

import contextlib
import sqlite3
from pathlib import Path

import numpy as np

from tensorscope.protocol.definitions import split_definitions
from tensorscope.protocol.frames import bytes_frame, decode_frame, encode_frame
from tensorscope.protocol.records import MarkKind
from tensorscope.recording.batches import batch_of_frame, frame_of_batches
from tensorscope.recording.frame_thinning import thinned, thinned_definitions
from tensorscope.recording.reader import RecordingReader, read_trace
from tensorscope.recording.writer import RecordingWriter
from tensorscope.trace.ingest import batches_of_records
from tensorscope.trace.retention import Keep
from tensorscope.trace.schema import OPERATORS
from tensorscope.trace.trace import Trace
from tests.support.trace_builder import BEGIN_NS, TraceBuilder


def test_spared_iterations_keep_their_detail_while_others_lose_it_and_lose_it_when_others_are_spared(tmp_path: Path) -> None:
    path = tmp_path / "run.tscope"
    writer = RecordingWriter(path, keep=Keep(disk_bytes=1_500_000, first=1, last=1))
    for iteration in range(20):
        builder = TraceBuilder()
        for _ in range(4096):
            builder.operator("aten::mm", begin=iteration * 100 + 1, end=iteration * 100 + 2)
        ((thread, content),) = builder.blocks()
        spared = 4 if iteration < 15 else 11
        writer.spare(0, [(BEGIN_NS + spared * 100, BEGIN_NS + spared * 100 + 99)])
        writer.add_batches(batches_of_records(content, thread)[0], iteration)
        writer.flush()
        if iteration == 14:
            assert kept_iterations(path) >= {0, 4, 14}
    writer.close()
    assert kept_iterations(path) >= {0, 19}
    assert 4 not in kept_iterations(path)


def test_no_old_detail_is_passed_over_where_a_commit_has_several_tables(tmp_path: Path) -> None:
    path = tmp_path / "run.tscope"
    writer = RecordingWriter(path, keep=Keep(disk_bytes=5_600_000, first=1, last=8))
    builder = TraceBuilder()
    for number in range(4096):
        builder.operator("aten::mm", begin=1, end=2, id=number + 1).tensor(op=number + 1)
    ((thread, content),) = builder.blocks()
    for step in range(10):
        for iteration in range(step * 5, step * 5 + 5):  # the frames of its operators come before those of its tensors, so that numbers go back
            writer.add_batches(batches_of_records(content, thread)[0], iteration)
        writer.flush()
    writer.close()
    with contextlib.closing(sqlite3.connect(path)) as connection:
        kept = {iteration for (iteration,) in connection.execute("SELECT iteration FROM frames WHERE kind IN ('operators', 'tensors')")}
    assert min(kept - {0}) >= 35


def kept_iterations(path: Path) -> set[int]:
    with contextlib.closing(sqlite3.connect(path)) as connection:
        return {iteration for (iteration,) in connection.execute("SELECT iteration FROM frames WHERE kind = 'operators'")}


def test_a_run_without_detail_is_thinned_within_the_budget_and_its_iterations_stand_for_those_between(tmp_path: Path) -> None:
    path, said = tmp_path / "run.tscope", list[str]()
    writer = RecordingWriter(path, keep=Keep(disk_bytes=400_000, first=1, last=1), failed=said.append)
    for step in range(40):
        builder = TraceBuilder()
        for iteration in range(step * 20, step * 20 + 20):
            begin = iteration * 100
            builder.alloc(address=1, size=64, time=begin + 1).free(address=1, time=begin + 2)
            builder.mark(MarkKind.BACKWARD, begin=begin + 10, end=begin + 20, a=iteration + 1)
            builder.gradient(1, backward=iteration + 1, norm=1.0, time=begin + 30)
            builder.message({"type": "storages", "reason": "iteration", "time_ns": BEGIN_NS + begin + 40, "storages": ["x" * 900]})
            builder.message({"type": "iteration", "index": iteration, "time_ns": BEGIN_NS + begin + 99})
        writer.add_definitions(builder.definition_block(), step * 20)
        for thread, content in builder.blocks():
            writer.add_batches(batches_of_records(content, thread)[0], step * 20)
        writer.flush()
    writer.close()
    assert said == []
    assert writer.size_bytes <= 400_000
    with contextlib.closing(sqlite3.connect(path)) as connection:
        pages, free = (connection.execute(f"PRAGMA {name}").fetchone()[0] for name in ("page_count", "freelist_count"))
    assert (pages - free) * 65_536 <= 2 * 400_000 + (1 << 17)  # what is left of frames shares pages
    with RecordingReader(path) as reader:
        snapshot = read_trace(reader).snapshot()
    assert snapshot.iteration_count == 800
    assert sum(int(message.get("iterations", 1)) for message in snapshot.iterations) == 800
    assert snapshot.health.damaged_frames == 0
    assert not len(snapshot.tables[OPERATORS.name])


def test_of_definitions_looks_go_first_then_every_second_iteration_and_the_last_stays() -> None:
    builder = TraceBuilder()
    builder.string("aten::mm")
    for index in range(4):
        builder.message({"type": "storages", "reason": "iteration", "time_ns": index, "storages": ["x" * 500]}, parts=2)
        builder.message({"type": "iteration", "index": index, "time_ns": BEGIN_NS + index})
    builder.message({"type": "storages", "reason": "hold", "time_ns": 9, "storages": []})
    content = builder.definition_block()
    told = []
    for _ in range(4):
        content = bytes(decode_frame(thinned(encode_frame(bytes_frame("definitions", content)), set())).columns[0].data)
        trace = Trace()
        trace.add_definitions(split_definitions(content))
        snapshot = trace.snapshot()
        told.append(([message["index"] for message in snapshot.iterations], len(snapshot.storages)))
        assert "aten::mm" in snapshot.strings.values()
    assert told == [([0, 1, 2, 3], 1), ([1, 3], 1), ([3], 1), ([3], 1)]


def test_marks_are_thinned_by_backwards_and_holds_stay() -> None:
    builder = TraceBuilder()
    for number in range(4):
        builder.mark(MarkKind.BACKWARD, begin=number * 10 + 1, end=number * 10 + 2, a=number + 1)
        builder.mark(MarkKind.OPTIMIZER_STEP, begin=number * 10 + 3, end=number * 10 + 4)
    builder.mark(MarkKind.HOLD, begin=2, end=3)
    ((thread, content),) = builder.blocks()
    payload = encode_frame(frame_of_batches(batches_of_records(content, thread)[0], 0, 3))
    left = batch_of_frame(decode_frame(thinned(payload, set()))).columns
    assert left["mark"].tolist() == [MarkKind.BACKWARD, MarkKind.OPTIMIZER_STEP] * 2 + [MarkKind.HOLD]
    assert left["a"][left["mark"] == MarkKind.BACKWARD].tolist() == [2, 4]
    assert np.all(left["begin_ns"] > 0)


def test_a_damaged_block_of_definitions_is_left_as_it_is() -> None:
    payload = encode_frame(bytes_frame("definitions", b"\xff" * 64))
    assert thinned(payload, set()) == payload
    assert thinned_definitions(b"", set()) == b""
