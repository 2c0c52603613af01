"""A session over a recording: everything is there from the start, and nothing can be stepped."""

from collections.abc import Callable, Sequence
from pathlib import Path
from threading import Lock

from tensorscope.errors import TensorScopeError
from tensorscope.language import tr
from tensorscope.recording.copying import copy_recording
from tensorscope.recording.database import is_claimed
from tensorscope.recording.imported import as_recording
from tensorscope.recording.reader import RecordingReader, read_traces
from tensorscope.session.announcer import Announcer
from tensorscope.session.past import PastFetcher, source_in
from tensorscope.session.rank_table import info_of, shown_ranks
from tensorscope.session.session import Changed, RankInfo, StepKind
from tensorscope.session.status import status_of_trace
from tensorscope.trace.snapshot import Snapshot


class ReplaySession:
    """Implements ``session.Session``."""

    is_live = False
    breakpoints: tuple[str, ...] = ()

    def __init__(self, path: Path) -> None:
        """Read the recording; raises TensorScopeError where there is none that can be read."""
        self.path = path = as_recording(path)
        with RecordingReader(path) as reader:
            traces = read_traces(reader)
        self._traces = {rank: traces[process] for rank, process in shown_ranks(traces).items()}
        self._first = min(self._traces)
        self._lock = Lock()
        self._snapshots: dict[int, Snapshot] = {}
        script = str(traces[0].facts.get("script") or self._traces[self._first].facts.get("script") or "")
        self.title = Path(script).name or path.name
        is_written = is_claimed(path)
        self.status = status_of_trace(traces[0] if traces[0].exit is not None else self._traces[self._first], is_written=is_written)
        self._ranks = tuple(info_of(rank, trace, status_of_trace(trace, is_written=is_written), is_live=False) for rank, trace in self._traces.items())
        self._events = sum(trace.rows for trace in self._traces.values())
        self._numbers = shown_ranks(traces)
        self._past = PastFetcher(source_in(path), lambda rank: (self._numbers[self._chosen(rank)], self._traces[self._chosen(rank)]), self._past_came)
        self._announcer = Announcer(self._describe)

    def ranks(self) -> tuple[RankInfo, ...]:
        return self._ranks

    def snapshot(self, rank: int | None = None) -> Snapshot:
        chosen = self._chosen(rank)
        with self._lock:
            if chosen not in self._snapshots:
                self._snapshots[chosen] = self._traces[chosen].snapshot()
            return self._snapshots[chosen]

    def listen(self, listener: Callable[[Changed], None]) -> Callable[[], None]:
        return self._announcer.listen(listener)

    def look_at(self, time_ns: int | None, rank: int | None = None) -> None:
        self._past.look_at(time_ns, rank)

    def keep_moment(self, time_ns: int, rank: int | None = None) -> None:
        """A recording keeps what it has."""

    def pause(self, rank: int | None = None) -> None:
        """A recording cannot be paused."""

    def step_node(self, rank: int | None = None) -> None:
        """A recording cannot be stepped."""

    def step(self, kind: StepKind, rank: int | None = None) -> None:
        """A recording cannot be stepped."""

    def set_breakpoints(self, specs: Sequence[str]) -> None:
        """A recording is not held."""

    def resume(self, rank: int | None = None) -> None:
        """A recording cannot go on."""

    def torchviz_picture(self, roots: int, rank: int | None = None) -> str:
        raise TensorScopeError(tr("torchviz draws live tensors, and a recording has none: export DOT instead."))

    def stop(self) -> None:
        """A recording has ended."""

    def save_as(self, path: Path) -> None:
        copy_recording(self.path, path)

    def close(self) -> None:
        self._past.close()
        self._announcer.close()

    def _chosen(self, rank: int | None) -> int:
        return rank if rank in self._traces and rank is not None else self._first

    def _past_came(self) -> None:
        with self._lock:
            self._snapshots.clear()
        self._announcer.poke()

    def _describe(self) -> Changed:
        return Changed(
            status=self.status,
            has_new_events=True,
            events=self._events,
            dropped_events=sum(trace.dropped_events for trace in self._traces.values()),
            overhead_ratio=self._traces[self._first].overhead_ratio(None),
            recording_bytes=self.path.stat().st_size if self.path.exists() else 0,
            past=self._past.note,
        )
