"""Sees processes end that are no children of ours. Linux only: pidfd, and the exit code of a zombie in /proc."""

import contextlib
import os
import selectors
import threading
from collections.abc import Callable
from pathlib import Path


class ExitWatch:
    """``ended(pid, code)`` runs on its thread; the code is negative for a signal, None where the parent took it first."""

    def __init__(self, ended: Callable[[int, int | None], None]) -> None:
        self._ended = ended
        self._selector = selectors.DefaultSelector()
        self._wake_read, self._wake_write = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
        self._selector.register(self._wake_read, selectors.EVENT_READ)
        self._lock = threading.Lock()
        self._is_closing = False
        self._thread = threading.Thread(target=self._run, name="tensorscope-exits", daemon=True)
        self._thread.start()

    def add(self, pid: int) -> None:
        """Watch a process from now on; one that is gone already has ended."""
        try:
            pidfd = os.pidfd_open(pid)
        except OSError:
            self._ended(pid, None)
            return
        with self._lock:
            if self._is_closing:
                os.close(pidfd)
                return
            self._selector.register(pidfd, selectors.EVENT_READ, pid)
            os.write(self._wake_write, b"x")

    def close(self) -> None:
        """Watch no longer and join the thread. Idempotent."""
        with self._lock:
            is_first, self._is_closing = not self._is_closing, True
            if is_first:
                os.write(self._wake_write, b"x")
        self._thread.join()
        if is_first:
            for key in list(self._selector.get_map().values()):
                os.close(int(key.fd))
            self._selector.close()
            os.close(self._wake_write)

    def _run(self) -> None:
        while not self._is_closing:
            ready = [(int(key.fd), key.data) for key, _ in self._selector.select()]
            codes = [(fd, pid, zombie_code(pid)) for fd, pid in ready if pid is not None]  # at once: the parent is as quick as we are
            with contextlib.suppress(BlockingIOError):
                os.read(self._wake_read, 4096)
            for fd, pid, code in codes:
                self._selector.unregister(fd)
                os.close(fd)
                self._ended(pid, code)


def zombie_code(pid: int) -> int | None:
    """The exit code of a process that has ended and is not waited for yet: negative for a signal. None where it cannot be known any more."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return None
    if fields[0] not in "ZX":
        return None
    status = int(fields[-1])  # exit_code, as waitpid gives it (proc(5))
    return -(status & 0x7F) if status & 0x7F else status >> 8
