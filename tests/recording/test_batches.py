"""Frames of rows: as they are written now, and as earlier versions wrote them."""

import numpy as np

from tensorscope.protocol.frames import Frame, FrameColumn, decode_frame, encode_frame
from tensorscope.recording.batches import batch_of_frame, frame_of_batches
from tensorscope.trace.ingest import Batch, batches_of_records
from tensorscope.trace.schema import OPERATORS
from tests.support.trace_builder import TraceBuilder


def operators() -> Batch:
    builder = TraceBuilder().operator("aten::mm", begin=10, end=20).operator("aten::add", begin=15, end=0)
    ((thread, content),) = builder.blocks()
    (batch,) = batches_of_records(content, thread, rank=2)[0]
    return batch


def same(one: Batch, other: Batch) -> bool:
    assert (one.table, one.rows) == (other.table, other.rows)
    return all(np.array_equal(one.columns[column.name], other.columns[column.name]) for column in one.table.columns)


def test_a_frame_gives_back_its_rows() -> None:
    batch = operators()
    frame = decode_frame(encode_frame(frame_of_batches([batch, batch], 3, 4)))
    assert (frame.rank, frame.rows, frame.iteration, frame.last_iteration) == (2, 4, 3, 4)
    assert (frame.first_ns, frame.last_ns) == (min(batch.columns["begin_ns"]), max(batch.columns["end_ns"]))  # an end of 0 is none
    read = batch_of_frame(frame)
    assert same(Batch(OPERATORS, 2, {name: read.columns[name][2:] for name in OPERATORS.names}), batch)


def test_a_frame_of_an_earlier_version_with_its_columns_apart_is_read() -> None:
    batch = operators()
    columns = tuple(FrameColumn(column.name, column.type, np.ascontiguousarray(batch.columns[column.name]).tobytes()) for column in OPERATORS.columns)
    read = batch_of_frame(Frame("rows", "operators", 2, 2, columns))
    assert same(read, batch)
    assert same(batch_of_frame(frame_of_batches([read], 0, 0)), batch)
