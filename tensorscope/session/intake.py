"""Where the bytes of the rings go: into the trace, and as they came into the recording."""

from collections.abc import Callable, Sequence
from typing import Any

from tensorscope.errors import ProtocolError
from tensorscope.protocol import area
from tensorscope.protocol.definitions import Definition, split_definitions
from tensorscope.recording.writer import RecordingWriter
from tensorscope.session.area_map import Chunk
from tensorscope.trace.ingest import batches_of_records
from tensorscope.trace.trace import Trace


class Intake:
    """Of one process, whose rows and frames carry ``number``. ``take`` belongs to the reader's thread;

    ``told(message)`` runs on it for every message that became whole.
    """

    def __init__(self, number: int, trace: Trace, recording: RecordingWriter, told: Callable[[dict[str, Any]], None]) -> None:
        self._number = number
        self._trace = trace
        self._recording = recording
        self._told = told

    def take(self, chunks: Sequence[Chunk]) -> None:
        for chunk in chunks:
            try:
                if chunk.kind == area.BLOCK_DEFINITIONS:
                    self._take_definitions(chunk)
                elif chunk.kind == area.BLOCK_RECORDS:
                    self._take_records(chunk)
                else:
                    self._trace.count_damage()
            except ProtocolError:
                self._trace.count_damage()

    def _take_definitions(self, chunk: Chunk) -> None:
        definitions: list[Definition] = []
        try:
            definitions.extend(split_definitions(chunk.content))
        finally:
            messages = self._trace.add_definitions(definitions)
            self._recording.add_definitions(chunk.content, self._trace.iteration_count, self._number)
            for message in messages:
                self._told(message)

    def _take_records(self, chunk: Chunk) -> None:
        batches, unknown = batches_of_records(chunk.content, chunk.thread, self._number)
        if unknown:
            self._trace.count_damage(unknown)
        self._trace.add_batches(batches)
        self._recording.add_batches(batches, self._trace.iteration_count)
