"""Find operators and nodes by id, what runs around them, their tensors and source lines."""

from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from tensorscope.analysis.results import Ints, Source
from tensorscope.protocol.records import OperatorFlag, Scope, TensorRole
from tensorscope.trace.schema import NODES, OPERATORS, TENSORS
from tensorscope.trace.snapshot import Snapshot

MAX_DEPTH: Final = 64
NOT_THE_SCRIPTS: Final = OperatorFlag.OURS | OperatorFlag.COMPILING


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
    is_user_scope: NDArray[np.bool_]  # a range that a script or torch itself names (``record_function``), no operator

    def find(self, ids: NDArray[np.uint64]) -> NDArray[np.intp]:
        """Position of each id [m]; -1 where it is not on record."""
        if not len(self.id):
            return np.full(len(ids), -1, np.intp)
        at = np.searchsorted(self.id, ids).clip(max=len(self.id) - 1)
        return np.where((self.id[at] == ids) & (ids != 0), at, -1).astype(np.intp)

    def find_one(self, identity: int) -> int:
        return int(self.find(np.array([identity], np.uint64))[0])


def call_index(snapshot: Snapshot, *, with_ours: bool = False) -> CallIndex:
    """Index every operator and node. Those that TensorScope ran itself, or Dynamo while it compiled, are left out unless asked for."""
    operators, nodes = snapshot.table(OPERATORS), snapshot.table(NODES)
    kept, node_rows = np.arange(len(operators), dtype=np.intp), np.arange(len(nodes), dtype=np.intp)
    if not with_ours:
        kept = np.flatnonzero((operators.column("flags") & NOT_THE_SCRIPTS) == 0)
        node_rows = np.flatnonzero((nodes.column("flags") & NOT_THE_SCRIPTS) == 0)
    zeros = np.zeros(len(node_rows), np.uint32)

    def both(name: str, of_nodes: NDArray[Any] | None = None) -> NDArray[Any]:
        return np.concatenate((operators.column(name)[kept], nodes.column(name)[node_rows] if of_nodes is None else of_nodes))

    begin, end = both("begin_ns"), both("end_ns")
    is_open = end < begin
    identity = both("id")
    order = np.argsort(identity, kind="stable")
    return CallIndex(
        id=identity[order],
        parent=both("parent")[order],
        begin_ns=begin[order],
        end_ns=np.where(is_open, np.maximum(begin, snapshot.end_ns), end)[order],
        is_node=np.concatenate((np.zeros(len(kept), np.bool_), np.ones(len(node_rows), np.bool_)))[order],
        row=np.concatenate((kept, node_rows))[order],
        thread=both("thread")[order],
        name=both("name")[order],
        stack=both("stack", zeros)[order],
        module_call=both("module_call", zeros)[order],
        is_user_scope=(both("scope", zeros) == Scope.USER_SCOPE)[order],
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


def source_of(snapshot: Snapshot, stack: int) -> Source | None:
    """The source line of a stack."""
    line = snapshot.source(stack)
    return None if line is None else Source(line.filename, line.line, line.function)


def outermost(index: CallIndex, positions: NDArray[np.intp]) -> NDArray[np.intp]:
    """The outermost operator around each call [m]: the one that the user's line called. Inside a backward it is the node that runs; -1 stays -1.

    Named ranges are no operators: the search ends inside them, and a call that is one itself gives -1.
    """
    if not len(index.id):
        return np.full(len(positions), -1, np.intp)
    current = np.where((positions >= 0) & index.is_user_scope[positions], -1, positions)
    for _ in range(MAX_DEPTH):
        is_open = np.flatnonzero((current >= 0) & ~index.is_node[current])
        around = index.find(index.parent[current[is_open]])
        is_moving = (around >= 0) & ~index.is_user_scope[around]
        if not bool(np.any(is_moving)):
            break
        current[is_open[is_moving]] = around[is_moving]
    return current
