"""Between batches of rows and frames.

A frame of rows has two columns: the ``thread`` of each row, and the row itself as a whole record of ``protocol.records``, as the probe wrote it. Frames of
earlier versions have each of the table's columns apart, and are read as well.
"""

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from tensorscope.errors import ProtocolError
from tensorscope.protocol.frames import Frame, FrameColumn
from tensorscope.trace.ingest import WHOLE, Batch, batch_of_whole, span_of, whole_records
from tensorscope.trace.schema import TABLES

TABLE_BY_NAME = {table.name: table for table in TABLES}
PACKED: Final = (("thread", "u4"), ("records", "r64"))


def frame_of_batches(batches: Sequence[Batch], iteration: int, last_iteration: int) -> Frame:
    """One frame with the rows of several batches of one table and rank."""
    rows = sum(batch.rows for batch in batches)
    threads = np.concatenate([batch.columns["thread"] for batch in batches])
    records = b"".join(whole_records(batch).data for batch in batches)
    columns = tuple(FrameColumn(name, type, data) for (name, type), data in zip(PACKED, (threads.tobytes(), records), strict=True))
    rank = int(batches[0].columns["rank"][0]) if batches[0].rows else 0
    return Frame("rows", batches[0].table.name, rank, rows, columns, *_span(batches), iteration, last_iteration)


def batch_of_frame(frame: Frame) -> Batch:
    """The rows of a frame; raises ProtocolError where its table or columns are not those of the schema."""
    table = TABLE_BY_NAME.get(frame.table)
    if table is None:
        raise ProtocolError(f"frame is of the unknown table {frame.table!r:.80}")
    described = tuple((column.name, column.type) for column in frame.columns)
    if described == PACKED:
        return batch_of_whole(table, np.frombuffer(frame.columns[1].data, WHOLE), np.frombuffer(frame.columns[0].data, "<u4"), frame.rank)
    if described != tuple((column.name, column.type) for column in table.columns):
        raise ProtocolError(f"frame of table {table.name} has other columns than the table")
    columns: dict[str, NDArray[Any]] = {column.name: np.frombuffer(column.data, f"<{column.type}") for column in frame.columns}
    return Batch(table, frame.rows, columns)


def _span(batches: Sequence[Batch]) -> tuple[int, int]:
    """First and last time in the rows, 0 where there is none."""
    spans = [span_of(batch.columns[name]) for batch in batches for name in batch.table.time_names]
    known = [span for span in spans if span != (0, 0)]
    return min((first for first, _ in known), default=0), max((last for _, last in known), default=0)
