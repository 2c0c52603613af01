"""The whole run on one strip: where allocated memory stood, phases, iterations. Positions are shares of the strip's width, 0 to 1."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

from tensorscope.analysis.blocks import allocated_curve, device_keys, join_blocks
from tensorscope.analysis.iterations import iteration_bounds, phase_at, phases
from tensorscope.analysis.results import Finding, Ints, PhaseKind
from tensorscope.language import tr
from tensorscope.trace.snapshot import Snapshot
from tensorscope.units import format_duration
from tensorscope.viewmodel.reduction import StepCurve
from tensorscope.viewmodel.ticks import count_ticks

COLUMNS: Final = 720
LONGEST_START_UP: Final = 0.1  # a longer one is cut to this share, with a break mark
MOST_LABELS: Final = 8


@dataclass(frozen=True, slots=True)
class ScrubberAxis:
    """Time to position and back. A long start-up is squeezed into the first ``cut_share`` of the strip."""

    end_ns: int
    cut_ns: int = 0  # end of the squeezed start-up; 0: none
    cut_share: float = 0.0

    def position(self, time_ns: float) -> float:
        if time_ns < self.cut_ns:
            return self.cut_share * max(time_ns, 0) / self.cut_ns
        rest = max(self.end_ns - self.cut_ns, 1)
        return self.cut_share + (1 - self.cut_share) * min((time_ns - self.cut_ns) / rest, 1.0)

    def time_ns(self, position: float) -> int:
        at = min(max(position, 0.0), 1.0)
        if at < self.cut_share:
            return round(self.cut_ns * at / self.cut_share)
        return round(self.cut_ns + (at - self.cut_share) / (1 - self.cut_share) * (self.end_ns - self.cut_ns))


@dataclass(frozen=True, slots=True)
class Strip:
    begin: float
    end: float
    kind: PhaseKind


@dataclass(frozen=True, slots=True)
class IterationMark:
    index: int
    position: float
    label: str  # "" where there is no room


@dataclass(frozen=True, slots=True)
class RunMark:
    """A moment worth going to, and what the tool tip says of it."""

    time_ns: int
    kind: Literal["exception", "hold", "peak", "bookmark", "error", "warning", "info"]
    text: str
    finding: Finding | None = None  # of the last three kinds


@dataclass(frozen=True, slots=True)
class ScrubberView:
    axis: ScrubberAxis
    start_up: str  # such as "3.91 s", "" if not cut
    heights: NDArray[np.float64]  # [COLUMNS] highest allocated bytes over the run's peak, 0 to 1
    strips: tuple[Strip, ...]
    iterations: tuple[IterationMark, ...]
    iteration_begins_ns: tuple[int, ...]  # for going from one to the next
    moments: tuple[RunMark, ...] = ()


def scrubber_view(snapshot: Snapshot, end_ns: int = 0) -> ScrubberView:
    """For a worker: joins all allocations. ``end_ns``: where the strip ends at the least, since other ranks run on."""
    bounds = iteration_bounds(snapshot)
    first = bounds[0][1] if bounds else 0
    end = max(snapshot.end_ns, end_ns, 1)
    is_cut = first > LONGEST_START_UP * end and first < end
    axis = ScrubberAxis(end, first, LONGEST_START_UP) if is_cut else ScrubberAxis(end)
    edges = axis_edges(axis)
    rolled_up = {int(message["index"]): int(message["first_index"]) for message in snapshot.iterations if "first_index" in message}
    numbers = [rolled_up.get(index, index) for index, *_ in bounds]  # a row of several begins where its first one did
    ticks = [int(tick.value) for tick in count_ticks(numbers[0], bounds[-1][0], MOST_LABELS)] if numbers else []
    labelled = {numbers[bisect_right(numbers, tick) - 1] for tick in ticks if tick >= numbers[0]}
    marks = tuple(
        IterationMark(number, axis.position(begin), f"{number:,}" if number in labelled else "") for number, (_, begin, *_) in zip(numbers, bounds, strict=True)
    )
    heights = _heights(snapshot, edges)
    moments = (*_peak(heights, edges), *_told_moments(snapshot))
    return ScrubberView(axis, format_duration(first) if is_cut else "", heights, phase_strips(snapshot, edges), marks, tuple(b[1] for b in bounds), moments)


def axis_edges(axis: ScrubberAxis) -> Ints:
    """The times at the borders of the strip's columns [COLUMNS + 1]."""
    return np.array([axis.time_ns(share) for share in np.linspace(0, 1, COLUMNS + 1)], np.int64)


def problem_marks(view: ScrubberView, findings: Sequence[Finding]) -> tuple[RunMark, ...]:
    """One at the begin of the iteration in which each was first seen, else at its moment; the gravest last, to be painted over the others."""
    begins = dict(zip((mark.index for mark in view.iterations), view.iteration_begins_ns, strict=True))
    marks = []
    for finding in reversed(findings):
        begin = begins.get(finding.iteration) if finding.iteration is not None else None
        time_ns = begin if begin is not None else finding.time_ns
        if time_ns is not None:
            marks.append(RunMark(time_ns, finding.severity, finding.message, finding))
    return tuple(marks)


def zoomed(shown: tuple[int, int], end_ns: int, at_ns: int, factor: float) -> tuple[int, int] | None:
    """The range ``factor`` times as long around a moment, which keeps its place in it; None: the whole run."""
    begin, end = shown
    at = min(max(at_ns, begin), end)
    first, last = at - (at - begin) * factor, at + (end - at) * factor
    if last - first >= end_ns:
        return None
    return (max(round(first), 0), min(max(round(last), round(first) + 1000), end_ns))


def _peak(heights: NDArray[np.float64], edges: Ints) -> tuple[RunMark, ...]:
    if not len(heights) or heights.max() <= 0:
        return ()
    column = int(heights.argmax())
    return (RunMark(int(edges[column]), "peak", tr("Peak of allocated memory")),)


def _told_moments(snapshot: Snapshot) -> Iterator[RunMark]:
    for held in snapshot.holds:
        if (time_ns := held.get("time_ns")) is not None:
            yield RunMark(int(time_ns), "hold", tr("Held before {node}").format(node=held.get("name", "")))
    for told in snapshot.exceptions:
        if (time_ns := told.get("time_ns")) is not None:
            name = str(told.get("exception") or "").rpartition(".")[2]
            yield RunMark(int(time_ns), "exception", f"{name}: {told.get('message') or ''}".rstrip(": "))


def _heights(snapshot: Snapshot, edges: Ints) -> NDArray[np.float64]:
    """Of the device with the highest peak."""
    best, peak = np.zeros(len(edges) - 1, np.float64), 0
    for key in device_keys(snapshot):
        curve = allocated_curve(join_blocks(snapshot, key))
        highest = int(curve.allocated_bytes.max()) if len(curve.allocated_bytes) else 0
        if highest > peak:
            peak = highest
            best = np.where(edges[:-1] < max(snapshot.end_ns, 1), StepCurve(curve.times_ns, curve.allocated_bytes).extremes(edges).high / highest, 0)
    return best


def phase_strips(snapshot: Snapshot, edges: Ints) -> tuple[Strip, ...]:
    """What was going on in the columns between ``edges``, equal neighbours as one, up to the snapshot's end."""
    all_phases = phases(snapshot)
    columns = int(np.searchsorted(edges[:-1], max(snapshot.end_ns, 1), side="left"))
    if not all_phases or not columns:
        return ()
    middles = (edges[:columns] + edges[1 : columns + 1]) // 2
    kinds: list[PhaseKind] = [all_phases[index].kind if index >= 0 else "other" for index in phase_at(all_phases, middles)]
    changes = [0, *(at for at in range(1, columns) if kinds[at] != kinds[at - 1]), columns]
    width = len(edges) - 1
    return tuple(Strip(begin / width, end / width, kinds[begin]) for begin, end in pairwise(changes))
