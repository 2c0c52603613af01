"""A session over a job that another host serves: its trace comes over a connection, and so do its states; commands go back."""

import contextlib
import sqlite3
import threading
from collections.abc import Callable, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any, Final

from tensorscope import __version__
from tensorscope.errors import ProtocolError, TensorScopeError
from tensorscope.language import tr
from tensorscope.protocol.frames import Frame, decode_frame
from tensorscope.protocol.stream import StoredFrame, StreamDecoder, preface
from tensorscope.recording.copying import SavedCopy
from tensorscope.recording.feed import RecordingFeed
from tensorscope.recording.mirror import Mirror
from tensorscope.recording.reader import add_frame, count_losses
from tensorscope.session.announcer import Announcer
from tensorscope.session.connection import Connection
from tensorscope.session.past import PastFetcher, source_in
from tensorscope.session.rank_table import shown_ranks
from tensorscope.session.remote_past import RemotePast
from tensorscope.session.session import Changed, RankInfo, RunState, Status, StepKind
from tensorscope.session.status import end_of_trace
from tensorscope.session.wire import changed_of, item, number, text
from tensorscope.trace.retention import Keep
from tensorscope.trace.shares import MemoryShares
from tensorscope.trace.snapshot import Snapshot
from tensorscope.trace.trace import Trace

HISTORY_BYTES: Final = 256 << 20  # detail of the past that is fetched at most: of the first iterations, and the newest
END_S: Final = 10.0
MIB: Final = 1 << 20
OVER: Final = (RunState.ENDED, RunState.CRASHED, RunState.GONE)


class AttachedSession:
    """Implements ``session.Session``. The methods may be called from any thread; each of its threads ends with ``close``."""

    is_live = True

    def __init__(self, connection: Connection, mirror_path: Callable[[str], Path], *, history_bytes: int = HISTORY_BYTES, keep: Keep | None = None) -> None:
        """Meet the host; owns the connection. ``mirror_path(title)`` is where a recording is kept that lies on another machine.

        Raises TensorScopeError where the host does not answer, refuses, or speaks another version.
        """
        self._connection = connection
        self._keep = keep or Keep()
        self._decoder = StreamDecoder(__version__, max_banner_bytes=connection.max_banner_bytes)
        self._lock = threading.RLock()
        self._traces_lock = threading.Lock()
        self._send_lock = threading.Lock()
        self._shares = MemoryShares(self._keep.memory_bytes)
        self._traces = {0: Trace(self._keep)}  # by the number of the process, as in a recording
        self._waiting: list[dict[str, Any] | StoredFrame] = []  # came with the greeting
        self._mirror: Mirror | None = None
        try:
            hello = self._meet()
            self._name = text(hello, "name")
            self._host_pid = number(hello, "pid")
            self.title = f"{text(hello, 'title')} · {connection.target}"
            recording = Path(text(hello, "recording"))
            self._is_same_machine = connection.is_local and recording.exists()
            self.path = recording if self._is_same_machine else mirror_path(text(hello, "title"))
            if not self._is_same_machine:
                self._mirror = Mirror(self.path, self._keep)
            self._remote = RemotePast(self._send)
            self._past = PastFetcher(source_in(self.path) if self._is_same_machine else self._remote, self._numbered, self._past_came)
            self._history_bytes = history_bytes
            self._send(item("attach", history_bytes=history_bytes))
        except (ProtocolError, OSError, ValueError) as error:
            connection.close()
            raise TensorScopeError(tr("{target} cannot be attached: {reason}.").format(target=connection.target, reason=error)) from None
        except BaseException:
            connection.close()
            raise
        self._status = Status(RunState.STARTING, tr("Attached to {name}; its history comes").format(name=self._name))
        self._changed: Changed | None = None
        self._ranks: tuple[RankInfo, ...] = (RankInfo(0, "rank 0", 0, self._status, "", 0),)
        self._lost: Status | None = None  # why nothing comes any more
        self._has_new_events = False
        self._warning = ""
        self._newest_sequence = 0  # of the frames that have come
        self._gaps: list[int] = []  # the last frame of each range that is skipped and not passed yet
        self._is_closing = False
        self._breakpoints: tuple[str, ...] = ()
        self._copy = SavedCopy(self.path)
        self._announcer = Announcer(self._describe)
        self._thread = threading.Thread(target=self._run, name="tensorscope-attached", daemon=True)
        self._thread.start()

    @property
    def status(self) -> Status:
        with self._lock:
            return self._lost or self._status

    def ranks(self) -> tuple[RankInfo, ...]:
        with self._lock:
            return self._ranks

    def snapshot(self, rank: int | None = None) -> Snapshot:
        return self._numbered(rank)[1].snapshot()

    def listen(self, listener: Callable[[Changed], None]) -> Callable[[], None]:
        return self._announcer.listen(listener)

    def look_at(self, time_ns: int | None, rank: int | None = None) -> None:
        self._past.look_at(time_ns, rank)

    def keep_moment(self, time_ns: int, rank: int | None = None) -> None:
        self._numbered(rank)[1].flag(time_ns)
        self._command("keep_moment", rank, time_ns=time_ns)

    def pause(self, rank: int | None = None) -> None:
        self._command("pause", rank)

    def step_node(self, rank: int | None = None) -> None:
        self.step("node", rank)

    def step(self, kind: StepKind, rank: int | None = None) -> None:
        self._command("step", rank, kind=kind)

    @property
    def breakpoints(self) -> tuple[str, ...]:
        return self._breakpoints

    def set_breakpoints(self, specs: Sequence[str]) -> None:
        """In place of the host's; with the last window that is attached they go."""
        self._breakpoints = tuple(specs)
        self._command("set_breakpoints", specs=list(specs))

    def resume(self, rank: int | None = None) -> None:
        self._command("resume", rank)

    def torchviz_picture(self, roots: int, rank: int | None = None) -> str:
        raise TensorScopeError(tr("torchviz's picture is drawn where the window has started the script; this one is attached to: export DOT instead."))

    def stop(self) -> None:
        self._command("stop")

    def save_as(self, path: Path) -> None:
        """Copy the recording as far as it is here, and again when the script has ended. Raises TensorScopeError if that fails."""
        is_over = self.status.state in OVER
        if is_over:
            self._thread.join(END_S)  # the last of it is on its way
        self._copy.save(path, is_over=is_over)

    def close(self) -> None:
        """Detach: the host goes on as before, and so does its script; one that is held at this window's wish is let go."""
        with self._lock:
            if not self._is_closing and self._status.state not in OVER:
                self._lost = self._lost or Status(RunState.GONE, tr("Detached; attach again: tensorscope attach {job}").format(job=self._connection.target))
            self._is_closing = True
        self._connection.hang_up()
        self._thread.join()
        self._past.close()
        self._announcer.close()

    # meeting the host

    def _meet(self) -> dict[str, Any]:
        """The host's greeting. What comes after it waits for the thread."""
        with contextlib.suppress(OSError):
            self._connection.write(preface(__version__))
        while not self._waiting:
            try:
                data = self._connection.read()
            except OSError:
                data = b""
            if not data:
                raise TensorScopeError(self._connection.trouble())
            self._waiting = self._decoder.feed(data)
        self._connection.was_greeted()
        hello = self._waiting.pop(0)
        if isinstance(hello, dict) and hello["type"] == "refused":
            raise TensorScopeError(text(hello, "sentence"))
        if not isinstance(hello, dict) or hello["type"] != "hello":
            raise ProtocolError("it does not greet")
        return hello

    # what comes, on the thread "tensorscope-attached"

    def _run(self) -> None:
        try:
            self._take(self._waiting)
            while not self._is_closing and (data := self._connection.read()):
                self._take(self._decoder.feed(data))
            self._meet_end()
        except ProtocolError as error:
            self._lose(tr("Connection ended: {reason}").format(reason=error))
        except OSError:
            self._meet_end()
        finally:
            self._end()

    def _take(self, items: list[dict[str, Any] | StoredFrame]) -> None:
        for one in items:
            if isinstance(one, StoredFrame):
                if self._remote.take(one):
                    self._mirror_frame(one)
                else:
                    self._take_frame(one)
            else:
                self._take_message(one)
        if self._mirror is not None:
            self._mirrored(self._mirror.commit)
        self._announcer.poke()

    def _take_frame(self, stored: StoredFrame) -> None:
        self._newest_sequence = stored.sequence
        if self._gaps and stored.sequence > self._gaps[0]:
            self._gaps = [last for last in self._gaps if last >= stored.sequence]
            for trace in self._traces.values():
                trace.seal_detail()
        try:
            frame = decode_frame(stored.payload)
            with self._traces_lock:
                add_frame(self._traces, frame, self._keep)
                self._shares.settle(tuple(self._traces.values()))
        except ProtocolError:
            self._traces[0].count_damage()
            return
        self._has_new_events = True
        self._mirror_frame(stored, frame)

    def _mirror_frame(self, stored: StoredFrame, frame: Frame | None = None) -> None:
        mirror = self._mirror
        if mirror is not None:
            with contextlib.suppress(ProtocolError):
                whole = frame or decode_frame(stored.payload)
                self._mirrored(lambda: mirror.add(stored, whole))

    def _take_message(self, message: dict[str, Any]) -> None:
        match message["type"]:
            case "changed":
                changed, ranks = changed_of(message)
                with self._lock:
                    self._changed, self._status, self._ranks = changed, changed.status, ranks
            case "breakpoints":
                specs = message.get("specs")
                if not isinstance(specs, list) or not all(isinstance(spec, str) for spec in specs):
                    raise ProtocolError("message of type breakpoints has no specs")
                self._breakpoints = tuple(specs)
            case "history":
                self._show_history(number(message, "received"), number(message, "total"))
            case "skipped":
                iterations = range(number(message, "first_iteration"), number(message, "last_iteration") + 1)
                self._gaps.append(number(message, "last_sequence"))
                for trace in self._traces.values():
                    trace.count_retired(number(message, "frames"), iterations)
            case "fetched":
                self._remote.answered(message)
            case "facts":
                count_losses(self._traces, message)
                mirror = self._mirror
                if mirror is not None:
                    self._mirrored(lambda: mirror.set_facts({key: value for key, value in message.items() if key != "type"}))

    def _show_history(self, received: int, total: int) -> None:
        with self._lock:
            if self._changed is None and total:
                told = tr("Attached to {name}; {received} of {total} MiB of its history are here")
                self._status = Status(RunState.STARTING, told.format(name=self._name, received=received // MIB, total=-(-total // MIB)))

    def _mirrored(self, write: Callable[[], None]) -> None:
        try:
            write()
        except (sqlite3.Error, OSError) as error:
            self._mirror = None
            self._warning = tr("The copy of the recording stopped: {reason}.").format(reason=error)

    def _meet_end(self) -> None:
        """The stream has ended: with the script, or before this window had read all of it (it was stopped meanwhile), or the host or the way to it is gone."""
        if self._is_closing or self.status.state in OVER:
            return
        ending = self._connection.ending(self._host_pid, lambda: self._is_closing)
        if ending.outcome and self._is_same_machine:
            self._read_rest()
        elif ending.outcome:
            told = tr("Ended meanwhile ({outcome}); all of it is on {machine}: {recording}")
            self._lose(told.format(outcome=ending.outcome, machine=ending.machine, recording=ending.recording))
        elif not self._is_same_machine:
            self._lose(tr("Connection lost; attach again: tensorscope attach {job}").format(job=self._connection.target))
        elif ending.does_run is None:
            self._lose(tr("Disconnected by the host; attach again: tensorscope attach {job}").format(job=self._connection.target))
        elif ending.does_run:
            self._lose(tr("Host gone; the script runs on unwatched"))
        else:
            self._lose(tr("Host gone, and the script as well; how it ended nobody saw"))

    def _read_rest(self) -> None:
        """From the recording, which the host has ended."""
        try:
            feed = RecordingFeed(self.path, self._history_bytes, self._newest_sequence)
            while frames := feed.next_frames():
                for gone in feed.take_skipped():
                    self._take_message({"type": "skipped", **asdict(gone)})
                for frame in frames:
                    self._take_frame(frame)
        except sqlite3.Error:
            pass  # its word on the end may be here all the same
        with self._traces_lock:
            ended = end_of_trace(self._traces[0])
        with self._lock:
            self._status = ended

    def _lose(self, sentence: str) -> None:
        """Nothing more comes: say so in few words, and below where all that came is kept."""
        with self._lock:
            if self._status.state not in OVER and self._lost is None and not self._is_closing:
                self._lost = Status(RunState.GONE, sentence)
                self._warning = tr("What came stays: {path}").format(path=self.path)

    def _end(self) -> None:
        self._remote.end()
        if self._mirror is not None:
            self._mirrored(self._mirror.close)
        self._copy.finish()
        self._connection.hang_up()
        self._connection.close()
        self._announcer.poke()

    def _numbered(self, rank: int | None) -> tuple[int, Trace]:
        """A rank's process number, and its trace."""
        with self._traces_lock:
            by_rank = shown_ranks(self._traces)
            process = by_rank.get(min(by_rank) if rank is None else rank, by_rank[min(by_rank)])
            return process, self._traces[process]

    def _past_came(self) -> None:
        self._has_new_events = True
        self._announcer.poke()

    # steps

    def _command(self, name: str, rank: int | None = None, **more: Any) -> None:
        if self._lost is None:
            self._send(item("command", name=name, rank=rank, **more))

    def _send(self, data: bytes) -> None:
        """A host that is gone does not mind. A command is shorter than what a socket or pipe takes at once."""
        with self._send_lock, contextlib.suppress(OSError):
            self._connection.write(data)

    def _describe(self) -> Changed:
        with self._lock:
            has_new, self._has_new_events = self._has_new_events, False
            if self._changed is None:
                return Changed(self.status, has_new, 0, 0, None, 0, self._warning)
            warning = self._warning or self._changed.warning
            return replace(self._changed, status=self.status, has_new_events=has_new, warning=warning, past=self._past.note)
