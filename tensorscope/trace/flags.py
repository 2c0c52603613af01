"""Moments for whose sake an iteration is kept in full when others are thinned: stops, exceptions, peaks, gradients that are not finite, bookmarks."""

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

FIRST: Final = 4  # of a reason's moments, as many of the first are kept beside the newest
MOST: Final = {"bookmark": 64, "hold": 16, "exception": 8, "nonfinite": 8, "peak": 4}  # in order of worth


@dataclass(frozen=True, slots=True)
class Flagged:
    """An iteration, why it is kept, and its span (monotonic)."""

    iteration: int
    reason: str
    span: tuple[int, int]


class Flags:
    def __init__(self) -> None:
        self._moments: dict[str, list[int]] = {reason: [] for reason in MOST}

    def note(self, reason: str, moment_ns: int) -> None:
        """Something worth keeping happened (monotonic). Of too many of a kind the first and the newest stay; of peaks, which only rise, the newest."""
        moments = self._moments[reason]
        if moment_ns and moment_ns not in moments:
            moments.append(moment_ns)
            if len(moments) > MOST[reason]:
                del moments[0 if reason == "peak" else FIRST]

    def flagged(self, iterations: Sequence[Mapping[str, Any]], ends: Sequence[int]) -> list[Flagged]:
        """``iterations`` are the messages of those that have ended, ``ends`` when (monotonic); the flagged ones, the most worth first, each once."""
        found: dict[int, Flagged] = {}
        for reason in MOST:
            for moment in reversed(self._moments[reason]):
                at = bisect_left(ends, moment)
                if at < len(ends) and at not in found and "first_index" not in iterations[at]:  # of a rolled up row it is long gone
                    found[at] = Flagged(int(iterations[at]["index"]), reason, (ends[at - 1] if at else 0, ends[at]))
        return list(found.values())
