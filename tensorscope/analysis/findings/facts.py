"""What the rules ask of a snapshot again and again: moments with their lines, the exception, names in a sentence."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from tensorscope.analysis.iterations import iteration_at, iteration_bounds
from tensorscope.analysis.operators import source_of
from tensorscope.analysis.results import Source
from tensorscope.protocol.records import MarkKind
from tensorscope.trace.schema import MARKS
from tensorscope.trace.snapshot import Snapshot

NAMED: Final = 3  # names in a sentence, the rest is counted


@dataclass(frozen=True, slots=True)
class Mark:
    """One row of the marks table. ``a``, ``b``, ``x``, ``y`` as ``MarkKind`` says."""

    kind: int
    begin_ns: int
    end_ns: int
    source: Source | None
    a: int
    x: float
    has_raised: bool


def marks(snapshot: Snapshot, *kinds: MarkKind) -> tuple[Mark, ...]:
    """Rows of these kinds in order of their begin."""
    table = snapshot.table(MARKS)
    rows = np.flatnonzero(np.isin(table.column("mark"), kinds))
    rows = rows[np.argsort(table.column("begin_ns")[rows], kind="stable")]
    columns = [table.column(name)[rows].tolist() for name in ("mark", "begin_ns", "end_ns", "stack", "a", "x", "flags")]
    return tuple(
        Mark(kind, begin, end, source_of(snapshot, stack), a, x, bool(flags & 1)) for kind, begin, end, stack, a, x, flags in zip(*columns, strict=True)
    )


def iteration_of(snapshot: Snapshot, time_ns: int) -> int | None:
    """The iteration that runs at a time, None outside of all."""
    found = int(iteration_at(iteration_bounds(snapshot), np.array([time_ns], np.int64))[0])
    return found if found >= 0 else None


def said(names: Sequence[str]) -> str:
    """``a, b, c and 4 more``."""
    shown = ", ".join(names[:NAMED])
    return f"{shown} and {len(names) - NAMED} more" if len(names) > NAMED else shown


@dataclass(frozen=True, slots=True)
class Raised:
    """The exception that ended the script."""

    kind: str
    message: str
    source: Source | None
    time_ns: int


def raised(snapshot: Snapshot) -> Raised | None:
    if not snapshot.exceptions:
        return None
    told = snapshot.exceptions[-1]
    file, _, line = str(told.get("source") or "").rpartition(":")
    source = Source(file, int(line)) if file and line.isdecimal() else None
    return Raised(str(told.get("exception", "")), str(told.get("message", "")), source, int(told.get("time_ns") or 0))
