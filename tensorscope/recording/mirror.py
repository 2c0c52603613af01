"""A recording made from the frames of another one that grows on another machine, under the same numbers."""

import json
from pathlib import Path
from typing import Any, Final

from tensorscope.protocol.frames import Frame
from tensorscope.protocol.stream import StoredFrame
from tensorscope.recording.database import claim, close_cleanly, create
from tensorscope.recording.disk_budget import DiskBudget
from tensorscope.trace.retention import Keep

COMMIT_BYTES: Final = 8 << 20


class Mirror:
    """Belongs to one thread at a time. Its methods raise sqlite3.Error where the disk fails."""

    def __init__(self, path: Path, keep: Keep) -> None:
        """Create the file; raises TensorScopeError if that cannot be."""
        self.path = path
        self._connection = create(path)
        self._claim = claim(path)
        self._budget = DiskBudget(keep)
        self._waiting_bytes = 0

    def add(self, stored: StoredFrame, frame: Frame) -> None:
        """``frame`` is what ``stored`` holds."""
        if not self._connection.in_transaction:
            self._connection.execute("BEGIN")
        about = (frame.rank, frame.table or frame.kind, frame.iteration, frame.last_iteration, frame.first_ns, frame.last_ns)
        is_new = self._connection.execute("INSERT OR IGNORE INTO frames VALUES (?, ?, ?, ?, ?, ?, ?, ?)", (stored.sequence, *about, stored.payload)).rowcount
        if not is_new:  # fetched once more
            return
        self._budget.added(len(stored.payload), frame.last_iteration)
        self._waiting_bytes += len(stored.payload)
        if self._waiting_bytes >= COMMIT_BYTES:
            self.commit()

    def set_facts(self, facts: dict[str, Any]) -> None:
        rows = [(key, json.dumps(value)) for key, value in facts.items()]
        self._connection.executemany("INSERT OR REPLACE INTO facts VALUES (?, ?)", rows)

    def commit(self) -> None:
        """Bring what was added into the file."""
        if self._connection.in_transaction:
            self._budget.enforce(self._connection)
            self._connection.execute("COMMIT")
        self._waiting_bytes = 0

    def close(self) -> None:
        """Leave a single file."""
        try:
            self.commit()
            close_cleanly(self._connection)
        finally:
            self._connection.close()
            self._claim.close()
