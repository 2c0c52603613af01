"""Walking over recorded nodes one by one, as stepping does over living ones: the cursor stands at a node's begin, before it runs."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tensorscope.trace.schema import NODES
from tensorscope.trace.snapshot import Snapshot
from tensorscope.viewmodel.workspace import NodeSelection


def node_before(snapshot: Snapshot, time_ns: int | None) -> tuple[NodeSelection, int] | None:
    """The last node that began before a moment (None: the end), and when; None where none did."""
    rows, begins = _runs(snapshot)
    place = int(np.searchsorted(begins, snapshot.end_ns + 1 if time_ns is None else time_ns, "left")) - 1
    return _node(snapshot, int(rows[place]), int(begins[place])) if place >= 0 else None


def node_after(snapshot: Snapshot, time_ns: int) -> tuple[NodeSelection, int] | None:
    """The first node that began after a moment, and when; None where none did."""
    rows, begins = _runs(snapshot)
    place = int(np.searchsorted(begins, time_ns, "right"))
    return _node(snapshot, int(rows[place]), int(begins[place])) if place < len(rows) else None


def _runs(snapshot: Snapshot) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Rows of the nodes that ran to their end and belong to a graph, in order of begin, and their begins."""
    table = snapshot.table(NODES)
    is_it = (table.column("backward") > 0) & (table.column("index") > 0) & (table.column("end_ns") > 0)
    rows = np.flatnonzero(is_it)
    begins = table.column("begin_ns")[rows].astype(np.int64)
    order = np.argsort(begins, kind="stable")
    return rows[order], begins[order]


def _node(snapshot: Snapshot, row: int, begin_ns: int) -> tuple[NodeSelection, int]:
    table = snapshot.table(NODES)
    return NodeSelection(int(table.column("backward")[row]) - 1, int(table.column("index")[row]) - 1), begin_ns
