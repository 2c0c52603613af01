"""What stands beside the memory timeline: bytes by category at the cursor and at the peak, the largest blocks at the peak, the blocks live at the cursor."""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from tensorscope.analysis.results import CATEGORIES, Ints, MemoryTimeline
from tensorscope.viewmodel.memory import MemoryModel, allocated_at, category_bytes_at
from tensorscope.viewmodel.memory_blocks import live_rows
from tensorscope.viewmodel.memory_groups import BlockGroup, Grouping, grouped
from tensorscope.viewmodel.memory_names import BlockNamer
from tensorscope.viewmodel.memory_ranks import RankCurve

MOST_BLOCKS: Final = 300
MOST_GROUPED: Final = 1000  # blocks that are named for groups; smaller ones are left out, and that is said


@dataclass(frozen=True, slots=True)
class CategoryRow:
    """``number`` is the category's index; None for the sum of all, and for those of other ranks, which have a ``label``."""

    number: int | None
    at_cursor_bytes: int
    at_peak_bytes: int
    is_hidden: bool
    change_bytes: int | None = None  # since the other moment, where one is set
    label: str = ""


@dataclass(frozen=True, slots=True)
class BlockList:
    """The largest blocks live at a moment, or (``since_ns``) what came and went since another one."""

    time_ns: int
    groups: tuple[BlockGroup, ...]
    count: int  # of all blocks live then
    total_bytes: int  # theirs, or the change since
    named: int  # the blocks that the groups hold
    since_ns: int | None = None


def category_rows(model: MemoryModel, cursor_ns: int, since_ns: int | None = None) -> tuple[CategoryRow, ...]:
    """From the top of the stack to its bottom, then the sum, then the sums of other ranks."""
    timeline = model.timeline
    now, peak = category_bytes_at(timeline, cursor_ns), _at_peak(timeline)
    change = now - category_bytes_at(timeline, since_ns) if since_ns is not None else None
    rows = [
        CategoryRow(number, int(now[number]), int(peak[number]), number in model.hidden, None if change is None else int(change[number]))
        for number in reversed(range(len(CATEGORIES)))
    ]
    allocated = allocated_at(timeline, cursor_ns)
    total = int(timeline.allocated_bytes[timeline.peak_index]) if timeline.peak_index >= 0 else 0
    rows.append(CategoryRow(None, allocated, total, False, None if since_ns is None else allocated - allocated_at(timeline, since_ns)))
    return (*rows, *(_rank_row(other, cursor_ns, since_ns) for other in model.others))


def _rank_row(other: RankCurve, cursor_ns: int, since_ns: int | None) -> CategoryRow:
    now = other.bytes_at(cursor_ns)
    return CategoryRow(None, now, other.curve.highest, False, None if since_ns is None else now - other.bytes_at(since_ns), other.label)


def block_list(model: MemoryModel, namer: BlockNamer, time_ns: int, by: Grouping = "block", since_ns: int | None = None) -> BlockList:
    """Live at a moment, largest first, hidden categories left out. Off the GUI thread."""
    timeline, most = model.timeline, MOST_BLOCKS if by == "block" else MOST_GROUPED
    alive = _live(model, time_ns)
    before = _live(model, since_ns) if since_ns is not None else alive[:0]
    came, gone = np.setdiff1d(alive, before, assume_unique=True), np.setdiff1d(before, alive, assume_unique=True)
    sizes = timeline.blocks.size
    named = [namer.describe(timeline, _largest(timeline, rows, most), at) for rows, at in ((came, time_ns), (gone, since_ns or 0))]
    total = int(sizes[came].sum()) - int(sizes[gone].sum())
    groups = grouped(named[0], by, named[1])
    if since_ns is not None:
        groups = tuple(group for group in groups if group.size_bytes)  # as much came as went
    return BlockList(time_ns, groups, len(came) + len(gone), total, len(named[0]) + len(named[1]), since_ns)


def _live(model: MemoryModel, time_ns: int) -> NDArray[np.intp]:
    rows = live_rows(model.timeline.blocks, time_ns)
    return rows[~np.isin(model.timeline.blocks.category[rows], list(model.hidden))] if model.hidden else rows


def _largest(timeline: MemoryTimeline, rows: NDArray[np.intp], most: int) -> list[int]:
    """Largest first, older first among equals."""
    blocks = timeline.blocks
    return [int(row) for row in rows[np.lexsort((blocks.begin_ns[rows], -blocks.size[rows]))[:most]]]


def toggle_hidden(hidden: frozenset[int], number: int) -> frozenset[int]:
    """Hide a category, or show it again; the last one shown stays."""
    changed = hidden ^ {number}
    return hidden if len(changed) == len(CATEGORIES) else changed


def solo(hidden: frozenset[int], number: int) -> frozenset[int]:
    """Show one category alone; all again where it already is."""
    alone = frozenset(range(len(CATEGORIES))) - {number}
    return frozenset() if hidden == alone else alone


def _at_peak(timeline: MemoryTimeline) -> Ints:
    return timeline.category_bytes[:, timeline.peak_index] if timeline.peak_index >= 0 else np.zeros(len(CATEGORIES), np.int64)
