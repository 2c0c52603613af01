"""Keeps a recording within its byte budget: detail frames of iterations that are neither among the first nor the last go, the oldest first.

Where that is not enough, gradients and histograms of those iterations are thinned: frame by frame, again and again, every second backward goes.
"""

import sqlite3
from typing import Final

import numpy as np

from tensorscope.protocol.frames import decode_frame, encode_frame
from tensorscope.recording.batches import batch_of_frame, frame_of_batches
from tensorscope.trace.clock import FOREVER
from tensorscope.trace.ingest import batch_of_whole, whole_records
from tensorscope.trace.retention import DETAIL, Keep
from tensorscope.trace.schema import GRADIENTS, HISTOGRAMS
from tensorscope.trace.thinning import equal_scores, gradient_scores, kept_rows

KINDS: Final = ", ".join(f"'{name}'" for name in DETAIL)
THINNED_KINDS: Final = f"'{GRADIENTS.name}', '{HISTOGRAMS.name}'"


class DiskBudget:
    """Counts payload bytes; the pages of deleted frames are used again, so the file stays near the budget without a VACUUM."""

    def __init__(self, keep: Keep) -> None:
        self._keep = keep
        self._newest_iteration = 0
        self._retired_frames_end = 0  # frames up to this sequence were looked at
        self._thinned_frames_end = 0
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
        thinned, first, last = self._thin(connection, first, last)
        self._retired = [frames + len(gone), first, last]
        return self._retired if gone or thinned else None

    def _thin(self, connection: sqlite3.Connection, first: int, last: int) -> tuple[bool, int, int]:
        """Whether any frame was thinned; the first and last iteration that have lost something so far."""
        if self.size_bytes <= self._keep.disk_bytes:
            return False, first, last
        candidates = connection.execute(
            f"SELECT sequence, iteration, last_iteration FROM frames WHERE kind IN ({THINNED_KINDS}) AND sequence > ? AND iteration >= ? AND last_iteration < ?"
            " ORDER BY sequence",
            (self._thinned_frames_end, self._keep.first, self._newest_iteration - self._keep.last),
        ).fetchall()
        self._thinned_frames_end = 0  # from the beginning again, unless there is enough room before the end
        has_thinned = False
        for sequence, iteration, last_iteration in candidates:
            if self.size_bytes <= self._keep.disk_bytes * 9 // 10:
                self._thinned_frames_end = sequence - 1
                break
            (payload,) = connection.execute("SELECT payload FROM frames WHERE sequence = ?", (sequence,)).fetchone()
            thinner = thinned(payload)
            if len(thinner) < len(payload):
                connection.execute("UPDATE frames SET payload = ? WHERE sequence = ?", (thinner, sequence))
                self.size_bytes -= len(payload) - len(thinner)
                has_thinned = True
                first, last = iteration if first < 0 else min(first, iteration), max(last, last_iteration)
        return has_thinned, first, last


def thinned(payload: bytes) -> bytes:
    """A frame of gradients or histograms with every second backward, of two the more telling one."""
    frame = decode_frame(payload)
    batch = batch_of_frame(frame)
    score = gradient_scores if batch.table is GRADIENTS else equal_scores
    stays = kept_rows(batch.columns["backward"].astype(np.int64), score(batch.columns), batch.rows // 2, 0, FOREVER)
    left = batch_of_whole(batch.table, whole_records(batch)[stays], batch.columns["thread"][stays], frame.rank)
    return encode_frame(frame_of_batches([left], frame.iteration, frame.last_iteration))
