"""Ranks of one job share the memory budget of the run: each may take what it needs as long as all of it fits, and an equal part where it does not."""

from collections.abc import Sequence
from threading import Lock
from typing import Final

from tensorscope.trace.trace import Trace

CALLS: Final = 64  # of ``settle`` between two looks at how much each takes


def water_level(total_bytes: int, needs_bytes: Sequence[int]) -> int:
    """The most that each of several may take: those that need less leave the rest to the others, in equal parts.

    Where all fit, each may grow by all that is left; the next look settles it anew.
    """
    left = total_bytes
    for place, need in enumerate(sorted(needs_bytes)):
        part = left // (len(needs_bytes) - place)
        if need > part:
            return part
        left -= need
    return max(needs_bytes, default=0) + left


class MemoryShares:
    """Any thread."""

    def __init__(self, total_bytes: int) -> None:
        self._total_bytes = total_bytes
        self._calls = 0
        self._lock = Lock()

    def settle(self, traces: Sequence[Trace]) -> None:
        """To be called whenever one of them may have grown; now and then it looks, and those over their part let go of detail."""
        with self._lock:
            self._calls += 1
            if len(traces) < 2 or self._calls % CALLS:
                return
            level = water_level(self._total_bytes, [trace.taken_bytes for trace in traces])
            for trace in traces:
                trace.limit_memory(level)
