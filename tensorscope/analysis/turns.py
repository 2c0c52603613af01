"""Where the loop turns of hand-written training ended: the agent can only say when the next backward began, the operators before it say more."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from tensorscope.protocol.records import MarkKind
from tensorscope.trace.schema import MARKS, OPERATORS
from tensorscope.trace.snapshot import Snapshot


def iteration_end_ns(snapshot: Snapshot, message: Mapping[str, Any]) -> int:
    """When an iteration ended: as told, or for an estimated one where the next turn began.

    A turn is over when, in the function that calls backward, that call's line or one above runs again: the begin of the first operator from there, after
    the last backward. Where no operator says so it is over when the next backward begins, or as told where none does.
    """
    told = int(message["time_ns"])
    if not message.get("is_estimated"):
        return told
    file, _, line = str(message.get("source", "")).rpartition(":")
    begin = _last_backward_end(snapshot, told)
    if begin is None:
        return told
    until = _before_next_backward(snapshot, begin, told)
    if not file or not line.isdecimal():
        return until
    above = _stacks_up_to(snapshot, file, int(line))
    operators = snapshot.table(OPERATORS)
    begins = operators.column("begin_ns")
    is_next = (begins >= begin) & (begins < until)
    rows = np.flatnonzero(is_next)
    rows = rows[np.isin(operators.column("stack")[rows], above)]
    return int(begins[rows].min()) if len(rows) else until


def _last_backward_end(snapshot: Snapshot, before_ns: int) -> int | None:
    marks = snapshot.table(MARKS)
    ends = marks.column("end_ns")[marks.column("mark") == MarkKind.BACKWARD]
    ends = ends[ends <= before_ns]
    return int(ends.max()) if len(ends) else None


def _before_next_backward(snapshot: Snapshot, after_ns: int, told_ns: int) -> int:
    """The nanosecond before the backward whose begin told the end at ``told_ns``; ``told_ns`` where none did."""
    marks = snapshot.table(MARKS)
    begins = marks.column("begin_ns")[marks.column("mark") == MarkKind.BACKWARD]
    begins = begins[(begins >= after_ns) & (begins < told_ns)]
    return int(begins.min()) - 1 if len(begins) else told_ns


def _stacks_up_to(snapshot: Snapshot, file: str, line: int) -> list[int]:
    """Stacks that are at ``line`` or above it in the function that this line stands in."""
    functions = {frame.function for frames in snapshot.stacks.values() for frame in frames if frame.filename == file and frame.line == line}
    return [
        stack
        for stack, frames in snapshot.stacks.items()
        if any(frame.filename == file and frame.function in functions and frame.line <= line for frame in frames)
    ]
