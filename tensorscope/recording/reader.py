"""Reads a recording: finished, still being written, or left behind by a crash."""

import contextlib
import json
import shutil
import sqlite3
import tempfile
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import Any, Final

from tensorscope.errors import ProtocolError, TensorScopeError
from tensorscope.protocol.definitions import split_definitions
from tensorscope.protocol.frames import Frame, decode_frame
from tensorscope.protocol.messages import decode
from tensorscope.recording.batches import batch_of_frame
from tensorscope.recording.format import APPLICATION_ID, FORMAT_VERSION, SQLITE_MAGIC
from tensorscope.trace.retention import Keep
from tensorscope.trace.shares import MemoryShares
from tensorscope.trace.trace import Trace

# What SQLite and the reading of its values raise at wrong bytes: also its very messages may quote bytes that are no text.
DAMAGE: Final = (sqlite3.Error, ValueError, TypeError, OverflowError, RecursionError)

SNAPSHOT_SENTENCE: Final = "; CUDA memory snapshots cannot be opened by this version"
PROFILE_SENTENCE: Final = "; profiler traces cannot be opened by this version"
MAX_PROCESSES: Final = 1024  # a damaged number must not cost memory

NOT_YET: Final = {".pickle": SNAPSHOT_SENTENCE, ".pkl": SNAPSHOT_SENTENCE, ".json": PROFILE_SENTENCE, ".json.gz": PROFILE_SENTENCE}


class RecordingReader:
    """An open recording; belongs to the thread that opened it. A context manager."""

    def __init__(self, path: Path) -> None:
        """Raises TensorScopeError where there is no recording that this TensorScope can read."""
        self.path = path
        self._copy: tempfile.TemporaryDirectory[str] | None = None
        _check_file(path)
        self._connection = self._open()

    def facts(self) -> dict[str, Any]:
        """Those that can be read."""
        found = {}
        with contextlib.suppress(*DAMAGE):
            for key, value in self._connection.execute("SELECT key, value FROM facts"):
                found[str(key)] = json.loads(value)
        return found

    def payloads(self) -> Iterator[bytes]:
        """The encoded frames in order; b"" stands for what is damaged. Raises TensorScopeError where there is none that can be read.

        Of a file that was cut off what lies before the cut comes, and then one b"".
        """
        has_any = False
        try:
            for (payload,) in self._connection.execute("SELECT payload FROM frames ORDER BY sequence"):
                yield payload if isinstance(payload, bytes) else b""  # of another type: damaged
                has_any |= isinstance(payload, bytes) and bool(payload)
        except DAMAGE as error:
            if not has_any:
                raise self._damaged(error) from None
            yield b""
            return
        if _is_cut(self.path):
            if not has_any:
                raise self._damaged("it is cut off before its first frame")
            yield b""

    def close(self) -> None:
        self._connection.close()
        if self._copy is not None:
            self._copy.cleanup()

    def __enter__(self) -> "RecordingReader":
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def _open(self) -> sqlite3.Connection:
        try:
            return self._checked(self.path)
        except sqlite3.OperationalError:  # the log of a crashed run in a folder that cannot be written
            self._copy = tempfile.TemporaryDirectory(prefix="tensorscope-")
        try:
            for suffix in ("", "-wal"):
                source = self.path.with_name(self.path.name + suffix)
                if source.exists():
                    shutil.copyfile(source, Path(self._copy.name) / source.name)
            return self._checked(Path(self._copy.name) / self.path.name)
        except (OSError, *DAMAGE) as error:
            self._copy.cleanup()
            raise self._damaged(error) from None

    def _checked(self, path: Path) -> sqlite3.Connection:
        connection = sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True, isolation_level=None, timeout=10)
        try:
            # SQLite refuses a file that is shorter than its first page says, unless the schema may be written (this connection may not write at all).
            connection.execute("PRAGMA writable_schema = ON")
            (application,) = connection.execute("PRAGMA application_id").fetchone()
            (version,) = connection.execute("PRAGMA user_version").fetchone()
            if application != APPLICATION_ID:
                raise TensorScopeError(f"{self.path} is not a TensorScope recording.")
            if version > FORMAT_VERSION:
                raise TensorScopeError(f"{self.path} was written by a newer TensorScope (format {version}); update TensorScope to open it.")
            connection.execute("SELECT sequence FROM frames LIMIT 1").fetchone()
        except sqlite3.OperationalError:
            connection.close()
            raise
        except DAMAGE as error:
            connection.close()
            raise self._damaged(error) from None
        except TensorScopeError:
            connection.close()
            raise
        return connection

    def _damaged(self, error: Exception | str) -> TensorScopeError:
        return TensorScopeError(f"{self.path} is damaged and cannot be read ({error}).")


def read_traces(reader: RecordingReader, keep: Keep | None = None) -> dict[int, Trace]:
    """The traces of a recording by the number of the process; that of the launched one, 0, is always there.

    Frames that are damaged are left out and counted in its health.
    """
    traces = {0: Trace(keep)}
    shares = MemoryShares((keep or Keep()).memory_bytes)
    for payload in reader.payloads():
        try:
            add_frame(traces, decode_frame(payload), keep)
            shares.settle(tuple(traces.values()))
        except ProtocolError:
            traces[0].count_damage()
    count_losses(traces, reader.facts())
    return traces


def read_trace(reader: RecordingReader, keep: Keep | None = None) -> Trace:
    """The trace of the launched process."""
    return read_traces(reader, keep)[0]


def add_frame(traces: dict[int, Trace], frame: Frame, keep: Keep | None = None) -> None:
    """Take in one frame of a recording, into a new trace where it is a process's first; raises ProtocolError where it does not fit."""
    if frame.rank not in traces:
        if len(traces) >= MAX_PROCESSES:
            raise ProtocolError(f"frame is of process {frame.rank}, one too many")
        traces[frame.rank] = Trace(keep)
    trace = traces[frame.rank]
    if frame.kind == "rows":
        trace.add_batches([batch_of_frame(frame)])
        return
    content = bytes(frame.columns[0].data)
    if frame.kind == "definitions":
        trace.add_definitions(split_definitions(content))
    else:
        trace.add_message(decode(content))


def count_losses(traces: dict[int, Trace], facts: dict[str, Any]) -> None:
    """Take in the counts that stand beside the frames of a recording."""
    traces[0].set_counters(dropped_events=_count(facts, "dropped_events"), cost_ns=_count(facts, "cost_ns"))
    counters = facts.get("counters")
    for process, counted in counters.items() if isinstance(counters, dict) else ():
        match counted:
            case [int() as dropped_events, int() as cost_ns] if process.isdecimal() and int(process) in traces:
                traces[int(process)].set_counters(dropped_events=dropped_events, cost_ns=cost_ns)
    match facts.get("retired"):
        case [int() as frames, int() as first, int() as last]:
            for trace in traces.values():
                trace.count_retired(frames, range(first, last + 1), is_lost=True)


def _count(facts: dict[str, Any], key: str) -> int:
    value = facts.get(key)
    return value if isinstance(value, int) else 0


def _is_cut(path: Path) -> bool:
    """Whether a file has less than its first page says; what is missing may lie in a log beside it."""
    with path.open("rb") as file:
        head = file.read(100)
    pages, page_bytes = int.from_bytes(head[28:32], "big"), int.from_bytes(head[16:18], "big")
    is_told = head[24:28] == head[92:96]  # by a version of SQLite that keeps the number of pages
    has_log = path.with_name(path.name + "-wal").exists()
    return is_told and not has_log and path.stat().st_size < pages * (65_536 if page_bytes == 1 else page_bytes)


def _check_file(path: Path) -> None:
    """Raise TensorScopeError where ``path`` is no file that could be a recording."""
    if not path.exists():
        raise TensorScopeError(f"There is no file {path}.")
    if path.is_dir():
        raise TensorScopeError(f"{path} is a folder, not a recording.")
    if not path.is_file():
        raise TensorScopeError(f"{path} is no file, and no recording.")
    try:
        with path.open("rb") as file:
            head = file.read(len(SQLITE_MAGIC))
    except OSError as error:
        raise TensorScopeError(f"{path} cannot be read: {(error.strerror or str(error)).lower()}.") from None
    if head != SQLITE_MAGIC:
        like = next((kind for suffix, kind in NOT_YET.items() if path.name.endswith(suffix)), "")
        raise TensorScopeError(f"{path} is not a TensorScope recording{like}.")
