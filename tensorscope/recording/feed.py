"""Reads the frames of a recording in order while it is written, for one who follows it: what is detail and too old for his budget is left out.

Every look opens the file anew, so that the one who writes it can leave a single file at its end.
"""

import contextlib
import json
import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from tensorscope.protocol.stream import StoredFrame
from tensorscope.recording.disk_budget import KINDS

BATCH_BYTES: Final = 4 << 20
HEAD_SHARE: Final = 4  # of the budget, a quarter may go to the first iterations
FIRST_ITERATIONS: Final = 3
FACTS: Final = "'counters', 'retired'"


@dataclass(frozen=True, slots=True)
class Skipped:
    """Detail frames that are left out, and the iterations they are of."""

    frames: int
    first_iteration: int
    last_iteration: int
    last_sequence: int = 0


@dataclass(frozen=True, slots=True)
class Plan:
    """Which detail is read: up to ``head_until`` and from ``tail_from`` on. All other frames are read anyway."""

    head_until: int
    tail_from: int
    total_bytes: int  # of all that is to be read
    skipped: Skipped | None


class RecordingFeed:
    """``next_frames`` gives the frames one after the other, each once. Belongs to one thread."""

    def __init__(self, path: Path, budget_bytes: int, after: int = 0) -> None:
        """``budget_bytes`` of detail are read at most when following starts, or when more than that waits; frames after the one numbered ``after``."""
        self._uri = f"{path.resolve().as_uri()}?mode=ro"
        self._budget_bytes = budget_bytes
        self._after = after
        self._plan = Plan(0, 0, 0, None)
        self._planned_until = 0  # frames after this one came since the plan was made
        self.skipped: list[Skipped] = []  # since ``take_skipped``

    def next_frames(self) -> list[StoredFrame]:
        """The next frames, some megabytes of them; none where all was read. Raises sqlite3.Error where the file cannot be read."""
        with contextlib.closing(sqlite3.connect(self._uri, uri=True, isolation_level=None, timeout=10)) as connection:
            newest = connection.execute("SELECT max(sequence) FROM frames").fetchone()[0] or 0
            if newest > self._planned_until:
                self._make_plan(connection, newest)
            frames = list(self._read(connection))
        self._after = frames[-1].sequence if frames else newest
        return frames

    def facts(self) -> dict[str, Any]:
        """Counts beside the frames, as far as they are known: counters and retired."""
        with contextlib.closing(sqlite3.connect(self._uri, uri=True, isolation_level=None, timeout=10)) as connection:
            return {key: json.loads(value) for key, value in connection.execute(f"SELECT key, value FROM facts WHERE key IN ({FACTS}) ORDER BY key")}

    def pending_bytes(self) -> int:
        """Of what is to be read by the newest plan, before any of it was read."""
        return self._plan.total_bytes

    def take_skipped(self) -> list[Skipped]:
        taken, self.skipped = self.skipped, []
        return taken

    def _read(self, connection: sqlite3.Connection) -> Iterator[StoredFrame]:
        query = f"SELECT sequence, payload FROM frames WHERE sequence > ? AND (kind NOT IN ({KINDS}) OR sequence <= ? OR sequence >= ?) ORDER BY sequence"
        size = 0
        for sequence, payload in connection.execute(query, (self._after, self._plan.head_until, self._plan.tail_from)):
            yield StoredFrame(sequence, payload)
            size += len(payload)
            if size >= BATCH_BYTES:
                return

    def _make_plan(self, connection: sqlite3.Connection, newest: int) -> None:
        query = f"SELECT sequence, length(payload), iteration, last_iteration FROM frames WHERE sequence > ? AND kind IN ({KINDS}) ORDER BY sequence"
        waiting = connection.execute(query, (max(self._after, self._plan.head_until),)).fetchall()
        others = connection.execute(f"SELECT coalesce(sum(length(payload)), 0) FROM frames WHERE sequence > ? AND kind NOT IN ({KINDS})", (self._after,))
        is_new = self._planned_until == 0
        self._plan = _plan(waiting, self._budget_bytes, self._plan, others.fetchone()[0], has_head=is_new)
        self._planned_until = newest
        if self._plan.skipped is not None:
            self.skipped.append(self._plan.skipped)


def _plan(waiting: list[Any], budget_bytes: int, before: Plan, other_bytes: int, *, has_head: bool) -> Plan:
    """``waiting`` are the detail frames not yet read: (sequence, bytes, first iteration, last iteration)."""
    waiting = [frame for frame in waiting if frame[0] >= before.tail_from]
    size = sum(frame[1] for frame in waiting)
    if size <= budget_bytes:
        return Plan(before.head_until, before.tail_from, size + other_bytes, None)
    head = _head(waiting, budget_bytes // HEAD_SHARE) if has_head else 0
    kept = sum(frame[1] for frame in waiting[:head])
    tail = len(waiting)
    while tail > head and kept + waiting[tail - 1][1] <= budget_bytes:
        tail -= 1
        kept += waiting[tail][1]
    gone = waiting[head:tail]
    tail_from = waiting[tail][0] if tail < len(waiting) else waiting[-1][0] + 1
    skipped = Skipped(len(gone), min(frame[2] for frame in gone), max(frame[3] for frame in gone), gone[-1][0]) if gone else None
    return Plan(waiting[head - 1][0] if head else before.head_until, tail_from, kept + other_bytes, skipped)


def _head(waiting: list[Any], budget_bytes: int) -> int:
    """How many frames of the first iterations fit."""
    size = count = 0
    for _, frame_bytes, _, last_iteration in waiting:
        size += frame_bytes
        if last_iteration >= FIRST_ITERATIONS or size > budget_bytes:
            break
        count += 1
    return count
