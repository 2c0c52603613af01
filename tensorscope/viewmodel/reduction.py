"""Reduction of a step function with millions of steps to pixel columns that keeps the true minimum and maximum of every column.

Rows are grouped into cells whose extremes are known beforehand, so that a column costs its cells and the raw rows of the two cells at its ends.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from tensorscope.analysis.results import Ints

CELL: Final = 64


@dataclass(frozen=True, slots=True)
class Extremes:
    """Of each of [w] columns. A row of -1 means: before the first step, where the value is 0."""

    high: Ints
    high_row: Ints  # the first row with the column's maximum
    low: Ints


class StepCurve:
    """Value ``i`` holds from ``times_ns[i]`` to ``times_ns[i + 1]``; the last one holds on; before the first it is 0. Immutable."""

    def __init__(self, times_ns: Ints, values: Ints) -> None:
        self.times_ns = times_ns
        self.values = values
        padding = -len(values) % CELL
        self._padded: Ints = np.concatenate([values, np.full(padding, values[-1] if len(values) else 0, np.int64)]).astype(np.int64, copy=False)
        cells = self._padded.reshape(-1, CELL)
        self._cell_high_row: Ints = cells.argmax(axis=1) + np.arange(len(cells)) * CELL if len(cells) else np.empty(0, np.int64)
        self._cell_high: Ints = self._padded[self._cell_high_row]
        self._cell_low: Ints = cells.min(axis=1) if len(cells) else np.empty(0, np.int64)
        self.highest = int(self._cell_high.max()) if len(cells) else 0

    def value_at(self, time_ns: int) -> int:
        row = self.row_at(time_ns)
        return int(self.values[row]) if row >= 0 else 0

    def row_at(self, time_ns: int) -> int:
        """The row that holds at a moment, -1 before the first."""
        return int(np.searchsorted(self.times_ns, time_ns, "right")) - 1

    def extremes(self, edges_ns: Ints) -> Extremes:
        """Minimum and maximum in each column [edges_ns[j], edges_ns[j + 1]), the value carried into it included. ``edges_ns`` [w + 1] ascends."""
        carried: Ints = np.searchsorted(self.times_ns, edges_ns[:-1], "right").astype(np.int64) - 1
        value = np.where(carried >= 0, self.values[np.maximum(carried, 0)], 0) if len(self.values) else np.zeros(len(carried), np.int64)
        bounds: Ints = np.searchsorted(self.times_ns, edges_ns, "left").astype(np.int64)
        filled = np.flatnonzero(np.diff(bounds))
        high, low, row = value.copy(), value.copy(), carried.copy()
        if len(filled):
            inner = self._inner_extremes(bounds, filled)
            is_higher = inner.high > high[filled]
            high[filled] = np.maximum(high[filled], inner.high)
            row[filled] = np.where(is_higher, inner.high_row, row[filled])
            low[filled] = np.minimum(low[filled], inner.low)
        return Extremes(high, row, low)

    def _inner_extremes(self, bounds: Ints, filled: NDArray[np.intp]) -> Extremes:
        """Over the rows from ``bounds[j]`` to ``bounds[j + 1]`` of the columns that have any."""
        first = int(bounds[0]) // CELL
        last = -(-int(bounds[-1]) // CELL)
        is_split = np.zeros(last - first + 1, np.bool_)
        is_split[bounds[bounds % CELL != 0] // CELL - first] = True
        starts = np.concatenate([[0], np.cumsum(np.where(is_split, CELL, 1))])
        size = int(starts[last - first])
        whole, split = np.flatnonzero(~is_split[:-1]), np.flatnonzero(is_split[:-1])
        into = starts[split][:, None] + np.arange(CELL)
        rows = ((split + first) * CELL)[:, None] + np.arange(CELL)
        high, low, high_row = np.empty(size, np.int64), np.empty(size, np.int64), np.empty(size, np.int64)
        high[starts[whole]], high[into] = self._cell_high[whole + first], self._padded[rows]
        low[starts[whole]], low[into] = self._cell_low[whole + first], self._padded[rows]
        high_row[starts[whole]], high_row[into] = self._cell_high_row[whole + first], rows
        positions = starts[bounds // CELL - first] + bounds % CELL
        begins, end = positions[:-1][filled], int(positions[-1])
        maxima = np.maximum.reduceat(high[:end], begins)
        minima = np.minimum.reduceat(low[:end], begins)
        counts = np.diff(np.append(begins, end))
        hits = np.flatnonzero(high[begins[0] : end] == np.repeat(maxima, counts)) + begins[0]
        return Extremes(maxima, high_row[hits[np.searchsorted(hits, begins)]], minima)


def column_edges(begin_ns: int, end_ns: int, columns: int) -> Ints:
    """The borders of equal columns over a range, ns [columns + 1]."""
    return np.rint(np.linspace(begin_ns, end_ns, columns + 1)).astype(np.int64)
