"""All that ties the host to one watched process: the control socket, the shared area and the threads that read them."""

import os
import socket
import threading
from collections.abc import Callable, Sequence
from typing import Any

from tensorscope.errors import ProtocolError
from tensorscope.protocol import area
from tensorscope.session.area_map import AreaMap, Chunk
from tensorscope.session.area_reader import AreaReader
from tensorscope.session.control import ControlConnection
from tensorscope.session.last_running import open_rows


class Link:
    """``heard(message)`` and ``ended()`` run on the control thread, ``take(chunks)`` on the reader's."""

    def __init__(
        self,
        connection: socket.socket | None,
        heard: Callable[[dict[str, Any]], None],
        take: Callable[[Sequence[Chunk]], None],
        ended: Callable[[], None] = lambda: None,
    ) -> None:
        """``connection`` None: nobody will ever speak."""
        self._heard = heard
        self._take = take
        self._lock = threading.Lock()  # guards the area against use after close
        self._area: AreaMap | None = None
        self._reader: AreaReader | None = None
        self._armed = 0
        self._breakpoints = 0  # lists sent
        self._waiting_breakpoints: tuple[str, ...] | None = None
        self._has_area = threading.Event()  # or will never have one
        self._ended = ended
        self._control = None if connection is None else ControlConnection(connection, self._received, self._closed)

    def start(self) -> None:
        """Listen from now on."""
        if self._control is not None:
            self._control.start()

    @property
    def is_watching(self) -> bool:
        """Whether the debuggee has handed over its area."""
        return self._area is not None

    def wait_for_area(self, timeout_s: float) -> None:
        """Wait until the debuggee has handed over its area or will not; a script that never says so is waited for no longer than this."""
        self._has_area.wait(timeout_s)

    def arm(self, value: int) -> None:
        """0: run, 1: hold before the next node; from the beginning, where there is no area yet."""
        with self._lock:
            self._armed = value
            if self._area is not None:
                self._area.set_word(area.ARMED, value)

    def send(self, command: str) -> None:
        self.say({"type": command})

    def say(self, message: dict[str, Any]) -> None:
        if self._control is not None:
            self._control.send(message)

    def set_breakpoints(self, specs: Sequence[str]) -> None:
        """Send the list (once there is an area), then count the area's word up: whoever sees it finds the list in the socket."""
        self._waiting_breakpoints = tuple(specs)
        if self._area is not None and self._control is not None:
            self._breakpoints += 1
            self._control.send({"type": "breakpoints", "specs": list(specs), "number": self._breakpoints})
            self._set(area.BREAKPOINTS, self._breakpoints)

    def let_go(self) -> None:
        """Detach: the probe goes off, a held thread runs on."""
        self._set(area.ARMED, 0)
        self._set(area.ENABLED, 0)
        self.send("detach")

    def counters(self) -> tuple[int, int, int] | None:
        """Events written, events dropped, cost in ns; None before hello and after ``close``."""
        with self._lock:
            if self._area is None:
                return None
            return self._area.counter(area.EVENTS), self._area.counter(area.DROPPED), self._area.counter(area.COST)

    def drain(self) -> None:
        """Hear and take all that is there by now and join both threads. Idempotent."""
        if self._control is not None:
            self._control.close()
        if self._reader is not None:
            self._reader.close()

    def abandon(self) -> None:
        """On the control thread: read no more and give the area's memory back. The connection stays until ``drain``."""
        if self._reader is not None:
            self._reader.close()
        self.close()

    def take_running(self) -> None:
        """After ``drain`` of a process that was killed: take in what it was running."""
        with self._lock:
            running = [] if self._area is None else self._area.running()
        self._take(list(open_rows(running)))

    def close(self) -> None:
        """Unmap the area, after ``drain``. Idempotent."""
        with self._lock:
            if self._area is not None:
                self._area.close()
                self._area = None

    def _set(self, word: int, value: int) -> None:
        with self._lock:
            if self._area is not None:
                self._area.set_word(word, value)

    def _received(self, message: dict[str, Any], fd: int | None) -> None:
        """On the control thread. The area is read only after its hello was heard."""
        try:
            self._take_hello(message, fd)
        finally:
            self._has_area.set()

    def _closed(self) -> None:
        """On the control thread, which ends with it."""
        self._has_area.set()
        self._ended()

    def _take_hello(self, message: dict[str, Any], fd: int | None) -> None:
        if fd is None or self._area is not None:
            self._heard(message)
            return
        try:
            mapped = AreaMap(fd)
        except (ProtocolError, OSError) as error:
            self._heard({**message, "trouble": str(error)})
            return
        finally:
            os.close(fd)
        self._heard(message)
        with self._lock:
            self._area = mapped
            if self._armed:
                mapped.set_word(area.ARMED, self._armed)
        if self._waiting_breakpoints is not None:
            self.set_breakpoints(self._waiting_breakpoints)
        self._reader = AreaReader(mapped, self._take)
