"""The histograms of one row over time, ready to be painted: signed powers of two from top to bottom, zero in the middle."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

import numpy as np
from numpy.typing import NDArray

from tensorscope.analysis.gradient_histograms import POWERS, GradientHistograms
from tensorscope.analysis.results import Floats, Ints
from tensorscope.language import tr
from tensorscope.protocol.records import HISTOGRAM_POWERS
from tensorscope.units import format_count

_LEAST_POWERS: Final = 4


@dataclass(frozen=True, slots=True)
class Spread:
    """``shares`` [rows, samples]: the largest positive numbers in the first row, zeros in the middle one, the largest negative ones in the last."""

    iterations: Ints = field(default_factory=lambda: np.zeros(0, np.int64))  # of each sample, ascending
    shares: Floats = field(default_factory=lambda: np.zeros((0, 0)))
    nonfinite: Floats = field(default_factory=lambda: np.zeros(0))
    low_power: int = 0  # of the rows beside the middle one
    high_power: int = 0  # of the first and the last row

    @property
    def is_empty(self) -> bool:
        return not len(self.iterations)

    @property
    def rows(self) -> int:
        return int(self.shares.shape[0])

    def row_of(self, value: float) -> float:
        """The place of a number between the upper edge of the first row (0) and the lower edge of the last one."""
        middle = self.rows / 2
        if value == 0:
            return middle
        distance = 0.5 + np.log2(abs(value)) - self.low_power
        return float(middle - np.sign(value) * distance)

    def words(self) -> tuple[str, ...]:
        """When samples were taken, in short lines."""
        if self.is_empty:
            return ()
        return tr("{count} taken").format(count=format_count(len(self.iterations))), tr("last at {iteration}").format(iteration=f"{int(self.iterations[-1]):,}")

    def samples_at(self, iterations: NDArray[np.float64], width: float) -> tuple[NDArray[np.intp], NDArray[np.bool_]]:
        """For pixel columns that begin at ``iterations`` and are ``width`` wide: the newest sample up to each (-1: none), and whether it lies in the column."""
        newest = np.searchsorted(self.iterations, iterations + max(width, 1e-9), side="left") - 1
        is_there = newest >= 0
        is_inside = is_there & (self.iterations[newest.clip(min=0)] + 1 > iterations)
        return newest, is_inside


def spread_of(histograms: GradientHistograms) -> Spread:
    """Only the powers that occur."""
    if not len(histograms):
        return Spread()
    by_power = histograms.bins[:, POWERS:] + histograms.bins[:, POWERS - 1 :: -1]
    used = np.flatnonzero(by_power.any(axis=0))
    low, high = (int(used[0]), int(used[-1])) if len(used) else (POWERS // 2, POWERS // 2)
    while high - low + 1 < _LEAST_POWERS:
        low, high = max(low - 1, 0), min(high + 1, POWERS - 1)
    positive = histograms.bins[:, POWERS + low : POWERS + high + 1][:, ::-1]
    negative = histograms.bins[:, POWERS - 1 - high : POWERS - low][:, ::-1]
    shares = np.concatenate([positive, histograms.zeros[:, None], negative], axis=1).T
    return Spread(histograms.iteration, np.ascontiguousarray(shares), histograms.nonfinite, HISTOGRAM_POWERS[0] + low, HISTOGRAM_POWERS[0] + high)
