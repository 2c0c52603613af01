"""Cut the run into iterations and phases: when each began, what was going on, which iteration a moment belongs to."""

from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tensorscope.analysis.blocks import allocated_curve, device_keys, join_blocks
from tensorscope.analysis.own_time import OwnTime
from tensorscope.analysis.results import Ints, Iteration, Phase, PhaseKind
from tensorscope.analysis.turns import iteration_end_ns
from tensorscope.protocol.records import MarkKind
from tensorscope.trace.schema import MARKS, MODULE_CALLS, NODES, OPERATORS
from tensorscope.trace.snapshot import Snapshot

Span = tuple[int, int, PhaseKind]


def iterations(snapshot: Snapshot) -> tuple[Iteration, ...]:
    """All iterations in order; the last one may not have ended. Phase times are without those of our own trackers.

    Joins all allocations (for the peaks): not for every frame.
    """
    bounds = iteration_bounds(snapshot)
    if not bounds:
        return ()
    peaks = _peaks(snapshot, bounds)
    totals: dict[tuple[int, PhaseKind], int] = {}
    own = OwnTime.of(snapshot)
    all_phases = phases(snapshot)
    begins, ends = (np.array([getattr(phase, edge) for phase in all_phases], np.int64) for edge in ("begin_ns", "end_ns"))
    for phase, spent_ns in zip(all_phases, (ends - begins - own.within_all(begins, ends)).tolist(), strict=True):
        totals[phase.iteration, phase.kind] = totals.get((phase.iteration, phase.kind), 0) + spent_ns
    told = {int(message["index"]): message for message in snapshot.iterations}
    found = (
        Iteration(
            index=index,
            begin_ns=begin,
            end_ns=end,
            is_ended=is_ended,
            forward_ns=totals.get((index, "forward"), 0),
            backward_ns=totals.get((index, "backward"), 0),
            optimizer_ns=totals.get((index, "optimizer"), 0),
            peak_allocated_bytes=peak,
            learning_rate=_number(told.get(index, {}).get("learning_rate")),
        )
        for (index, begin, end, is_ended), peak in zip(bounds, peaks, strict=True)
    )
    gone = snapshot.health.retired_iterations
    return tuple(_summed_up(one, told[one.index]) if one.index in gone and "peak_bytes" in told.get(one.index, {}) else one for one in found)


def _summed_up(one: Iteration, told: Mapping[str, Any]) -> Iteration:
    """An iteration whose rows are gone, or several in one row, by what was noted of them before."""
    return replace(
        one,
        forward_ns=int(told.get("forward_ns") or 0),
        backward_ns=int(told.get("backward_ns") or 0),
        optimizer_ns=int(told.get("optimizer_ns") or 0),
        peak_allocated_bytes=told["peak_bytes"] if told["peak_bytes"] is not None else one.peak_allocated_bytes,
        first_index=told.get("first_index"),
        shortest_ns=told.get("shortest_ns"),
        longest_ns=told.get("longest_ns"),
    )


def rolled_up_with(snapshot: Snapshot, iteration: int) -> tuple[int, int] | None:
    """The first and last iteration of the row that stands for several, this one among them; None where it has a row of its own."""
    rows = ((int(message["first_index"]), int(message["index"])) for message in snapshot.iterations if "first_index" in message)
    return next((row for row in rows if row[0] <= iteration <= row[1]), None)


def iteration_bounds(snapshot: Snapshot) -> tuple[tuple[int, int, int, bool], ...]:
    """(index, begin_ns, end_ns, is_ended) of every iteration: what ``iterations`` starts from, without its costs.

    An iteration begins where the one before ended; the first with the first work for it (``_first_work``). What follows the last ended one is an
    iteration of its own if a backward began in it, or if the script was cut short (still running, killed, exception).
    """
    begin = _first_work(snapshot)
    bounds: list[tuple[int, int, int, bool]] = []
    for message in snapshot.iterations:
        end = iteration_end_ns(snapshot, message)
        bounds.append((int(message["index"]), min(begin, end), end, True))
        begin = end
    if _has_unfinished(snapshot, begin if bounds else None):
        index = bounds[-1][0] + 1 if bounds else 0
        bounds.append((index, begin, max(snapshot.end_ns, begin), False))
    return tuple(bounds)


def iteration_at(bounds: Sequence[Iteration] | Sequence[tuple[int, int, int, bool]], times_ns: NDArray[np.int64]) -> Ints:
    """The iteration's number at each time [n]; -1 outside of all."""
    rows = [(one.index, one.begin_ns, one.end_ns) if isinstance(one, Iteration) else one[:3] for one in bounds]
    times = np.asarray(times_ns, np.int64)
    if not rows:
        return np.full(times.shape, -1, np.int64)
    index, begin, end = (np.array(column, np.int64) for column in zip(*rows, strict=True))
    at = np.searchsorted(end, times, side="left").clip(max=len(rows) - 1)
    is_inside = (times >= begin[at]) & (times <= end[at])
    return np.where(is_inside, index[at], -1)


def phases(snapshot: Snapshot) -> tuple[Phase, ...]:
    """What was going on from the run's start to its end: no gaps, no overlaps, cut at iteration ends.

    Where spans are nested the inner one counts (LBFGS's closure inside its step), but module calls that recompute inside a backward are backward.
    ``iteration`` is -1 before the first and after the last.
    """
    bounds = iteration_bounds(snapshot)
    cuts = sorted({edge for _, begin, end, _ in bounds for edge in (begin, end)})
    cut: list[Span] = []
    at = 0
    for begin, end, kind in [*_flatten(_spans(snapshot)), (snapshot.end_ns, snapshot.end_ns, "other")]:
        if begin > at:
            cut.append((at, begin, "other"))
        if end > begin:
            cut.append((begin, end, kind))
        at = max(at, end)
    pieces = [piece for span in cut for piece in _split(span, cuts)]
    if not pieces:
        return ()
    middles = np.array([(begin + end) // 2 + 1 for begin, end, _ in pieces], np.int64)
    numbers = iteration_at(bounds, middles)
    return tuple(Phase(kind, int(number), begin, end) for (begin, end, kind), number in zip(pieces, numbers, strict=True))


def phase_at(all_phases: Sequence[Phase], times_ns: NDArray[np.int64]) -> NDArray[np.intp]:
    """Index of the phase at each time [n]; -1 outside of all (an empty run)."""
    begins = np.array([phase.begin_ns for phase in all_phases], np.int64)
    found = np.searchsorted(begins, np.asarray(times_ns, np.int64), side="right") - 1
    return found.astype(np.intp)


def backward_spans(snapshot: Snapshot, *, outermost: bool = True) -> tuple[tuple[int, int, int], ...]:
    """(probe's backward id, begin_ns, end_ns) in order of their begin.

    One that never told its end lasts until now if it may still run; if an exception, the script's end or another outermost backward came after it, until
    its last node ended.
    """
    marks = snapshot.table(MARKS)
    is_backward = marks.column("mark") == MarkKind.BACKWARD
    spans = {
        int(identity): (int(begin), int(end))
        for identity, begin, end in zip(marks.column("a")[is_backward], marks.column("begin_ns")[is_backward], marks.column("end_ns")[is_backward], strict=True)
    }
    parents = {identity: backward.parent for identity, backward in snapshot.backwards.items()}
    last_begin = max((backward.begin_ns for backward in snapshot.backwards.values() if backward.parent <= 0), default=0)
    stopped_ns = max((int(message.get("time_ns", 0)) for message in snapshot.exceptions), default=-1)
    for identity, backward in snapshot.backwards.items():
        if identity not in spans:
            is_over = snapshot.exit is not None or stopped_ns >= backward.begin_ns or last_begin > backward.begin_ns
            spans[identity] = (backward.begin_ns, _last_node_end(snapshot, identity, backward.begin_ns) if is_over else snapshot.end_ns)
    found = sorted((begin, identity, end) for identity, (begin, end) in spans.items() if not outermost or parents.get(identity, 0) <= 0)
    return tuple((identity, begin, end) for begin, identity, end in found)


def raised_iterations(snapshot: Snapshot, bounds: Sequence[Iteration] | Sequence[tuple[int, int, int, bool]]) -> frozenset[int]:
    """Numbers of the iterations whose last outermost backward raised: what it did not come to has no gradient for that reason."""
    marks = snapshot.table(MARKS)
    is_raised = (marks.column("mark") == MarkKind.BACKWARD) & (marks.column("flags") & 1 != 0)
    raised = set(marks.column("a")[is_raised].tolist())
    if not raised:
        return frozenset()
    spans = backward_spans(snapshot)
    numbers = iteration_at(bounds, np.array([begin for _, begin, _ in spans], np.int64)).tolist()
    last = {number: identity for number, (identity, _, _) in zip(numbers, spans, strict=True)}
    return frozenset(number for number, identity in last.items() if identity in raised)


def open_ends_closed(begin_ns: NDArray[np.int64], end_ns: NDArray[np.int64], at_ns: int) -> Ints:
    """End times [n] where those of spans still running (an end before the begin) are ``at_ns``."""
    return np.where(end_ns < begin_ns, np.maximum(begin_ns, at_ns), end_ns)


def _last_node_end(snapshot: Snapshot, backward: int, begin_ns: int) -> int:
    nodes = snapshot.table(NODES)
    return int(nodes.column("end_ns")[nodes.column("backward") == backward].max(initial=begin_ns))


def _first_work(snapshot: Snapshot) -> int:
    """Begin of the first iteration: the first of a root module's call, an optimizer's step, a backward and the operators that made its nodes."""
    calls, marks = snapshot.table(MODULE_CALLS), snapshot.table(MARKS)
    roots = calls.column("begin_ns")[calls.column("parent") == 0]
    steps = marks.column("begin_ns")[marks.column("mark") == MarkKind.OPTIMIZER_STEP]
    found = [int(begins.min()) for begins in (roots, steps) if len(begins)]
    spans = backward_spans(snapshot)
    if spans:
        found.append(spans[0][1])
        maker = _first_maker(snapshot, *spans[0][:2])
        found += [] if maker is None else [maker]
    return max(0, min(found)) if found else 0


def _first_maker(snapshot: Snapshot, identity: int, before_ns: int) -> int | None:
    """Begin of the outermost operator around the one that made a backward's first node.

    Operators that make no node bear the number of the next one: of all with the node's number the last made it.
    """
    backward = snapshot.backwards.get(identity)
    numbers = backward.sequence_nrs[backward.sequence_nrs >= 0] if backward is not None else np.empty(0, np.int64)
    if backward is None or not len(numbers):
        return None
    operators = snapshot.table(OPERATORS)
    begins, threads = operators.column("begin_ns"), operators.column("thread")
    is_free = (operators.column("scope") == 0) & np.isin(threads, backward.forward_threads) & (begins < before_ns)
    bearers = np.flatnonzero(is_free & (operators.column("sequence_nr") == numbers.min()))
    if not len(bearers):
        return None
    maker = bearers[begins[bearers].argmax()]
    tops = begins[is_free & (operators.column("parent") == 0) & (threads == threads[maker]) & (begins <= begins[maker])]
    return int(tops.max(initial=0)) or int(begins[maker])


def _has_unfinished(snapshot: Snapshot, last_end: int | None) -> bool:
    after = -1 if last_end is None else last_end
    if any(begin >= after for _, begin, _ in backward_spans(snapshot)):
        return True
    is_clean = snapshot.exit is not None and snapshot.exit.get("code") == 0 and not snapshot.exceptions
    calls = snapshot.table(MODULE_CALLS)
    return not is_clean and bool(np.any(calls.column("begin_ns") >= after))


def _spans(snapshot: Snapshot) -> list[Span]:
    calls = snapshot.table(MODULE_CALLS)
    is_root = calls.column("parent") == 0
    begins = calls.column("begin_ns")[is_root]
    ends = open_ends_closed(begins, calls.column("end_ns")[is_root], snapshot.end_ns)
    backwards = [(begin, end) for _, begin, end in backward_spans(snapshot)]
    is_free = ~_inside(begins, backwards)
    spans: list[Span] = [(int(begin), int(end), "forward") for begin, end in zip(begins[is_free], ends[is_free], strict=True)]
    spans += [(begin, end, "backward") for begin, end in backwards]
    marks = snapshot.table(MARKS)
    is_step = marks.column("mark") == MarkKind.OPTIMIZER_STEP
    begins = marks.column("begin_ns")[is_step]
    ends = open_ends_closed(begins, marks.column("end_ns")[is_step], snapshot.end_ns)
    spans += [(int(begin), int(end), "optimizer") for begin, end in zip(begins, ends, strict=True)]
    return sorted(spans, key=lambda span: (span[0], -span[1]))


def _inside(times: NDArray[np.int64], spans: list[tuple[int, int]]) -> NDArray[np.bool_]:
    if not spans or not len(times):
        return np.zeros(len(times), np.bool_)
    begins = np.array([begin for begin, _ in spans], np.int64)
    ends = np.maximum.accumulate(np.array([end for _, end in spans], np.int64))
    at = np.searchsorted(begins, times, side="right") - 1
    inside: NDArray[np.bool_] = (at >= 0) & (times < ends[at.clip(min=0)])
    return inside


def _flatten(spans: list[Span]) -> list[Span]:
    """Non-overlapping pieces of spans sorted by begin: the span begun last wins."""
    pieces: list[Span] = []
    stack: list[Span] = []
    at = 0

    def advance(until: int) -> None:
        nonlocal at
        while stack and at < until:
            _, end, kind = stack[-1]
            upto = min(end, until)
            if upto > at:
                pieces.append((at, upto, kind))
                at = upto
            if end <= until:
                stack.pop()
        at = max(at, until)
        while stack and stack[-1][1] <= at:
            stack.pop()

    for span in spans:
        advance(span[0])
        stack.append(span)
    while stack:
        advance(max(end for _, end, _ in stack))
    return pieces


def _split(span: Span, cuts: list[int]) -> list[Span]:
    begin, end, kind = span
    inner = cuts[bisect_right(cuts, begin) : bisect_left(cuts, end)]
    edges = sorted({begin, end, *inner})
    return [(left, right, kind) for left, right in pairwise(edges)]


def _peaks(snapshot: Snapshot, bounds: Sequence[tuple[int, int, int, bool]]) -> list[int | None]:
    """Highest allocated bytes within each iteration, of the device with the highest peak of the run."""
    curves = [allocated_curve(join_blocks(snapshot, key)) for key in device_keys(snapshot)]
    curves = [curve for curve in curves if len(curve.times_ns)]
    if not curves:
        return [None] * len(bounds)
    curve = max(curves, key=lambda one: int(one.allocated_bytes.max()))
    begins, ends = (np.array([bound[edge] for bound in bounds], np.int64) for edge in (1, 2))
    low = np.maximum(np.searchsorted(curve.times_ns, begins, side="right") - 1, 0)
    high = np.searchsorted(curve.times_ns, ends, side="right")
    edges = np.stack((low, np.maximum(high, low)), axis=1).ravel()
    highest = np.maximum.reduceat(np.append(curve.allocated_bytes, 0), edges)[::2]  # of each [low, high); where that is empty, of low alone
    return [int(peak) for peak in np.where(high > low, highest, 0)]


def _number(value: object) -> float | None:
    return float(value) if isinstance(value, (int, float, str)) else None
