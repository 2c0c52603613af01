"""Which of the watched processes are ranks, under which number and label."""

from collections.abc import Mapping
from itertools import count
from threading import Lock
from typing import Any

from tensorscope.language import tr
from tensorscope.session.session import RankInfo, RunState, Status
from tensorscope.session.watched import WatchedProcess, since_ns
from tensorscope.trace.trace import Trace


def shown_ranks(traces: Mapping[int, Trace]) -> dict[int, int]:
    """The process of each rank, by the rank's number, in order. Never empty: where no process says that it is one, the first stands for them."""
    found = {}
    for process, trace in sorted(traces.items()):
        rank = trace.facts.get("rank", 0 if process == 0 else None)
        if isinstance(rank, int):
            found[rank] = process
    return dict(sorted(found.items())) or {0: min(traces)}


def label_of(rank: int, facts: Mapping[str, Any]) -> str:
    """``rank 1`` where the job numbers its processes so, else ``process 1``. A number that another has had already does not tell enough."""
    distributed = facts.get("distributed_rank")
    if distributed is None:
        return tr("process {rank}").format(rank=rank) if "distributed_rank" in facts else tr("rank {rank}").format(rank=rank)
    return (
        tr("rank {rank}").format(rank=rank)
        if distributed == rank
        else tr("rank {distributed}, process {pid}").format(distributed=distributed, pid=facts.get("pid"))
    )


def info_of(rank: int, trace: Trace, status: Status, *, is_live: bool) -> RankInfo:
    facts = trace.facts
    quiet_ns = since_ns(trace.newest_ns) if is_live else 0
    return RankInfo(rank, label_of(rank, facts), int(facts.get("pid") or 0), status, trace.device, quiet_ns, trace.backward_count)


class RankTable:
    """The processes of a live session. Any thread."""

    def __init__(self, launched: WatchedProcess) -> None:
        self._launched = launched
        self._processes: tuple[WatchedProcess, ...] = (launched,)
        self._lock = Lock()

    def admit(self, process: WatchedProcess, place: Mapping[str, Any]) -> None:
        """A process trains: it has a rank from now on, its own where that is free. ``place`` is what its ``trains`` told.

        The launched process stands for the job only until one trains.
        """
        with self._lock:
            wanted = place.get("rank")
            taken = {rank for rank, other in self.by_rank.items() if other is not process and other.trains}
            rank = wanted if isinstance(wanted, int) and wanted not in taken else next(number for number in count() if number not in taken)
            process.trains = True
            if not self._launched.trains:
                self._launched.add_message({"type": "facts", "rank": None})
            if process.number is None:
                process.admit(len(self._processes))
            told = {name: place.get(name) for name in ("local_rank", "world_size")}
            origin_ns = self._launched.trace.facts.get("begin_ns")
            process.add_message({"type": "facts", "rank": rank, "distributed_rank": wanted, **told, "origin_ns": origin_ns})
            if process not in self._processes:
                self._processes += (process,)

    @property
    def processes(self) -> tuple[WatchedProcess, ...]:
        """All that are recorded, in the order in which they came."""
        return self._processes

    @property
    def by_rank(self) -> dict[int, WatchedProcess]:
        processes = dict(enumerate(self._processes))  # a process's number is its place here
        return {rank: processes[number] for rank, number in shown_ranks({number: process.trace for number, process in processes.items()}).items()}

    def process(self, rank: int | None) -> WatchedProcess:
        """The process of a rank; the first one's where there is no such rank."""
        by_rank = self.by_rank
        return by_rank.get(min(by_rank) if rank is None else rank) or by_rank[min(by_rank)]

    def numbered(self, rank: int | None) -> tuple[int, Trace]:
        """A rank's process number, and its trace."""
        process = self.process(rank)
        return process.number or 0, process.trace

    def chosen(self, rank: int | None) -> tuple[WatchedProcess, ...]:
        """All ranks' processes, or the one of a rank."""
        return tuple(self.by_rank.values()) if rank is None else (self.process(rank),)

    def infos(self, phase: Status | None) -> tuple[RankInfo, ...]:
        """How each rank stands; ``phase`` is the whole session's where that is not up to the ranks."""
        infos = []
        for rank, process in self.by_rank.items():
            is_own = phase is None or (process.has_ended and process is not self._launched)
            infos.append(info_of(rank, process.trace, process.status if is_own or phase is None else phase, is_live=phase is None and not process.has_ended))
        return tuple(infos)

    @property
    def status(self) -> Status:
        """The most telling status of a rank: held before pausing before running."""
        statuses = [process.status for process in self.by_rank.values()]
        order = (RunState.HELD, RunState.PAUSING)
        return min(statuses, key=lambda status: order.index(status.state) if status.state in order else len(order))

    @property
    def events(self) -> int:
        return sum(process.events for process in self._processes)

    @property
    def dropped_events(self) -> int:
        return sum(process.trace.dropped_events for process in self._processes)

    @property
    def counters(self) -> dict[int, tuple[int, int]]:
        """Events dropped and own cost in ns, by the number of the process."""
        return {number: (process.trace.dropped_events, process.trace.cost_ns) for number, process in enumerate(self._processes)}
