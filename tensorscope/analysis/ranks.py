"""Comparisons across the ranks of one job, each a pure function over a snapshot a rank."""

from collections.abc import Mapping
from dataclasses import dataclass
from statistics import median
from typing import Final

import numpy as np

from tensorscope.analysis.gradients import gradient_table
from tensorscope.analysis.iterations import iterations
from tensorscope.analysis.memory import devices, memory_timeline
from tensorscope.protocol.records import GradientStage
from tensorscope.trace.snapshot import Snapshot

Ranks = Mapping[int, Snapshot]
TOLERANCE: Final = 1e-6  # relative: all-reduced gradients are equal to the bit, and our sums of squares run in one order
SLOW: Final = 1.2
MOST_SKIPPED: Final = 1  # the first iteration warms up
COLLECTIVES: Final = ("all_reduce", "allreduce")


@dataclass(frozen=True, slots=True)
class Desynchronised:
    """A parameter whose gradients, though reduced over all ranks, differ between them."""

    parameter: str
    iteration: int  # the first one
    norms: Mapping[int, float]  # by rank


@dataclass(frozen=True, slots=True)
class RankCosts:
    """What one rank takes. The own time of an iteration is its forward and optimizer: in the backward it may wait for others."""

    iterations: int
    iteration_ns: int | None  # median
    own_ns: int | None  # median
    peak_bytes: Mapping[str, int]  # by device
    is_straggler: bool


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
    """Iteration times and peaks by rank; a straggler's own time is over SLOW times the median of the others'."""
    own: dict[int, int | None] = {}
    whole: dict[int, int | None] = {}
    counts: dict[int, int] = {}
    for rank, snapshot in ranks.items():
        ended = [one for one in iterations(snapshot) if one.is_ended]
        counts[rank] = len(ended)
        warm = ended[MOST_SKIPPED:] or ended
        own[rank] = round(median(one.forward_ns + one.optimizer_ns for one in warm)) if warm else None
        whole[rank] = round(median(one.end_ns - one.begin_ns for one in warm)) if warm else None
    return {rank: RankCosts(counts[rank], whole[rank], own[rank], _peaks(snapshot), _is_slow(rank, own)) for rank, snapshot in ranks.items()}


def _is_slow(rank: int, own: Mapping[int, int | None]) -> bool:
    others = [ns for other, ns in own.items() if other != rank and ns is not None]
    mine = own[rank]
    return mine is not None and bool(others) and mine > SLOW * median(others)


def _peaks(snapshot: Snapshot) -> dict[str, int]:
    curves = {device: memory_timeline(snapshot, device).allocated_bytes for device in devices(snapshot)}
    return {device: int(curve.max(initial=0)) for device, curve in curves.items() if curve is not None}


def _last_norms(snapshot: Snapshot) -> dict[tuple[int, str], float]:
    """Raw norms by iteration and parameter: those of the iteration's last backward, which is the one that reduces where gradients accumulate."""
    table = gradient_table(snapshot)
    rows = np.flatnonzero((table.stage == GradientStage.RAW) & np.isfinite(table.norm))
    rows = rows[np.argsort(table.backward[rows], kind="stable")]
    return {(int(table.iteration[row]), table.parameters[int(table.parameter[row])]): float(table.norm[row]) for row in rows}
