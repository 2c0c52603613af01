"""Where the gradients of leaves lie: what each AccumulateGrad left in ``.grad``, and whose it is."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tensorscope.analysis.operators import call_index
from tensorscope.analysis.results import Ints
from tensorscope.protocol.records import Scope, TensorRole
from tensorscope.trace.schema import NODES, OPERATORS, TENSORS
from tensorscope.trace.snapshot import Snapshot


@dataclass(frozen=True, slots=True)
class Accumulated:
    """One run of AccumulateGrad a row: arrays [n], in order of operator id."""

    data: NDArray[np.uint64]  # of the storage that ``.grad`` lies on afterwards
    end_ns: Ints
    operator: NDArray[np.uint64]


def accumulated(snapshot: Snapshot) -> Accumulated:
    """Every AccumulateGrad that ran to its end and whose tensors are on record.

    AccumulateGrad (torch/csrc/autograd/functions/accumulate_grad.h) keeps the incoming gradient (its only operator then is ``detach``), a copy of it,
    or adds to the ``.grad`` there is: in each case the output of the last operator inside it; without one, its own input.
    """
    operators, tensors = snapshot.table(OPERATORS), snapshot.table(TENSORS)
    names = [identity for identity, name in snapshot.strings.items() if name.endswith("AccumulateGrad")]
    rows = np.flatnonzero((operators.column("scope") == Scope.BACKWARD_FUNCTION) & np.isin(operators.column("name"), names))
    rows = rows[np.argsort(operators.column("id")[rows], kind="stable")]
    identity, end = operators.column("id")[rows], operators.column("end_ns")[rows].astype(np.int64)
    kept = np.zeros(len(rows), np.uint64)
    inputs = np.flatnonzero((tensors.column("role") == TensorRole.INPUT) & np.isin(tensors.column("op"), identity))
    kept[np.searchsorted(identity, tensors.column("op")[inputs])] = tensors.column("data")[inputs]
    for data, parent in zip(*_outputs_inside(snapshot, identity), strict=True):
        kept[np.searchsorted(identity, parent)] = data
    is_known = (kept != 0) & (end > 0)
    return Accumulated(kept[is_known], end[is_known], identity[is_known])


def owners(snapshot: Snapshot, found: Accumulated) -> Ints:
    """Parameter id of each row [n], by the node that ran; 0 where it is not known."""
    index = call_index(snapshot)
    nodes = snapshot.table(NODES)
    parameters = np.zeros(len(found.operator), np.int64)
    inner = index.find(found.operator)
    outer = index.find(index.parent[inner]) if len(index.id) else inner
    for place in np.flatnonzero((inner >= 0) & (outer >= 0)):
        if not index.is_node[outer[place]]:
            continue
        row = int(index.row[outer[place]])
        backward = snapshot.backwards.get(int(nodes.column("backward")[row]))
        shape = snapshot.graphs.get(backward.graph) if backward is not None else None
        node = int(nodes.column("index")[row]) - 1
        if shape is not None and 0 <= node < len(shape.parameters):
            parameters[place] = int(shape.parameters[node])
    return parameters


def _outputs_inside(snapshot: Snapshot, parents: NDArray[np.uint64]) -> tuple[NDArray[np.uint64], NDArray[np.uint64]]:
    """(data, parent) of the outputs of operators right inside these, in order of the operators' ends."""
    operators, tensors = snapshot.table(OPERATORS), snapshot.table(TENSORS)
    children = np.flatnonzero(np.isin(operators.column("parent"), parents))
    children = children[np.argsort(operators.column("id")[children], kind="stable")]
    ids = operators.column("id")[children]
    outputs = np.flatnonzero((tensors.column("role") == TensorRole.OUTPUT) & np.isin(tensors.column("op"), ids))
    child = children[np.searchsorted(ids, tensors.column("op")[outputs])]
    in_time = np.argsort(operators.column("end_ns")[child], kind="stable")
    return tensors.column("data")[outputs[in_time]], operators.column("parent")[child[in_time]]
