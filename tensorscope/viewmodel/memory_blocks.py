"""Single blocks of the memory timeline: which are live, the largest, which lies under the pointer, and where they lie inside their category's band.

Inside a band the oldest block lies lowest, so a block sinks when an older one of its category is freed.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from tensorscope.analysis.results import CATEGORIES, Ints, MemoryBlocks

_LEAST_HEIGHT: Final = 2.0  # pixels from which a block is drawn by itself
_LEAST_COLUMNS: Final = 2
_MOST_STRIPS: Final = 300
_MOST_ROWS: Final = 40_000  # of one category in the range; above, its blocks are not told apart


@dataclass(frozen=True, slots=True)
class BlockIndex:
    """The rows of every category in order of allocation, with their columns gathered."""

    blocks: MemoryBlocks
    rows: tuple[NDArray[np.intp], ...]
    begins_ns: tuple[Ints, ...]
    ends_ns: tuple[Ints, ...]
    sizes: tuple[Ints, ...]


@dataclass(frozen=True, slots=True)
class Strip:
    """One block over the columns [first, first + len(bottoms)): bytes from the axis to its lower edge."""

    row: int
    category: int
    is_tinted: bool
    first: int
    bottoms: Ints
    size: int


def index_blocks(blocks: MemoryBlocks) -> BlockIndex:
    order = np.argsort(blocks.begin_ns, kind="stable")
    category = blocks.category[order]
    rows = tuple(order[category == number] for number in range(len(CATEGORIES)))
    return BlockIndex(blocks, rows, tuple(blocks.begin_ns[r] for r in rows), tuple(blocks.end_ns[r] for r in rows), tuple(blocks.size[r] for r in rows))


def live_rows(blocks: MemoryBlocks, time_ns: int) -> NDArray[np.intp]:
    """Rows live at a moment: allocated at or before it, freed after it (or never)."""
    return np.flatnonzero((blocks.begin_ns <= time_ns) & ((blocks.end_ns > time_ns) | blocks.is_live))


def largest_rows(blocks: MemoryBlocks, time_ns: int, most: int, hidden: Iterable[int] = ()) -> list[int]:
    """The rows of the ``most`` largest live blocks, largest first, older first among equals."""
    rows = live_rows(blocks, time_ns)
    unwanted = list(hidden)
    if unwanted:
        rows = rows[~np.isin(blocks.category[rows], unwanted)]
    return [int(row) for row in rows[np.lexsort((blocks.begin_ns[rows], -blocks.size[rows]))[:most]]]


def row_of_block(blocks: MemoryBlocks, address: int, begin_ns: int) -> int | None:
    """The row with an identity (address and time of allocation)."""
    rows = np.flatnonzero((blocks.begin_ns == begin_ns) & (blocks.address == np.uint64(address)))
    return int(rows[0]) if len(rows) else None


def block_at(index: BlockIndex, time_ns: int, height_bytes: float, hidden: frozenset[int] = frozenset()) -> int | None:
    """The row of the block that lies ``height_bytes`` above the axis at a moment."""
    left = height_bytes
    for category, rows in enumerate(index.rows):
        if category in hidden or left < 0:
            continue
        is_live = (index.begins_ns[category] <= time_ns) & ((index.ends_ns[category] > time_ns) | index.blocks.is_live[rows])
        tops = np.cumsum(index.sizes[category][is_live])
        total = int(tops[-1]) if len(tops) else 0
        if left < total:
            return int(rows[is_live][np.searchsorted(tops, left, "right")])
        left -= total
    return None


def block_strips(
    index: BlockIndex,
    moments_ns: Ints,
    category_bytes: Ints,
    bytes_per_pixel: float,
    selected_rows: tuple[int, ...],
    hidden: frozenset[int],
) -> tuple[tuple[Strip, ...], tuple[Strip, ...]]:
    """The blocks large enough to be seen, and the selected ones of whatever size. ``category_bytes`` [8, w] holds at ``moments_ns`` [w]."""
    if not len(moments_ns):
        return (), ()
    floors = np.concatenate([np.zeros((1, category_bytes.shape[1]), np.int64), np.cumsum(category_bytes, axis=0)])
    seen: list[Strip] = []
    selected: list[Strip] = []
    for category in range(len(CATEGORIES)):
        if category in hidden:
            continue
        near = _near(index, category, moments_ns)
        rows, sizes = index.rows[category][near], index.sizes[category][near]
        is_selected = np.isin(rows, selected_rows) if selected_rows else np.zeros(len(rows), np.bool_)
        may_be_seen = len(near) <= _MOST_ROWS and bool((sizes >= bytes_per_pixel * _LEAST_HEIGHT).any())
        if not may_be_seen and not is_selected.any():
            continue
        first = np.searchsorted(moments_ns, index.begins_ns[category][near], "left")
        ends = np.searchsorted(moments_ns, index.ends_ns[category][near], "left")
        last = np.where(index.blocks.is_live[rows], len(moments_ns), ends)
        large = _large_enough(sizes, last - first, bytes_per_pixel) if may_be_seen else np.zeros(len(near), np.bool_)
        wanted = np.flatnonzero(large | (is_selected & (last > first)))
        below = _bytes_of_older(sizes, last, wanted, len(moments_ns))
        for position, older in zip(wanted.tolist(), below, strict=True):
            columns = slice(int(first[position]), int(last[position]))
            bottoms = floors[category, columns] + older[columns]
            strip = Strip(int(rows[position]), category, bool((near[position]) % 2), columns.start, bottoms, int(sizes[position]))
            if large[position]:
                seen.append(strip)
            if is_selected[position]:
                selected.append(strip)
    return tuple(seen), tuple(selected)


def _near(index: BlockIndex, category: int, moments_ns: Ints) -> NDArray[np.intp]:
    """Positions within a category of the blocks that live between the first and the last moment."""
    begun = int(np.searchsorted(index.begins_ns[category], moments_ns[-1], "right"))
    is_there = (index.ends_ns[category][:begun] > moments_ns[0]) | index.blocks.is_live[index.rows[category][:begun]]
    return np.flatnonzero(is_there)


def _large_enough(sizes: Ints, columns: NDArray[np.intp], bytes_per_pixel: float) -> NDArray[np.bool_]:
    """At most ``_MOST_STRIPS`` blocks, the largest, that are wide and high enough to be told apart."""
    is_large: NDArray[np.bool_] = (columns >= _LEAST_COLUMNS) & (sizes >= bytes_per_pixel * _LEAST_HEIGHT)
    if int(is_large.sum()) > _MOST_STRIPS:
        is_large &= sizes > np.partition(sizes[is_large], -_MOST_STRIPS)[-_MOST_STRIPS]
    return is_large


def _bytes_of_older(sizes: Ints, last: NDArray[np.intp], wanted: NDArray[np.intp], columns: int) -> list[Ints]:
    """For each wanted block the bytes of the older ones that are still there, by column [columns]: a running histogram of where blocks end."""
    ending = np.zeros(columns + 1, np.int64)
    begin, total, below = 0, 0, []
    for position in wanted.tolist():
        ending += np.bincount(last[begin:position], sizes[begin:position], columns + 1).astype(np.int64)
        total += int(sizes[begin:position].sum())
        below.append(total - np.cumsum(ending[:columns]))
        begin = position
    return below


def strip_of(index: BlockIndex, moments_ns: Ints, category_bytes: Ints, row: int) -> Strip | None:
    """One block as a strip, whatever its size; None where no column holds it at its moment."""
    category = int(index.blocks.category[row])
    if not len(moments_ns):
        return None
    floor = category_bytes[:category].sum(axis=0)
    ends, rows = index.ends_ns[category], index.rows[category]
    end = int(moments_ns[-1]) + 1 if index.blocks.is_live[row] else int(index.blocks.end_ns[row])
    first, last = np.searchsorted(moments_ns, [int(index.blocks.begin_ns[row]), end], "left").tolist()
    if first >= last:
        return None
    place = int(np.flatnonzero(rows == row)[0])
    older = slice(0, place)
    is_there = (ends[older] > moments_ns[first]) | index.blocks.is_live[rows[older]]
    until = np.where(index.blocks.is_live[rows[older]][is_there], len(moments_ns), np.searchsorted(moments_ns, ends[older][is_there], "left"))
    sizes = index.sizes[category][older][is_there]
    ending = np.bincount(until, sizes, len(moments_ns) + 1)[: len(moments_ns)].astype(np.int64)
    below = int(sizes.sum()) - np.cumsum(ending)
    return Strip(row, category, False, first, floor[first:last] + below[first:last], int(index.blocks.size[row]))
