"""Signals while a script runs below us: the script gets them, and we end the way it ended."""

import contextlib
import os
import signal
import sys
from collections.abc import Callable, Iterator
from types import FrameType
from typing import Final

from tensorscope.session.live import LiveSession

SIGNAL_CHECK_S: Final = 0.2
"""Python runs a handler where its main thread comes by. A wait without end can miss a signal that comes right before it, so it is cut into pieces."""

FORWARDED: Final = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGUSR1, signal.SIGUSR2)


@contextlib.contextmanager
def passed_on(session: Callable[[], LiveSession | None]) -> Iterator[None]:
    """While inside, signals to this process go to the session's script, which is let go if it is held. Main thread only.

    What the terminal sends (Ctrl+C, hang-up) reaches the script by itself, as it is in our process group. A signal that is ignored stays ignored, for
    the script as well (``nohup``).
    """

    def forward(number: int, frame: FrameType | None) -> None:
        running = session()
        if running is not None:
            running.resume()
            if running.pid is None or number != signal.SIGINT or not _is_in_foreground():
                running.signal(number)

    before = {number: signal.getsignal(number) for number in FORWARDED}
    for number, handler in before.items():
        if handler is not signal.SIG_IGN:
            signal.signal(number, forward)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def exit_code_like(code: int) -> int:
    """The exit code for a script that ended with ``code`` as a shell gives it; an interrupted one interrupts us too, as shells expect."""
    if code == 128 + signal.SIGINT:
        sys.stdout.flush()
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        os.kill(os.getpid(), signal.SIGINT)
    return code


def _is_in_foreground() -> bool:
    """Whether a terminal sends its Ctrl+C to our process group."""
    try:
        with open("/dev/tty", "rb") as terminal:
            return os.tcgetpgrp(terminal.fileno()) == os.getpgrp()
    except OSError:
        return False
