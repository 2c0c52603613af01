"""Between batches of rows and frames."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tensorscope.errors import ProtocolError
from tensorscope.protocol.frames import Frame, FrameColumn
from tensorscope.trace.ingest import Batch
from tensorscope.trace.schema import TABLES, Table

TABLE_BY_NAME = {table.name: table for table in TABLES}


def frame_of_batches(batches: Sequence[Batch], iteration: int, last_iteration: int) -> Frame:
    """One frame with the rows of several batches of one table and rank."""
    table = batches[0].table
    arrays = {column.name: np.concatenate([batch.columns[column.name] for batch in batches]) for column in table.columns}
    rows = sum(batch.rows for batch in batches)
    columns = tuple(FrameColumn(column.name, column.type, np.ascontiguousarray(arrays[column.name]).tobytes()) for column in table.columns)
    first, last = _span(table, arrays)
    return Frame("rows", table.name, int(arrays["rank"][0]) if rows else 0, rows, columns, first, last, iteration, last_iteration)


def batch_of_frame(frame: Frame) -> Batch:
    """The rows of a frame; raises ProtocolError where its table or columns are not those of the schema."""
    table = TABLE_BY_NAME.get(frame.table)
    if table is None:
        raise ProtocolError(f"frame is of the unknown table {frame.table!r:.80}")
    if [(column.name, column.type) for column in frame.columns] != [(column.name, column.type) for column in table.columns]:
        raise ProtocolError(f"frame of table {table.name} has other columns than the table")
    columns: dict[str, NDArray[Any]] = {column.name: np.frombuffer(column.data, f"<{column.type}") for column in frame.columns}
    return Batch(table, frame.rows, columns)


def _span(table: Table, arrays: dict[str, NDArray[Any]]) -> tuple[int, int]:
    """First and last time in the rows, 0 where there is none."""
    times = np.concatenate([arrays[column.name] for column in table.columns if column.is_time] or [np.empty(0, np.int64)])
    times = times[times > 0]
    return (int(times.min()), int(times.max())) if len(times) else (0, 0)
