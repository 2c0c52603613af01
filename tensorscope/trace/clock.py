"""From the debuggee's monotonic clock to run time: nanoseconds since the script's start, with the time it stood still for us taken out.

It stands still in holds, and while a tracker of ours takes a long look (at its storages, at a new graph). A moment inside is the moment that began.
"""

from bisect import bisect_right
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

Interval = tuple[int, int]
FOREVER: Final = 2**62
LONG_LOOK_NS: Final = 1_000_000  # shorter spans of a tracker stay in the axis: they are told as cost
MAX_LOOKS: Final = 4096


@dataclass(frozen=True, slots=True)
class ClockView:
    """The clock as known at one moment. Holds are disjoint and in order; one that still lasts ends at FOREVER."""

    begin_ns: int
    holds: tuple[Interval, ...] = ()

    def run_time(self, monotonic_ns: int) -> int:
        """Run time of one moment. 0 means "not yet" and stays 0."""
        if monotonic_ns == 0:
            return 0
        index = bisect_right(self.holds, (monotonic_ns, FOREVER))
        held = sum(end - begin for begin, end in self.holds[: index - 1]) if index else 0
        if index:
            begin, end = self.holds[index - 1]
            held += min(monotonic_ns, end) - begin
        return monotonic_ns - self.begin_ns - held

    def monotonic(self, run_ns: int) -> int:
        """The moment of a run time; of the end of a hold and its begin, which have the same, the begin."""
        moment = run_ns + self.begin_ns
        for begin, end in self.holds:
            if moment <= begin or end == FOREVER:
                break
            moment += end - begin
        return moment

    def run_times(self, monotonic_ns: NDArray[np.int64]) -> NDArray[np.int64]:
        """Run times of many moments [n]. 0 means "not yet" and stays 0."""
        times = monotonic_ns - self.begin_ns
        if self.holds:
            begins, ends = np.array(self.holds, np.int64).T
            held_before = np.concatenate(([0], np.cumsum(ends - begins)))
            index = np.searchsorted(begins, monotonic_ns, side="right")
            times -= held_before[index] - np.where(index > 0, np.maximum(ends[index - 1] - monotonic_ns, 0), 0)
        times[monotonic_ns == 0] = 0
        return times

    def agrees_until(self, other: "ClockView") -> int:
        """The monotonic moment up to which both clocks say the same."""
        if self.begin_ns != other.begin_ns:
            return 0
        for mine, theirs in zip(self.holds, other.holds, strict=False):
            if mine != theirs:
                return min(mine[1], theirs[1]) if mine[0] == theirs[0] else min(mine[0], theirs[0])
        longer = max(self.holds, other.holds, key=len)
        shared = min(len(self.holds), len(other.holds))
        return longer[shared][0] if len(longer) > shared else FOREVER


class Clock:
    """Collects what is known about the script's start and its holds."""

    def __init__(self) -> None:
        self._begin_ns: int | None = None
        self._first_seen_ns: int | None = None
        self._holds: list[Interval] = []
        self._stops: list[Interval] = []  # holds and long looks
        self._looks = 0
        self._open_ns: int | None = None
        self._view: ClockView | None = None

    def set_begin(self, monotonic_ns: int) -> None:
        self._begin_ns = monotonic_ns
        self._view = None

    def saw(self, monotonic_ns: int) -> None:
        """Note a moment: the earliest stands in for the script's start until that is known."""
        if self._begin_ns is None and monotonic_ns and (self._first_seen_ns is None or monotonic_ns < self._first_seen_ns):
            self._first_seen_ns = monotonic_ns
            self._view = None

    def open_hold(self, monotonic_ns: int) -> None:
        """The script stands still from here on, until ``add_hold`` or ``close_hold``."""
        if not any(begin <= monotonic_ns <= end for begin, end in self._holds):
            self._open_ns = monotonic_ns
            self._view = None

    def close_hold(self, monotonic_ns: int) -> None:
        if self._open_ns is not None:
            self.add_hold(self._open_ns, monotonic_ns)

    def add_hold(self, begin_ns: int, end_ns: int) -> None:
        """A hold that is over. Overlapping ones become one."""
        if end_ns <= begin_ns:
            return
        if self._open_ns is not None and self._open_ns <= end_ns:
            self._open_ns = None
        self._holds = _merged(self._holds, (begin_ns, end_ns))
        self._stops = _merged(self._stops, (begin_ns, end_ns))
        self._view = None

    def add_look(self, begin_ns: int, end_ns: int) -> None:
        """A span in which a tracker of ours ran on the script's thread. Short ones, and what comes after many, stay part of the run."""
        if end_ns - begin_ns >= LONG_LOOK_NS and self._looks < MAX_LOOKS:
            self._looks += 1
            self._stops = _merged(self._stops, (begin_ns, end_ns))
            self._view = None

    @property
    def held_ns(self) -> int:
        """Time held in holds that are over."""
        return sum(end - begin for begin, end in self._holds)

    @property
    def looked_ns(self) -> int:
        """Time of long looks taken out of run time, those inside holds left out."""
        return sum(end - begin for begin, end in self._stops) - self.held_ns

    def view(self) -> ClockView:
        if self._view is None:
            begin = self._begin_ns if self._begin_ns is not None else self._first_seen_ns or 0
            stops = self._stops
            if self._open_ns is not None:
                stops = _merged(stops, (self._open_ns, FOREVER))
            self._view = ClockView(begin, tuple(stops))
        return self._view


def _merged(intervals: list[Interval], new: Interval) -> list[Interval]:
    """Disjoint intervals in order with one more; overlapping ones become one. Most come in order."""
    if not intervals or new[0] > intervals[-1][1]:
        return [*intervals, new]
    merged: list[Interval] = []
    for begin, end in sorted([*intervals, new]):
        if merged and begin <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(merged[-1][1], end))
        else:
            merged.append((begin, end))
    return merged
