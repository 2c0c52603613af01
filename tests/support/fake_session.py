"""A session over a snapshot that a test made, whose state the test sets."""

from collections.abc import Callable, Sequence
from pathlib import Path

from tensorscope.session.session import Changed, RankInfo, RunState, Status, StepKind
from tensorscope.trace.snapshot import Snapshot


class FakeSession:
    """Notes what it was asked to do in ``asked``."""

    def __init__(self, snapshot: Snapshot, status: Status | None = None, title: str = "train.py --bs 8", *, is_live: bool = True) -> None:
        self.path = Path("run.tscope")
        self.title = title
        self.is_live = is_live
        self.status = status or status_of(snapshot)
        self.asked: list[str] = []
        self.breakpoints: tuple[str, ...] = ()
        self.current = snapshot
        self.listeners: list[Callable[[Changed], None]] = []
        self.more_ranks: tuple[RankInfo, ...] = ()
        self.of_rank: dict[int, Snapshot] = {}

    def ranks(self) -> tuple[RankInfo, ...]:
        return (RankInfo(0, "rank 0", 4321, self.status, "cpu", 0), *self.more_ranks)

    def snapshot(self, rank: int | None = None) -> Snapshot:
        return self.of_rank.get(rank or 0, self.current)

    def listen(self, listener: Callable[[Changed], None]) -> Callable[[], None]:
        self.listeners.append(listener)
        listener(self.change())
        return lambda: self.listeners.remove(listener)

    def tell(self, status: Status | None = None, snapshot: Snapshot | None = None) -> None:
        """Become something else and say so."""
        self.status = status or self.status
        self.current = snapshot or self.current
        for listener in tuple(self.listeners):
            listener(self.change())

    def change(self) -> Changed:
        events = sum(len(table) for table in self.current.tables.values())
        return Changed(self.status, True, events, self.current.health.dropped_events, 1.12, 61_200_000)

    def look_at(self, time_ns: int | None, rank: int | None = None) -> None:
        """Everything is here."""

    def keep_moment(self, time_ns: int, rank: int | None = None) -> None:
        self.asked.append(f"keep {time_ns}")

    def pause(self, rank: int | None = None) -> None:
        self.asked.append("pause")

    def step_node(self, rank: int | None = None) -> None:
        self.asked.append("step_node")

    def step(self, kind: StepKind, rank: int | None = None) -> None:
        self.asked.append(f"step {kind}")

    def set_breakpoints(self, specs: Sequence[str]) -> None:
        self.breakpoints = tuple(specs)

    def resume(self, rank: int | None = None) -> None:
        self.asked.append("resume")

    def stop(self) -> None:
        self.asked.append("stop")

    def save_as(self, path: Path) -> None:
        self.asked.append(f"save_as {path}")

    def close(self) -> None:
        self.asked.append("close")


def status_of(snapshot: Snapshot) -> Status:
    """Held if the snapshot's last message says so, else ended."""
    if snapshot.holds and snapshot.exit is None:
        held = dict(snapshot.holds[-1])
        return Status(RunState.HELD, f"Held before node {held['position'] + 1} of {held['count']}", held)
    return Status(RunState.ENDED, "Ended, exit code 0", exit_code=0)
