"""Counts of what was lost or damaged, so that every view can say so instead of pretending."""

from collections.abc import Mapping, Sequence
from typing import Any

from tensorscope.trace.snapshot import Health


class HealthCounter:
    def __init__(self) -> None:
        self.dropped_events = 0
        self.damaged_frames = 0
        self.retired_rows = 0
        self.flagged: tuple[tuple[int, str], ...] = ()
        self._lost_iterations = range(0)
        self._trackers_off: dict[str, str] = {}
        self._retired_iterations = range(0)

    def tracker_off(self, tracker: str, reason: str) -> None:
        """Note that a tracker switched itself off; the first reason stands."""
        self._trackers_off.setdefault(tracker, reason)

    def retired(self, rows: int, iterations: range) -> None:
        """Note that retention let go of detail rows of these iterations."""
        self.retired_rows += rows
        self._retired_iterations = _joined(self._retired_iterations, iterations)

    def lost(self, iterations: range) -> None:
        """Note that detail of these is nowhere any more: neither here nor in the recording."""
        self._lost_iterations = _joined(self._lost_iterations, iterations)

    def view(self) -> Health:
        return Health(
            dropped_events=self.dropped_events,
            trackers_off=tuple(self._trackers_off.items()),
            damaged_frames=self.damaged_frames,
            retired_rows=self.retired_rows,
            retired_iterations=self._retired_iterations,
            lost_iterations=self._lost_iterations,
            flagged=self.flagged,
        )


class ByPlace:
    """Passes on what retention lets go of: it knows iterations by their place in the list, which is not their number once old ones are rolled up."""

    def __init__(self, health: HealthCounter, iterations: Sequence[Mapping[str, Any]]) -> None:
        """``iterations`` are their messages."""
        self._health = health
        self._iterations = iterations

    def retired(self, rows: int, places: range) -> None:
        if self._iterations:
            places = range(self._number(places.start), self._number(places.stop - 1) + 1)
        self._health.retired(rows, places)

    def _number(self, place: int) -> int:
        """Beyond the end of the list: of what comes after the last one."""
        beyond = max(place - len(self._iterations) + 1, 0)
        return int(self._iterations[place - beyond]["index"]) + beyond


def _joined(known: range, more: range) -> range:
    """All numbers from the first to the last of both."""
    return range(min(known.start, more.start), max(known.stop, more.stop)) if known and more else known or more
