"""How far a backward has come at a moment: which nodes are done, which one raised, which one is at the cursor, where the script stands."""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from tensorscope.analysis.results import BackwardGraph

WAITING: Final = 0
DONE: Final = 1
RAISED: Final = 2
_NEVER: Final = np.iinfo(np.int64).max


@dataclass(frozen=True, slots=True)
class Progress:
    state: NDArray[np.uint8]  # [nodes] WAITING, DONE or RAISED
    held: int  # node before which the script is held, -1: none of this backward
    at_cursor: int  # node that ran at the recorded moment looked at, -1: none, or not looking back
    is_looking_back: bool

    @property
    def current(self) -> int:
        """The node that stands out: at the cursor, else held."""
        return self.at_cursor if self.is_looking_back else self.held

    @property
    def any_raised(self) -> bool:
        return bool((self.state == RAISED).any())

    def is_done(self, node: int) -> bool:
        return bool(self.state[node] == DONE)

    def has_raised(self, node: int) -> bool:
        return bool(self.state[node] == RAISED)


@dataclass(frozen=True, slots=True)
class Figures:
    """What a group sums up at the moment."""

    nodes: int
    done: int
    backward_ns: int | None  # of the nodes that are done; None: no times known
    kept_bytes: int | None  # saved by nodes still to run; None: unknown
    freed_bytes: int | None
    raised: int = 0


@dataclass(frozen=True, slots=True)
class Columns:
    """A graph's numbers as arrays, by place in ``graph.nodes``; -1: unknown."""

    begin_ns: NDArray[np.int64]
    end_ns: NDArray[np.int64]
    backward_ns: NDArray[np.int64]
    saved_bytes: NDArray[np.int64]
    has_raised: NDArray[np.bool_]

    @classmethod
    def of(cls, graph: BackwardGraph) -> "Columns":
        rows = [(_or(node.begin_ns, _NEVER), _or(node.end_ns, _NEVER), _or(node.backward_ns, -1), _or(node.saved_bytes, -1)) for node in graph.nodes]
        table = np.array(rows, np.int64).reshape(-1, 4)
        begin, end, backward, saved = (np.ascontiguousarray(table[:, column]) for column in range(4))
        return cls(begin, end, backward, saved, np.array([node.has_raised for node in graph.nodes], np.bool_))


def progress_at(graph: BackwardGraph, columns: Columns, cursor_ns: int | None, held: int) -> Progress:
    """State at the cursor (None: now). ``held`` is the place of the node before which the script stands, -1 if it is not in this backward."""
    now = _NEVER - 1 if cursor_ns is None else cursor_ns
    state = np.where(columns.end_ns <= now, np.where(columns.has_raised, RAISED, DONE), WAITING).astype(np.uint8)
    at_cursor = -1
    if cursor_ns is not None and graph.begin_ns <= cursor_ns <= (_NEVER if graph.end_ns is None else graph.end_ns):
        begun = np.flatnonzero(columns.begin_ns <= cursor_ns)
        if len(begun):
            at_cursor = int(begun[np.argmax(columns.begin_ns[begun])])
    return Progress(state, held, at_cursor, cursor_ns is not None)


def figures_of(members: NDArray[np.int64], columns: Columns, progress: Progress) -> Figures:
    is_done = progress.state[members] == DONE
    times, saved = columns.backward_ns[members], columns.saved_bytes[members]
    ran = times[is_done & (times >= 0)]
    known = saved >= 0
    return Figures(
        len(members),
        int(is_done.sum()),
        int(ran.sum()) if len(ran) else None,
        int(saved[known & ~is_done].sum()) if known.any() else None,
        int(saved[known & is_done].sum()) if known.any() else None,
        int((progress.state[members] == RAISED).sum()),
    )


def _or(value: int | None, default: int) -> int:
    return default if value is None else value
