"""What the rules ask of a snapshot again and again: moments with their lines, the exception, names in a sentence."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
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
    b: int
    x: float
    y: float
    has_raised: bool


def marks(snapshot: Snapshot, *kinds: MarkKind) -> tuple[Mark, ...]:
    """Rows of these kinds in order of their begin."""
    table = snapshot.table(MARKS)
    rows = np.flatnonzero(np.isin(table.column("mark"), kinds))
    rows = rows[np.argsort(table.column("begin_ns")[rows], kind="stable")]
    columns = [table.column(name)[rows].tolist() for name in ("mark", "begin_ns", "end_ns", "stack", "a", "b", "x", "y", "flags")]
    return tuple(
        Mark(kind, begin, end, source_of(snapshot, stack), a, b, x, y, bool(flags & 1))
        for kind, begin, end, stack, a, b, x, y, flags in zip(*columns, strict=True)
    )


def life_of(snapshot: Snapshot, optimizer: int, *kinds: MarkKind) -> tuple[Mark, ...]:
    """Marks of these kinds since an optimizer was made: a parameter's id may have been another tensor's of the same name before."""
    made = next((mark.begin_ns for mark in marks(snapshot, MarkKind.OPTIMIZER_MADE) if mark.a == optimizer), -1)
    return tuple(mark for mark in marks(snapshot, *kinds) if mark.begin_ns >= made)


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
    return Raised(str(told.get("exception", "")), str(told.get("message", "")), line_at(told.get("source")), int(told.get("time_ns") or 0))


def line_at(text: object) -> Source | None:
    """The source line that a tracker told as ``file:line``; None for "" and what is no place."""
    file, _, line = str(text or "").rpartition(":")
    return Source(file, int(line)) if file and line.isdecimal() else None


def name_of_optimizer(snapshot: Snapshot, optimizer: int) -> str:
    """Its variable, else its class."""
    told = snapshot.optimizers.get(optimizer, {})
    return str(told.get("name") or told.get("class") or "optimizer")


def decorator_of(snapshot: Snapshot, stack: int) -> Source | None:
    """The line of the ``@torch.no_grad()`` (or the like) on the innermost function of a stack that has one; None where none has.

    A frame of ``decorate_context`` (torch/utils/_contextlib.py) is around such a function; its code begins at the first decorator.
    """
    frames = snapshot.stacks.get(stack, ())
    for frame, around in pairwise(frames):
        if frame.is_users and frame.first_line and around.function.rpartition(".")[2] == "decorate_context":
            return Source(frame.filename, frame.first_line, frame.function)
    return None
