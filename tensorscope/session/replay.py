"""A session over a recording: everything is there from the start, and nothing can be stepped."""

from collections.abc import Callable
from pathlib import Path

from tensorscope.recording.copying import copy_recording
from tensorscope.recording.reader import RecordingReader, read_trace
from tensorscope.session.announcer import Announcer
from tensorscope.session.session import Changed, RankInfo, RunState, Status
from tensorscope.session.status import ended_as_told
from tensorscope.trace.snapshot import Snapshot


class ReplaySession:
    """Implements ``session.Session``."""

    is_live = False

    def __init__(self, path: Path) -> None:
        """Read the recording; raises TensorScopeError where there is none that can be read."""
        self.path = path
        with RecordingReader(path) as reader:
            trace = read_trace(reader)
        self._trace = trace
        self._snapshot = trace.snapshot()
        script = str(self._snapshot.facts.get("script") or "")
        self.title = Path(script).name or path.name
        exceptions = self._snapshot.exceptions
        told = self._snapshot.exit or {}
        code = int(told.get("code") or 0) or -int(told.get("signal") or 0)
        self.status = Status(RunState.REPLAY, ended_as_told(self._snapshot.exit, exceptions[-1] if exceptions else None), exit_code=code if told else None)
        self._events = sum(view.rows for view in self._snapshot.tables.values())
        self._announcer = Announcer(self._describe)

    def ranks(self) -> tuple[RankInfo, ...]:
        facts = self._snapshot.facts
        return (RankInfo(0, "rank 0", int(facts.get("pid") or 0), self.status, "", 0),)

    def snapshot(self, rank: int | None = None) -> Snapshot:
        return self._snapshot

    def listen(self, listener: Callable[[Changed], None]) -> Callable[[], None]:
        return self._announcer.listen(listener)

    def pause(self, rank: int | None = None) -> None:
        """A recording cannot be paused."""

    def step_node(self, rank: int | None = None) -> None:
        """A recording cannot be stepped."""

    def resume(self, rank: int | None = None) -> None:
        """A recording cannot go on."""

    def stop(self) -> None:
        """A recording has ended."""

    def save_as(self, path: Path) -> None:
        copy_recording(self.path, path)

    def close(self) -> None:
        self._announcer.close()

    def _describe(self) -> Changed:
        return Changed(
            status=self.status,
            has_new_events=True,
            events=self._events,
            dropped_events=self._snapshot.health.dropped_events,
            overhead_ratio=self._trace.overhead_ratio(None),
            recording_bytes=self.path.stat().st_size if self.path.exists() else 0,
        )
