"""What the memory timeline shows: the stacked categories reduced to pixel columns, with the peak, the cursor and the scale of both axes.

``prepare_memory`` is the slow half (off the GUI thread, once a snapshot); ``view_memory`` is quick enough for every frame of a pan or zoom.
"""

from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from tensorscope.analysis.results import CATEGORIES, Ints, Iteration, MemoryTimeline, Phase, Refusal
from tensorscope.language import tr
from tensorscope.viewmodel.memory_axis import EventAxis
from tensorscope.viewmodel.memory_blocks import BlockIndex, Strip, block_strips, index_blocks
from tensorscope.viewmodel.memory_lanes import Lane, LaneTable, lane_spans
from tensorscope.viewmodel.memory_ranks import RankCurve
from tensorscope.viewmodel.reduction import StepCurve, column_edges

LEAST_RANGE_NS: Final = 2_000
_HEADROOM: Final = 1.06  # of the capacity, tokens.timeline.y_top
_HEADROOM_OF_PEAK: Final = 1.15  # room for the peak's label
_HEADROOM_OF_REFUSAL: Final = 1.35  # and for what the allocator refused
_LONGEST_START: Final = 0.15  # of the run: what comes before the first iteration is left out where it is longer
_ROOM_BEFORE: Final = 0.04  # of the iterations' time, shown before the first of them
_CAPACITY_SHOWN_BELOW: Final = 2.5  # times the highest curve; above, the capacity is only named


@dataclass(frozen=True, slots=True)
class MemoryModel:
    """One device's memory, ready for quick views. ``hidden`` are category numbers; ``shown`` is the curve of the others."""

    timeline: MemoryTimeline
    blocks: BlockIndex
    shown: StepCurve
    reserved: StepCurve | None
    hidden: frozenset[int]
    iterations: LaneTable
    phases: LaneTable
    modules: LaneTable
    module: str
    begin_ns: int  # of what is worth showing: a long start-up is left out
    end_ns: int  # newest time known
    notice: str
    others: tuple[RankCurve, ...] = ()  # of the job's other ranks, where they are wanted

    @property
    def is_everything_shown(self) -> bool:
        return not self.hidden


@dataclass(frozen=True, slots=True)
class Moment:
    time_ns: int
    bytes: int


@dataclass(frozen=True, slots=True)
class MemoryView:
    """A finished picture of a range, in columns of equal duration or (``is_by_events``) of equally many steps.

    ``category_bytes`` [8, w] holds at ``moments_ns`` [w], where the column is highest.
    """

    device: str
    begin_ns: int
    end_ns: int
    known_until_ns: int
    edges_ns: Ints
    moments_ns: Ints
    category_bytes: Ints
    high_bytes: Ints
    low_bytes: Ints
    allocated_bytes: Ints | None  # highest of each column; None while a category is hidden
    reserved_bytes: Ints | None
    capacity_bytes: int | None  # None: unknown or far above the picture
    named_capacity_bytes: int | None  # known, but far above the picture
    top_bytes: float
    peak: Moment | None
    cursor_ns: int | None  # None: not drawn
    is_looking_back: bool
    stands_ns: int | None  # where the script is held
    iteration_lane: Lane
    phase_lane: Lane
    module_lane: Lane
    module: str
    strips: tuple[Strip, ...]
    selected: tuple[Strip, ...]
    notice: str
    other_bytes: tuple[Ints, ...] = ()  # [w] each: the highest allocated bytes of other ranks in each column, 0 where nothing is known
    refusals: tuple[Refusal, ...] = ()
    is_by_events: bool = False  # columns of equally many steps, not of equal duration

    @property
    def known_columns(self) -> int:
        """Columns that begin at or before the newest moment known; those after are empty."""
        return int(np.searchsorted(self.edges_ns[:-1], self.known_until_ns, "right"))


def prepare_memory(
    timeline: MemoryTimeline,
    iterations: tuple[Iteration, ...],
    phases: tuple[Phase, ...],
    end_ns: int,
    hidden: frozenset[int] = frozenset(),
    modules: LaneTable | None = None,
    module: str = "",
    notice: str = "",
) -> MemoryModel:
    """Index a device's timeline. Seconds for millions of blocks: off the GUI thread."""
    reserved = timeline.reserved_bytes
    times = timeline.times_ns
    first_ns = int(times[0]) if len(times) else 0
    return MemoryModel(
        timeline=timeline,
        blocks=index_blocks(timeline.blocks),
        shown=_shown_curve(timeline, hidden),
        reserved=StepCurve(times, reserved) if reserved is not None else None,
        hidden=hidden,
        iterations=LaneTable.of([(i.begin_ns, i.end_ns, i.index, tr("iteration {index}").format(index=i.index), "") for i in iterations]),
        phases=LaneTable.of([(p.begin_ns, p.end_ns, p.iteration, p.kind, p.kind) for p in phases]),
        modules=modules or LaneTable.of([]),
        module=module,
        begin_ns=first_ns if first_ns > end_ns // 10 else 0,
        end_ns=max(end_ns, first_ns + LEAST_RANGE_NS),
        notice=notice,
    )


def hide_categories(model: MemoryModel, hidden: frozenset[int]) -> MemoryModel:
    return model if hidden == model.hidden else replace(model, hidden=hidden, shown=_shown_curve(model.timeline, hidden))


def show_modules(model: MemoryModel, modules: LaneTable, module: str) -> MemoryModel:
    return replace(model, modules=modules, module=module)


def whole_range(model: MemoryModel) -> tuple[int, int]:
    return model.begin_ns, model.end_ns


def busy_range(model: MemoryModel) -> tuple[int, int]:
    """The whole, without a long stretch before the first iteration, and without a tail longer than half of what comes before in which nothing changes."""
    times = model.timeline.times_ns
    begin_ns, last_ns = _busy_from(model), max(int(times[-1]) if len(times) else 0, model.begin_ns)
    busy = last_ns - begin_ns
    if busy <= 0 or model.end_ns - last_ns <= busy // 2:
        return begin_ns, model.end_ns
    return begin_ns, last_ns + busy // 20


def _busy_from(model: MemoryModel) -> int:
    """A little before the first iteration, if what comes before it is long and holds no peak."""
    first = int(model.iterations.begins_ns[0]) if len(model.iterations.begins_ns) else model.begin_ns
    rest, times = model.end_ns - first, model.timeline.times_ns
    is_long = first - model.begin_ns > (model.end_ns - model.begin_ns) * _LONGEST_START
    if not is_long or rest <= 0 or not len(times) or int(times[max(model.timeline.peak_index, 0)]) < first:
        return model.begin_ns
    return max(first - round(rest * _ROOM_BEFORE), model.begin_ns)


def peak_moment(model: MemoryModel) -> Moment | None:
    """The first maximum of allocated bytes; ``bytes`` counts the shown categories."""
    index = model.timeline.peak_index
    if index < 0:
        return None
    time_ns = int(model.timeline.times_ns[index])
    return Moment(time_ns, int(model.shown.values[index]))


def category_bytes_at(timeline: MemoryTimeline, time_ns: int) -> Ints:
    """Live bytes of every category at a moment [8]."""
    row = int(np.searchsorted(timeline.times_ns, time_ns, "right")) - 1
    return timeline.category_bytes[:, row] if row >= 0 else np.zeros(len(CATEGORIES), np.int64)


def allocated_at(timeline: MemoryTimeline, time_ns: int) -> int:
    row = int(np.searchsorted(timeline.times_ns, time_ns, "right")) - 1
    return int(timeline.allocated_bytes[row]) if row >= 0 else 0


def view_memory(
    model: MemoryModel,
    range_ns: tuple[int, int] | None,
    columns: int,
    plot_height: float,
    cursor_ns: int | None = None,
    stands_ns: int | None = None,
    selected_rows: tuple[int, ...] = (),
    *,
    with_cursor: bool = True,
    axis: EventAxis | None = None,
) -> MemoryView:
    """The picture of a range in ``columns`` columns and ``plot_height`` pixels; milliseconds at a million blocks.

    Without ``with_cursor`` only a cursor that was set is drawn. With an ``axis`` the columns hold equally many steps of it.
    """
    begin_ns, end_ns = range_ns or busy_range(model)
    end_ns = max(end_ns, begin_ns + LEAST_RANGE_NS)
    is_by_events = axis is not None and len(axis.times_ns) > 1
    edges = axis.edges((begin_ns, end_ns), max(columns, 1)) if axis is not None and is_by_events else column_edges(begin_ns, end_ns, max(columns, 1))
    if is_by_events:
        begin_ns, end_ns = int(edges[0]), int(edges[-1])
    edges[-1] += 1  # a step at the very end is in sight
    extremes = model.shown.extremes(edges)
    row = extremes.high_row
    is_known = (row >= 0) & (edges[:-1] <= model.end_ns)
    categories = (
        np.where(is_known, model.timeline.category_bytes[:, np.maximum(row, 0)], 0) if len(model.timeline.times_ns) else np.zeros((8, len(row)), np.int64)
    )
    if model.hidden:
        categories[sorted(model.hidden)] = 0
    moments = np.maximum(model.timeline.times_ns[np.maximum(row, 0)], edges[:-1]) if len(model.timeline.times_ns) else edges[:-1]
    reserved = model.reserved.extremes(edges).high if model.reserved is not None and model.is_everything_shown else None
    highest = _highest(model)
    capacity = model.timeline.capacity_bytes if model.is_everything_shown else None
    is_capacity_shown = capacity is not None and capacity <= highest * _CAPACITY_SHOWN_BELOW
    top = (
        capacity * _HEADROOM
        if capacity is not None and is_capacity_shown
        else max(highest * (_HEADROOM_OF_REFUSAL if model.timeline.refusals else _HEADROOM_OF_PEAK), 1.0)
    )
    known = int(np.searchsorted(edges[:-1], model.end_ns, "right"))
    strips, selected = block_strips(model.blocks, moments[:known], categories[:, :known], top / max(plot_height, 1.0), selected_rows, model.hidden)
    high = np.where(is_known, extremes.high, 0)
    return MemoryView(
        device=model.timeline.device,
        begin_ns=begin_ns,
        end_ns=end_ns,
        known_until_ns=model.end_ns,
        edges_ns=edges,
        moments_ns=moments,
        category_bytes=categories,
        high_bytes=high,
        low_bytes=np.where(is_known, extremes.low, 0),
        allocated_bytes=high if model.is_everything_shown else None,
        reserved_bytes=reserved,
        capacity_bytes=capacity if is_capacity_shown else None,
        named_capacity_bytes=None if is_capacity_shown else capacity,
        top_bytes=top,
        peak=peak_moment(model),
        cursor_ns=model.end_ns if cursor_ns is None and with_cursor else cursor_ns,
        is_looking_back=cursor_ns is not None,
        stands_ns=stands_ns,
        iteration_lane=lane_spans(model.iterations, edges),
        phase_lane=lane_spans(model.phases, edges),
        module_lane=lane_spans(model.modules, edges),
        module=model.module,
        strips=strips,
        selected=selected,
        notice=model.notice,
        other_bytes=tuple(other.columns(edges) for other in model.others) if model.is_everything_shown else (),
        is_by_events=is_by_events,
        refusals=tuple(one for one in model.timeline.refusals if begin_ns <= one.time_ns <= end_ns),
    )


def _shown_curve(timeline: MemoryTimeline, hidden: frozenset[int]) -> StepCurve:
    if not hidden:
        return StepCurve(timeline.times_ns, timeline.allocated_bytes)
    shown = [index for index in range(len(CATEGORIES)) if index not in hidden]
    return StepCurve(timeline.times_ns, timeline.category_bytes[shown].sum(axis=0, dtype=np.int64))


def _highest(model: MemoryModel) -> int:
    """Of everything drawn over the whole run, so that the scale stays while panning."""
    reserved = model.reserved.highest if model.reserved is not None and model.is_everything_shown else 0
    others = [other.curve.highest for other in model.others] if model.is_everything_shown else []
    return max(model.shown.highest, reserved, *others)
