"""Find operators by id, their parents, children, tensors, source lines, and what each did to memory: new, shares or writes."""

from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from tensorscope.analysis.results import Ints, Source
from tensorscope.protocol.records import OperatorFlag, TensorRole
from tensorscope.trace.schema import NODES, OPERATORS, TENSORS
from tensorscope.trace.snapshot import Snapshot

RESULTS: Final = ("", "new", "shares", "writes")  # codes of operator_results
MAX_DEPTH: Final = 64


@dataclass(frozen=True, slots=True)
class CallIndex:
    """Operators and backward nodes in one id space, sorted by id: arrays [n]."""

    id: NDArray[np.uint64]
    parent: NDArray[np.uint64]
    begin_ns: Ints
    end_ns: Ints  # running ones: the snapshot's end
    is_node: NDArray[np.bool_]
    row: NDArray[np.intp]  # in its table (operators or nodes)
    thread: NDArray[np.uint32]
    name: NDArray[np.uint32]
    stack: NDArray[np.uint32]  # 0 for nodes
    module_call: NDArray[np.uint32]  # 0 for nodes

    def find(self, ids: NDArray[np.uint64]) -> NDArray[np.intp]:
        """Position of each id [m]; -1 where it is not on record."""
        if not len(self.id):
            return np.full(len(ids), -1, np.intp)
        at = np.searchsorted(self.id, ids).clip(max=len(self.id) - 1)
        return np.where((self.id[at] == ids) & (ids != 0), at, -1).astype(np.intp)

    def find_one(self, identity: int) -> int:
        return int(self.find(np.array([identity], np.uint64))[0])


def call_index(snapshot: Snapshot, *, with_ours: bool = False) -> CallIndex:
    """Index every operator and node. Operators that TensorScope ran itself are left out unless asked for."""
    operators, nodes = snapshot.table(OPERATORS), snapshot.table(NODES)
    kept = np.arange(len(operators), dtype=np.intp)
    if not with_ours:
        kept = np.flatnonzero((operators.column("flags") & OperatorFlag.OURS) == 0)
    node_rows = np.arange(len(nodes), dtype=np.intp)
    zeros = np.zeros(len(nodes), np.uint32)

    def both(name: str, of_nodes: NDArray[Any] | None = None) -> NDArray[Any]:
        return np.concatenate((operators.column(name)[kept], nodes.column(name) if of_nodes is None else of_nodes))

    begin, end = both("begin_ns"), both("end_ns")
    is_open = end < begin
    identity = both("id")
    order = np.argsort(identity, kind="stable")
    return CallIndex(
        id=identity[order],
        parent=both("parent")[order],
        begin_ns=begin[order],
        end_ns=np.where(is_open, np.maximum(begin, snapshot.end_ns), end)[order],
        is_node=np.concatenate((np.zeros(len(kept), np.bool_), np.ones(len(nodes), np.bool_)))[order],
        row=np.concatenate((kept, node_rows))[order],
        thread=both("thread")[order],
        name=both("name")[order],
        stack=both("stack", zeros)[order],
        module_call=both("module_call", zeros)[order],
    )


@dataclass(frozen=True, slots=True)
class TensorIndex:
    """Tensor rows grouped by operator: those of ``op[i]`` are ``rows[begin[i]:end[i]]``, inputs before outputs, by argument."""

    op: NDArray[np.uint64]
    begin: NDArray[np.intp]
    end: NDArray[np.intp]
    rows: NDArray[np.intp]

    def of(self, operator: int) -> NDArray[np.intp]:
        """Rows of the tensors table of one operator."""
        at = int(np.searchsorted(self.op, np.uint64(operator)))
        if at == len(self.op) or int(self.op[at]) != operator:
            return self.rows[:0]
        return self.rows[self.begin[at] : self.end[at]]


def tensor_index(snapshot: Snapshot, operators: NDArray[np.uint64] | None = None) -> TensorIndex:
    """Group input and output tensors by operator; of all, or only of these ids."""
    tensors = snapshot.table(TENSORS)
    is_wanted = np.isin(tensors.column("role"), (TensorRole.INPUT, TensorRole.OUTPUT))
    if operators is not None:
        is_wanted &= np.isin(tensors.column("op"), operators)
    rows = np.flatnonzero(is_wanted)
    op = tensors.column("op")[rows]
    order = np.lexsort((tensors.column("argument")[rows], tensors.column("role")[rows], op))
    rows, op = rows[order], op[order]
    unique, begin = np.unique(op, return_index=True)
    return TensorIndex(unique, begin.astype(np.intp), np.append(begin[1:], len(rows)).astype(np.intp), rows)


def operator_results(snapshot: Snapshot, index: CallIndex) -> NDArray[np.uint8]:
    """What each call did with its output's memory [n], as indices of RESULTS.

    writes: an output lies on an input's storage whose version went up, or the operator is in place by name and returns nothing (``_foreach_add_``);
    shares: an output lies on an input's storage, unwritten; new: no output does; "": it has no tensor output. The strongest of all outputs counts.
    """
    tensors = snapshot.table(TENSORS)
    role, storage, version = tensors.column("role"), tensors.column("storage"), tensors.column("version").astype(np.int64)
    position = index.find(tensors.column("op"))
    inputs = np.flatnonzero((role == TensorRole.INPUT) & (position >= 0) & (storage != 0))
    outputs = np.flatnonzero((role == TensorRole.OUTPUT) & (position >= 0))
    known, before = _lowest_version(position[inputs], storage[inputs], version[inputs])
    codes = np.zeros(len(index.id), np.uint8)
    match = _find_pairs(known, position[outputs], storage[outputs])
    was = before[match.clip(min=0)] if len(before) else np.zeros(len(match), np.int64)
    code = np.where(match < 0, 1, np.where(version[outputs] > was, 3, 2)).astype(np.uint8)
    np.maximum.at(codes, position[outputs], code)
    in_place = {identity for identity, name in snapshot.strings.items() if name.endswith("_") and not name.endswith("__")}
    has_input = np.zeros(len(codes), np.bool_)
    has_input[position[inputs]] = True
    codes[(codes == 0) & has_input & np.isin(index.name, list(in_place)) & ~index.is_node] = 3
    return codes


def source_of(snapshot: Snapshot, stack: int) -> Source | None:
    """The source line of a stack."""
    line = snapshot.source(stack)
    return None if line is None else Source(line.filename, line.line, line.function)


def outermost(index: CallIndex, positions: NDArray[np.intp]) -> NDArray[np.intp]:
    """The outermost operator around each call [m]: the one that the user's line called. Inside a backward it is the node that runs; -1 stays -1."""
    current = positions.copy()
    for _ in range(MAX_DEPTH):
        is_open = np.flatnonzero((current >= 0) & ~index.is_node[current.clip(min=0)]) if len(index.id) else np.empty(0, np.intp)
        around = index.find(index.parent[current[is_open]])
        is_moving = around >= 0
        if not bool(np.any(is_moving)):
            break
        current[is_open[is_moving]] = around[is_moving]
    return current


def _lowest_version(position: NDArray[np.intp], storage: NDArray[np.uint64], version: Ints) -> tuple[NDArray[Any], Ints]:
    """Unique (call, storage) pairs, sorted, and the lowest version each had."""
    order = np.lexsort((version, storage, position))
    pairs = np.empty(len(order), dtype=[("position", np.int64), ("storage", np.uint64)])
    pairs["position"], pairs["storage"] = position[order], storage[order]
    is_first = np.ones(len(order), np.bool_)
    is_first[1:] = (pairs["position"][1:] != pairs["position"][:-1]) | (pairs["storage"][1:] != pairs["storage"][:-1])
    return pairs[is_first], version[order][is_first]


def _find_pairs(known: NDArray[Any], position: NDArray[np.intp], storage: NDArray[np.uint64]) -> NDArray[np.intp]:
    """Index in ``known`` of each (call, storage) pair; -1 where absent or without storage."""
    found = np.full(len(position), -1, np.intp)
    if not len(known) or not len(position):
        return found
    storages, coded = np.unique(np.concatenate((known["storage"], storage)), return_inverse=True)
    keys = known["position"] * len(storages) + coded[: len(known)]
    wanted = position.astype(np.int64) * len(storages) + coded[len(known) :]
    at = np.searchsorted(keys, wanted).clip(max=len(keys) - 1)
    return np.where((keys[at] == wanted) & (storage != 0), at, -1).astype(np.intp)
