"""Which tensors share which storage at a moment: from the storages message at or before it, with who made and who last wrote each."""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from tensorscope.analysis.blocks import JoinedBlocks, device_keys, join_blocks
from tensorscope.analysis.categories import categorise, find_blocks
from tensorscope.analysis.evidence import root_inputs
from tensorscope.analysis.iterations import iteration_at, iteration_bounds
from tensorscope.analysis.modules import ModuleCall, module_calls
from tensorscope.analysis.moments import iteration_end
from tensorscope.analysis.results import CATEGORIES, StorageRow, StorageTensor, StorageView
from tensorscope.analysis.writers import Writer, find_writers
from tensorscope.trace.schema import ALLOCATIONS
from tensorscope.trace.snapshot import Snapshot

Aliases = dict[str, tuple[str, ...]]
"""Further names of a tied parameter, by its first."""

Located = list[tuple[JoinedBlocks, list[tuple[int, int]]]]


def storage_view(snapshot: Snapshot, at_ns: int | None = None, is_wanted: Callable[[int, tuple[StorageTensor, ...]], bool] | None = None) -> StorageView:
    """The storages as last seen at or before a time; an empty view where none were seen yet.

    ``is_wanted`` chooses by bytes and tensors: who wrote them, which takes most of the time, is asked for the chosen ones only.

    None: the newest look that found any. The look at exit often finds nothing more, since the script's functions have returned.
    """
    message = _message_at(snapshot, at_ns)
    if message is None:
        return StorageView(seen_ns=0, reason="", iteration=-1, is_complete=False, rows=())
    seen = int(message.get("time_ns", 0))
    storages = list(message.get("storages", ()))
    aliases = _aliases(snapshot, storages)
    if is_wanted is not None:
        storages = [one for one in storages if is_wanted(int(one.get("nbytes") or 0), tuple(map(_tensor, one.get("tensors", ()))))]
    located = _locate(snapshot, storages, seen)
    begins = _begins(storages, located)
    writers = find_writers(snapshot, [int(storage.get("data") or 0) for storage in storages], begins, seen)
    categories, modules = _from_blocks(snapshot, storages, located, seen)
    calls = module_calls(snapshot)
    rows = tuple(
        _row(storage, aliases, seen, begin >= 0, category, made, last, calls.get(made.module_call or call))
        for storage, begin, category, call, (made, last) in zip(storages, begins, categories, modules, writers, strict=True)
    )
    return StorageView(
        seen_ns=seen,
        reason=str(message.get("reason", "")),
        iteration=_iteration_of(snapshot, seen, str(message.get("reason", ""))),
        is_complete=bool(message.get("is_complete")),
        rows=rows,
    )


def iteration_message_ns(snapshot: Snapshot, iteration: int) -> int:
    """The moment to ask for what was there when an iteration ended: that of the storages message taken then, else the iteration's end.

    Raises TensorScopeError where there is no such iteration.
    """
    end = iteration_end(snapshot, iteration)
    next_end = min((one[2] for one in iteration_bounds(snapshot) if one[2] > end), default=None)
    taken = [int(one.get("time_ns", 0)) for one in snapshot.storages if one.get("reason") == "iteration"]
    return min((at for at in taken if at >= end and (next_end is None or at < next_end)), default=end)


def byte_range(shape: tuple[int, ...], stride: tuple[int, ...], offset: int, itemsize: int) -> tuple[int, int]:
    """First byte and the byte after the last that a strided tensor can touch in its storage; equal when it has no elements."""
    if 0 in shape:
        return offset * itemsize, offset * itemsize
    spans = [(size - 1) * step for size, step in zip(shape, stride, strict=True)]
    first = offset + sum(span for span in spans if span < 0)
    last = offset + sum(span for span in spans if span > 0)
    return first * itemsize, (last + 1) * itemsize


def is_contiguous(shape: tuple[int, ...], stride: tuple[int, ...]) -> bool:
    """Whether the elements lie in row-major order without gaps, as ``Tensor.is_contiguous()`` says (dimensions of size 1 do not matter)."""
    if 0 in shape:
        return True
    expected = 1
    for size, step in zip(reversed(shape), reversed(stride), strict=True):
        if size != 1 and step != expected:
            return False
        expected *= size
    return True


def _message_at(snapshot: Snapshot, at_ns: int | None) -> Mapping[str, Any] | None:
    if at_ns is None:
        seen = [message for message in snapshot.storages if message.get("storages")] or list(snapshot.storages)
    else:
        seen = [message for message in snapshot.storages if int(message.get("time_ns", 0)) <= at_ns]
    return max(seen, key=lambda message: int(message.get("time_ns", 0)), default=None)


def _iteration_of(snapshot: Snapshot, seen: int, reason: str) -> int:
    """The iteration a message tells about: the one that has just ended, or the one that runs; -1 outside of all."""
    bounds = iteration_bounds(snapshot)
    ended = [index for index, _, end, is_ended in bounds if is_ended and end <= seen]
    if reason == "iteration" and ended:
        return ended[-1]
    return int(iteration_at(bounds, np.array([seen], np.int64))[0])


def _row(
    storage: Mapping[str, Any], aliases: Aliases, seen: int, has_block: bool, category: str, made: Writer, last: Writer, call: ModuleCall | None
) -> StorageRow:
    return StorageRow(
        id=int(storage.get("storage") or 0),
        data=int(storage.get("data") or 0),
        device=str(storage.get("device", "")),
        nbytes=int(storage.get("nbytes") or 0),
        category=category,
        is_external=bool(storage.get("is_external")) and not has_block,
        seen_ns=seen,
        last_writer=last.name,
        last_writer_source=last.source,
        made_by=made.name,
        made_source=made.source,
        module=call.module if call is not None else "",
        tensors=tuple(_tensor(tensor, aliases) for tensor in storage.get("tensors", ())),
        holders=tuple(str(holder) for holder in storage.get("holders", ())),
    )


def _aliases(snapshot: Snapshot, storages: list[Mapping[str, Any]]) -> Aliases:
    """Those that no tensor of this look has for its own name: after untying, each has a tensor of its own."""
    listed = {str(name) for storage in storages for tensor in storage.get("tensors", ()) for name in tensor.get("names", ())}
    told = {str(one.get("fqn", "")): (*(one.get("aliases") or ()), *(one.get("former_aliases") or ())) for one in snapshot.parameters.values()}
    return {name: tuple(dict.fromkeys(alias for alias in aliases if alias not in listed)) for name, aliases in told.items() if aliases}


def _tensor(tensor: Mapping[str, Any], aliases: Aliases | None = None) -> StorageTensor:
    """A tied parameter has its aliases among its names."""
    told = tuple(str(name) for name in tensor.get("names", ()))
    tied = tuple(alias for name in told for alias in (aliases or {}).get(name, ()))
    shape, stride = (tuple(int(one) for one in tensor.get(key, ())) for key in ("shape", "stride"))
    offset = int(tensor.get("offset") or 0)
    begin, end = byte_range(shape, stride, offset, int(tensor.get("itemsize") or 0))
    return StorageTensor(
        names=told + tied,
        shape=shape,
        stride=stride,
        offset=offset,
        dtype=str(tensor.get("dtype", "")),
        is_view=bool(tensor.get("is_view")),
        is_contiguous=is_contiguous(shape, stride),
        version=int(tensor.get("version") or 0),
        begin_byte=begin,
        end_byte=end,
        requires_grad=bool(tensor.get("requires_grad")),
        impl=int(tensor.get("impl") or 0),
        base=int(tensor.get("base") or 0),
    )


def _locate(snapshot: Snapshot, storages: list[Mapping[str, Any]], seen: int) -> Located:
    """By device: its joined blocks and (position in ``storages``, block) of the storages that lie in one."""
    found = []
    for key in device_keys(snapshot):
        mine = [place for place, storage in enumerate(storages) if storage.get("device") == key.name]
        joined = join_blocks(snapshot, key)
        data = np.array([int(storages[place].get("data") or 0) for place in mine], np.uint64)
        at = find_blocks(joined, data, np.full(len(mine), seen, np.int64))
        found.append((joined, [(place, int(block)) for place, block in zip(mine, at, strict=True) if block >= 0]))
    return found


def _begins(storages: list[Mapping[str, Any]], located: Located) -> list[int]:
    """When the memory of each storage was allocated; -1 where that is not known."""
    begins = [-1] * len(storages)
    for joined, pairs in located:
        for place, block in pairs:
            begins[place] = int(joined.begin_ns[block])
    return begins


def _from_blocks(snapshot: Snapshot, storages: list[Mapping[str, Any]], located: Located, seen: int) -> tuple[list[str], list[int]]:
    """Category and allocating module call of each storage; what the message itself says about a tensor is stronger than nothing."""
    told = [{str(tensor.get("category") or "") for tensor in storage.get("tensors", ())} for storage in storages]
    categories = [next((name for name in CATEGORIES if name in names), "unknown") for names in told]
    calls = [0] * len(storages)
    module_call = snapshot.table(ALLOCATIONS).column("module_call")
    passed_in = _passed_in_lately(snapshot, seen)
    for place, storage in enumerate(storages):
        if categories[place] == "unknown" and int(storage.get("data") or 0) in passed_in:
            categories[place] = "input"  # memory that torch did not give has no block to tell it
    for joined, pairs in located:
        category = categorise(snapshot, joined) if pairs else np.empty(0, np.uint8)
        for place, block in pairs:
            categories[place] = CATEGORIES[int(category[block])]
            calls[place] = int(module_call[joined.row[block]])
    return categories, calls


def _passed_in_lately(snapshot: Snapshot, seen: int) -> set[int]:
    """Data pointers of tensors passed into root modules' calls in the iteration that ran at that time, or in the one that ended right before."""
    ended = [begin for _, begin, end, is_ended in iteration_bounds(snapshot) if is_ended and end <= seen]
    since = ended[-1] if ended else 0
    points = root_inputs(snapshot)
    return set(points.data[(points.time_ns >= since) & (points.time_ns <= seen)].tolist())
