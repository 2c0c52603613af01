"""Give every memory block its category: the strongest that any evidence during its life earns it."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from tensorscope.analysis.blocks import JoinedBlocks
from tensorscope.analysis.evidence import ACTIVATION, ANY_TIME, BUFFER, GRADIENT, INPUT, OPTIMIZER_STATE, PARAMETER, TEMPORARY, UNKNOWN, evidence
from tensorscope.analysis.iterations import backward_spans, iteration_at, iteration_bounds, phase_at, phases
from tensorscope.analysis.results import CATEGORIES, Ints
from tensorscope.trace.schema import ALLOCATIONS
from tensorscope.trace.snapshot import Snapshot

# Strongest first, as DESIGN.md section 1 lists them; CATEGORIES has the order in which they are drawn.
STRENGTH: Final = (PARAMETER, BUFFER, OPTIMIZER_STATE, GRADIENT, INPUT, ACTIVATION, TEMPORARY, UNKNOWN)
INTERIOR_STEPS: Final = 32


def categorise(snapshot: Snapshot, blocks: JoinedBlocks) -> NDArray[np.uint8]:
    """The category of each block [n], as an index into CATEGORIES."""
    rank = np.full(len(blocks.row), STRENGTH.index(UNKNOWN), np.uint8)
    allocations = snapshot.table(ALLOCATIONS)
    rank[allocations.column("op")[blocks.row] != 0] = STRENGTH.index(TEMPORARY)
    rank[_is_activation(snapshot, blocks)] = STRENGTH.index(ACTIVATION)
    points = evidence(snapshot)
    found = find_blocks(blocks, points.data, points.time_ns)
    is_inside = allocations.column("module_call")[blocks.row[found]] != 0 if len(blocks.row) else np.zeros(len(found), np.bool_)
    counts = (found >= 0) & ~(points.is_outside & is_inside)
    earned = np.array([STRENGTH.index(one) for one in range(len(CATEGORIES))], np.uint8)[points.category]
    np.minimum.at(rank, found[counts], earned[counts])
    return np.array(STRENGTH, np.uint8)[rank]


def find_blocks(blocks: JoinedBlocks, data: NDArray[np.uint64], time_ns: NDArray[np.int64]) -> NDArray[np.intp]:
    """The block that holds each data pointer and is alive at its time [p]; -1 where none is on record.

    At ANY_TIME: the longest-lived block that begins there. Pointers into a block are looked for among the nearest blocks before.
    """
    found = np.full(len(data), -1, np.intp)
    if not len(blocks.row) or not len(data):
        return found
    order = np.lexsort((blocks.begin_ns, blocks.address))
    address, begin, end = blocks.address[order], blocks.begin_ns[order], blocks.end_ns[order]
    size, is_live = blocks.size[order].astype(np.uint64), blocks.is_live[order]
    times = np.asarray(time_ns, np.int64)
    at = _last_begun(address, begin, data, times)
    for _ in range(INTERIOR_STEPS):
        is_waiting = np.flatnonzero((found < 0) & (at >= 0) & (times >= 0) & (data != 0))
        if not len(is_waiting):
            break
        place, when = at[is_waiting], times[is_waiting]
        holds = (data[is_waiting] - address[place] < size[place]) & (begin[place] <= when) & ((end[place] > when) | is_live[place])
        found[is_waiting[holds]] = order[place[holds]]
        at[is_waiting] -= 1
    for row in np.flatnonzero((times == ANY_TIME) & (data != 0)):
        low, high = np.searchsorted(address, data[row], side="left"), np.searchsorted(address, data[row], side="right")
        if high > low:
            found[row] = order[low + int(np.argmax(end[low:high] - begin[low:high]))]
    return found


def _last_begun(address: NDArray[np.uint64], begin: Ints, data: NDArray[np.uint64], times: Ints) -> NDArray[np.intp]:
    """Position of the last block, sorted by (address, begin), that is not after (data, time); -1 if all are."""
    low = np.searchsorted(address, data, side="left")
    high = np.searchsorted(address, data, side="right")
    left, right = low.copy(), high.copy()
    while bool(np.any(left < right)):  # one binary search by begin within the equal addresses, all points at once
        middle = (left + right) // 2
        is_before = (left < right) & (begin[middle.clip(max=len(begin) - 1)] <= times)
        left = np.where(is_before, middle + 1, left)
        right = np.where((left <= middle) & ~is_before, middle, right)
    return (left - 1).astype(np.intp)


def _is_activation(snapshot: Snapshot, blocks: JoinedBlocks) -> NDArray[np.bool_]:
    """Made in forward and alive when the next backward of its iteration begins [n]."""
    all_phases = phases(snapshot)
    begins = np.array([begin for _, begin, _ in backward_spans(snapshot)], np.int64)
    if not all_phases or not len(begins):
        return np.zeros(len(blocks.row), np.bool_)
    is_forward = np.array([phase.kind == "forward" for phase in all_phases])[phase_at(all_phases, blocks.begin_ns)]
    following = np.searchsorted(begins, blocks.begin_ns, side="left")
    backward_ns = begins[following.clip(max=len(begins) - 1)]
    bounds = iteration_bounds(snapshot)
    is_same = iteration_at(bounds, backward_ns) == iteration_at(bounds, blocks.begin_ns)
    is_alive = blocks.is_live | (blocks.end_ns > backward_ns)
    result: NDArray[np.bool_] = is_forward & (following < len(begins)) & is_same & is_alive
    return result
