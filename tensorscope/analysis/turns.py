"""Where the loop turns of hand-written training ended: the agent can only say when the next backward began, the operators before it say more."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from tensorscope.protocol.records import MarkKind
from tensorscope.trace.schema import MARKS, OPERATORS
from tensorscope.trace.snapshot import Snapshot


def iteration_end_ns(snapshot: Snapshot, message: Mapping[str, Any]) -> int:
    """When an iteration ended: as told, or for an estimated one where the next turn began.

    A turn is over when, in the function that calls backward, a line above that call runs again: the begin of the first operator from there, after the
    last backward. As told where no operator says so.
    """
    told = int(message["time_ns"])
    if not message.get("is_estimated"):
        return told
    file, _, line = str(message.get("source", "")).rpartition(":")
    begin = _last_backward_end(snapshot, told)
    if not file or not line.isdecimal() or begin is None:
        return told
    above = _stacks_above(snapshot, file, int(line))
    operators = snapshot.table(OPERATORS)
    begins = operators.column("begin_ns")
    is_next = (begins >= begin) & (begins < told)
    rows = np.flatnonzero(is_next)
    rows = rows[np.isin(operators.column("stack")[rows], above)]
    return int(begins[rows].min()) if len(rows) else told


def _last_backward_end(snapshot: Snapshot, before_ns: int) -> int | None:
    marks = snapshot.table(MARKS)
    ends = marks.column("end_ns")[marks.column("mark") == MarkKind.BACKWARD]
    ends = ends[ends <= before_ns]
    return int(ends.max()) if len(ends) else None


def _stacks_above(snapshot: Snapshot, file: str, line: int) -> list[int]:
    """Stacks that are at a line above ``line`` in the function that this line stands in."""
    functions = {frame.function for frames in snapshot.stacks.values() for frame in frames if frame.filename == file and frame.line == line}
    return [
        stack
        for stack, frames in snapshot.stacks.items()
        if any(frame.filename == file and frame.function in functions and frame.line < line for frame in frames)
    ]
