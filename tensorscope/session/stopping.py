"""Ends a script: interrupts it as Ctrl+C does, and if it stays, terminates and kills it."""

import signal
import threading
from collections.abc import Callable
from time import monotonic
from typing import Final

STEPS: Final = ((signal.SIGINT, 5.0), (signal.SIGTERM, 5.0), (signal.SIGKILL, 0.0))
"""Each signal, and the seconds that the script has to end by it."""


class Stopper:
    """Its thread ends with the script, or once ``is_called_off`` says that nobody wants it to end any more."""

    def __init__(self, send: Callable[[int], None], over: threading.Event, is_called_off: Callable[[], bool]) -> None:
        self._send = send
        self._over = over
        self._is_called_off = is_called_off
        self._thread = threading.Thread(target=self._run, name="tensorscope-stop", daemon=True)
        self._thread.start()

    def join(self) -> None:
        self._thread.join()

    def _run(self) -> None:
        for number, patience_s in STEPS:
            if self._over.is_set() or self._is_called_off():
                return
            self._send(number)
            deadline = monotonic() + patience_s
            while monotonic() < deadline and not self._is_called_off():
                if self._over.wait(0.1):
                    return
