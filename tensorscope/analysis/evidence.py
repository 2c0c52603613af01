"""What the trace says about who owned a storage when: parameters, buffers, optimizer state, gradients, inputs."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tensorscope.analysis.accumulated import accumulated
from tensorscope.analysis.operators import call_index
from tensorscope.analysis.results import CATEGORIES, Ints
from tensorscope.protocol.records import TensorFlag, TensorRole
from tensorscope.trace.schema import MODULE_CALLS, TENSORS
from tensorscope.trace.snapshot import Snapshot

PARAMETER, BUFFER, OPTIMIZER_STATE, INPUT, GRADIENT, ACTIVATION, TEMPORARY, UNKNOWN = range(len(CATEGORIES))
ANY_TIME = -1


@dataclass(frozen=True, slots=True)
class Points:
    """Evidence: the storage at ``data`` was of ``category`` at ``time_ns`` (or ANY_TIME); arrays [p]."""

    data: NDArray[np.uint64]
    time_ns: Ints
    category: NDArray[np.uint8]
    is_outside: NDArray[np.bool_]  # counts only for blocks made outside of all module calls

    @classmethod
    def joined(cls, parts: "list[Points]") -> "Points":
        columns = [[getattr(part, name) for part in parts] for name in ("data", "time_ns", "category", "is_outside")]
        return cls(*(np.concatenate(column) for column in columns))

    @classmethod
    def of(cls, data: NDArray[Any], time_ns: NDArray[Any], category: int, is_outside: NDArray[np.bool_] | bool = False) -> "Points":
        count = len(data)
        return cls(
            np.asarray(data, np.uint64), np.asarray(time_ns, np.int64), np.full(count, category, np.uint8), np.broadcast_to(np.asarray(is_outside), count)
        )


def evidence(snapshot: Snapshot) -> Points:
    """All of it."""
    return Points.joined(
        [_told(snapshot), _registered(snapshot), _used_parameters(snapshot), root_inputs(snapshot), _gradients(snapshot)],
    )


def _told(snapshot: Snapshot) -> Points:
    """What the storages messages say about their tensors."""
    bare = set(_bare_leaves(snapshot).tolist())
    rows = [
        (int(storage.get("data") or 0), int(message.get("time_ns", 0)), CATEGORIES.index(tensor["category"]), int(tensor.get("impl") or 0) in bare)
        for message in snapshot.storages
        for storage in message.get("storages", ())
        for tensor in storage.get("tensors", ())
        if tensor.get("category") in CATEGORIES
    ]
    data, times, codes, outside = zip(*rows, strict=True) if rows else ((), (), (), ())
    return Points(np.array(data, np.uint64), np.array(times, np.int64), np.array(codes, np.uint8), np.array(outside, np.bool_))


def _registered(snapshot: Snapshot) -> Points:
    """Parameters and buffers of modules, where they were when they were met. When that was is not told, but modules keep theirs."""
    owned = [one for one in snapshot.parameters.values() if one.get("module")]
    kinds = [[int(one.get("data") or 0) for one in owned if bool(one.get("is_buffer")) is is_buffer] for is_buffer in (False, True)]
    parts = [Points.of(np.array(data, np.uint64), np.full(len(data), ANY_TIME), code) for data, code in zip(kinds, (PARAMETER, BUFFER), strict=True)]
    return Points.joined(parts)


def _used_parameters(snapshot: Snapshot) -> Points:
    """Wherever an operator took a registered parameter in or gave it out.

    A bare leaf may be a weight of hand-written training or the detached input of a checkpoint, which lies on an activation: it counts only for memory
    that no module call made.
    """
    tensors = snapshot.table(TENSORS)
    buffers = [int(message.get("impl") or 0) for message in snapshot.parameters.values() if message.get("is_buffer")]
    is_used = (tensors.column("flags") & TensorFlag.IS_LEAF_PARAMETER != 0) & (tensors.column("role") != TensorRole.ROOT_INPUT)
    rows = np.flatnonzero(is_used & ~np.isin(tensors.column("impl"), np.array(buffers, np.uint64)))
    times = tensor_times(snapshot, rows)
    rows, times = rows[times >= 0], times[times >= 0]
    is_bare = np.isin(tensors.column("impl")[rows], _bare_leaves(snapshot))
    return Points.of(tensors.column("data")[rows], times, PARAMETER, is_bare)


def _gradients(snapshot: Snapshot) -> Points:
    """Every leaf's ``.grad``, right before the end of the AccumulateGrad that put it there."""
    found = accumulated(snapshot)
    return Points.of(found.data, found.end_ns - 1, GRADIENT)


def root_inputs(snapshot: Snapshot) -> Points:
    """Tensors passed into root modules' calls, at the begin of the call; those made in a call are no inputs."""
    tensors, calls = snapshot.table(TENSORS), snapshot.table(MODULE_CALLS)
    rows = np.flatnonzero(tensors.column("role") == TensorRole.ROOT_INPUT)
    if not len(calls):
        rows = rows[:0]
    order = np.argsort(calls.column("call"), kind="stable")
    known, begins = calls.column("call")[order].astype(np.uint64), calls.column("begin_ns")[order]
    op = tensors.column("op")[rows]
    at = np.searchsorted(known, op).clip(max=max(len(known) - 1, 0))
    is_known = known[at] == op
    return Points.of(tensors.column("data")[rows[is_known]], begins[at[is_known]], INPUT, True)


def tensor_times(snapshot: Snapshot, rows: NDArray[np.intp]) -> Ints:
    """When each tensor row [r] was seen: its operator's begin for inputs, its end (less 1 ns) for outputs; -1 where that is unknown."""
    tensors = snapshot.table(TENSORS)
    index = call_index(snapshot, with_ours=True)
    at = index.find(tensors.column("op")[rows])
    is_output = tensors.column("role")[rows] == TensorRole.OUTPUT
    times = np.where(is_output, index.end_ns[at] - 1, index.begin_ns[at]) if len(index.id) else np.zeros(len(rows), np.int64)
    return np.where(at >= 0, times, -1)


def _bare_leaves(snapshot: Snapshot) -> NDArray[np.uint64]:
    """Addresses of leaf tensors that no module owns."""
    return np.array([int(one.get("impl") or 0) for one in snapshot.parameters.values() if not one.get("module")], np.uint64)
