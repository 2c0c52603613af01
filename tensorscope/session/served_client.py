"""One window that is attached to this host: a thread that sends it the recording as it grows, and one that takes its commands.

What is sent is read from the recording, some megabytes at a time, so whoever reads slowly, or not at all, costs this host one such piece and nothing else;
what is too old by the time he comes to it is left out, and he is told.
"""

import contextlib
import os
import socket
import sqlite3
import threading
from collections import deque
from collections.abc import Callable
from dataclasses import asdict, replace
from time import sleep
from typing import Any, Final, Protocol

from tensorscope import __version__
from tensorscope.errors import ProtocolError
from tensorscope.protocol.stream import StoredFrame, StreamDecoder, frame_item_head, preface
from tensorscope.recording.feed import RecordingFeed
from tensorscope.recording.past import read_past
from tensorscope.session.jobs import Job
from tensorscope.session.past import Wish
from tensorscope.session.session import Changed, Session
from tensorscope.session.wire import changed_item, item, number, obey, text

MAX_COMMAND_BYTES: Final = 64 * 1024
SHORTEST_INTERVAL_S: Final = 0.15
LONGEST_INTERVAL_S: Final = 1.0
MOST_WANTED: Final = 16


class Served(Session, Protocol):
    """A session that is recorded here."""

    def flush(self) -> None:
        """Bring what was taken in so far into the recording's file."""
        ...

    def wait(self, timeout: float | None = None) -> bool:
        """Wait until it is over and all of it is recorded; whether it is."""
        ...


class ServedClient:
    """``asked(self, command)`` and ``gone(self)`` run on its threads."""

    def __init__(
        self,
        connection: socket.socket,
        session: Served,
        job: Job,
        asked: Callable[["ServedClient", str], None],
        gone: Callable[["ServedClient"], None],
    ) -> None:
        self._connection = connection
        self._session = session
        self._job = job
        self._asked = asked
        self._gone = gone
        self._wake = threading.Event()
        self._is_closing = False
        self._is_finishing = False  # the session is over, or this host goes: what is there by now is the last
        self._wants = threading.Event()  # he has said how much he wants
        self._history_bytes = 0
        self._wanted: deque[Wish] = deque()
        self._newest: Changed | None = None
        self._threads = [threading.Thread(target=run, name="tensorscope-served", daemon=True) for run in (self._send, self._receive)]
        for thread in self._threads:
            thread.start()

    @property
    def is_alive(self) -> bool:
        return any(thread.is_alive() for thread in self._threads)

    def finish(self) -> None:
        """Send what is there and say goodbye."""
        self._is_finishing = True
        self._wake.set()

    def join(self, timeout: float) -> None:
        self._threads[0].join(timeout)

    def close(self) -> bool:
        """End the connection and both threads. Idempotent; False, for use in conditions."""
        self._hang_up()
        for thread in self._threads:
            if thread is not threading.current_thread():
                thread.join()
        self._connection.close()
        return False

    # sending

    def _send(self) -> None:
        stop_listening = self._session.listen(self._note)
        try:
            self._greet()
            self._wants.wait()
            if not self._is_closing:
                self._send_until_over()
        except (OSError, sqlite3.Error):
            pass  # he is gone, or the recording is
        finally:
            stop_listening()
            self._hang_up()

    def _greet(self) -> None:
        ranks = self._session.ranks()
        about = {"name": self._job.name, "title": self._session.title, "pid": os.getpid(), "script_pids": [rank.pid for rank in ranks]}
        self._connection.sendall(preface(__version__) + item("hello", **about, recording=self._job.recording, machine=socket.gethostname()))

    def _note(self, changed: Changed) -> None:
        self._newest = changed
        self._wake.set()

    def _send_until_over(self) -> None:
        feed = RecordingFeed(self._session.path, self._history_bytes)
        told: list[bytes] = []
        is_last = False
        while not self._is_closing and not is_last:
            is_last = self._is_finishing or self._session.wait(0)
            words = self._words()
            self._session.flush()
            self._send_frames(feed, shows_progress=not told)
            self._send_wanted()
            words.append(item("breakpoints", specs=list(self._session.breakpoints)))
            words.append(item("facts", **feed.facts()))
            self._connection.sendall(b"".join(word for word in words if word not in told))
            told = words
            if not is_last:
                self._wake.wait(LONGEST_INTERVAL_S)
                self._wake.clear()
                sleep(SHORTEST_INTERVAL_S)
        self._connection.sendall(item("bye"))

    def _words(self) -> list[bytes]:
        """How the session stands, taken before the frames: a hold is told when all that led to it was sent."""
        newest = self._newest
        return [] if newest is None else [changed_item(replace(newest, status=self._session.status), self._session.ranks())]

    def _send_frames(self, feed: RecordingFeed, *, shows_progress: bool) -> None:
        sent = 0
        while not self._is_closing and (frames := feed.next_frames()):
            for gone in feed.take_skipped():
                self._connection.sendall(item("skipped", **asdict(gone)))
            self._send_wanted()
            for frame in frames:
                self._send_frame(frame)
                sent += len(frame.payload)
            if shows_progress:
                self._connection.sendall(item("history", received=sent, total=max(feed.pending_bytes(), sent)))

    def _send_wanted(self) -> None:
        while self._wanted and not self._is_closing:
            wish = self._wanted.popleft()
            past = read_past(self._session.path, wish.process, wish.span, wish.moment_ns)
            self._connection.sendall(item("fetched", frames=len(past.frames), is_whole=past.is_whole))
            for frame in past.frames:
                self._send_frame(frame)

    def _send_frame(self, frame: StoredFrame) -> None:
        self._connection.sendall(frame_item_head(frame))
        self._connection.sendall(frame.payload)

    # receiving

    def _receive(self) -> None:
        decoder = StreamDecoder(__version__, max_body_bytes=MAX_COMMAND_BYTES)
        try:
            while data := self._connection.recv(1 << 16):
                for message in decoder.feed(data):
                    if isinstance(message, dict):
                        self._obey(message)
        except (OSError, ProtocolError):
            pass  # who talks nonsense is gone for us
        finally:
            self._hang_up()
            self._gone(self)

    def _obey(self, message: dict[str, Any]) -> None:
        if message["type"] == "attach":
            self._history_bytes = number(message, "history_bytes")
            self._wants.set()
        elif message["type"] == "fetch":
            process, begin_ns, end_ns, moment_ns = (number(message, key) for key in ("process", "begin_ns", "end_ns", "moment_ns"))
            if len(self._wanted) >= MOST_WANTED:
                raise ProtocolError("too much of the past is wanted at once")
            self._wanted.append(Wish(process, (begin_ns, end_ns), moment_ns))
            self._wake.set()
        elif message["type"] == "command":
            self._asked(self, text(message, "name"))
            obey(self._session, message)

    def _hang_up(self) -> None:
        self._is_closing = True
        self._wants.set()
        self._wake.set()
        with contextlib.suppress(OSError):
            self._connection.shutdown(socket.SHUT_RDWR)
