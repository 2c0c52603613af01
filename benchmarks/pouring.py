"""A session that pours a recording into a trace at a given rate, as if its script ran now."""

import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

from tensorscope.protocol.definitions import split_definitions
from tensorscope.protocol.frames import Frame, decode_frame
from tensorscope.protocol.messages import decode
from tensorscope.recording.batches import batch_of_frame
from tensorscope.recording.reader import RecordingReader
from tensorscope.session import status as texts
from tensorscope.session.announcer import Announcer
from tensorscope.session.session import Changed
from tensorscope.trace.ingest import Batch
from tensorscope.trace.snapshot import Snapshot
from tensorscope.trace.trace import Trace

PORTION_ROWS: Final = 1_000


class PouringSession:
    """Implements ``session.Session`` as far as the window asks."""

    is_live = True

    def __init__(self, path: Path, rate: int) -> None:
        """``rate`` is in events a second."""
        self.path = path
        self.title = "train.py"
        self.status = texts.running(0)
        self.events = 0
        self._rate = rate
        self._trace = Trace()
        with RecordingReader(path) as reader:
            self._frames = [decode_frame(payload) for payload in reader.payloads()]
        self._announcer = Announcer(self._describe)
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="pouring", daemon=True)

    def pour(self) -> None:
        self._thread.start()

    def snapshot(self) -> Snapshot:
        return self._trace.snapshot()

    def listen(self, listener: Callable[[Changed], None]) -> Callable[[], None]:
        return self._announcer.listen(listener)

    def pause(self) -> None: ...
    def step_node(self) -> None: ...
    def resume(self) -> None: ...
    def stop(self) -> None: ...
    def save_as(self, path: Path) -> None: ...

    def close(self) -> None:
        self._stop.set()
        if self._thread.is_alive():
            self._thread.join()
        self._announcer.close()

    def _run(self) -> None:
        begin = time.monotonic()
        for frame in self._frames:
            if frame.kind != "rows":
                self._tell(frame)
                continue
            batch = batch_of_frame(frame)
            for first in range(0, batch.rows, PORTION_ROWS):
                self._trace.add_batches([part_of(batch, first)])
                self.events += min(PORTION_ROWS, batch.rows - first)
                self._announcer.poke()
                if self._stop.wait(max(self.events / self._rate - (time.monotonic() - begin), 0.0)):
                    return

    def _tell(self, frame: Frame) -> None:
        content = bytes(frame.columns[0].data)
        if frame.kind == "definitions":
            self._trace.add_definitions(split_definitions(content))
        else:
            self._trace.add_message(decode(content))

    def _describe(self) -> Changed:
        return Changed(texts.running(self._trace.iteration_count), True, self.events, 0, 1.1, 0)


def part_of(batch: Batch, first: int) -> Batch:
    rows = min(PORTION_ROWS, batch.rows - first)
    return Batch(batch.table, rows, {name: column[first : first + rows] for name, column in batch.columns.items()})
