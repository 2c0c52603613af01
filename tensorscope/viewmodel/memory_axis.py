"""The event axis of the memory timeline: every change of the curve as wide as the next, so that idle time takes no room.

A place counts thousandths of a step of the curve, from 0 before the first. Between two steps places and times go evenly.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Final

import numpy as np

from tensorscope.analysis.results import Floats, Ints
from tensorscope.viewmodel.ticks import Tick, time_decimals
from tensorscope.viewmodel.timeline_range import Range, panned, zoomed

_PLACES: Final = 1000  # a step


@dataclass(frozen=True, slots=True)
class EventAxis:
    """``times_ns`` [t] of the curve's steps, each after the one before."""

    times_ns: Ints

    @classmethod
    def of(cls, times_ns: Ints) -> EventAxis:
        """Of ascending times; those that are equal are one step."""
        return cls(times_ns[np.concatenate(([True], times_ns[1:] != times_ns[:-1]))] if len(times_ns) else times_ns)

    def place_of(self, time_ns: int) -> int:
        last = len(self.times_ns) - 1
        step = min(max(int(np.searchsorted(self.times_ns, time_ns, "right")) - 1, 0), max(last - 1, 0))
        if last < 1:
            return 0
        begin, end = int(self.times_ns[step]), int(self.times_ns[step + 1])
        return round((step + min(max((time_ns - begin) / (end - begin), 0.0), 1.0)) * _PLACES)

    def ns_of(self, place: int) -> int:
        return int(self._times_at(np.array([place / _PLACES]))[0]) if len(self.times_ns) else 0

    def edges(self, range_ns: Range, columns: int) -> Ints:
        """The borders of columns that hold equally many steps, ns [columns + 1], each after the one before."""
        begin, end = self.place_of(range_ns[0]) / _PLACES, self.place_of(range_ns[1]) / _PLACES
        evenly = self._times_at(np.linspace(begin, max(end, begin + 1 / _PLACES), columns + 1))
        own = np.arange(columns + 1)
        ascending: Ints = np.maximum.accumulate(evenly - own) + own
        return ascending

    def _times_at(self, steps: Floats) -> Ints:
        """Moments at steps [n], of which parts count."""
        last = len(self.times_ns) - 1
        if last < 1:
            return np.full(len(steps), self.times_ns[0], np.int64)
        steps = np.clip(steps, 0, last)
        whole = np.minimum(steps.astype(np.int64), last - 1)
        begin, end = self.times_ns[whole], self.times_ns[whole + 1]
        times: Ints = begin + np.rint((end - begin) * (steps - whole)).astype(np.int64)
        return times

    def zoomed(self, range_ns: Range, at_ns: int, factor: float, whole_ns: Range) -> Range:
        return self._back(zoomed(self._places(range_ns), self.place_of(at_ns), factor, self._places(whole_ns)))

    def panned(self, range_ns: Range, share: float, whole_ns: Range) -> Range:
        """By a share of what is shown."""
        places = self._places(range_ns)
        return self._back(panned(places, round(share * (places[1] - places[0])), self._places(whole_ns)))

    def _places(self, range_ns: Range) -> Range:
        return self.place_of(range_ns[0]), max(self.place_of(range_ns[1]), self.place_of(range_ns[0]) + 1)

    def _back(self, places: Range) -> Range:
        begin, end = self.ns_of(places[0]), self.ns_of(places[1])
        return begin, max(end, begin + 1)


def event_ticks(edges_ns: Ints, most: int) -> tuple[Tick, ...]:
    """Moments at even distances over the columns, with decimals enough to tell them apart."""
    places = np.linspace(0, len(edges_ns) - 1, max(most, 2) + 1).astype(np.int64)[:-1]
    times = edges_ns[places].tolist()
    nearest = min((after - before for before, after in pairwise(times) if after > before), default=1)
    decimals = min(time_decimals(0, nearest), 6)
    return tuple(Tick(time, f"{time / 1e9:,.{decimals}f}") for time in times)
