"""Writes a recording while the run goes on: a thread of its own commits what was handed to it at least every half second."""

import json
import sqlite3
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from pathlib import Path
from time import monotonic
from typing import Any, Final

from tensorscope.protocol.frames import Frame, bytes_frame, encode_frame
from tensorscope.protocol.records import RECORD_SIZE
from tensorscope.recording.batches import frame_of_batches
from tensorscope.recording.database import claim, close_cleanly, create
from tensorscope.recording.disk_budget import DiskBudget
from tensorscope.trace.ingest import Batch
from tensorscope.trace.retention import Keep

COMMIT_SECONDS: Final = 0.5
MAX_WAITING_BYTES: Final = 32 << 20
EARLY_COMMIT_BYTES: Final = 8 << 20
FRAME_ROWS: Final = 4096  # larger frames are made in memory that the system has to give and take each time


class RecordingWriter:
    """Any thread may hand over; ``failed`` is called once, on the writer's thread, with a sentence when the recording has to stop."""

    def __init__(self, path: Path, *, keep: Keep | None = None, failed: Callable[[str], None] | None = None) -> None:
        """Create the file; raises TensorScopeError if that cannot be."""
        self.path = path
        self._keep = keep or Keep()
        self._failed = failed or (lambda sentence: None)
        self._connection = create(path)
        self._claim = claim(path)
        self._budget = DiskBudget(self._keep)
        self._sequence = 0
        self._waiting = _Waiting()
        self._condition = threading.Condition()
        self._spared: dict[int, Sequence[tuple[int, int]]] = {}
        self._is_closing = False
        self._flushes = 0  # flushes asked for
        self._flushed = 0
        self.is_stopped = False  # a failure ended it; what comes is let go
        self.size_bytes = 0
        self._thread = threading.Thread(target=self._run, name="tensorscope-recording", daemon=True)
        self._thread.start()

    def add_batches(self, batches: Sequence[Batch], iteration: int) -> None:
        """Hand over rows that came while ``iteration`` ran (before the first one: 0 or less). Waits while the disk is far behind."""
        self._add(sum(batch.rows for batch in batches) * RECORD_SIZE, lambda waiting: waiting.add_rows(batches, iteration))

    def add_definitions(self, content: bytes, iteration: int, rank: int = 0) -> None:
        """Hand over the committed bytes of a definition block."""
        self._add(len(content), lambda waiting: waiting.frames.append(bytes_frame("definitions", content, rank=rank, iteration=max(iteration, 0))))

    def add_message(self, message: dict[str, Any], iteration: int, rank: int = 0) -> None:
        """Hand over a message that did not come through the rings."""
        body = json.dumps(message).encode()
        self._add(len(body), lambda waiting: waiting.frames.append(bytes_frame("message", body, rank=rank, iteration=max(iteration, 0))))

    def spare(self, rank: int, spans: Sequence[tuple[int, int]]) -> None:
        """Keep the detail of a process in these spans of monotonic time, as long as anything else can go."""
        with self._condition:
            self._spared = {**self._spared, rank: spans}

    def set_facts(self, **facts: Any) -> None:
        self._add(0, lambda waiting: waiting.facts.update(facts))

    def flush(self, timeout: float = 10.0) -> None:
        """Wait until all that was handed over is in the file, or the recording has stopped."""
        with self._condition:
            self._flushes += 1
            wanted = self._flushes
            self._condition.notify_all()
            self._condition.wait_for(lambda: self._flushed >= wanted or self.is_stopped or not self._thread.is_alive(), timeout)

    def close(self) -> None:
        """Write the rest and leave a single file. Idempotent."""
        with self._condition:
            self._is_closing = True
            self._condition.notify_all()
        self._thread.join()

    def _add(self, size: int, put: Callable[["_Waiting"], None]) -> None:
        with self._condition:
            self._condition.wait_for(lambda: self._waiting.size_bytes < MAX_WAITING_BYTES or self.is_stopped or self._is_closing)
            if self.is_stopped or self._is_closing:
                return
            put(self._waiting)
            self._waiting.size_bytes += size
            if self._waiting.size_bytes >= EARLY_COMMIT_BYTES:
                self._condition.notify_all()

    def _run(self) -> None:
        try:
            while not self._is_closing:
                waiting, flushes = self._take()
                self._write(waiting)
                with self._condition:
                    self._flushed = flushes
                    self._condition.notify_all()
            self._write(self._take(at_once=True)[0])
            close_cleanly(self._connection)
        except (sqlite3.Error, OSError, MemoryError) as error:
            self._stop(f"The recording stopped: {self.path} could not be written ({error}).")
        except BaseException:
            self._stop("The recording stopped: a fault of TensorScope.")  # nobody waits for a thread that is gone
            raise
        finally:
            self._connection.close()
            self._claim.close()
            with self._condition:
                self._flushed = sys.maxsize  # whoever waits for a flush has all there will be
                self._condition.notify_all()

    def _take(self, *, at_once: bool = False) -> tuple["_Waiting", int]:
        """Wait for the next commit's moment, then take what is there."""
        deadline = monotonic() + COMMIT_SECONDS
        with self._condition:
            if not at_once:
                self._condition.wait_for(
                    lambda: self._is_closing or self._flushes > self._flushed or self._waiting.size_bytes >= EARLY_COMMIT_BYTES, deadline - monotonic()
                )
            taken, self._waiting = self._waiting, _Waiting()
            self._condition.notify_all()
            return taken, self._flushes

    def _write(self, waiting: "_Waiting") -> None:
        if waiting.is_empty:
            return
        with self._connection:
            self._connection.execute("BEGIN")
            for frame in chain(waiting.frames, waiting.row_frames()):
                self._insert(frame)
            self._budget.spare(self._spared)
            retired = self._budget.enforce(self._connection)
            facts = {**waiting.facts, **({"retired": retired} if retired else {})}
            self._connection.executemany("INSERT OR REPLACE INTO facts VALUES (?, ?)", [(key, json.dumps(value)) for key, value in facts.items()])
        self.size_bytes = self._budget.size_bytes
        if self._budget.is_exceeded:
            limit = self._keep.disk_bytes / (1 << 30)
            raise OSError(f"its budget of {limit:.3g} GiB is used up")

    def _insert(self, frame: Frame) -> None:
        self._sequence += 1
        payload = encode_frame(frame)
        row = (self._sequence, frame.rank, frame.table or frame.kind, frame.iteration, frame.last_iteration, frame.first_ns, frame.last_ns, payload)
        self._connection.execute("INSERT INTO frames VALUES (?, ?, ?, ?, ?, ?, ?, ?)", row)
        self._budget.added(len(payload), frame.last_iteration)

    def _stop(self, sentence: str) -> None:
        with self._condition:
            self.is_stopped = True
            self._waiting = _Waiting()
            self._condition.notify_all()
        self._failed(sentence)


class _Waiting:
    """What was handed over since the last commit: frames as they came, rows by table so that a commit writes few frames."""

    def __init__(self) -> None:
        self.frames: list[Frame] = []
        self.facts: dict[str, Any] = {}
        self.size_bytes = 0
        self._rows: dict[tuple[str, int], list[tuple[Batch, int]]] = {}

    def add_rows(self, batches: Sequence[Batch], iteration: int) -> None:
        for batch in batches:
            if batch.rows:
                self._rows.setdefault((batch.table.name, int(batch.columns["rank"][0])), []).append((batch, max(iteration, 0)))

    @property
    def is_empty(self) -> bool:
        return not (self.frames or self.facts or self._rows)

    def row_frames(self) -> Iterator[Frame]:
        """Frames of about FRAME_ROWS rows, table by table; each made when its turn comes, so that memory holds one of them at a time."""
        for pieces in self._rows.values():
            begin = rows = 0
            for end, (batch, _) in enumerate(pieces, 1):
                rows += batch.rows
                if rows >= FRAME_ROWS or end == len(pieces):
                    yield frame_of_batches([piece for piece, _ in pieces[begin:end]], pieces[begin][1], pieces[end - 1][1])
                    begin, rows = end, 0
