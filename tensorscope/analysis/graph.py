"""The graph of a backward: nodes and edges exactly as autograd has them, each with its operator, module, line, saved tensors and durations."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tensorscope.analysis.dtypes import dtype_name
from tensorscope.analysis.gradients import module_of_parameter, parameter_name
from tensorscope.analysis.iterations import backward_spans, iteration_at, iteration_bounds
from tensorscope.analysis.join import ACCUMULATE_GRAD, GRAPH_ROOT, ForwardJoin, node_name
from tensorscope.analysis.modules import ModuleCall, call_tree, module_calls
from tensorscope.analysis.operators import call_index, source_of, tensor_index
from tensorscope.analysis.results import BackwardGraph, BackwardSummary, GraphEdge, GraphNode
from tensorscope.analysis.saved import SavedTensors, details_donor, saved_bytes
from tensorscope.errors import TensorScopeError
from tensorscope.protocol.records import MarkKind, OperatorFlag, TensorRole
from tensorscope.trace.schema import MARKS, NODES, TENSORS
from tensorscope.trace.snapshot import GraphShape, Snapshot


def backwards(snapshot: Snapshot) -> tuple[BackwardSummary, ...]:
    """Every backward on record in order of its number, running ones without an end."""
    begins = {identity: begin for identity, begin, _ in backward_spans(snapshot, outermost=False)}
    ends = _ended(snapshot)
    numbers = sorted(begins)
    bounds = iteration_bounds(snapshot)
    found = np.maximum(iteration_at(bounds, np.array([begins[number] for number in numbers], np.int64)), 0)
    summaries = []
    for number, iteration in zip(numbers, found, strict=True):
        known = snapshot.backwards.get(number)
        shape = snapshot.graphs.get(known.graph) if known is not None else None
        summaries.append(
            BackwardSummary(
                backward=number - 1,
                iteration=int(iteration),
                begin_ns=begins[number],
                end_ns=ends.get(number),
                node_count=sum(node_name(name) != GRAPH_ROOT for name in shape.names) if shape is not None else 0,
                graph=known.graph if known is not None else 0,
                is_nested=known is not None and known.parent > 0,
            )
        )
    return tuple(summaries)


def last_backward(snapshot: Snapshot) -> int | None:
    """The newest outermost backward whose operators are kept, 0-based; else the newest with a graph; None if there is none."""
    known = [summary for summary in backwards(snapshot) if summary.node_count]
    outermost = [summary for summary in known if not summary.is_nested] or known
    ran = set((np.unique(snapshot.table(NODES).column("backward")).astype(np.int64) - 1).tolist())
    kept = [summary for summary in outermost if summary.backward in ran] or outermost
    return kept[-1].backward if kept else None


def backward_graph(snapshot: Snapshot, backward: int) -> BackwardGraph:
    """The graph of a backward (0-based). Raises TensorScopeError if it is not on record."""
    instance = snapshot.backwards.get(backward + 1)
    shape = snapshot.graphs.get(instance.graph) if instance is not None else None
    if instance is None or shape is None:
        count = len(snapshot.backwards)
        known = f"backwards 0 to {count - 1} are" if count > 1 else "only backward 0 is" if count else "none is"
        raise TensorScopeError(f"Backward {backward} is not on record; {known}.")
    context = _Context.of(snapshot, backward + 1, shape)
    iteration = iteration_at(iteration_bounds(snapshot), np.array([instance.begin_ns], np.int64))[0]
    dropped = {place for place, name in enumerate(shape.names) if node_name(name) == GRAPH_ROOT}
    nodes = tuple(_node(context, place) for place in range(len(shape.names)) if place not in dropped)
    edges = tuple(GraphEdge(*(int(one) for one in (a, b, n, i))) for a, n, b, i in shape.edges.tolist() if a not in dropped)
    targets = {edge.target for edge in edges}
    roots = {int(b) for a, _, b, _ in shape.edges.tolist() if a in dropped} or {node.id for node in nodes} - targets
    return BackwardGraph(
        backward=backward,
        iteration=max(int(iteration), 0),
        begin_ns=instance.begin_ns,
        end_ns=_ended(snapshot).get(backward + 1),
        nodes=nodes,
        edges=edges,
        roots=tuple(sorted(roots)),
        calls=call_tree(context.calls, {node.call for node in nodes}),
    )


@dataclass(frozen=True, slots=True)
class _Context:
    """What all nodes of one backward share."""

    snapshot: Snapshot
    shape: GraphShape
    join: ForwardJoin
    makers: NDArray[np.uint64]
    threads: NDArray[np.uint32]
    numbers: NDArray[np.int64]
    calls: dict[int, ModuleCall]
    saved: SavedTensors
    runs: dict[int, tuple[int, int | None, bool]]  # node → begin and end, None while it runs; whether it raised
    outputs: dict[int, tuple[tuple[int, ...], str]]  # operator → shape and dtype of its first output
    users: dict[int, list[int]]  # node → nodes with an edge to it

    @classmethod
    def of(cls, snapshot: Snapshot, backward: int, shape: GraphShape) -> "_Context":
        instance = snapshot.backwards[backward]
        join = ForwardJoin(snapshot, call_index(snapshot))
        makers = join.makers(backward)
        donor = details_donor(snapshot, backward)
        users: dict[int, list[int]] = {}
        for user, _, target, _ in shape.edges.tolist():
            users.setdefault(target, []).append(user)
        return cls(
            snapshot=snapshot,
            shape=shape,
            join=join,
            makers=makers,
            threads=instance.forward_threads,
            numbers=instance.sequence_nrs,
            calls=module_calls(snapshot),
            saved=SavedTensors(snapshot, backward, makers, donor, join.makers(donor) if donor is not None else makers),
            runs=_runs(snapshot, backward),
            outputs=_outputs(snapshot, makers),
            users=users,
        )


def _node(context: _Context, place: int) -> GraphNode:
    snapshot, index = context.snapshot, context.join.index
    name = node_name(context.shape.names[place])
    parameter = int(context.shape.parameters[place])
    maker = index.find_one(int(context.makers[place]))
    stack, call = context.join.origin(maker)
    module, module_class = _module_of(context, call)
    if name == ACCUMULATE_GRAD:
        module, module_class, call = _owner(context, place, parameter)
    saved = () if name == ACCUMULATE_GRAD else context.saved.of(place)
    output = context.outputs.get(int(context.makers[place]))
    begin, end, has_raised = context.runs.get(place, (None, None, False))
    return GraphNode(
        id=place,
        name=name,
        thread=int(context.threads[place]),
        sequence_nr=int(context.numbers[place]) if name != ACCUMULATE_GRAD else -1,
        module=module,
        module_class=module_class,
        call=call,
        source=source_of(snapshot, stack),
        stack=stack,
        operator=int(context.makers[place]),
        saved=saved or (),
        saved_bytes=None if saved is None else saved_bytes(saved),
        forward_ns=int(index.end_ns[maker] - index.begin_ns[maker]) if maker >= 0 else None,
        backward_ns=end - begin if begin is not None and end is not None else None,
        begin_ns=begin,
        end_ns=end,
        parameter=parameter_name(snapshot, parameter) if name == ACCUMULATE_GRAD else "",
        output_shape=output[0] if output is not None else None,
        has_raised=has_raised,
        output_dtype=output[1] if output is not None else "",
        attributes=context.saved.attributes_of(place) if name != ACCUMULATE_GRAD else (),
    )


def _module_of(context: _Context, call: int) -> tuple[str, str]:
    known = context.calls.get(call)
    return (known.module, known.module_class) if known is not None else ("", "")


def _owner(context: _Context, place: int, parameter: int) -> tuple[str, str, int]:
    """(FQN, class, call) of an AccumulateGrad: the module that owns the parameter; the call of its that uses it, else the call of the first user."""
    snapshot = context.snapshot
    owner = module_of_parameter(snapshot, parameter)
    module = snapshot.modules.get(int(snapshot.parameters.get(parameter, {}).get("module") or 0), {})
    users = [context.join.origin(context.join.index.find_one(int(context.makers[user])))[1] for user in context.users.get(place, ())]
    calls = [call for call in users if call in context.calls]
    matching = [call for call in calls if context.calls[call].module == owner]
    return owner, str(module.get("class", "")), (matching or calls or [0])[0]


def _runs(snapshot: Snapshot, backward: int) -> dict[int, tuple[int, int | None, bool]]:
    nodes = snapshot.table(NODES)
    rows = np.flatnonzero((nodes.column("backward") == backward) & (nodes.column("index") > 0))
    columns = [nodes.column(name)[rows].tolist() for name in ("index", "begin_ns", "end_ns", "flags")]
    return {place - 1: (begin, end if end >= begin else None, bool(flags & OperatorFlag.RAISED)) for place, begin, end, flags in zip(*columns, strict=True)}


def _outputs(snapshot: Snapshot, makers: NDArray[np.uint64]) -> dict[int, tuple[tuple[int, ...], str]]:
    wanted = makers[makers != 0]
    tensors, grouped = snapshot.table(TENSORS), tensor_index(snapshot, wanted)
    role, shape, dtype = (tensors.column(name) for name in ("role", "shape", "dtype"))
    outputs: dict[int, tuple[tuple[int, ...], str]] = {}
    for operator in wanted.tolist():
        first = next((int(row) for row in grouped.of(operator) if role[row] == TensorRole.OUTPUT), None)
        known = snapshot.shapes.get(int(shape[first])) if first is not None else None
        if first is not None and known is not None:
            outputs[operator] = known.sizes, dtype_name(int(dtype[first]))
    return outputs


def _ended(snapshot: Snapshot) -> dict[int, int]:
    marks = snapshot.table(MARKS)
    rows = np.flatnonzero(marks.column("mark") == MarkKind.BACKWARD)
    return {int(marks.column("a")[row]): int(marks.column("end_ns")[row]) for row in rows}
