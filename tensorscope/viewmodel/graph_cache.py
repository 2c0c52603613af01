"""Backward graphs, each made once a snapshot however many panels want it."""

from __future__ import annotations

from typing import Final

from tensorscope.analysis.graph import backward_graph
from tensorscope.analysis.results import BackwardGraph
from tensorscope.errors import TensorScopeError
from tensorscope.trace.snapshot import Snapshot
from tensorscope.viewmodel.snapshot_cache import SnapshotCache


class GraphCache(SnapshotCache[int, BackwardGraph | None]):
    """By the backward's number (0-based); None for one that is not on record."""

    def __init__(self, kept: int = 4) -> None:
        super().__init__(_graph, kept)


def _graph(snapshot: Snapshot, backward: int) -> BackwardGraph | None:
    try:
        return backward_graph(snapshot, backward)
    except TensorScopeError:
        return None


GRAPHS: Final = GraphCache()
