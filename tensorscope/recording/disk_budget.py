"""Keeps a recording within its byte budget: detail frames of iterations that are neither among the first nor the last go, the oldest first.

Where that is not enough, the other frames of those iterations are thinned, one by one, again and again (``frame_thinning``). Spared iterations keep
their detail.
"""

import sqlite3
from collections.abc import Mapping, Sequence
from typing import Any, Final

from tensorscope.recording.frame_thinning import THINNED, thinned
from tensorscope.trace.retention import DETAIL, Keep
from tensorscope.trace.schema import TENSORS

KINDS: Final = ", ".join(f"'{name}'" for name in DETAIL)
THINNED_KINDS: Final = ", ".join(f"'{name}'" for name in THINNED)
MOST_PASSES: Final = 32
SLACK_BYTES: Final = 16 << 20
Span = tuple[int, int]  # monotonic


class DiskBudget:
    """Counts payload bytes, and what half-empty pages of the file take besides; pages of deleted frames are used again, so it needs no VACUUM."""

    def __init__(self, keep: Keep) -> None:
        self._keep = keep
        self._newest_iteration = 0
        self._thinned_frames_end = 0
        self._spent: set[int] = set()  # sequences of frames from which nothing more can go
        self._dropped_messages: dict[int, set[int]] = {}  # by process
        self._spared: Mapping[int, Sequence[Span]] = {}
        self._retired = [0, -1, -1]  # frames, first and last iteration
        self._payload_bytes = 0
        self._wasted_bytes = 0  # in pages that are in use, more than SLACK_BYTES

    @property
    def size_bytes(self) -> int:
        return self._payload_bytes + self._wasted_bytes

    @property
    def is_exceeded(self) -> bool:
        """Nothing more may go, and it is still too much. Half-empty pages do not count here: they fill again, and never end a recording."""
        return self._payload_bytes > self._keep.disk_bytes

    def added(self, size_bytes: int, iteration: int) -> None:
        self._payload_bytes += size_bytes
        self._newest_iteration = max(self._newest_iteration, iteration)

    def spare(self, spans: Mapping[int, Sequence[Span]]) -> None:
        """By process: spans of monotonic time whose detail is kept, in place of those before."""
        self._spared = spans

    def enforce(self, connection: sqlite3.Connection) -> list[int] | None:
        """Delete what must go; returns (frames, first iteration, last iteration) let go so far if that changed."""
        self._measure(connection)
        if self.size_bytes <= self._keep.disk_bytes:
            return None
        before = self._retired
        candidates = connection.execute(
            "SELECT sequence, iteration, last_iteration, length(payload), rank, kind, first_ns, last_ns FROM frames"
            f" WHERE kind IN ({KINDS}) AND iteration >= ? AND last_iteration < ? ORDER BY sequence",
            (self._keep.first, self._newest_iteration - self._keep.last),
        ).fetchall()
        spared = self._spared_frames(candidates)
        self._retire(connection, [frame for frame in candidates if frame[0] not in spared])
        has_thinned = False
        self._measure(connection)
        for _ in range(MOST_PASSES):
            began = self._thinned_frames_end
            is_thinner = self._thin(connection)
            has_thinned |= is_thinner
            if not is_thinner and began == 0:
                break
        self._measure(connection)
        if self.is_exceeded:  # nothing else is left
            self._retire(connection, [frame for frame in candidates if frame[0] in spared])
            self._measure(connection)
        return self._retired if self._retired != before or has_thinned else None

    def _retire(self, connection: sqlite3.Connection, candidates: Sequence[Sequence[Any]]) -> None:
        """Delete frames, the oldest first, until there is enough room."""
        frames, first, last = self._retired
        gone = []
        for sequence, iteration, last_iteration, size, *_ in candidates:
            if self.size_bytes <= self._keep.disk_bytes * 9 // 10:
                break
            gone.append((sequence,))
            self._payload_bytes -= size
            first = iteration if first < 0 else min(first, iteration)
            last = max(last, last_iteration)
        connection.executemany("DELETE FROM frames WHERE sequence = ?", gone)
        self._retired = [frames + len(gone), first, last]

    def _measure(self, connection: sqlite3.Connection) -> None:
        pages, free, page_bytes = (connection.execute(f"PRAGMA {name}").fetchone()[0] for name in ("page_count", "freelist_count", "page_size"))
        self._wasted_bytes = max((pages - free) * page_bytes - self._payload_bytes - SLACK_BYTES, 0)

    def _spared_frames(self, candidates: Sequence[Sequence[Any]]) -> set[int]:
        """Those of spared iterations. Rows of tensors have no times: theirs came with the operators of the same iterations."""
        timed = [frame for frame in candidates if frame[5] != TENSORS.name and _touches(frame, self._spared.get(frame[4], ()))]
        labels = {(frame[4], label) for frame in timed for label in range(frame[1], min(frame[2], frame[1] + 64) + 1)}
        tensors = [frame for frame in candidates if frame[5] == TENSORS.name and ((frame[4], frame[1]) in labels or (frame[4], frame[2]) in labels)]
        return {frame[0] for frame in (*timed, *tensors)}

    def _thin(self, connection: sqlite3.Connection) -> bool:
        """Whether any frame was thinned. Half-empty pages are no reason for it."""
        if self._payload_bytes <= self._keep.disk_bytes:
            return False
        frames, first, last = self._retired
        candidates = connection.execute(
            f"SELECT sequence, iteration, last_iteration, rank FROM frames WHERE kind IN ({THINNED_KINDS}) AND sequence > ? AND iteration >= ?"
            " AND last_iteration < ? ORDER BY sequence",
            (self._thinned_frames_end, self._keep.first, self._newest_iteration - self._keep.last),
        ).fetchall()
        self._thinned_frames_end = 0  # from the beginning again, unless there is enough room before the end
        has_thinned = False
        for sequence, iteration, last_iteration, rank in candidates:
            if self._payload_bytes <= self._keep.disk_bytes * 9 // 10:
                self._thinned_frames_end = sequence - 1
                break
            if sequence in self._spent:
                continue
            *about, payload = connection.execute("SELECT * FROM frames WHERE sequence = ?", (sequence,)).fetchone()
            thinner = thinned(payload, self._dropped_messages.setdefault(rank, set()))
            if len(thinner) < len(payload):
                # In place of an update, which never joins half-empty pages: SQLite does so where a row is deleted.
                connection.execute("DELETE FROM frames WHERE sequence = ?", (sequence,))
                connection.execute("INSERT INTO frames VALUES (?, ?, ?, ?, ?, ?, ?, ?)", (*about, thinner))
                self._payload_bytes -= len(payload) - len(thinner)
                has_thinned = True
                first, last = iteration if first < 0 else min(first, iteration), max(last, last_iteration)
            else:
                self._spent.add(sequence)
        self._retired = [frames, first, last]
        return has_thinned


def _touches(frame: Sequence[Any], spans: Sequence[Span]) -> bool:
    return any(frame[6] <= end and begin <= frame[7] for begin, end in spans)
