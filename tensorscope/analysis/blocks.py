"""Join allocation and free records of one device into blocks with a begin and an end: what curves, categories and names stand on."""

from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from tensorscope.analysis.results import Ints
from tensorscope.protocol.records import AllocationAction
from tensorscope.trace.schema import ALLOCATIONS
from tensorscope.trace.snapshot import Snapshot

DEVICE_TYPES: Final = {0: "cpu", 1: "cuda", 6: "hip", 9: "xla", 12: "xpu", 13: "mps", 20: "privateuseone"}  # c10::DeviceType

_STARTS: Final = (AllocationAction.ALLOC, AllocationAction.BEFORE)
# The CUDA allocator stops counting a block as allocated when its free is requested; FREE_COMPLETED only ends "active".
_ENDS: Final = (AllocationAction.FREE, AllocationAction.FREE_REQUESTED, AllocationAction.BEFORE_FREED)


@dataclass(frozen=True, slots=True, order=True)
class DeviceKey:
    type: int  # c10::DeviceType
    index: int

    @property
    def name(self) -> str:
        """Such as "cpu" or "cuda:0"."""
        kind = DEVICE_TYPES.get(self.type, f"device{self.type}")
        return kind if self.type == 0 else f"{kind}:{max(self.index, 0)}"


@dataclass(frozen=True, slots=True)
class JoinedBlocks:
    """Blocks of one device in order of allocation, all arrays [n]. ``row`` points into the allocations table."""

    row: NDArray[np.intp]
    address: NDArray[np.uint64]
    size: Ints
    begin_ns: Ints
    end_ns: Ints  # the snapshot's end where never freed
    is_live: NDArray[np.bool_]
    begin_order: Ints  # position among this device's events in time order
    end_order: Ints  # -1 where never freed
    events: int
    unknown_frees: int  # frees of blocks that are not on record
    lost_frees: int  # blocks whose address came again without a free on record: they end there


@dataclass(frozen=True, slots=True)
class AllocatedCurve:
    times_ns: Ints  # [t] one step an event, so equal times may repeat
    deltas: Ints  # [t]
    allocated_bytes: Ints  # [t]
    block: NDArray[np.intp]  # [t] the block that came or went


def device_keys(snapshot: Snapshot) -> tuple[DeviceKey, ...]:
    """The devices with allocations on record, by type and index."""
    allocations = snapshot.table(ALLOCATIONS)
    index = allocations.column("device_index").astype(np.int64)
    codes = np.unique(allocations.column("device_type").astype(np.int64) * 1024 + np.where(allocations.column("device_type") == 0, 0, index + 1))
    return tuple(DeviceKey(int(code) // 1024, int(code) % 1024 - 1 if code >= 1024 else 0) for code in codes)


def device_mask(snapshot: Snapshot, key: DeviceKey) -> NDArray[np.bool_]:
    """Which rows of the allocations table belong to the device [rows]."""
    allocations = snapshot.table(ALLOCATIONS)
    mask = allocations.column("device_type") == key.type
    result: NDArray[np.bool_] = mask if key.type == 0 else mask & (allocations.column("device_index") == key.index)
    return result


def join_blocks(snapshot: Snapshot, key: DeviceKey) -> JoinedBlocks:
    """Join each free to the allocation of its address before it, in time order; ties keep the order of arrival."""
    allocations = snapshot.table(ALLOCATIONS)
    action = allocations.column("action")
    is_start = np.isin(action, _STARTS) & (allocations.column("size") > 0)
    is_end = np.isin(action, _ENDS) & (allocations.column("address") != 0)  # empty tensors free nothing
    rows = np.flatnonzero(device_mask(snapshot, key) & (is_start | is_end))
    rows = _in_time_order(rows, allocations.column("time_ns"))
    rows = rows[~_is_late(action[rows], allocations.column("address")[rows])]
    address = allocations.column("address")[rows]
    starts = is_start[rows]
    by_address = np.argsort(address, kind="stable")
    has_next = np.zeros(len(rows), np.bool_)
    following = np.full(len(rows), -1, np.int64)
    if len(rows):
        same = address[by_address][1:] == address[by_address][:-1]
        has_next[by_address[:-1]] = same
        following[by_address[:-1]] = np.where(same, by_address[1:], -1)
    begin_order = np.flatnonzero(starts)
    end_order = following[begin_order]
    is_live = ~has_next[begin_order]
    times = allocations.column("time_ns")[rows].astype(np.int64)
    end_ns = np.where(is_live, max(snapshot.end_ns, int(times[-1]) if len(times) else 0), times[end_order])
    is_lost = ~is_live & starts[end_order] if len(rows) else np.zeros(0, np.bool_)
    frees = int(np.count_nonzero(~starts))
    joined = int(np.count_nonzero(~is_live)) - int(np.count_nonzero(is_lost))
    return JoinedBlocks(
        row=rows[begin_order],
        address=address[begin_order],
        size=allocations.column("size")[rows[begin_order]].astype(np.int64),
        begin_ns=times[begin_order],
        end_ns=end_ns,
        is_live=is_live,
        begin_order=begin_order.astype(np.int64),
        end_order=end_order,
        events=len(rows),
        unknown_frees=frees - joined,
        lost_frees=int(np.count_nonzero(is_lost)),
    )


def _is_late(action: NDArray[np.uint8], address: NDArray[np.uint64]) -> NDArray[np.bool_]:
    """Events [n] in time order that are the end of a block from before whose address has come again: noticed late, it says nothing of the new block."""
    is_end: NDArray[np.bool_] = action == AllocationAction.BEFORE_FREED
    if not is_end.any():
        return is_end
    by_address = np.argsort(address, kind="stable")
    follows_its_begin = np.zeros(len(action), np.bool_)
    same = address[by_address][1:] == address[by_address][:-1]
    follows_its_begin[by_address[1:]] = same & (action[by_address][:-1] == AllocationAction.BEFORE)
    result: NDArray[np.bool_] = is_end & ~follows_its_begin
    return result


def allocated_curve(blocks: JoinedBlocks) -> AllocatedCurve:
    """Allocated bytes after every allocation and free of the device."""
    ended = np.flatnonzero(blocks.end_order >= 0)
    # A block that ends because its address came again goes before that allocation: even steps are ends, odd ones begins.
    order = np.concatenate((blocks.begin_order * 2 + 1, blocks.end_order[ended] * 2))
    block = np.concatenate((np.arange(len(blocks.row), dtype=np.intp), ended))
    deltas = np.concatenate((blocks.size, -blocks.size[ended]))
    times = np.concatenate((blocks.begin_ns, blocks.end_ns[ended]))
    by_order = _sorted_by(order, 2 * blocks.events)
    return AllocatedCurve(times[by_order], deltas[by_order], np.cumsum(deltas[by_order]), block[by_order])


def _sorted_by(order: NDArray[np.int64], limit: int) -> NDArray[np.intp]:
    """The permutation that sorts distinct small integers, by placing them instead of comparing."""
    places = np.full(limit, -1, np.intp)
    places[order] = np.arange(len(order), dtype=np.intp)
    return places[places >= 0]


def _in_time_order(rows: NDArray[np.intp], times: NDArray[Any]) -> NDArray[np.intp]:
    chosen = times[rows]
    if len(chosen) > 1 and bool(np.any(chosen[1:] < chosen[:-1])):
        return rows[np.argsort(chosen, kind="stable")]
    return rows
