"""Where the bytes of the rings go: into the trace, and as they came into the recording."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from threading import RLock
from typing import Final

from tensorscope.errors import ProtocolError
from tensorscope.protocol import area
from tensorscope.protocol.definitions import Definition, split_definitions
from tensorscope.recording.writer import RecordingWriter
from tensorscope.session.area_map import Chunk
from tensorscope.trace.ingest import batches_of_records
from tensorscope.trace.trace import Trace

MOST_WAITING_BYTES: Final = 64 << 20
MOST_JOINED_BYTES: Final = 1 << 20  # what one piece costs, whatever its size, is then little of the whole


class Intake:
    """Of one process, whose rows and frames carry ``number``; while that is None, what comes waits.

    ``take`` belongs to the reader's thread, ``admit`` to any.
    """

    def __init__(self, number: int | None, trace: Trace, recording: RecordingWriter) -> None:
        self._number = number
        self._trace = trace
        self._recording = recording
        self._lock = RLock()
        self._waiting: list[Chunk] = []
        self._waiting_bytes = 0
        self._spared: tuple[tuple[int, int], ...] = ()

    def admit(self, number: int) -> None:
        """Take what has waited, and from now on what comes."""
        with self._lock:
            waiting, self._waiting = self._waiting, []
            self._number = number
            self.take(waiting)

    def take(self, chunks: Sequence[Chunk]) -> None:
        with self._lock:
            for chunk in joined(chunks):
                if self._number is None:
                    self._keep(chunk)
                else:
                    self._take(chunk, self._number)

    def _keep(self, chunk: Chunk) -> None:
        """Of a process that goes on for long without training only the beginning is kept: its modules and parameters come first."""
        if chunk.kind == area.BLOCK_DEFINITIONS or self._waiting_bytes < MOST_WAITING_BYTES:
            self._waiting.append(chunk)
            self._waiting_bytes += len(chunk.content)

    def _take(self, chunk: Chunk, number: int) -> None:
        try:
            if chunk.kind == area.BLOCK_DEFINITIONS:
                self._take_definitions(chunk, number)
            elif chunk.kind == area.BLOCK_RECORDS:
                self._take_records(chunk, number)
            else:
                self._trace.count_damage()
        except ProtocolError:
            self._trace.count_damage()

    def _take_definitions(self, chunk: Chunk, number: int) -> None:
        definitions: list[Definition] = []
        try:
            definitions.extend(split_definitions(chunk.content))
        finally:
            self._trace.add_definitions(definitions)
            self._recording.add_definitions(chunk.content, self._trace.iteration_count, number)

    def _take_records(self, chunk: Chunk, number: int) -> None:
        batches, unknown = batches_of_records(chunk.content, chunk.thread, number)
        if unknown:
            self._trace.count_damage(unknown)
        self._trace.add_batches(batches)
        self._recording.add_batches(batches, self._trace.iteration_count)
        if self._trace.spared != self._spared:
            self._spared = self._trace.spared
            self._recording.spare(number, self._spared)


def joined(chunks: Iterable[Chunk]) -> Iterator[Chunk]:
    """The same bytes in the same order in fewer pieces: records of one thread that come one after the other."""
    pieces: list[Chunk] = []
    for chunk in chunks:
        if pieces and not _goes_on(pieces, chunk):
            yield _as_one(pieces)
            pieces = []
        pieces.append(chunk)
    if pieces:
        yield _as_one(pieces)


def _goes_on(pieces: Sequence[Chunk], chunk: Chunk) -> bool:
    is_same = chunk.kind == pieces[-1].kind == area.BLOCK_RECORDS and chunk.thread == pieces[-1].thread
    return is_same and sum(len(piece.content) for piece in (*pieces, chunk)) <= MOST_JOINED_BYTES


def _as_one(pieces: Sequence[Chunk]) -> Chunk:
    return pieces[0] if len(pieces) == 1 else replace(pieces[0], content=b"".join(piece.content for piece in pieces))
