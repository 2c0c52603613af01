"""The memory of one device over the run: blocks, categories, the curves of allocated and reserved bytes, and what is alive at a time."""

import numpy as np
from numpy.typing import NDArray

from tensorscope.analysis.accumulated import Accumulated, accumulated, owners
from tensorscope.analysis.blocks import AllocatedCurve, DeviceKey, JoinedBlocks, allocated_curve, device_keys, device_mask, join_blocks
from tensorscope.analysis.categories import categorise
from tensorscope.analysis.gradients import parameter_name
from tensorscope.analysis.results import CATEGORIES, Ints, MemoryBlocks, MemoryTimeline, Refusal
from tensorscope.errors import TensorScopeError
from tensorscope.protocol.records import AllocationAction
from tensorscope.trace.schema import ALLOCATIONS
from tensorscope.trace.snapshot import Snapshot

_GROWS = (AllocationAction.SEGMENT_ALLOC, AllocationAction.SEGMENT_MAP)
_SHRINKS = (AllocationAction.SEGMENT_FREE, AllocationAction.SEGMENT_UNMAP)


def devices(snapshot: Snapshot) -> tuple[str, ...]:
    """Names of the devices with memory on record, such as ("cpu", "cuda:0")."""
    return tuple(key.name for key in device_keys(snapshot))


def default_device(snapshot: Snapshot) -> str:
    """The device with the highest peak; "cpu" where nothing is on record."""
    peaks = {key.name: allocated_curve(join_blocks(snapshot, key)).allocated_bytes for key in device_keys(snapshot)}
    return max(peaks, key=lambda name: int(peaks[name].max(initial=0)), default="cpu")


def memory_timeline(snapshot: Snapshot, device: str) -> MemoryTimeline:
    """Everything about one device. Raises TensorScopeError for a device without memory on record."""
    key = next((key for key in device_keys(snapshot) if key.name == device), None)
    if key is None:
        if device != "cpu":
            known = ", ".join(devices(snapshot)) or "none"
            raise TensorScopeError(f"No memory of device {device} is on record; devices on record: {known}.")
        key = DeviceKey(0, 0)
    joined = join_blocks(snapshot, key)
    category = categorise(snapshot, joined)
    curve = allocated_curve(joined)
    times, allocated, by_category, reserved = curve.times_ns, curve.allocated_bytes, _by_category(curve, category), None
    segments = None if key.type == 0 else _segment_steps(snapshot, key)
    if segments is not None:
        times, allocated, by_category, reserved = _merge(curve, by_category, *segments)
    return MemoryTimeline(
        device=device,
        blocks=_blocks(snapshot, joined, category),
        times_ns=times,
        allocated_bytes=allocated,
        category_bytes=by_category,
        reserved_bytes=reserved,
        requested_bytes=allocated if key.type == 0 else None,  # the CPU allocator gives what is asked for
        peak_index=int(np.argmax(allocated)) if len(allocated) else -1,
        capacity_bytes=None,
        unknown_frees=joined.unknown_frees,
        lost_frees=joined.lost_frees,
        refusals=_refusals(snapshot, key),
    )


def live_at(timeline: MemoryTimeline, time_ns: int) -> NDArray[np.intp]:
    """Rows of the blocks alive at a time: allocated at or before it, freed after it."""
    blocks = timeline.blocks
    last = int(np.searchsorted(blocks.begin_ns, time_ns, side="right"))
    is_alive = blocks.is_live[:last] | (blocks.end_ns[:last] > time_ns)
    return np.flatnonzero(is_alive)


def step_at(timeline: MemoryTimeline, time_ns: int) -> int:
    """Index of the curve's step that holds at a time; -1 before the first."""
    return int(np.searchsorted(timeline.times_ns, time_ns, side="right")) - 1


def peak_ns(timeline: MemoryTimeline) -> int:
    """The moment of the first maximum of allocated bytes; 0 when there is none."""
    return int(timeline.times_ns[timeline.peak_index]) if timeline.peak_index >= 0 else 0


def block_names(snapshot: Snapshot, timeline: MemoryTimeline, rows: NDArray[np.intp], time_ns: int) -> dict[int, tuple[str, ...]]:
    """Names of tensors on these blocks: row → names.

    From the storages message nearest to the time among those during the block's life; gradients that none saw by the parameter they were put on.
    """
    blocks = timeline.blocks
    wanted: dict[int, list[int]] = {}
    for row in rows:
        wanted.setdefault(int(blocks.address[row]), []).append(int(row))
    names: dict[int, tuple[str, ...]] = {}
    for message in sorted(snapshot.storages, key=lambda one: abs(int(one.get("time_ns", 0)) - time_ns)):
        seen = int(message.get("time_ns", 0))
        for storage in message.get("storages", ()):
            for row in wanted.get(int(storage.get("data") or 0), ()):
                is_alive = blocks.begin_ns[row] <= seen and (blocks.is_live[row] or seen < blocks.end_ns[row])
                if row not in names and is_alive:
                    found = [name for tensor in storage.get("tensors", ()) for name in tensor.get("names", ())]
                    names[row] = tuple(dict.fromkeys(found))
        if len(names) == len(rows):
            break
    return {**_gradient_names(snapshot, timeline, rows), **{row: found for row, found in names.items() if found}}


def _gradient_names(snapshot: Snapshot, timeline: MemoryTimeline, rows: NDArray[np.intp]) -> dict[int, tuple[str, ...]]:
    blocks = timeline.blocks
    wanted = {int(blocks.address[row]): int(row) for row in rows if blocks.category[row] == CATEGORIES.index("gradient")}
    if not wanted:
        return {}
    found = accumulated(snapshot)
    is_wanted = np.isin(found.data, np.array(list(wanted), np.uint64))
    found = Accumulated(found.data[is_wanted], found.end_ns[is_wanted], found.operator[is_wanted])
    names: dict[int, tuple[str, ...]] = {}
    for data, end, parameter in zip(found.data.tolist(), found.end_ns.tolist(), owners(snapshot, found).tolist(), strict=True):
        row = wanted[data]
        if parameter and blocks.begin_ns[row] < end and (blocks.is_live[row] or end <= blocks.end_ns[row]):
            names[row] = (f"{parameter_name(snapshot, parameter)}.grad",)
    return names


def _blocks(snapshot: Snapshot, joined: JoinedBlocks, category: NDArray[np.uint8]) -> MemoryBlocks:
    allocations = snapshot.table(ALLOCATIONS)
    return MemoryBlocks(
        address=joined.address,
        size=joined.size,
        begin_ns=joined.begin_ns,
        end_ns=joined.end_ns,
        is_live=joined.is_live,
        category=category,
        op=allocations.column("op")[joined.row],
        stack=allocations.column("stack")[joined.row],
        module_call=allocations.column("module_call")[joined.row],
    )


def _by_category(curve: AllocatedCurve, category: NDArray[np.uint8]) -> Ints:
    of_step = category[curve.block]
    result = np.zeros((len(CATEGORIES), len(of_step)), np.int64)
    result[of_step, np.arange(len(of_step))] = curve.deltas
    return np.cumsum(result, axis=1, out=result)


def _refusals(snapshot: Snapshot, key: DeviceKey) -> tuple[Refusal, ...]:
    """An OOM's address is the device's free bytes."""
    allocations = snapshot.table(ALLOCATIONS)
    rows = np.flatnonzero(device_mask(snapshot, key) & (allocations.column("action") == AllocationAction.OOM))
    columns = (allocations.column(name)[rows].tolist() for name in ("time_ns", "size", "address"))
    return tuple(Refusal(int(time), int(size), int(free)) for time, size, free in zip(*columns, strict=True))


def _segment_steps(snapshot: Snapshot, key: DeviceKey) -> tuple[Ints, Ints] | None:
    """Times and changes of reserved bytes; None where no segment is on record."""
    allocations = snapshot.table(ALLOCATIONS)
    action = allocations.column("action")
    is_growing, is_shrinking = np.isin(action, _GROWS), np.isin(action, _SHRINKS)
    rows = np.flatnonzero(device_mask(snapshot, key) & (is_growing | is_shrinking))
    if not len(rows):
        return None
    rows = rows[np.argsort(allocations.column("time_ns")[rows], kind="stable")]
    size = allocations.column("size")[rows].astype(np.int64)
    return allocations.column("time_ns")[rows].astype(np.int64), np.where(is_growing[rows], size, -size)


def _merge(curve: AllocatedCurve, by_category: Ints, times: Ints, deltas: Ints) -> tuple[Ints, Ints, Ints, Ints]:
    """Both step functions over the union of their steps."""
    all_times = np.concatenate((times, curve.times_ns))
    order = np.argsort(all_times, kind="stable")
    is_block = np.concatenate((np.zeros(len(times), np.bool_), np.ones(len(curve.times_ns), np.bool_)))[order]
    step = np.cumsum(is_block)  # 0: before the first block
    allocated = np.concatenate(([0], curve.allocated_bytes))[step]
    categories = np.concatenate((np.zeros((len(CATEGORIES), 1), np.int64), by_category), axis=1)[:, step]
    reserved = np.cumsum(np.concatenate((deltas, np.zeros(len(curve.times_ns), np.int64)))[order])
    return all_times[order], allocated, categories, reserved
