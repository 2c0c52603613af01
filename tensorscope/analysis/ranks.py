"""What each rank of a job takes, time and memory, and which of them the others wait for."""

from collections.abc import Mapping
from dataclasses import dataclass

from tensorscope.analysis.memory import devices, memory_timeline
from tensorscope.analysis.rank_times import Ranks, are_one_job, is_slow, rank_times, usual_ns
from tensorscope.trace.snapshot import Snapshot


@dataclass(frozen=True, slots=True)
class RankCosts:
    """What one rank takes; of the own time see ``RankTimes``."""

    iterations: int
    iteration_ns: int | None  # median
    own_ns: int | None  # median
    peak_bytes: Mapping[str, int]  # by device
    is_straggler: bool  # the others of its job wait for it


def rank_costs(ranks: Ranks) -> dict[int, RankCosts]:
    """Iteration times and peaks by rank; a straggler's own time stands out from the others' of the same job."""
    own: dict[int, float | None] = {}
    whole: dict[int, float | None] = {}
    counts: dict[int, int] = {}
    for rank, snapshot in ranks.items():
        times = rank_times(snapshot)
        counts[rank] = len(times.index)
        whole[rank], own[rank] = usual_ns(times.whole_ns), usual_ns(times.own_ns)
    is_job = are_one_job(ranks)
    return {
        rank: RankCosts(counts[rank], _rounded(whole[rank]), _rounded(own[rank]), _peaks(snapshot), is_job and is_slow(own, whole, rank))
        for rank, snapshot in ranks.items()
    }


def _rounded(value: float | None) -> int | None:
    return None if value is None else round(value)


def _peaks(snapshot: Snapshot) -> dict[str, int]:
    curves = {device: memory_timeline(snapshot, device).allocated_bytes for device in devices(snapshot)}
    return {device: int(curve.max(initial=0)) for device, curve in curves.items() if curve is not None}
