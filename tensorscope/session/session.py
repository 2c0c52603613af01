"""What every session offers to the window and the commands."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import Any, Literal, Protocol

from tensorscope.trace.snapshot import Snapshot


class RunState(Enum):
    STARTING = "starting"
    BUILDING = "building"  # the probe is being compiled
    RUNNING = "running"
    PAUSING = "pausing"  # pause asked for, no node reached yet
    HELD = "held"
    ENDED = "ended"
    CRASHED = "crashed"  # exception, signal or kill
    REPLAY = "replay"  # a recording
    GONE = "gone"  # of an attached job: the host or the connection; what came is shown


StepKind = Literal["node", "module", "out", "iteration"]


@dataclass(frozen=True, slots=True)
class Status:
    state: RunState
    text: str  # such as "Held before node 192 of 531", "Ended, exit code 0", "Ended by ValueError, train.py:61"
    held: dict[str, Any] | None = None  # the ``held`` message
    exit_code: int | None = None


@dataclass(frozen=True, slots=True)
class Changed:
    """Something new is there: passed to listeners in batches, at most 30 times a second, on a thread of the session."""

    status: Status
    has_new_events: bool
    events: int
    dropped_events: int
    overhead_ratio: float | None
    recording_bytes: int
    warning: str = ""  # a sentence on what went wrong beside the run (the disk is full), "" while nothing did
    memory_bytes: int = 0  # what this process keeps of the run; 0: not known here
    past: str = ""  # a sentence on detail that the moment looked at (``look_at``) lacks, "" where it lacks none


@dataclass(frozen=True, slots=True)
class RankInfo:
    """One watched process of the job that trains, and how it stands."""

    rank: int  # as ``snapshot`` takes it and ``query --rank`` names it: the distributed rank where that is known and free, else the next number
    label: str  # such as "rank 1"
    pid: int  # 0: unknown
    status: Status
    device: str  # the one it computes on, such as "cpu" or "cuda:1"; "" while unknown
    quiet_ns: int  # time since anything was heard of it; 0 once it has ended
    backwards: int = 0  # begun so far: the rank for which the others wait has begun the fewest


class Session(Protocol):
    """``rank`` None means all of them where something is asked for, and the first one where something is given."""

    path: Path  # the recording
    title: str

    @property
    def is_live(self) -> bool: ...
    @property
    def breakpoints(self) -> tuple[str, ...]:
        """Those that it began with or was given last."""
        ...

    @property
    def status(self) -> Status: ...
    def ranks(self) -> tuple[RankInfo, ...]:
        """The ranks by their number, never none: until another process trains, the launched one is rank 0."""
        ...

    def snapshot(self, rank: int | None = None) -> Snapshot:
        """The trace of one rank as it is now; of the first one where there is no such rank."""
        ...

    def listen(self, listener: Callable[[Changed], None]) -> Callable[[], None]:
        """Register; returns a function that unregisters."""
        ...

    def look_at(self, time_ns: int | None, rank: int | None = None) -> None:
        """The user looks at this run time (None: at now): detail of it that is not here is fetched, and told as new events. Returns at once."""
        ...

    def keep_moment(self, time_ns: int, rank: int | None = None) -> None:
        """The user marked this run time: the detail of its iteration is kept when others lose it."""
        ...

    def pause(self, rank: int | None = None) -> None: ...
    def step_node(self, rank: int | None = None) -> None: ...
    def step(self, kind: StepKind, rank: int | None = None) -> None:
        """Let a held node run, and on until the step is over; while running: pause."""
        ...

    def set_breakpoints(self, specs: Sequence[str]) -> None:
        """Hold before the nodes that fit any of these (``protocol.breakpoints``), in place of those before. A recording does not mind."""
        ...

    def resume(self, rank: int | None = None) -> None: ...
    def torchviz_picture(self, roots: int, rank: int | None = None) -> str:
        """torchviz's own picture of the backward that is held, as DOT; ``roots``: how many it began with. Waits for the script's process: not on a GUI
        thread. Raises TensorScopeError with a sentence where there is none."""
        ...

    def stop(self) -> None: ...
    def save_as(self, path: Path) -> None: ...
    def close(self) -> None:
        """Detach from the script (it runs on), close the recording, join every thread. Idempotent."""
        ...
