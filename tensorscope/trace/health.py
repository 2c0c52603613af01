"""Counts of what was lost or damaged, so that every view can say so instead of pretending."""

from tensorscope.trace.snapshot import Health


class HealthCounter:
    def __init__(self) -> None:
        self.dropped_events = 0
        self.damaged_frames = 0
        self.retired_rows = 0
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
        )


def _joined(known: range, more: range) -> range:
    """All numbers from the first to the last of both."""
    return range(min(known.start, more.start), max(known.stop, more.stop)) if known and more else known or more
