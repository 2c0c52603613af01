"""From the bytes of a ring block to columns: every record of a block goes to the table of its kind.

The rows stay as the probe wrote them, 64 bytes each; columns are views into them. At millions of records a second each copy counts.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from tensorscope.errors import ProtocolError
from tensorscope.protocol.records import LAYOUT, RECORD_SIZE, RecordKind
from tensorscope.trace.schema import KIND_OF_TABLE, TABLE_OF_KIND, Table

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
WHOLE: Final = np.dtype(f"V{RECORD_SIZE}")


@dataclass(frozen=True, slots=True)
class Batch:
    """Rows of one table, as arrays [rows] of each of its columns; times are monotonic."""

    table: Table
    rows: int
    columns: Mapping[str, NDArray[Any]]
    records: NDArray[np.void] | None = None
    """The same rows as whole records [rows] of the table's kind, into which all columns but rank and thread are views; None where they came otherwise."""


def batches_of_records(content: bytes | memoryview, thread: int, rank: int = 0) -> tuple[list[Batch], int]:
    """Split the committed bytes of a record block into one batch a table, rows in order.

    Returns the batches and the number of records of no known kind. Raises ProtocolError if the length is not whole records.
    """
    if len(content) % RECORD_SIZE:
        raise ProtocolError(f"record block of thread {thread} holds {len(content)} bytes, not whole records")
    records = np.frombuffer(content, WHOLE)
    kinds = np.frombuffer(content, np.uint8)[::RECORD_SIZE].copy()
    counts = np.bincount(kinds, minlength=1)
    batches = []
    known = 0
    for kind in RecordKind:
        if kind < len(counts) and counts[kind]:
            known += int(counts[kind])
            batches.append(batch_of_whole(TABLE_OF_KIND[kind], records.take(np.flatnonzero(kinds == kind)), thread, rank))
    return batches, len(records) - known


class RecordColumns(Mapping[str, NDArray[Any]]):
    """The columns of one table over whole records [rows] of its kind, each made when it is asked for: a view into them."""

    def __init__(self, table: Table, records: NDArray[np.void], threads: NDArray[np.uint32], ranks: NDArray[np.uint16]) -> None:
        self._names = table.names
        self._fields = records.view(RECORD_TYPES[KIND_OF_TABLE[table.name]])
        self._beside: dict[str, NDArray[Any]] = {"rank": ranks, "thread": threads}

    def __getitem__(self, name: str) -> NDArray[Any]:
        beside = self._beside.get(name)
        column: NDArray[Any] = self._fields[name] if beside is None else beside
        return column

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)


def batch_of_whole(table: Table, records: NDArray[np.void], threads: int | NDArray[np.uint32], rank: int) -> Batch:
    """The batch of whole records [rows] of one table's kind, of one thread or with the thread of each."""
    rows = len(records)
    of_each = np.full(rows, threads, np.uint32) if isinstance(threads, int) else threads
    return Batch(table, rows, RecordColumns(table, records, of_each, np.full(rows, rank, np.uint16)), records)


def whole_records(batch: Batch) -> NDArray[np.void]:
    """The rows of a batch as whole records [rows]; made where it has none."""
    if batch.records is not None:
        return batch.records
    kind = KIND_OF_TABLE[batch.table.name]
    fields = np.zeros(batch.rows, RECORD_TYPES[kind])
    fields.view(np.uint8).reshape(batch.rows, RECORD_SIZE)[:, 0] = kind
    for field in LAYOUT[kind]:
        fields[field.name] = batch.columns[field.name]
    return fields.view(WHOLE)


def span_of(times: NDArray[Any]) -> tuple[int, int]:
    """First and last of some times; 0 is none, and (0, 0) where there is no other."""
    if not len(times):
        return 0, 0
    first, last = int(times.min()), int(times.max())
    if first == 0 and last != 0:
        first = int(times[times != 0].min())
    return first, last
