"""The past of a job on another machine: asked of its host, answered in the stream between all else."""

import threading
from collections.abc import Callable
from typing import Any

from tensorscope.language import tr
from tensorscope.protocol.stream import StoredFrame
from tensorscope.recording.past import Past
from tensorscope.session.past import Wish
from tensorscope.session.wire import item, number


class RemotePast:
    """A ``past.Source``. ``answered``, ``take`` and ``end`` belong to the thread that reads the stream."""

    def __init__(self, send: Callable[[bytes], None]) -> None:
        self._send = send
        self._condition = threading.Condition()
        self._answer: Past | None = None
        self._has_ended = False
        self._expected = 0  # frames of an answer that are still to come
        self._frames: list[StoredFrame] = []
        self._is_whole = True

    def __call__(self, wish: Wish) -> Past | str:
        with self._condition:
            self._answer = None
            if not self._has_ended:
                self._send(item("fetch", process=wish.process, begin_ns=wish.span[0], end_ns=wish.span[1], moment_ns=wish.moment_ns))
            self._condition.wait_for(lambda: self._answer is not None or self._has_ended)
            return self._answer if self._answer is not None else tr("The detail of this moment stayed with the host, in its recording.")

    def answered(self, message: dict[str, Any]) -> None:
        """The host's ``fetched``; raises ProtocolError where it makes no sense."""
        self._expected, self._is_whole, self._frames = number(message, "frames"), bool(message.get("is_whole")), []
        self._finish_if_whole()

    def take(self, stored: StoredFrame) -> bool:
        """Whether a frame of the stream is part of an answer."""
        if not self._expected:
            return False
        self._frames.append(stored)
        self._expected -= 1
        self._finish_if_whole()
        return True

    def end(self) -> None:
        """No answer will come any more."""
        with self._condition:
            self._has_ended = True
            self._condition.notify_all()

    def _finish_if_whole(self) -> None:
        if not self._expected:
            with self._condition:
                self._answer = Past(tuple(self._frames), self._is_whole)
                self._condition.notify_all()
