"""Detail of old moments that was fetched because somebody looks there: put back among the rows in their place, a few moments at a time."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from tensorscope.trace.columns import BLOCK_ROWS, Block, TableStore
from tensorscope.trace.ingest import Batch, RecordColumns, whole_records
from tensorscope.trace.open_rows import KEY_COLUMN
from tensorscope.trace.retention import DETAIL
from tensorscope.trace.schema import NODES, OPERATORS, TENSORS, Table

Span = tuple[int, int]  # monotonic, both ends included
MOST_MOMENTS: Final = 8
SHARE: Final = 4  # of the memory budget, a quarter
SPREAD: Final = np.uint64(0x9E3779B97F4A7C15)


class PastRows:
    """Belongs to the trace, under its lock."""

    def __init__(self, stores: Mapping[str, TableStore], memory_bytes: int) -> None:
        self._stores = stores
        self._budget_bytes = memory_bytes // SHARE
        self._blocks: dict[Span, list[tuple[str, Block]]] = {}  # that looked at longest ago first

    @property
    def spans(self) -> tuple[Span, ...]:
        return tuple(self._blocks)

    def has(self, moment_ns: int) -> bool:
        """Whether a moment was fetched; it counts as looked at just now."""
        found = next((span for span in self._blocks if span[0] <= moment_ns <= span[1]), None)
        if found is not None:
            self._blocks[found] = self._blocks.pop(found)
        return found is not None

    def add(self, span: Span, batches: Sequence[Batch]) -> int:
        """Put the rows of the detail tables in that lie in the span and are not there yet; those of the moment looked at longest ago go. Gives their number."""
        made = [(name, block) for name in DETAIL for block in self._new_blocks(name, span, batches)]
        for name, block in made:
            _insert(self._stores[name], block)
        self._blocks[span] = made
        while len(self._blocks) > 1 and (len(self._blocks) > MOST_MOMENTS or self._size_bytes > self._budget_bytes):
            self._drop(next(iter(self._blocks)))
        return sum(block.rows for _, block in made)

    @property
    def _size_bytes(self) -> int:
        return sum(block.size_bytes for blocks in self._blocks.values() for _, block in blocks)

    def _drop(self, span: Span) -> None:
        gone = self._blocks.pop(span)
        for name in {name for name, _ in gone}:
            identities = {id(block) for of, block in gone if of == name}
            store = self._stores[name]
            store.replace_blocks([block for block in store.blocks if id(block) not in identities])

    def _new_blocks(self, name: str, span: Span, batches: Sequence[Batch]) -> list[Block]:
        rows = [batch for batch in batches if batch.table.name == name and batch.rows]
        if not rows:
            return []
        table = rows[0].table
        records = np.concatenate([whole_records(batch) for batch in rows])
        threads = np.concatenate([batch.columns["thread"] for batch in rows]).astype(np.uint32)
        ranks = np.concatenate([batch.columns["rank"] for batch in rows]).astype(np.uint16)
        columns = RecordColumns(table, records, threads, ranks)
        is_new = _lies_in(columns, span) if table is not TENSORS else np.isin(columns["op"], _operators(batches, span))
        is_new &= ~np.isin(_keys(table, columns), self._present(table, span))
        chosen = np.flatnonzero(is_new)
        return [
            _block(table, records[part], threads[part], ranks[part], span) for part in np.split(chosen, range(BLOCK_ROWS, len(chosen), BLOCK_ROWS)) if len(part)
        ]

    def _present(self, table: Table, span: Span) -> NDArray[Any]:
        """Keys of the rows that are there, of blocks that touch the span (rows without times: and one on either side, whose times are rough)."""
        blocks = self._stores[table.name].blocks
        touching = [number for number, block in enumerate(blocks) if block.first_ns <= span[1] and block.last_ns >= span[0]]
        wide = {near for number in touching for near in range(number - 1, number + 2)} if table is TENSORS else set(touching)
        keys = [
            _keys(table, {name: array[: blocks[number].rows] for name, array in blocks[number].arrays.items()}) for number in wide if 0 <= number < len(blocks)
        ]
        return np.concatenate(keys) if keys else np.empty(0, np.uint64)


def _lies_in(columns: Mapping[str, NDArray[Any]], span: Span) -> NDArray[np.bool_]:
    """Whole rows (those written while they still ran have no end) that touch the span."""
    found: NDArray[np.bool_] = (columns["end_ns"] != 0) & (columns["begin_ns"] <= span[1]) & (columns["end_ns"] >= span[0])
    return found


def _operators(batches: Iterable[Batch], span: Span) -> NDArray[Any]:
    """Ids of the operators and nodes whose tensors belong to the span."""
    ids = [batch.columns["id"][_lies_in(batch.columns, span)] for batch in batches if batch.table in (OPERATORS, NODES)]
    return np.concatenate(ids) if ids else np.empty(0, np.uint64)


def _keys(table: Table, columns: Mapping[str, NDArray[Any]]) -> NDArray[Any]:
    """What tells rows of a table apart, [rows]."""
    if table is not TENSORS:
        return columns[KEY_COLUMN[table.name]].astype(np.uint64)
    place = columns["role"].astype(np.uint64) << np.uint64(16) | columns["argument"].astype(np.uint64)
    keys: NDArray[Any] = columns["op"].astype(np.uint64) * SPREAD + place  # wraps around
    return keys


def _block(table: Table, records: NDArray[np.void], threads: NDArray[np.uint32], ranks: NDArray[np.uint16], span: Span) -> Block:
    columns = RecordColumns(table, records, threads, ranks)
    first, last = (int(columns["begin_ns"].min()), int(columns["end_ns"].max())) if table is not TENSORS else span
    return Block(columns, len(records), first, last, records)


def _insert(store: TableStore, block: Block) -> None:
    """Before the first block that begins later."""
    at = next((number for number, other in enumerate(store.blocks) if other.first_ns > block.first_ns), len(store.blocks))
    store.replace_blocks([*store.blocks[:at], block, *store.blocks[at:]])
