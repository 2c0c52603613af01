"""What every session offers to the window and the commands."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import Any, Protocol

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


class Session(Protocol):
    path: Path  # the recording
    title: str

    @property
    def is_live(self) -> bool: ...
    @property
    def status(self) -> Status: ...
    def snapshot(self) -> Snapshot: ...
    def listen(self, listener: Callable[[Changed], None]) -> Callable[[], None]:
        """Register; returns a function that unregisters."""
        ...

    def pause(self) -> None: ...
    def step_node(self) -> None: ...
    def resume(self) -> None: ...
    def stop(self) -> None: ...
    def save_as(self, path: Path) -> None: ...
    def close(self) -> None:
        """Detach from the script (it runs on), close the recording, join every thread. Idempotent."""
        ...
