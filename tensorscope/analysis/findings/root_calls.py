"""Every call of a root module: whether a backward used it, whether it recorded a graph, and whether its layers were training or evaluating."""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from tensorscope.analysis.operators import MAX_DEPTH, NOT_THE_SCRIPTS, source_of
from tensorscope.analysis.results import Source
from tensorscope.protocol.records import OperatorFlag, TensorRole
from tensorscope.trace.schema import MODULE_CALLS, OPERATORS, TENSORS
from tensorscope.trace.snapshot import Snapshot

NORMS: Final = ("aten::native_batch_norm", "aten::cudnn_batch_norm", "aten::miopen_batch_norm")
DROPS: Final = ("aten::dropout", "aten::feature_dropout", "aten::alpha_dropout")


@dataclass(frozen=True, slots=True)
class RootCall:
    module: int
    begin_ns: int
    end_ns: int
    stack: int
    source: Source | None
    has_graph: bool  # it ran with gradients enabled
    is_used: bool  # a backward ran one of its nodes
    is_training: bool  # a batch norm or dropout in it worked as in training
    is_evaluating: bool  # each of them, and there is one, worked as in evaluation


def root_calls(snapshot: Snapshot) -> tuple[RootCall, ...]:
    """Calls on record whose operators are on record too, in order of begin."""
    calls, operators = snapshot.table(MODULE_CALLS), snapshot.table(OPERATORS)
    rows = np.flatnonzero((operators.column("module_call") != 0) & (operators.column("flags") & NOT_THE_SCRIPTS == 0))
    if not len(rows) or not len(calls):
        return ()
    roots = _roots(snapshot, operators.column("module_call")[rows])
    known, at = np.unique(roots, return_inverse=True)
    flags = operators.column("flags")[rows]
    count = len(known)
    graph = np.bincount(at, weights=(flags & OperatorFlag.GRAD_ENABLED != 0), minlength=count) > 0
    used = (
        np.bincount(at, weights=np.isin(_keys(operators.column("thread")[rows], operators.column("sequence_nr")[rows]), _used(snapshot)), minlength=count) > 0
    )
    active, passive = _modes(snapshot, rows, at, count)
    order = np.argsort(calls.column("call"), kind="stable")
    place = np.searchsorted(calls.column("call")[order], known).clip(max=len(order) - 1)
    found = []
    for number, row in zip(range(count), order[place].tolist(), strict=True):
        if known[number] and int(calls.column("call")[row]) == int(known[number]):
            stack = int(calls.column("stack")[row])
            begin, end = int(calls.column("begin_ns")[row]), int(calls.column("end_ns")[row])
            is_training = bool(active[number])
            is_evaluating = bool(passive[number]) and not is_training
            module = int(calls.column("module")[row])
            found.append(RootCall(module, begin, end, stack, source_of(snapshot, stack), bool(graph[number]), bool(used[number]), is_training, is_evaluating))
    return tuple(sorted(found, key=lambda one: one.begin_ns))


def _roots(snapshot: Snapshot, calls: NDArray[np.uint32]) -> NDArray[np.uint32]:
    """The outermost call around each [n]."""
    table = snapshot.table(MODULE_CALLS)
    order = np.argsort(table.column("call"), kind="stable")
    known, parents = table.column("call")[order], table.column("parent")[order]
    current = calls
    for _ in range(MAX_DEPTH):
        at = np.searchsorted(known, current).clip(max=len(known) - 1)
        around = np.where(known[at] == current, parents[at], 0)
        if not np.any(around):
            break
        current = np.where(around != 0, around, current)
    return current


def _keys(threads: NDArray[np.uint32], numbers: NDArray[np.int64]) -> NDArray[np.int64]:
    return (threads.astype(np.int64) << 44) | np.where(numbers < 0, (1 << 43), numbers)


def _used(snapshot: Snapshot) -> NDArray[np.int64]:
    """Keys of the forward operators whose nodes backwards have run."""
    parts = [
        _keys(known.forward_threads[known.sequence_nrs >= 0], known.sequence_nrs[known.sequence_nrs >= 0])
        for known in snapshot.backwards.values()
        if known.sequence_nrs.strides[0]
    ]
    return np.unique(np.concatenate(parts)) if parts else np.empty(0, np.int64)


def _modes(snapshot: Snapshot, rows: NDArray[np.intp], at: NDArray[np.intp], count: int) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """(some layer of the call trains, some layer evaluates) [calls].

    A batch norm that evaluates saves empty statistics, its second output; a dropout that evaluates runs no operator inside.
    """
    operators, tensors = snapshot.table(OPERATORS), snapshot.table(TENSORS)
    trains, evaluates = np.zeros(count, np.bool_), np.zeros(count, np.bool_)
    names = operators.column("name")[rows]
    norms = np.flatnonzero(np.isin(names, [identity for identity, name in snapshot.strings.items() if name in NORMS]))
    ids = operators.column("id")[rows[norms]]
    statistics = np.flatnonzero((tensors.column("role") == TensorRole.OUTPUT) & (tensors.column("argument") == 1) & np.isin(tensors.column("op"), ids))
    empty = {shape for shape, known in snapshot.shapes.items() if 0 in known.sizes}
    is_empty = {int(op): int(shape) in empty for op, shape in zip(tensors.column("op")[statistics], tensors.column("shape")[statistics], strict=True)}
    for place, identity in zip(norms.tolist(), ids.tolist(), strict=True):
        if identity in is_empty:
            (evaluates if is_empty[identity] else trains)[at[place]] = True
    drops = np.flatnonzero(np.isin(names, [identity for identity, name in snapshot.strings.items() if name in DROPS]))
    is_busy = np.isin(operators.column("id")[rows[drops]], operators.column("parent"))
    trains[at[drops[is_busy]]] = True
    evaluates[at[drops[~is_busy]]] = True
    return trains, evaluates
