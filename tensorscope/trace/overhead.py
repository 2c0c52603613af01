"""What watching costs: the time that is TensorScope's own, and the run's time over what it would be without."""

from collections.abc import Iterable
from typing import Final

REMEMBERED_SPANS: Final = 256


class OwnSpans:
    """Adds up the time in which a tracker of ours ran. Spans arrive by their end and may lie inside one another; each moment counts once."""

    def __init__(self) -> None:
        self.total_ns = 0
        self._newest: list[tuple[int, int]] = []  # disjoint, in order; an older one is met by none that is still to come

    def add(self, spans: Iterable[tuple[int, int]]) -> None:
        """Add spans (begin, end) of monotonic time."""
        for begin, end in spans:
            while self._newest and self._newest[-1][1] >= begin:
                inner_begin, inner_end = self._newest.pop()
                self.total_ns -= inner_end - inner_begin
                begin, end = min(begin, inner_begin), max(end, inner_end)
            self._newest.append((begin, end))
            self.total_ns += end - begin
        del self._newest[:-REMEMBERED_SPANS]


def overhead_ratio(run_ns: int, own_ns: int) -> float | None:
    """Run time over run time without our own; None before anything ran."""
    return run_ns / (run_ns - own_ns) if run_ns > own_ns else None
