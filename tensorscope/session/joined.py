"""A session over a process that was not launched here: it has called ``tensorscope.attach()`` and is at the other end of a socket pair."""

import contextlib
import os
import selectors
import signal
import socket
import sys
from pathlib import Path
from time import monotonic_ns
from typing import Final

from tensorscope.language import tr
from tensorscope.session import status as texts
from tensorscope.session.build import Probe
from tensorscope.session.launch import LaunchOptions, Process
from tensorscope.session.live import LiveSession
from tensorscope.session.session import RunState, Status
from tensorscope.session.watched import WatchedProcess
from tensorscope.trace.retention import Keep

END_S: Final = 2.0  # a process that closes its connection may be about to end


class JoinedProcess:
    """A process that is no child of ours: its exit code is only known from what it tells."""

    def __init__(self, pid: int, control: socket.socket) -> None:
        """Raises ProcessLookupError where it has ended already."""
        self.pid = pid
        self.control = control
        self._pidfd = os.pidfd_open(pid)

    def poll(self) -> int | None:
        return self.wait(timeout=0)

    def wait(self, wake_fd: int | None = None, timeout: float | None = None) -> int | None:
        """Wait for the end, for ``timeout`` seconds, or until ``wake_fd`` can be read; 0 at the end, else None."""
        with selectors.DefaultSelector() as selector:
            selector.register(self._pidfd, selectors.EVENT_READ)
            if wake_fd is not None:
                selector.register(wake_fd, selectors.EVENT_READ)
            return 0 if any(key.fd == self._pidfd for key, _ in selector.select(timeout)) else None

    def signal(self, number: int) -> None:
        with contextlib.suppress(ProcessLookupError):
            signal.pidfd_send_signal(self._pidfd, number)


class JoinedSession(LiveSession):
    """*Stop* interrupts what the process runs, such as a notebook's cell, and never ends it."""

    def __init__(self, process: JoinedProcess, title: str, path: Path, probe: Probe, keep: Keep | None = None) -> None:
        self._process = process
        self._has_left = False  # the process has closed its connection
        super().__init__(LaunchOptions(title, is_module=True, interpreter=sys.executable), path, probe, keep)

    @property
    def door(self) -> str:
        """The path of the socket for the processes that it starts from now on."""
        return self._children.door

    def stop(self) -> None:
        self.resume()
        if not self._over.is_set():
            self._process.signal(signal.SIGINT)

    def closed(self, process: WatchedProcess) -> None:
        """On the control thread: the process has detached, or ends; or one that it started has ended."""
        if process is not self._launched:
            return
        with self._lock:
            self._has_left = True
            self._wake.wake()

    def _launch_and_wait(self) -> int | None:
        code = super()._launch_and_wait()
        if code is None and self._has_left and not self._is_closing:
            code = self._process.wait(timeout=END_S)
            if code is not None:
                self._launched_ended(code)
        return code

    def _start(self, options: LaunchOptions, probe: Path | None, door: str, files: tuple[int | None, int | None]) -> Process:
        return self._process

    def _end(self, code: int | None) -> None:
        super()._end(code)
        if code is None and self._has_left and not self._is_closing:
            self._set_status(Status(RunState.GONE, tr("Detached by the process; what came stays. tensorscope.attach() there attaches again.")))

    def _note_exit(self, code: int) -> None:
        """The process has said itself how it ended; if it has not, nobody knows."""
        if self._launched.trace.exit is None:
            self._launched.add_message(texts.unseen_exit_message(monotonic_ns()))

    def _told_end(self, code: int) -> Status:
        told = self._launched.trace.exit or {}
        if told.get("is_unseen"):
            return texts.ended_unseen(None)
        return texts.ended(int(told.get("code") or 0), None)
