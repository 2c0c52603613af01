"""Keeps a recording within its byte budget: detail frames of iterations that are neither among the first nor the last go, the oldest first."""

import sqlite3
from typing import Final

from tensorscope.trace.retention import DETAIL, Keep

KINDS: Final = ", ".join(f"'{name}'" for name in DETAIL)


class DiskBudget:
    """Counts payload bytes; the pages of deleted frames are used again, so the file stays near the budget without a VACUUM."""

    def __init__(self, keep: Keep) -> None:
        self._keep = keep
        self._newest_iteration = 0
        self._retired_frames_end = 0  # frames up to this sequence were looked at
        self._retired = [0, -1, -1]  # frames, first and last iteration
        self.size_bytes = 0

    @property
    def is_exceeded(self) -> bool:
        """Nothing more may go, and it is still too much."""
        return self.size_bytes > self._keep.disk_bytes

    def added(self, size_bytes: int, iteration: int) -> None:
        self.size_bytes += size_bytes
        self._newest_iteration = max(self._newest_iteration, iteration)

    def enforce(self, connection: sqlite3.Connection) -> list[int] | None:
        """Delete what must go; returns (frames, first iteration, last iteration) let go so far if that changed."""
        if self.size_bytes <= self._keep.disk_bytes:
            return None
        candidates = connection.execute(
            f"SELECT sequence, iteration, last_iteration, length(payload) FROM frames WHERE kind IN ({KINDS}) AND sequence > ? AND iteration >= ?"
            " AND last_iteration < ? ORDER BY sequence",
            (self._retired_frames_end, self._keep.first, self._newest_iteration - self._keep.last),
        ).fetchall()
        frames, first, last = self._retired
        gone = []
        for sequence, iteration, last_iteration, size in candidates:
            if self.size_bytes <= self._keep.disk_bytes * 9 // 10:
                break
            gone.append((sequence,))
            self.size_bytes -= size
            self._retired_frames_end = sequence
            first = iteration if first < 0 else min(first, iteration)
            last = max(last, last_iteration)
        connection.executemany("DELETE FROM frames WHERE sequence = ?", gone)
        self._retired = [frames + len(gone), first, last]
        return self._retired if gone else None
