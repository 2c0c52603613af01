"""Join backward nodes to the forward operators that made them, by (forward thread, sequence number) and name.

A forward operator's sequence number is the number that the next node of its thread will get (``at::sequence_number::peek``), so it equals the number of
the node it makes; helpers around and before that node carry it too. Of those, the innermost whose autograd name fits made the node. ``CopySlices`` is made
after the in-place operator's own node, so the writer has its number − 1. ``AsStridedBackward0`` without an operator is the node of a view made anew: right
after CopySlices by the writer (number − 2), or while a reader collects its edges (number − 1).
"""

import re
from typing import Final

import numpy as np
from numpy.typing import NDArray

from tensorscope.analysis.operators import MAX_DEPTH, CallIndex
from tensorscope.protocol.records import Scope, TensorFlag, TensorRole
from tensorscope.trace.schema import NODES, OPERATORS, TENSORS
from tensorscope.trace.snapshot import Backward, Snapshot

AUTOGRAD: Final = "torch::autograd::"
GRAPH_ROOT: Final = "GraphRoot"
ACCUMULATE_GRAD: Final = "AccumulateGrad"
_SUFFIX: Final = re.compile(r"Backwards?\d*$")
_REGENERATED_WITHIN: Final = 3


def node_name(name: str) -> str:
    """A node's name as Python's type has it: ``torch::autograd::CopySlices`` → ``CopySlices``."""
    return name.removeprefix(AUTOGRAD)


def fits(node: str, operator: str) -> bool:
    """Whether an operator of this name makes nodes of that name: torch names them by the operator in CamelCase (tools/autograd/gen_autograd.py)."""
    wanted = _SUFFIX.sub("", node_name(node)).replace("_", "").lower()
    plain = operator.rpartition("::")[2].partition(".")[0].replace("_", "").lower()
    return wanted != "" and wanted in (plain, plain.removesuffix("forward"))


class ForwardJoin:
    """Answers which operator made a node, and which stack and module call a call belongs to, for one snapshot."""

    def __init__(self, snapshot: Snapshot, index: CallIndex) -> None:
        self._snapshot = snapshot
        self.index = index
        self._makers: dict[int, NDArray[np.uint64]] = {}

    def makers(self, backward: int) -> NDArray[np.uint64]:
        """Operator id of each node of a backward (the probe's id) [nodes]; 0 where it is not known."""
        if backward not in self._makers:
            known = self._snapshot.backwards.get(backward)
            self._makers[backward] = np.empty(0, np.uint64) if known is None else _join(self._snapshot, known)
        return self._makers[backward]

    def origin(self, position: int) -> tuple[int, int]:
        """(stack, module call) of a call in the index: its own, else that of the operator around it; inside a backward node, that node's maker's."""
        stack = call = 0
        for _ in range(MAX_DEPTH):
            if position < 0 or (stack and call):
                break
            if self.index.is_node[position]:
                position = self._maker_of_run(int(self.index.row[position]))
                continue
            stack = stack or int(self.index.stack[position])
            call = call or int(self.index.module_call[position])
            position = self.index.find_one(int(self.index.parent[position]))
        return stack, call

    def _maker_of_run(self, row: int) -> int:
        nodes = self._snapshot.table(NODES)
        makers = self.makers(int(nodes.column("backward")[row]))
        place = int(nodes.column("index")[row]) - 1
        return self.index.find_one(int(makers[place])) if 0 <= place < len(makers) else -1


def _join(snapshot: Snapshot, backward: Backward) -> NDArray[np.uint64]:
    shape = snapshot.graphs.get(backward.graph)
    result = np.zeros(len(backward.sequence_nrs), np.uint64)
    if shape is None:
        return result
    operators = snapshot.table(OPERATORS)
    by_number = _rows_by_number(snapshot, backward)
    names, ids = operators.column("name"), operators.column("id")
    makes_differentiable = _Differentiable(snapshot)
    for place, node in enumerate(shape.names[: len(result)]):
        number, thread = int(backward.sequence_nrs[place]), int(backward.forward_threads[place])
        if number >= 0:
            row = _maker(snapshot, by_number, names, node_name(node), thread, number, makes_differentiable)
            result[place] = ids[row] if row >= 0 else 0
    return result


def _rows_by_number(snapshot: Snapshot, backward: Backward) -> dict[tuple[int, int], list[int]]:
    """Rows of forward operators by (thread, sequence number), in order of begin, for the numbers that this backward's nodes can come from."""
    operators = snapshot.table(OPERATORS)
    numbers, threads = operators.column("sequence_nr"), operators.column("thread")
    wanted = backward.sequence_nrs[backward.sequence_nrs >= 0]
    if not len(wanted):
        return {}
    near = np.unique((wanted[:, None] - np.arange(_REGENERATED_WITHIN + 1)).ravel())
    is_candidate = (operators.column("scope") == Scope.FUNCTION) & (numbers >= max(int(near[0]), 0)) & (numbers <= int(near[-1]))
    rows = np.flatnonzero(is_candidate)
    rows = rows[np.isin(numbers[rows], near) & np.isin(threads[rows], backward.forward_threads)]
    rows = rows[np.lexsort((operators.column("id")[rows], operators.column("begin_ns")[rows]))]
    found: dict[tuple[int, int], list[int]] = {}
    for row, thread, number in zip(rows.tolist(), threads[rows].tolist(), numbers[rows].tolist(), strict=True):
        found.setdefault((thread, number), []).append(row)
    return found


def _maker(
    snapshot: Snapshot,
    by_number: dict[tuple[int, int], list[int]],
    names: NDArray[np.uint32],
    node: str,
    thread: int,
    number: int,
    makes_differentiable: "_Differentiable",
) -> int:
    rows = by_number.get((thread, number), [])
    for row in reversed(rows):
        if fits(node, snapshot.name(int(names[row]))):
            return row
    if node == "CopySlices":
        before = by_number.get((thread, number - 1), [])
        return next((row for row in reversed(before) if snapshot.name(int(names[row])).endswith("_")), -1)
    if node.startswith("AsStridedBackward"):
        earlier = (by_number.get((thread, number - step), []) for step in range(1, _REGENERATED_WITHIN + 1))
        return next((rows[-1] for rows in earlier if rows), -1)
    return rows[-1] if rows and makes_differentiable.has(rows[-1]) else -1


class _Differentiable:
    """Which operators gave out a tensor that requires grad: those, and not helpers with the same number, made a node. Looked up when first asked."""

    def __init__(self, snapshot: Snapshot) -> None:
        self._snapshot = snapshot
        self._makers: set[int] | None = None

    def has(self, row: int) -> bool:
        """Whether the operator of this row of the operators table is one."""
        if self._makers is None:
            tensors = self._snapshot.table(TENSORS)
            is_one = (tensors.column("role") == TensorRole.OUTPUT) & (tensors.column("flags") & TensorFlag.REQUIRES_GRAD != 0)
            self._makers = set(np.unique(tensors.column("op")[is_one]).tolist())
        return int(self._snapshot.table(OPERATORS).column("id")[row]) in self._makers
