"""Makes messages of what the script printed, within a budget: the first 16 MiB, and of more the last one."""

import codecs
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Final

from tensorscope.session.output import OutputCapture, Piece

FIRST_BYTES: Final = 16 * 2**20
LAST_BYTES: Final = 2**20


class ScriptOutput:
    """A session's: captures where it is wanted. ``tell(message)`` runs on the capture's thread, and on the one that ends it."""

    def __init__(self, tell: Callable[[dict[str, Any]], None]) -> None:
        self._tell = tell
        self._log = OutputLog()
        self._capture: OutputCapture | None = None

    @contextmanager
    def standard_files(self, is_captured: bool) -> Iterator[tuple[int | None, int | None]]:
        """What the script is to be started with as stdout and stderr inside this block; None for ours."""
        if not is_captured:
            yield None, None
            return
        self._capture = capture = OutputCapture(self._printed)
        try:
            yield capture.stdout, capture.stderr
        finally:
            capture.started()

    def drain(self, is_cancelled: Callable[[], bool] = lambda: False) -> None:
        """Wait until the output of a script that has ended is where it goes."""
        if self._capture is not None:
            self._capture.drain(is_cancelled)

    def end(self, is_cancelled: Callable[[], bool]) -> None:
        """The same, and take down the last of it."""
        self.drain(is_cancelled)
        self.close()

    def close(self) -> None:
        """Take down what is there by now; the script may print on. Idempotent."""
        if self._capture is not None:
            self._capture.close()
            self._tell_all(self._log.last())

    def _printed(self, pieces: list[Piece]) -> None:
        self._tell_all(self._log.messages(pieces))

    def _tell_all(self, messages: list[dict[str, Any]]) -> None:
        for message in messages:
            self._tell(message)


class OutputLog:
    """One thread. A character that two pieces share goes to the later one."""

    def __init__(self) -> None:
        self._decoders: dict[str, codecs.IncrementalDecoder] = {}
        self._taken = 0
        self._late: deque[Piece] = deque()
        self._late_bytes = 0
        self._left_out = 0

    def messages(self, pieces: list[Piece]) -> list[dict[str, Any]]:
        """The ``output`` message of these pieces (``protocol.messages``); none while they are beyond the budget."""
        now = []
        for piece in pieces:
            if self._taken < FIRST_BYTES:
                self._taken += len(piece.data)
                now.append(piece)
            else:
                self._keep_for_the_end(piece)
        return [self._message(now)] if now else []

    def last(self) -> list[dict[str, Any]]:
        """What the end of the run adds: the last of a flood."""
        late = list(self._late)
        self._late.clear()
        if not late:
            return []
        late[0] = late[0]._replace(untold=late[0].untold + self._left_out)
        self._decoders.clear()
        return [self._message(late)]

    def _keep_for_the_end(self, piece: Piece) -> None:
        self._late.append(piece)
        self._late_bytes += len(piece.data)
        while self._late_bytes > LAST_BYTES and len(self._late) > 1:
            gone = self._late.popleft()
            self._late_bytes -= len(gone.data)
            self._left_out += len(gone.data) + gone.untold

    def _message(self, pieces: list[Piece]) -> dict[str, Any]:
        begin = pieces[0].time_ns
        told = [[piece.time_ns - begin, piece.stream, self._text(piece), piece.untold] for piece in pieces]
        return {"type": "output", "time_ns": begin, "pieces": told}

    def _text(self, piece: Piece) -> str:
        decoder = self._decoders.setdefault(piece.stream, codecs.getincrementaldecoder("utf-8")("replace"))
        return decoder.decode(piece.data)
