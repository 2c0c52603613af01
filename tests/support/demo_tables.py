"""Rows of hand-made traces: appended by field name, turned into a snapshot's tables."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from tensorscope.trace.schema import TABLES, Table
from tensorscope.trace.snapshot import TableView


class Rows:
    """Rows of every table in the order in which they came; fields that are not named are 0."""

    def __init__(self, thread: int = 1) -> None:
        self.thread = thread
        self._rows: dict[str, list[dict[str, Any]]] = {table.name: [] for table in TABLES}

    def add(self, table: Table, **fields: Any) -> dict[str, Any]:
        """Append a row; the dict may still be changed until ``tables`` is called. Raises KeyError for a field the table lacks."""
        known = {column.name for column in table.columns}
        if not fields.keys() <= known:
            raise KeyError(f"{table.name} has no {sorted(fields.keys() - known)}")
        row = {"thread": self.thread, **fields}
        self._rows[table.name].append(row)
        return row

    def tables(self) -> Mapping[str, TableView]:
        views = {}
        for table in TABLES:
            rows = self._rows[table.name]
            columns = {column.name: np.array([row.get(column.name, 0) for row in rows], dtype=column.type) for column in table.columns}
            views[table.name] = TableView(table, columns, len(rows))
        return views
