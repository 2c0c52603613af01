"""The views of operators and backward graphs."""

import json
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tensorscope.analysis.dtypes import device_name, dtype_name
from tensorscope.analysis.effects import RESULTS, operator_results
from tensorscope.analysis.graph import backward_graph, backwards, last_backward
from tensorscope.analysis.iterations import backward_spans, iteration_bounds, phase_at, phases
from tensorscope.analysis.join import ForwardJoin, node_name
from tensorscope.analysis.modules import module_calls
from tensorscope.analysis.moments import iteration_end
from tensorscope.analysis.operators import CallIndex, call_index, outermost, source_of, tensor_index
from tensorscope.analysis.results import GraphNode
from tensorscope.errors import TensorScopeError
from tensorscope.protocol.records import TensorFlag, TensorRole
from tensorscope.trace.schema import NODES, OPERATORS, TENSORS
from tensorscope.trace.snapshot import Snapshot


def graph_view(snapshot: Snapshot, iteration: int | None, backward: int | None) -> dict[str, Any]:
    graph = backward_graph(snapshot, _chosen(snapshot, iteration, backward))
    return {
        "backward": graph.backward,
        "iteration": graph.iteration,
        "begin_ns": graph.begin_ns,
        "end_ns": graph.end_ns,
        "roots": list(graph.roots),
        "nodes": [_node(node) for node in graph.nodes],
        "edges": [{"from": edge.source, "to": edge.target, "output_nr": edge.output_nr, "input_nr": edge.input_nr} for edge in graph.edges],
    }


def ops_view(snapshot: Snapshot, iteration: int | None, backward: int | None) -> list[dict[str, Any]]:
    """Operators of an iteration; else those of a backward: from the outermost around the first that made a node to its end; all where there is no backward."""
    index = call_index(snapshot)
    join = ForwardJoin(snapshot, index)
    begin, end = _span(snapshot, join, iteration, backward)
    chosen = np.flatnonzero(~index.is_node & ~index.is_user_scope & (index.begin_ns >= begin) & (index.begin_ns <= end))
    chosen = chosen[np.lexsort((index.id[chosen], index.begin_ns[chosen]))]
    results = operator_results(snapshot, index)
    tensors = tensor_index(snapshot, index.id[chosen])
    all_phases = phases(snapshot)
    phase = phase_at(all_phases, index.begin_ns[chosen])
    calls = module_calls(snapshot)
    numbers = snapshot.table(OPERATORS).column("sequence_nr")
    rows = []
    for position, place in zip(chosen.tolist(), phase.tolist(), strict=True):
        stack, call = join.origin(position)
        source = source_of(snapshot, stack)
        parent, node = _around(index, position)
        inputs, outputs = _tensors(snapshot, tensors.of(int(index.id[position])))
        rows.append(
            {
                "id": int(index.id[position]),
                "parent": parent,
                "name": node_name(snapshot.name(int(index.name[position]))),
                "thread": int(index.thread[position]),
                "phase": all_phases[place].kind if place >= 0 else "other",
                "begin_ns": int(index.begin_ns[position]),
                "end_ns": int(index.end_ns[position]),
                "sequence_nr": int(numbers[index.row[position]]),
                "module": calls[call].module if call in calls else None,
                "source": None if source is None else str(source),
                "result": RESULTS[int(results[position])] or None,
                **_run_of(snapshot, index, node),
                "inputs": inputs,
                "outputs": outputs,
            }
        )
    return rows


def _chosen(snapshot: Snapshot, iteration: int | None, backward: int | None) -> int:
    if backward is not None:
        return backward
    if iteration is not None:
        iteration_end(snapshot, iteration)
        of_iteration = [one for one in backwards(snapshot) if one.iteration == iteration and one.node_count]
        if not of_iteration:
            raise TensorScopeError(f"No backward of iteration {iteration} is on record.")
        outermost = [one for one in of_iteration if not one.is_nested] or of_iteration
        return outermost[-1].backward
    last = last_backward(snapshot)
    if last is None:
        raise TensorScopeError("No backward is on record: the script called none, or it ended before.")
    return last


def _span(snapshot: Snapshot, join: ForwardJoin, iteration: int | None, backward: int | None) -> tuple[int, int]:
    if iteration is not None and backward is None:
        end = iteration_end(snapshot, iteration)
        return next(begin for index, begin, _, _ in iteration_bounds(snapshot) if index == iteration), end
    number = last_backward(snapshot) if backward is None else _chosen(snapshot, iteration, backward)
    spans = {identity - 1: (begin, end) for identity, begin, end in backward_spans(snapshot, outermost=False)}
    if number is None:
        return 0, snapshot.end_ns
    if number not in spans:
        backward_graph(snapshot, number)  # says that it is not on record
    begin, end = spans[number]
    makers = outermost(join.index, join.index.find(join.makers(number + 1)))
    first = join.index.begin_ns[makers[makers >= 0]].min(initial=begin)
    return int(first), end


def _node(node: GraphNode) -> dict[str, Any]:
    return {
        "id": node.id,
        "name": node.name,
        "thread": node.thread,
        "sequence_nr": node.sequence_nr,
        "module": node.module if node.call or node.parameter else None,
        "module_class": node.module_class or None,
        "call": node.call or None,
        "source": None if node.source is None else str(node.source),
        "operator": node.operator or None,
        "saved": [
            {"name": one.name, "shape": list(one.shape), "dtype": one.dtype, "nbytes": one.nbytes, "data": one.data or None, "is_parameter": one.is_parameter}
            for one in node.saved
        ],
        "saved_bytes": node.saved_bytes,
        "forward_ns": node.forward_ns,
        "backward_ns": node.backward_ns,
        "has_raised": node.has_raised,
        "begin_ns": node.begin_ns,
        "end_ns": node.end_ns,
        "parameter": node.parameter or None,
        "output_shape": None if node.output_shape is None else list(node.output_shape),
        "output_dtype": node.output_dtype or None,
        "attributes": {name: json.loads(value) for name, value in node.attributes},
    }


def _around(index: CallIndex, position: int) -> tuple[int, int]:
    """(id of the operator around, position of the backward node around or -1)."""
    at = index.find_one(int(index.parent[position]))
    while at >= 0 and index.is_user_scope[at]:
        at = index.find_one(int(index.parent[at]))
    parent = int(index.id[at]) if at >= 0 and not index.is_node[at] else 0
    while at >= 0 and not index.is_node[at]:
        at = index.find_one(int(index.parent[at]))
    return parent, at


def _run_of(snapshot: Snapshot, index: CallIndex, node: int) -> dict[str, Any]:
    if node < 0:
        return {"backward": None, "node": None}
    nodes, row = snapshot.table(NODES), int(index.row[node])
    place = int(nodes.column("index")[row])
    return {"backward": int(nodes.column("backward")[row]) - 1, "node": place - 1 if place else None}


def _tensors(snapshot: Snapshot, rows: NDArray[np.intp]) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    table = snapshot.table(TENSORS)
    inputs: list[dict[str, Any]] = []
    outputs: list[dict[str, Any]] = []
    for row in rows.tolist():
        value = {name: int(table.column(name)[row]) for name in _COLUMNS}
        shape = snapshot.shapes.get(value["shape"])
        tensor = {
            "shape": None if shape is None else list(shape.sizes),
            "stride": None if shape is None else list(shape.strides),
            "offset": value["offset"],
            "dtype": dtype_name(value["dtype"]),
            "device": device_name(value["device_type"], value["device_index"]),
            "storage": value["storage"],
            "data": value["data"],
            "nbytes": value["nbytes"],
            "version": value["version"],
            "is_view": bool(value["flags"] & TensorFlag.IS_VIEW),
            "requires_grad": bool(value["flags"] & TensorFlag.REQUIRES_GRAD),
        }
        (inputs if value["role"] == TensorRole.INPUT else outputs).append(tensor)
    return inputs, outputs


_COLUMNS = ("role", "shape", "offset", "dtype", "device_type", "device_index", "storage", "data", "nbytes", "version", "flags")
