"""What the trace says about who owned a storage when: parameters, buffers, optimizer state, gradients, inputs."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from tensorscope.analysis.operators import call_index
from tensorscope.analysis.results import CATEGORIES, Ints
from tensorscope.protocol.records import Scope, TensorFlag, TensorRole
from tensorscope.trace.schema import MODULE_CALLS, OPERATORS, TENSORS
from tensorscope.trace.snapshot import Snapshot

Addresses = NDArray[np.uint64]
Codes = NDArray[np.uint8]


def storage_points(snapshot: Snapshot) -> list[tuple[Addresses, Ints, Codes]]:
    """Data pointers, times and categories from every storages message: its tensors' categories."""
    points = []
    for message in snapshot.storages:
        pairs = [
            (int(storage.get("data") or 0), CATEGORIES.index(tensor["category"]))
            for storage in message.get("storages", ())
            for tensor in storage.get("tensors", ())
            if tensor.get("category") in CATEGORIES
        ]
        points.append(_points(pairs, int(message.get("time_ns", 0))))
    return points


def parameter_points(snapshot: Snapshot) -> tuple[Addresses, Ints, Codes]:
    """Parameters and buffers: where each was when it was registered, and wherever an operator took it in."""
    messages = snapshot.parameters.values()
    pairs = [(int(one.get("data") or 0), CATEGORIES.index("buffer" if one.get("is_buffer") else "parameter")) for one in messages]
    data, at_any_time, codes = _points(pairs, -1)
    tensors = snapshot.table(TENSORS)
    buffers = [int(message.get("impl") or 0) for message in snapshot.parameters.values() if message.get("is_buffer")]
    is_used = (tensors.column("flags") & TensorFlag.IS_LEAF_PARAMETER != 0) & (tensors.column("role") != TensorRole.ROOT_INPUT)
    rows = np.flatnonzero(is_used & ~np.isin(tensors.column("impl"), np.array(buffers, np.uint64)))
    used_at = tensor_times(snapshot, rows)
    used = np.full(len(rows), CATEGORIES.index("parameter"), np.uint8)
    is_timed = used_at >= 0
    return (
        np.concatenate((data, tensors.column("data")[rows[is_timed]])),
        np.concatenate((at_any_time, used_at[is_timed])),
        np.concatenate((codes, used[is_timed])),
    )


def root_input_points(snapshot: Snapshot) -> tuple[Addresses, Ints]:
    """Tensors passed into root modules' calls, at the begin of the call."""
    tensors = snapshot.table(TENSORS)
    rows = np.flatnonzero(tensors.column("role") == TensorRole.ROOT_INPUT)
    calls = snapshot.table(MODULE_CALLS)
    order = np.argsort(calls.column("call"), kind="stable")
    return _at_begin(tensors.column("data")[rows], tensors.column("op")[rows], calls.column("call")[order].astype(np.uint64), calls.column("begin_ns")[order])


def gradient_points(snapshot: Snapshot) -> tuple[Addresses, Ints]:
    """Where a leaf's ``.grad`` lies after each AccumulateGrad ran, at its end.

    AccumulateGrad (torch/csrc/autograd/functions/accumulate_grad.h) keeps the incoming gradient (its only operator then is ``detach``), a copy of it,
    or adds to the ``.grad`` there is: in each case the output of the last operator inside it; without one, its own input.
    """
    operators, tensors = snapshot.table(OPERATORS), snapshot.table(TENSORS)
    names = {identity for identity, name in snapshot.strings.items() if name.endswith("AccumulateGrad")}
    is_accumulate = (operators.column("scope") == Scope.BACKWARD_FUNCTION) & np.isin(operators.column("name"), list(names))
    rows = np.flatnonzero(is_accumulate)
    if not len(rows):
        return np.empty(0, np.uint64), np.empty(0, np.int64)
    order = np.argsort(operators.column("id")[rows], kind="stable")
    rows = rows[order]
    identity, end = operators.column("id")[rows], operators.column("end_ns")[rows]
    kept = np.zeros(len(rows), np.uint64)
    inputs = np.flatnonzero((tensors.column("role") == TensorRole.INPUT) & np.isin(tensors.column("op"), identity))
    kept[np.searchsorted(identity, tensors.column("op")[inputs])] = tensors.column("data")[inputs]
    children = np.flatnonzero(np.isin(operators.column("parent"), identity))
    children = children[np.argsort(operators.column("end_ns")[children], kind="stable")]
    by_id = np.argsort(operators.column("id")[children], kind="stable")
    child_ids = operators.column("id")[children][by_id]
    outputs = np.flatnonzero((tensors.column("role") == TensorRole.OUTPUT) & np.isin(tensors.column("op"), child_ids))
    child = children[by_id[np.searchsorted(child_ids, tensors.column("op")[outputs])]] if len(outputs) else np.empty(0, np.intp)
    in_time = np.argsort(operators.column("end_ns")[child], kind="stable")
    parents = operators.column("parent")[child[in_time]]
    kept[np.searchsorted(identity, parents)] = tensors.column("data")[outputs[in_time]]
    is_known = (kept != 0) & (end > 0)
    return kept[is_known], end[is_known].astype(np.int64) - 1


def tensor_times(snapshot: Snapshot, rows: NDArray[np.intp]) -> Ints:
    """When each tensor row [r] was seen: its operator's begin for inputs, its end (less 1 ns) for outputs; -1 where that is unknown."""
    tensors = snapshot.table(TENSORS)
    index = call_index(snapshot, with_ours=True)
    at = index.find(tensors.column("op")[rows])
    is_output = tensors.column("role")[rows] == TensorRole.OUTPUT
    times = np.where(is_output, index.end_ns[at] - 1, index.begin_ns[at]) if len(index.id) else np.zeros(len(rows), np.int64)
    return np.where(at >= 0, times, -1)


def _at_begin(data: Addresses, op: Addresses, calls: Addresses, begins: NDArray[Any]) -> tuple[Addresses, Ints]:
    if not len(calls):
        return np.empty(0, np.uint64), np.empty(0, np.int64)
    at = np.searchsorted(calls, op).clip(max=len(calls) - 1)
    is_known = calls[at] == op
    return data[is_known], begins[at[is_known]].astype(np.int64)


def _points(pairs: list[tuple[int, int]], time_ns: int) -> tuple[Addresses, Ints, Codes]:
    data = np.array([one for one, _ in pairs], np.uint64)
    return data, np.full(len(pairs), time_ns, np.int64), np.array([one for _, one in pairs], np.uint8)
