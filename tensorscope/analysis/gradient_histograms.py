"""How the elements of gradients were spread over the signed powers of two, whenever the probe took a sample."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Final

import numpy as np

from tensorscope.analysis.gradients import parameter_name
from tensorscope.analysis.iterations import iteration_at, iteration_bounds
from tensorscope.analysis.results import Floats, Ints, Iteration
from tensorscope.protocol.records import HISTOGRAM_POWERS, HISTOGRAM_ROW_BINS
from tensorscope.trace.schema import HISTOGRAMS
from tensorscope.trace.snapshot import Snapshot

POWERS: Final = HISTOGRAM_POWERS[1] - HISTOGRAM_POWERS[0] + 1
BINS: Final = 2 * POWERS


@dataclass(frozen=True, slots=True)
class GradientHistograms:
    """Samples of several gradients together, one a moment [h], in order. Bins stand in the order of the numbers: see ``HISTOGRAM_POWERS``."""

    iteration: Ints
    backward: Ints
    time_ns: Ints
    bins: Floats  # [h, BINS] share of the sampled elements
    zeros: Floats  # [h] share of them that are 0
    nonfinite: Floats  # [h] share of them that are not finite
    sampled: Ints  # [h] elements that were looked at

    def __len__(self) -> int:
        return len(self.iteration)


def gradient_histograms(
    snapshot: Snapshot, names: Collection[str], stage: int, bounds: tuple[Iteration, ...] | tuple[tuple[int, int, int, bool], ...] | None = None
) -> GradientHistograms:
    """Of the parameters ``names`` in a stage; several count together, each by how many elements were sampled of it."""
    table = snapshot.table(HISTOGRAMS)
    wanted = [identity for identity in np.unique(table.column("parameter")).tolist() if parameter_name(snapshot, int(identity)) in names]
    rows = np.flatnonzero((table.column("stage") == stage) & np.isin(table.column("parameter"), wanted))
    rows = rows[np.lexsort((table.column("row")[rows], table.column("parameter")[rows], table.column("time_ns")[rows]))]
    backward = table.column("backward")[rows].astype(np.int64)
    moments, moment = np.unique(backward, return_inverse=True)
    counts = np.zeros((len(moments), BINS))
    for place in range(HISTOGRAM_ROW_BINS):
        np.add.at(counts, (moment, table.column("row")[rows].astype(np.int64) * HISTOGRAM_ROW_BINS + place), table.column(f"count{place}")[rows])
    is_first = table.column("row")[rows] == 0  # zeros, sampled and nonfinite stand in each row; the first one is always there
    sampled, zeros, nonfinite = (
        np.bincount(moment[is_first], weights=table.column(name)[rows][is_first], minlength=len(moments)) for name in ("sampled", "zeros", "nonfinite")
    )
    time = np.zeros(len(moments), np.int64)
    np.maximum.at(time, moment, table.column("time_ns")[rows].astype(np.int64))
    number = iteration_at(iteration_bounds(snapshot) if bounds is None else bounds, time)
    whole = np.maximum(sampled, 1)
    return GradientHistograms(
        iteration=np.maximum(number, 0),
        backward=np.maximum(moments - 1, 0),
        time_ns=time,
        bins=counts / whole[:, None],
        zeros=zeros / whole,
        nonfinite=nonfinite / whole,
        sampled=sampled.astype(np.int64),
    )


def edges_of(bins: slice) -> tuple[float, float]:
    """The lowest and the highest number of a run of bins."""
    low, high = bins.start, bins.stop
    return _edge(low), _edge(high)


def _edge(place: int) -> float:
    """The number at the lower border of a bin; the middle border is 0."""
    if place == POWERS:
        return 0.0
    if place < POWERS:
        return float(-(2.0 ** (HISTOGRAM_POWERS[1] + 1 - place)))
    return float(2.0 ** (HISTOGRAM_POWERS[0] + place - POWERS))
