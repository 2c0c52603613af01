"""The backward graphs that several panels want at once, each made once a snapshot."""

from __future__ import annotations

from collections import OrderedDict
from threading import Lock
from typing import Final

from tensorscope.analysis.graph import backward_graph
from tensorscope.analysis.results import BackwardGraph
from tensorscope.errors import TensorScopeError
from tensorscope.trace.snapshot import Snapshot

KEPT: Final = 4


class GraphCache:
    """Keeps the newest few graphs. Any thread; one that asks for a graph in the making waits for it."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._graphs: OrderedDict[tuple[int, int], tuple[Snapshot, BackwardGraph | None]] = OrderedDict()

    def get(self, snapshot: Snapshot, backward: int) -> BackwardGraph | None:
        """The graph of a backward (0-based), None if it is not on record."""
        with self._lock:
            key = (id(snapshot), backward)  # the snapshot is kept beside it, so its id is not used again
            if key not in self._graphs:
                self._graphs[key] = (snapshot, _graph(snapshot, backward))
                while len(self._graphs) > KEPT:
                    self._graphs.popitem(last=False)
            return self._graphs[key][1]


def _graph(snapshot: Snapshot, backward: int) -> BackwardGraph | None:
    try:
        return backward_graph(snapshot, backward)
    except TensorScopeError:
        return None


GRAPHS: Final = GraphCache()
