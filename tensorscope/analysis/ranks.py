"""Comparisons across the ranks of one job, each a pure function over a snapshot a rank."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np

from tensorscope.analysis.gradients import gradient_table
from tensorscope.analysis.memory import devices, memory_timeline
from tensorscope.analysis.rank_times import Ranks, are_one_job, is_slow, rank_times, usual_ns
from tensorscope.protocol.records import GradientStage
from tensorscope.trace.snapshot import Snapshot

TOLERANCE: Final = 1e-6  # relative: all-reduced gradients are equal to the bit, and our sums of squares run in one order
COLLECTIVES: Final = ("all_reduce", "allreduce")


@dataclass(frozen=True, slots=True)
class Desynchronised:
    """A parameter whose gradients, though reduced over all ranks, differ between them."""

    parameter: str
    iteration: int  # the first one
    norms: Mapping[int, float]  # by rank


@dataclass(frozen=True, slots=True)
class RankCosts:
    """What one rank takes; of the own time see ``RankTimes``."""

    iterations: int
    iteration_ns: int | None  # median
    own_ns: int | None  # median
    peak_bytes: Mapping[str, int]  # by device
    is_straggler: bool  # the others of its job wait for it


def reduces_gradients(snapshot: Snapshot) -> bool:
    """Whether the rank reduces tensors over all ranks, as data-parallel training does."""
    return any(word in name for name in snapshot.strings.values() for word in COLLECTIVES)


def desynchronised(ranks: Ranks) -> tuple[Desynchronised, ...]:
    """The parameters whose gradients differ between ranks that reduce them, each with the first iteration at which they do."""
    if len(ranks) < 2 or not all(reduces_gradients(snapshot) for snapshot in ranks.values()):
        return ()
    norms = {rank: _last_norms(snapshot) for rank, snapshot in ranks.items()}
    found: dict[str, Desynchronised] = {}
    for iteration, parameter in sorted(set.intersection(*(set(of_rank) for of_rank in norms.values()))):
        values = {rank: of_rank[iteration, parameter] for rank, of_rank in norms.items()}
        low, high = min(values.values()), max(values.values())
        if high - low > TOLERANCE * max(high, 1e-300) and parameter not in found:
            found[parameter] = Desynchronised(parameter, iteration, values)
    return tuple(found.values())


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


def _last_norms(snapshot: Snapshot) -> dict[tuple[int, str], float]:
    """Raw norms by iteration and parameter: those of the iteration's last backward, which is the one that reduces where gradients accumulate."""
    table = gradient_table(snapshot)
    rows = np.flatnonzero((table.stage == GradientStage.RAW) & np.isfinite(table.norm))
    rows = rows[np.argsort(table.backward[rows], kind="stable")]
    return {(int(table.iteration[row]), table.parameters[int(table.parameter[row])]): float(table.norm[row]) for row in rows}
