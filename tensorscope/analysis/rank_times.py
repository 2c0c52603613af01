"""How long the iterations of each rank took, what of that was its own work, and in which of them the others had to wait for it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from tensorscope.analysis.iterations import backward_spans, iteration_at, iteration_bounds
from tensorscope.analysis.own_time import OwnTime
from tensorscope.analysis.results import Floats, Ints
from tensorscope.trace.schema import NODES
from tensorscope.trace.snapshot import Snapshot

Ranks = Mapping[int, Snapshot]
SLOW: Final = 1.2  # times the median of the others'
SLOW_SHARE: Final = 0.1  # of the iteration: the least by which it is longer
NEAR_SLOWEST: Final = 0.9  # of the longest own time: all wait for the slowest rank, not for one that is merely slower than usual


@dataclass(frozen=True, slots=True)
class RankTimes:
    """The ended iterations of one rank, ascending [n]; run time in ns, TensorScope's own time taken out of the durations.

    Data-parallel training waits for the others when the last node of a backward has run: ``own_ns`` is the iteration without that, nan where the nodes
    are not on record any more.
    """

    index: Ints
    begin_ns: Ints
    end_ns: Ints
    whole_ns: Floats
    own_ns: Floats


def are_one_job(ranks: Ranks) -> bool:
    """Whether they are ranks of one distributed job: each has a number of its own in a world of one size. Independent processes are not compared."""
    facts = [snapshot.facts for snapshot in ranks.values()]
    numbers = [fact.get("distributed_rank") for fact in facts]
    sizes = {fact.get("world_size") for fact in facts}
    return len(facts) > 1 and None not in numbers and len(set(numbers)) == len(numbers) and len(sizes) == 1 and None not in sizes


def rank_times(snapshot: Snapshot) -> RankTimes:
    bounds = [bound for bound in iteration_bounds(snapshot) if bound[3]]
    index, begin, end = (np.array([bound[place] for bound in bounds], np.int64) for place in range(3))
    own = OwnTime.of(snapshot)
    whole = (end - begin - own.within_all(begin, end)).astype(np.float64)
    return RankTimes(index, begin, end, whole, np.maximum(whole - _waits(snapshot, index, bounds), 0))


def usual_ns(values: Floats) -> float | None:
    """The median of what is known, without the first iteration, which warms up; None where nothing is."""
    known = values[1:] if len(values) > 1 else values
    known = known[np.isfinite(known)]
    return float(np.median(known)) if len(known) else None


def slow_iterations(times: Mapping[int, RankTimes]) -> dict[int, Ints]:
    """By rank the numbers of the iterations in which its own work took much longer than the others'. Of ranks of one job."""
    numbers = np.unique(np.concatenate([one.index for one in times.values()])) if times else np.empty(0, np.int64)
    own, whole = np.full((len(times), len(numbers)), np.nan), np.full((len(times), len(numbers)), np.nan)
    for row, one in enumerate(times.values()):
        at = np.searchsorted(numbers, one.index)
        own[row, at], whole[row, at] = one.own_ns, one.whole_ns
    return {rank: numbers[_is_slow(own, whole, row)] for row, rank in enumerate(times)}


def is_slow(own_ns: Mapping[int, float | None], whole_ns: Mapping[int, float | None], rank: int) -> bool:
    """Whether a rank's own time stands out from those of the others."""
    ranks = list(own_ns)
    own, whole = (np.array([[np.nan if of[one] is None else of[one]] for one in ranks], np.float64) for of in (own_ns, whole_ns))
    return bool(_is_slow(own, whole, ranks.index(rank))[0])


def _is_slow(own: Floats, whole: Floats, row: int) -> NDArray[np.bool_]:
    """Of [ranks, n] the row's columns [n]; False where nothing is known to compare with."""
    others = np.delete(own, row, axis=0)
    is_known = np.isfinite(own[row]) & np.isfinite(others).any(axis=0)
    usual = np.full(own.shape[1], np.inf)
    if is_known.any():
        usual[is_known] = np.nanmedian(others[:, is_known], axis=0)
    with np.errstate(invalid="ignore"):
        stands_out = (own[row] > SLOW * usual) & (own[row] - usual > SLOW_SHARE * whole[row])
        slowest = np.max(others, axis=0, initial=0, where=np.isfinite(others))
        return np.asarray(is_known & stands_out & (own[row] >= NEAR_SLOWEST * slowest), np.bool_)


def _waits(snapshot: Snapshot, index: Ints, bounds: list[tuple[int, int, int, bool]]) -> Floats:
    """Per iteration the time in its backwards after their last node [n]; nan where a backward's nodes are not on record."""
    spans = backward_spans(snapshot)
    waits = np.zeros(len(index))
    if not spans or not len(index):
        return waits
    ids, begins, ends = (np.array([span[place] for span in spans], np.int64) for place in range(3))
    nodes = snapshot.table(NODES)
    of_node = nodes.column("backward").astype(np.int64)
    last = np.full(int(max(ids.max(), of_node.max(initial=0))) + 1, -1, np.int64)
    np.maximum.at(last, of_node, nodes.column("end_ns").astype(np.int64))
    waited = np.where(last[ids] >= begins, ends - last[ids], np.nan)
    at = iteration_at(bounds, begins)
    is_inside = at >= 0
    np.add.at(waits, np.searchsorted(index, at[is_inside]), waited[is_inside])
    return waits
