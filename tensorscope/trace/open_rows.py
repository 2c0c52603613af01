"""Rows of what is still running (operators, nodes, module calls flushed with end 0): kept aside until the whole record comes and takes their place."""

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from tensorscope.trace.ingest import Batch
from tensorscope.trace.schema import MODULE_CALLS, NODES, OPERATORS, Table

KEY_COLUMN: Final = {OPERATORS.name: "id", NODES.name: "id", MODULE_CALLS.name: "call"}


class OpenRows:
    """The open rows of one table, by key. A newer row of the same key replaces the older."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self._key = KEY_COLUMN[table.name]
        self._rows: dict[int, dict[str, Any]] = {}

    def __len__(self) -> int:
        return len(self._rows)

    def take(self, batch: Batch) -> Batch:
        """Keep the open rows of a batch aside, forget those it completes, and give the whole rows."""
        is_open = batch.columns["end_ns"] == 0
        if not is_open.any():
            if self._rows:
                self._forget(batch.columns[self._key])
            return batch
        keys = batch.columns[self._key]
        self._forget(keys[~is_open])
        done = set(keys[~is_open].tolist())
        for row in np.flatnonzero(is_open).tolist():
            if int(keys[row]) not in done:
                self._rows[int(keys[row])] = {name: array[row] for name, array in batch.columns.items()}
        whole = {name: array[~is_open] for name, array in batch.columns.items()}
        return Batch(batch.table, int(np.count_nonzero(~is_open)), whole)

    def columns(self) -> dict[str, NDArray[Any]] | None:
        """The open rows as columns, or None where there are none."""
        if not self._rows:
            return None
        rows = tuple(self._rows.values())
        return {column.name: np.array([row[column.name] for row in rows], column.type) for column in self._table.columns}

    def _forget(self, keys: NDArray[Any]) -> None:
        for key in self._rows.keys() & set(keys.tolist()):
            del self._rows[key]
