"""Append-only columns in fixed blocks: appending never moves what is there, and a snapshot shares the blocks instead of copying the past.

One writer appends under the trace's lock; snapshots are read from any thread. A column becomes one array only when somebody asks for it; that array
grows in place from snapshot to snapshot, so a live view pays for new rows only.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from threading import Lock
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from tensorscope.trace.clock import ClockView
from tensorscope.trace.ingest import WHOLE, RecordColumns, span_of
from tensorscope.trace.schema import KIND_OF_TABLE, Column, Table

BLOCK_ROWS: Final = 65_536
WHOLE_ROW_BYTES: Final = WHOLE.itemsize + 6  # with rank and thread
Arrays = Mapping[str, NDArray[Any]]


@dataclass(slots=True)
class Block:
    """At most BLOCK_ROWS rows of a table, column by column, in raw monotonic times. Rows beyond ``rows`` are not written yet."""

    arrays: Mapping[str, NDArray[Any]]
    rows: int = 0
    first_ns: int = 0  # 0: no time in it yet
    last_ns: int = 0
    whole: NDArray[np.void] | None = None  # the rows as whole records, into which all columns but rank and thread are views; None: they lie apart
    is_light: bool = False  # of allocations: all that may go has gone

    @property
    def is_full(self) -> bool:
        return self.rows >= self.capacity

    @property
    def capacity(self) -> int:
        return len(self.arrays[next(iter(self.arrays))])

    @property
    def size_bytes(self) -> int:
        return sum(array.nbytes for array in self.arrays.values()) if self.whole is None else len(self.whole) * WHOLE_ROW_BYTES


class TableStore:
    """The rows of one table."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.blocks: list[Block] = []
        self.rows = 0
        self._generation = 0  # a new one whenever kept rows went away
        self._stamp_ns = 0  # of the rows appended last, where rows have no times of their own
        self._joined = {column.name: _JoinedColumn(column) for column in table.columns}
        self.row_bytes = sum(np.dtype(column.type).itemsize for column in table.columns)

    def append(self, columns: Arrays, rows: int, newest_ns: int = 0, records: NDArray[np.void] | None = None) -> None:
        """Append ``rows`` rows; ``columns`` holds an array [rows] of each column, ``records`` the same rows as whole records where there are such.

        ``newest_ns`` is the newest moment on record: rows without times happened between that of the rows before them and this one.
        """
        at = 0
        while at < rows:
            if not self.blocks or self.blocks[-1].is_full:
                self.blocks.append(_new_block(self.table))
            block = self.blocks[-1]
            count = min(rows - at, block.capacity - block.rows)
            filled = slice(block.rows, block.rows + count)
            if records is not None and block.whole is not None:
                block.whole[filled] = records[at : at + count]
            for name in block.arrays if records is None or block.whole is None else ("rank", "thread"):
                block.arrays[name][filled] = columns[name][at : at + count]
            if self.table.time_names:
                _note_times(block, self.table, block.rows, block.rows + count)
            else:
                block.first_ns, block.last_ns = block.first_ns or self._stamp_ns or newest_ns, newest_ns
            block.rows += count
            at += count
        self._stamp_ns = newest_ns
        self.rows += rows

    def seal(self) -> None:
        """What comes next lies in a block of its own: rows that are missing before it may come later."""
        if self.blocks and self.blocks[-1].rows:
            self.blocks.append(_new_block(self.table))
            self._stamp_ns = 0

    def replace_blocks(self, blocks: list[Block]) -> None:
        """Put other blocks in place of all (retention); older snapshots keep theirs."""
        self.blocks = blocks
        self.rows = sum(block.rows for block in blocks)
        self._generation += 1
        self._joined = {column.name: _JoinedColumn(column) for column in self.table.columns}

    @property
    def size_bytes(self) -> int:
        return sum(block.size_bytes for block in self.blocks) + sum(joined.size_bytes for joined in self._joined.values())

    def columns(self, clock: ClockView, tail: Arrays | None = None) -> "SnapshotColumns":
        """The rows so far, followed by the ``tail`` rows (raw times) that belong to this snapshot only."""
        shared = tuple((block, block.rows) for block in self.blocks)
        return SnapshotColumns(shared, self.rows, self._joined, clock, tail)


class SnapshotColumns(Mapping[str, NDArray[Any]]):
    """The columns of one table in one snapshot, joined when asked for. Any thread."""

    def __init__(
        self,
        blocks: tuple[tuple[Block, int], ...],
        rows: int,
        joined: Mapping[str, "_JoinedColumn"],
        clock: ClockView,
        tail: Arrays | None,
    ) -> None:
        self._blocks = blocks
        self._rows = rows
        self._joined = joined
        self._clock = clock
        self._tail = tail
        self._cache: dict[str, NDArray[Any]] = {}

    def __getitem__(self, name: str) -> NDArray[Any]:
        cached = self._cache.get(name)
        if cached is None:
            joined = self._joined[name]
            cached = joined.read(self._blocks, self._rows, self._clock)
            if self._tail is not None:
                cached = np.concatenate((cached, joined.converted(self._tail[name], self._clock)))
            cached.flags.writeable = False
            self._cache[name] = cached
        return cached

    def __iter__(self) -> Iterator[str]:
        return iter(self._joined)

    def __len__(self) -> int:
        return len(self._joined)


class _JoinedColumn:
    """One column as one array that grows in place; shared by all snapshots of one generation."""

    def __init__(self, column: Column) -> None:
        self._column = column
        self._lock = Lock()
        self._buffer: NDArray[Any] = np.empty(0, column.type)
        self._filled = 0
        self._clock: ClockView | None = None
        self._newest_ns = 0  # raw, over the filled rows

    @property
    def size_bytes(self) -> int:
        return self._buffer.nbytes

    def converted(self, raw: NDArray[Any], clock: ClockView) -> NDArray[Any]:
        return clock.run_times(raw) if self._column.is_time else raw

    def read(self, blocks: tuple[tuple[Block, int], ...], rows: int, clock: ClockView) -> NDArray[Any]:
        with self._lock:
            if self._column.is_time and self._clock is not None and self._clock.agrees_until(clock) < self._newest_ns:
                self._buffer = np.empty(0, self._column.type)
                self._filled = self._newest_ns = 0
            self._clock = clock
            if rows > self._filled:
                self._fill(blocks, rows, clock)
            return self._buffer[:rows]

    def _fill(self, blocks: tuple[tuple[Block, int], ...], rows: int, clock: ClockView) -> None:
        if rows > len(self._buffer):
            larger = np.empty(max(rows, min(len(self._buffer) * 3 // 2, rows + 4_000_000)), self._column.type)
            larger[: self._filled] = self._buffer[: self._filled]
            self._buffer = larger
        begin = 0
        for block, count in blocks:
            end = begin + count
            if end > self._filled:
                fresh = block.arrays[self._column.name][self._filled - begin : count]
                self._buffer[self._filled : end] = self.converted(fresh, clock)
                self._filled = end
                self._newest_ns = max(self._newest_ns, block.last_ns)
            begin = end


def _new_block(table: Table) -> Block:
    if table.name not in KIND_OF_TABLE:
        return Block({column.name: np.empty(BLOCK_ROWS, column.type) for column in table.columns})
    whole = np.empty(BLOCK_ROWS, WHOLE)
    return Block(RecordColumns(table, whole, np.empty(BLOCK_ROWS, np.uint32), np.empty(BLOCK_ROWS, np.uint16)), whole=whole)


def _note_times(block: Block, table: Table, begin: int, end: int) -> None:
    """Widen the block's first and last time by the rows from ``begin`` to ``end``."""
    for name in table.time_names:
        first, last = span_of(block.arrays[name][begin:end])
        block.last_ns = max(block.last_ns, last)
        if first:
            block.first_ns = min(block.first_ns or first, first)
