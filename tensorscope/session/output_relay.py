"""Stands between a script and where its output goes: passes every byte on, and tells the host what and when. A process of its own, run by path.

    python -I -S output_relay.py REPORT_FD SOURCE:TARGET:IS_TERMINAL …

It outlives the host: with the host killed or stopped, the script's output flows on. What the host does not take at once is not told (and counted), so a
slow host slows nothing. Where the target is closed, the source is closed too, so that the script meets the same broken pipe. Standard library only.

Packets to the host, one a piece: ``<IIq`` channel, bytes that were not told before it, monotonic time, then the bytes; channel ``DRAINED`` alone answers
the command ``f``: all that was written so far is passed on.
"""

import array
import contextlib
import fcntl
import os
import select
import signal
import socket
import struct
import sys
import termios
import threading
import time

HEAD = struct.Struct("<IIq")
DRAINED = 0xFFFFFFFF
PIECE_BYTES = 65536
SIZE_LOOK_S = 0.25
QUIET_LOOKS = 3
LOOK_S = 0.005


class Report:
    """The host's ear. Any thread."""

    def __init__(self, connection: socket.socket) -> None:
        self._connection = connection
        self._connection.setblocking(False)
        self._lock = threading.Lock()
        self._untold = 0

    def tell(self, channel: int, data: bytes) -> None:
        with self._lock:
            try:
                self._connection.send(HEAD.pack(channel, self._untold, time.monotonic_ns()) + data)
                self._untold = 0
            except OSError:
                self._untold = min(self._untold + len(data), 0xFFFFFFFF)

    def tell_drained(self) -> None:
        with contextlib.suppress(OSError):
            self._connection.setblocking(True)
            self._connection.send(HEAD.pack(DRAINED, 0, time.monotonic_ns()))
            self._connection.setblocking(False)

    def wait_for_command(self) -> bytes:
        """b"" once the host is gone."""
        try:
            select.select([self._connection], [], [])
            return self._connection.recv(16)
        except BlockingIOError:
            return b"?"
        except OSError:
            return b""


class Channel(threading.Thread):
    def __init__(self, number: int, source: int, target: int, is_terminal: bool, report: Report) -> None:
        super().__init__()
        self._number = number
        self._source = source
        self._target = target
        self._is_terminal = is_terminal
        self._report = report
        self._passing = threading.Lock()
        self._size = b""
        self.is_open = True

    def run(self) -> None:
        try:
            while self._wait() and self._pass_piece():
                pass
        except OSError:
            pass  # the source of a terminal whose other end is closed, or a target that is
        finally:
            self.is_open = False
            os.close(self._source)

    def is_quiet(self) -> bool:
        """Nothing waits and nothing is on its way."""
        if not self.is_open:
            return True
        with self._passing:
            waiting = array.array("i", [0])
            try:
                fcntl.ioctl(self._source, termios.FIONREAD, waiting)
            except OSError:
                return True
            return waiting[0] == 0

    def _wait(self) -> bool:
        while not select.select([self._source], [], [], SIZE_LOOK_S if self._is_terminal else None)[0]:
            self._pass_size_on()
        return True

    def _pass_piece(self) -> bool:
        with self._passing:
            data = os.read(self._source, PIECE_BYTES)
            if self._is_terminal:
                self._pass_size_on()
            at = 0
            while at < len(data):
                try:
                    at += os.write(self._target, data[at:])
                except BlockingIOError:  # whoever shares it has made it so
                    select.select([], [self._target], [])
            if data:
                self._report.tell(self._number, data)
        return bool(data)

    def _pass_size_on(self) -> None:
        """The window's size, for whoever asks the terminal that the script has."""
        with contextlib.suppress(OSError):
            size = fcntl.ioctl(self._target, termios.TIOCGWINSZ, b"\0" * 8)
            if size != self._size:
                self._size = size
                fcntl.ioctl(self._source, termios.TIOCSWINSZ, size)


def main() -> None:
    for ignored in (signal.SIGINT, signal.SIGHUP, signal.SIGTERM, signal.SIGTSTP, signal.SIGTTOU, signal.SIGPIPE):
        signal.signal(ignored, signal.SIG_IGN)
    if os.fork():  # whoever started us need not wait for us
        os._exit(0)
    report = Report(socket.socket(fileno=int(sys.argv[1])))
    channels = []
    for number, words in enumerate(sys.argv[2:]):
        source, target, is_terminal = map(int, words.split(":"))
        channels.append(Channel(number, source, target, bool(is_terminal), report))
    for channel in channels:
        channel.start()
    for number in range(3):
        with contextlib.suppress(OSError):
            if all(number != int(words.split(":")[1]) for words in sys.argv[2:]):
                os.close(number)
    threading.Thread(target=obey, args=(report, channels), daemon=True).start()
    for channel in channels:
        channel.join()


def obey(report: Report, channels: "list[Channel]") -> None:
    while command := report.wait_for_command():
        if command == b"f":
            quiet = 0
            while quiet < QUIET_LOOKS:
                quiet = quiet + 1 if all(channel.is_quiet() for channel in channels) else 0
                time.sleep(LOOK_S)
            report.tell_drained()


if __name__ == "__main__":
    main()
