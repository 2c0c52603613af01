"""Detail of one moment of the past, read from a recording that may still be written: what a trace has let go of, or never had."""

import contextlib
import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from tensorscope.protocol.stream import StoredFrame
from tensorscope.trace.retention import DETAIL
from tensorscope.trace.schema import TENSORS

PAST_BYTES: Final = 48 << 20  # of the frames of one moment, and as much again of those of its tensors
TIMED: Final = ", ".join(f"'{name}'" for name in DETAIL if name != TENSORS.name)


@dataclass(frozen=True, slots=True)
class Past:
    frames: tuple[StoredFrame, ...]  # in the order of the recording
    is_whole: bool  # there was no more of it than the budget allows


def read_past(path: Path, process: int, span: tuple[int, int], moment_ns: int, budget_bytes: int = PAST_BYTES) -> Past:
    """The detail frames of a process that touch a span of monotonic time; where they are more than the budget, those nearest to the moment.

    Raises sqlite3.Error where the file cannot be read.
    """
    uri = f"{path.resolve().as_uri()}?mode=ro"
    with contextlib.closing(sqlite3.connect(uri, uri=True, isolation_level=None, timeout=10)) as connection:
        about = "SELECT sequence, length(payload), iteration, last_iteration, first_ns, last_ns FROM frames"
        found = connection.execute(f"{about} WHERE rank = ? AND kind IN ({TIMED}) AND first_ns <= ? AND last_ns >= ?", (process, span[1], span[0])).fetchall()
        near = sorted(found, key=lambda frame: max(frame[4] - moment_ns, moment_ns - frame[5], 0))
        timed = _within(near, budget_bytes)
        if not timed:
            return Past((), is_whole=not found)
        labels = max(frame[3] for frame in timed), min(frame[2] for frame in timed)
        untimed = connection.execute(
            f"{about} WHERE rank = ? AND kind = ? AND iteration <= ? AND last_iteration >= ? ORDER BY sequence", (process, TENSORS.name, *labels)
        ).fetchall()
        tensors = _within(untimed, budget_bytes)
        sequences = sorted(frame[0] for frame in (*timed, *tensors))
        payloads = ((one, connection.execute("SELECT payload FROM frames WHERE sequence = ?", (one,)).fetchone()) for one in sequences)
        frames = tuple(StoredFrame(sequence, row[0]) for sequence, row in payloads if row is not None)
        return Past(frames, is_whole=len(timed) == len(found) and len(tensors) == len(untimed))


def _within(frames: Iterable[Any], budget_bytes: int) -> list[Any]:
    """The first frames (sequence, bytes, …) that fit."""
    taken, size = [], 0
    for frame in frames:
        size += frame[1]
        if size > budget_bytes:
            break
        taken.append(frame)
    return taken
