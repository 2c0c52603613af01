"""Runs panels' computations off the GUI thread: the newest request of a panel replaces the one that waits, each result is shown in a turn of its own."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from threading import Condition, Thread
from typing import Any, Final

from PySide6.QtCore import QObject, Qt, QTimer, Signal

THREADS: Final = 2


@dataclass(frozen=True, slots=True)
class Done:
    """A finished job: its value, or the exception that ended it."""

    key: Hashable
    value: Any
    error: Exception | None
    show: Callable[[Any], None]


class WorkerPool(QObject):
    """A few threads that compute. One job a key runs at a time, at most one waits; ``show`` is called on the GUI thread.

    Made and closed on the GUI thread.
    """

    failed = Signal(object, object)  # key, exception
    idle = Signal()
    _results_wait = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._wake = Condition()
        self._waiting: dict[Hashable, tuple[Callable[[], Any], Callable[[Any], None]]] = {}
        self._running: set[Hashable] = set()
        self._done: deque[Done] = deque()
        self._is_closed = False
        self._results_wait.connect(self._apply, Qt.ConnectionType.QueuedConnection)
        self._threads = [Thread(target=self._work, name=f"tensorscope-worker-{number}", daemon=True) for number in range(THREADS)]
        for thread in self._threads:
            thread.start()

    def submit(self, key: Hashable, compute: Callable[[], Any], show: Callable[[Any], None]) -> None:
        """Compute off this thread, then ``show`` the value on it. A waiting job of the same key is dropped."""
        with self._wake:
            if self._is_closed:
                return
            self._waiting.pop(key, None)
            self._waiting[key] = (compute, show)
            self._wake.notify()

    def forget(self, key: Hashable) -> None:
        """Drop what waits for this key; a result already under way is not shown."""
        with self._wake:
            self._waiting.pop(key, None)
            self._running.discard(key)
            self._done = deque(done for done in self._done if done.key != key)

    @property
    def is_busy(self) -> bool:
        with self._wake:
            return bool(self._waiting or self._running or self._done)

    def close(self) -> None:
        """Drop what waits, let running jobs end, join the threads. Idempotent."""
        with self._wake:
            self._is_closed = True
            self._waiting.clear()
            self._wake.notify_all()
        for thread in self._threads:
            thread.join()
        self._done.clear()

    def _work(self) -> None:
        while (job := self._next_job()) is not None:
            key, compute, show = job
            value, error = None, None
            try:
                value = compute()
            except Exception as caught:
                error = caught
            with self._wake:
                is_wanted = key in self._running and not self._is_closed
                self._running.discard(key)
                if is_wanted:
                    self._done.append(Done(key, value, error, show))
                is_first = is_wanted and len(self._done) == 1
                self._wake.notify()
            if is_first:
                self._results_wait.emit()

    def _next_job(self) -> tuple[Hashable, Callable[[], Any], Callable[[Any], None]] | None:
        with self._wake:
            while not self._is_closed:
                key = next((key for key in self._waiting if key not in self._running), None)
                if key is not None:
                    compute, show = self._waiting.pop(key)
                    self._running.add(key)
                    return key, compute, show
                self._wake.wait()
        return None

    def _apply(self) -> None:
        """Show one result and leave the rest to later turns of the event loop, so that its panel is painted in between. GUI thread."""
        with self._wake:
            done = self._done.popleft() if self._done else None
            has_more = bool(self._done)
        if done is None:
            return
        if has_more:
            QTimer.singleShot(0, self, self._apply)
        if done.error is not None:
            self.failed.emit(done.key, done.error)
        else:
            done.show(done.value)
        if not self.is_busy:
            self.idle.emit()
