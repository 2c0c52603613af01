"""From the bytes of a ring block to columns: every record of a block goes to the table of its kind."""

from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from tensorscope.errors import ProtocolError
from tensorscope.protocol.records import LAYOUT, RECORD_SIZE, RecordKind
from tensorscope.trace.schema import TABLE_OF_KIND, Table


@dataclass(frozen=True, slots=True)
class Batch:
    """Rows of one table, as arrays [rows] of each of its columns; times are monotonic."""

    table: Table
    rows: int
    columns: dict[str, NDArray[Any]]


RECORD_TYPES: Final = {
    kind: np.dtype(
        {
            "names": [field.name for field in fields],
            "formats": [f"<{field.type}" for field in fields],
            "offsets": [field.offset for field in fields],
            "itemsize": RECORD_SIZE,
        }
    )
    for kind, fields in LAYOUT.items()
}


def batches_of_records(content: bytes | memoryview, thread: int, rank: int = 0) -> tuple[list[Batch], int]:
    """Split the committed bytes of a record block into one batch a table, rows in order.

    Returns the batches and the number of records of no known kind. Raises ProtocolError if the length is not whole records.
    """
    if len(content) % RECORD_SIZE:
        raise ProtocolError(f"record block of thread {thread} holds {len(content)} bytes, not whole records")
    records = np.frombuffer(content, np.uint8).reshape(-1, RECORD_SIZE)
    kinds = records[:, 0]
    batches = []
    known = 0
    for kind in RecordKind:
        chosen = records[kinds == kind]
        if len(chosen):
            known += len(chosen)
            batches.append(_batch(kind, chosen, thread, rank))
    return batches, len(records) - known


def _batch(kind: RecordKind, records: NDArray[np.uint8], thread: int, rank: int) -> Batch:
    rows = len(records)
    fields = np.ascontiguousarray(records).view(RECORD_TYPES[kind])[:, 0]
    columns: dict[str, NDArray[Any]] = {"rank": np.full(rows, rank, np.uint16), "thread": np.full(rows, thread, np.uint32)}
    columns.update((field.name, fields[field.name]) for field in LAYOUT[kind])
    return Batch(TABLE_OF_KIND[kind], rows, columns)
