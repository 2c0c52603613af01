"""Takes down what the script prints, without changing what the script sees: which way depends on where its output goes.

A terminal: the script gets one of its own that passes every byte as it is (so it is a terminal to it, of the same size), and a relay process writes them to
the true one. A pipe, or anything else: a pipe and the relay. A file: the script has the file itself, and what is written there is read here. Where stdout
and stderr are one, they stay one, so their order stays. stdin and the controlling terminal are the script's as ever.
"""

import contextlib
import fcntl
import os
import select
import socket
import stat
import subprocess
import sys
import termios
import threading
from collections.abc import Callable
from pathlib import Path
from time import monotonic, monotonic_ns
from typing import Final, NamedTuple

from tensorscope.session.output_relay import DRAINED, HEAD, PIECE_BYTES

RELAY: Final = Path(__file__).with_name("output_relay.py")
BATCH_S: Final = 0.05
STREAMS: Final = {1: "stdout", 2: "stderr"}
OFLAG, OPOST = 1, termios.OPOST


class Piece(NamedTuple):
    """Bytes as they were written. ``time_ns`` is monotonic; ``untold`` bytes before them are not known."""

    stream: str  # "stdout", "stderr", or "both" where they are one
    time_ns: int
    data: bytes
    untold: int


class OutputCapture:
    """``take(pieces)`` runs on its thread, with all of a twentieth of a second. ``stdout`` and ``stderr`` are for the script; None: as they are."""

    def __init__(self, take: Callable[[list[Piece]], None]) -> None:
        self._take = take
        self._names: list[str] = []  # of the relay's channels
        self._tails: list[_Tail] = []
        self._given: list[int] = []  # descriptors that are the script's, or the relay's, once it runs
        self._starter: subprocess.Popen[bytes] | None = None
        self._drained = threading.Event()
        self._report: socket.socket | None = None
        self._is_closing = threading.Event()
        self.stdout: int | None = None
        self.stderr: int | None = None
        words: list[str] = []
        for numbers in _groups():
            words += self._capture(numbers)
        if words:
            self._start_relay(words)
        self._thread = threading.Thread(target=self._run, name="tensorscope-output", daemon=True)
        self._thread.start()

    def started(self) -> None:
        """The script has its ends: only they keep the channels open. Also where it could not be started."""
        for descriptor in self._given:
            os.close(descriptor)
        self._given.clear()
        if self._starter is not None:
            self._starter.wait()
            self._starter = None

    def drain(self, is_cancelled: Callable[[], bool] = lambda: False) -> None:
        """Wait until all that the script has written so far went where it goes, and was taken down."""
        report = self._report
        if report is None:
            return
        with contextlib.suppress(OSError):  # the relay has seen the end of it all
            report.send(b"f")
        while self._thread.is_alive() and not self._drained.wait(BATCH_S) and not is_cancelled():
            pass
        if not self._drained.is_set() and not is_cancelled():
            _wait_for_drained(report, is_cancelled)
        if not self._thread.is_alive():
            self._report = None
            report.close()
        if not self._thread.is_alive():
            self._report = None
            report.close()

    def close(self) -> None:
        """Take down what is there by now and join the thread. The relay goes on by itself. Idempotent."""
        self._is_closing.set()
        if threading.current_thread() is not self._thread:
            self._thread.join()

    # the channels

    def _capture(self, numbers: tuple[int, ...]) -> list[str]:
        """Words for the relay; none for a file."""
        stream = "both" if len(numbers) == 2 else STREAMS[numbers[0]]
        number = numbers[0]
        mode = os.fstat(number).st_mode
        if stat.S_ISREG(mode):
            with contextlib.suppress(OSError):  # it may be written, but not read
                self._tails.append(_Tail(stream, number))
            return []
        is_terminal = os.isatty(number)
        source, script_end = _terminal_like(number) if is_terminal else os.pipe()
        target = os.dup(number)
        self._given += [source, script_end, target]
        self._names.append(stream)
        if 1 in numbers:
            self.stdout = script_end
        if 2 in numbers:
            self.stderr = script_end
        return [f"{source}:{target}:{int(is_terminal)}"]

    def _start_relay(self, words: list[str]) -> None:
        self._report, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        passed = [int(number) for one in words for number in one.split(":")[:2]]
        with theirs:
            self._starter = subprocess.Popen(
                [sys.executable, "-I", "-S", str(RELAY), str(theirs.fileno()), *words],
                pass_fds=[theirs.fileno(), *passed],
                stdin=subprocess.DEVNULL,
                start_new_session=True,
            )

    # the thread

    def _run(self) -> None:
        is_last = False
        while not is_last:
            is_last = self._is_closing.is_set()
            pieces = [piece for tail in self._tails for piece in tail.read()]
            pieces += self._hear(0.0 if is_last else BATCH_S)
            if pieces:
                self._take(pieces)
        for tail in self._tails:
            tail.close()

    def _hear(self, patience_s: float) -> list[Piece]:
        """What the relay tells within a moment."""
        pieces: list[Piece] = []
        deadline = monotonic() + patience_s
        while True:
            rest = max(deadline - monotonic(), 0.0)
            if self._report is None:
                self._is_closing.wait(rest)
                return pieces
            if not select.select([self._report], [], [], rest)[0]:
                return pieces
            packet = _received(self._report)
            if not packet:  # every channel has ended
                self._drained.set()
                self._report.close()
                self._report = None
            elif (piece := self._piece(packet)) is not None:
                pieces.append(piece)

    def _piece(self, packet: bytes) -> Piece | None:
        channel, untold, time_ns = HEAD.unpack_from(packet)
        if channel == DRAINED:
            self._drained.set()
            return None
        return Piece(self._names[channel], time_ns, packet[HEAD.size :], untold)


class _Tail:
    """Reads what is added to a file that the script writes itself."""

    def __init__(self, stream: str, number: int) -> None:
        """Raises OSError where it may not be read."""
        self._stream = stream
        self._descriptor = os.open(f"/proc/self/fd/{number}", os.O_RDONLY | os.O_CLOEXEC)
        self._at = os.fstat(self._descriptor).st_size if fcntl.fcntl(number, fcntl.F_GETFL) & os.O_APPEND else os.lseek(number, 0, os.SEEK_CUR)

    def read(self) -> list[Piece]:
        with contextlib.suppress(OSError):
            size = os.fstat(self._descriptor).st_size
            self._at = min(self._at, size)
            untold = max(size - self._at - 4 * PIECE_BYTES, 0)
            data = os.pread(self._descriptor, size - self._at - untold, self._at + untold)
            self._at += untold + len(data)
            return [Piece(self._stream, monotonic_ns(), data, untold)] if data else []
        return []

    def close(self) -> None:
        os.close(self._descriptor)


def _groups() -> list[tuple[int, ...]]:
    """stdout and stderr: together where they are one, each alone, or not at all where it is closed."""
    there = [number for number in STREAMS if _is_open(number)]
    if len(there) == 2 and os.path.sameopenfile(1, 2):
        return [(1, 2)]
    return [(number,) for number in there]


def _is_open(number: int) -> bool:
    try:
        os.fstat(number)
    except OSError:
        return False
    return True


def _terminal_like(number: int) -> tuple[int, int]:
    """The two ends of a terminal of the same kind and size that passes output as it is."""
    ours, theirs = os.openpty()
    with contextlib.suppress(termios.error, OSError):
        attributes = termios.tcgetattr(number)
        attributes[OFLAG] &= ~OPOST
        termios.tcsetattr(theirs, termios.TCSANOW, attributes)
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, fcntl.ioctl(number, termios.TIOCGWINSZ, b"\0" * 8))
    return ours, theirs


def _wait_for_drained(report: socket.socket, is_cancelled: Callable[[], bool]) -> None:
    """Nobody takes anything down any more."""
    while not is_cancelled():
        if select.select([report], [], [], BATCH_S)[0]:
            packet = _received(report)
            if not packet or HEAD.unpack_from(packet)[0] == DRAINED:
                return


def _received(connection: socket.socket) -> bytes:
    """The next packet; b"" at the end. A relay that went with a command unread makes one call fail, before what it had told."""
    for _ in range(2):
        with contextlib.suppress(ConnectionResetError):
            return connection.recv(HEAD.size + PIECE_BYTES)
    return b""
