"""What stands beside the memory timeline: bytes by category at the cursor and at the peak, the largest blocks at the peak, the blocks live at the cursor."""

from dataclasses import dataclass
from typing import Final

import numpy as np

from tensorscope.analysis.results import CATEGORIES, Ints, MemoryTimeline
from tensorscope.viewmodel.memory import MemoryModel, allocated_at, category_bytes_at
from tensorscope.viewmodel.memory_blocks import largest_rows, live_rows
from tensorscope.viewmodel.memory_names import BlockNamer, BlockRow

MOST_BLOCKS: Final = 300


@dataclass(frozen=True, slots=True)
class CategoryRow:
    """``number`` is the category's index; None for the sum of all."""

    number: int | None
    at_cursor_bytes: int
    at_peak_bytes: int
    is_hidden: bool


@dataclass(frozen=True, slots=True)
class BlockList:
    """The largest blocks live at a moment."""

    time_ns: int
    rows: tuple[BlockRow, ...]
    count: int  # of all blocks live then
    total_bytes: int


def category_rows(model: MemoryModel, cursor_ns: int) -> tuple[CategoryRow, ...]:
    """From the top of the stack to its bottom, then the sum."""
    timeline = model.timeline
    now, peak = category_bytes_at(timeline, cursor_ns), _at_peak(timeline)
    rows = [CategoryRow(number, int(now[number]), int(peak[number]), number in model.hidden) for number in reversed(range(len(CATEGORIES)))]
    total = int(timeline.allocated_bytes[timeline.peak_index]) if timeline.peak_index >= 0 else 0
    return (*rows, CategoryRow(None, allocated_at(timeline, cursor_ns), total, False))


def block_list(model: MemoryModel, namer: BlockNamer, time_ns: int, most: int = MOST_BLOCKS) -> BlockList:
    """Live at a moment, largest first, hidden categories left out. Off the GUI thread."""
    timeline = model.timeline
    rows = largest_rows(timeline.blocks, time_ns, most, model.hidden)
    alive = live_rows(timeline.blocks, time_ns)
    if model.hidden:
        alive = alive[~np.isin(timeline.blocks.category[alive], list(model.hidden))]
    return BlockList(time_ns, namer.describe(timeline, rows, time_ns), len(alive), int(timeline.blocks.size[alive].sum()))


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
