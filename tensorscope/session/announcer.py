"""Tells listeners that something changed, in batches, at most 30 times a second, on a thread of its own."""

import threading
from collections.abc import Callable
from typing import Final

from tensorscope.session.session import Changed, Status

SHORTEST_INTERVAL_S: Final = 1 / 30
LOOK_S: Final = 0.2  # a status may change by time alone


class Announcer:
    def __init__(self, describe: Callable[[], Changed]) -> None:
        """``describe`` gives the change as of now; it runs on the announcer's thread."""
        self._describe = describe
        self._listeners: list[Callable[[Changed], None]] = []
        self._told: Status | None = None
        self._wake = threading.Event()
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="tensorscope-announcer", daemon=True)
        self._thread.start()

    def listen(self, listener: Callable[[Changed], None]) -> Callable[[], None]:
        """Register; returns a function that unregisters. A new listener is told the present state soon."""
        self._listeners.append(listener)
        self._wake.set()

        def unregister() -> None:
            if listener in self._listeners:
                self._listeners.remove(listener)

        return unregister

    def poke(self) -> None:
        """Something changed. Any thread, as often as it likes."""
        self._wake.set()

    def close(self) -> None:
        """Announce what is left and join the thread. Idempotent; from a listener it only asks the thread to end."""
        self._stop.set()
        self._wake.set()
        if threading.current_thread() is not self._thread:
            self._thread.join()

    def _run(self) -> None:
        while not self._stop.is_set():
            if self._wake.wait(LOOK_S) or self._describe().status != self._told:
                self._announce()
            self._stop.wait(SHORTEST_INTERVAL_S)
        if self._wake.is_set():
            self._announce()

    def _announce(self) -> None:
        self._wake.clear()
        listeners = tuple(self._listeners)
        if listeners:
            change = self._describe()
            self._told = change.status
            for listener in listeners:
                listener(change)
