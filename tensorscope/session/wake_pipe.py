"""Wakes a thread that waits for file descriptors."""

import os
from threading import Lock


class WakePipe:
    """``fd`` can be read from the first ``wake`` on."""

    def __init__(self) -> None:
        self.fd, self._writing = os.pipe()
        self._lock = Lock()

    def wake(self) -> None:
        """Any thread; after ``close`` it does nothing."""
        with self._lock:
            if self._writing >= 0:
                os.write(self._writing, b"x")

    def close(self) -> None:
        """Only once nobody waits any more. Idempotent."""
        with self._lock:
            if self._writing >= 0:
                os.close(self.fd)
                os.close(self._writing)
                self.fd = self._writing = -1
