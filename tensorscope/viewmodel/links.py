"""From one thing to its others: which selection a stop means, which source line and stack belong to a selection. Pure functions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, assert_never

import numpy as np

from tensorscope.analysis.modules import module_calls
from tensorscope.analysis.operators import source_of as source_of_stack
from tensorscope.analysis.results import GraphNode, Source
from tensorscope.protocol.records import AllocationAction, MarkKind
from tensorscope.trace.schema import ALLOCATIONS, MARKS, NODES, OPERATORS
from tensorscope.trace.snapshot import Snapshot
from tensorscope.viewmodel.graph_cache import GRAPHS
from tensorscope.viewmodel.workspace import (
    BlockSelection,
    ModuleSelection,
    NodeSelection,
    OperatorSelection,
    ParameterSelection,
    Selection,
    SourceSelection,
    StorageSelection,
)


@dataclass(frozen=True, slots=True)
class Place:
    """A source line, and the stack that led to it (0: not known)."""

    source: Source
    stack: int = 0


def selection_of_hold(held: Mapping[str, Any]) -> NodeSelection:
    """The node before which the script is held."""
    return NodeSelection(int(held["backward"]) - 1, int(held["node_index"]))


def resting_moment(snapshot: Snapshot) -> int | None:
    """Where to look in a run that is over, since at its very end all memory is free: at its exception, where a signal killed it, else at its last step,
    else its last backward."""
    if snapshot.exceptions:
        return int(snapshot.exceptions[-1].get("time_ns") or snapshot.end_ns)
    if snapshot.exit is not None and snapshot.exit.get("signal"):
        return snapshot.end_ns  # nothing was freed
    steps = [int(iteration["time_ns"]) for iteration in snapshot.iterations if iteration.get("optimizers")]
    marks = snapshot.table(MARKS)
    backwards = marks.column("end_ns")[marks.column("mark") == MarkKind.BACKWARD]
    return steps[-1] if steps else int(backwards[-1]) if len(backwards) else None


def node_of(snapshot: Snapshot, selection: NodeSelection) -> GraphNode | None:
    """The selected node, None if its graph is not on record."""
    graph = GRAPHS.get(snapshot, selection.backward)
    return graph.nodes[selection.node] if graph is not None and 0 <= selection.node < len(graph.nodes) else None


def place_of(snapshot: Snapshot, selection: Selection | None) -> Place | None:
    """The line to show for a selection. For a worker: may make a graph."""
    match selection:
        case None:
            return None
        case SourceSelection(file, line):
            return Place(Source(file, line))
        case NodeSelection():
            return _place_of_node(node_of(snapshot, selection), snapshot)
        case OperatorSelection(operator):
            return _place_of_operator(snapshot, operator)
        case ModuleSelection(module):
            return _place_of_module(snapshot, module)
        case ParameterSelection(parameter):
            return _place_of_parameter(snapshot, parameter)
        case BlockSelection(address, begin_ns):
            return _place_of_allocation(snapshot, address, begin_ns)
        case StorageSelection(data, seen_ns):
            return _place_of_allocation(snapshot, data, seen_ns)
        case _:
            assert_never(selection)


def place_of_stack(snapshot: Snapshot, stack: int) -> Place | None:
    source = source_of_stack(snapshot, stack) if stack else None
    return Place(source, stack) if source is not None else None


def node_selection_of_operator(snapshot: Snapshot, operator: int) -> NodeSelection | None:
    """The backward node that an operator ran in, itself included."""
    operators, nodes = snapshot.table(OPERATORS), snapshot.table(NODES)
    ids, parents, node_ids = operators.column("id"), operators.column("parent"), nodes.column("id")
    for _ in range(64):
        at = np.flatnonzero(node_ids == operator)
        if len(at):
            return NodeSelection(int(nodes.column("backward")[at[0]]) - 1, int(nodes.column("index")[at[0]]) - 1)
        row = np.flatnonzero(ids == operator)
        if not len(row) or not parents[row[0]]:
            return None
        operator = int(parents[row[0]])
    return None


def _place_of_operator(snapshot: Snapshot, operator: int) -> Place | None:
    operators = snapshot.table(OPERATORS)
    ids, parents, stacks = operators.column("id"), operators.column("parent"), operators.column("stack")
    at = operator
    for _ in range(64):
        row = np.flatnonzero(ids == at)
        if not len(row):
            break
        if stacks[row[0]]:
            return place_of_stack(snapshot, int(stacks[row[0]]))
        at = int(parents[row[0]])
    node = node_selection_of_operator(snapshot, operator)
    return place_of(snapshot, node) if node is not None else None


def _place_of_node(node: GraphNode | None, snapshot: Snapshot) -> Place | None:
    if node is None:
        return None
    if node.source is None:
        return _place_of_parameter(snapshot, node.parameter) if node.parameter else None
    return Place(node.source, node.stack)


def _place_of_module(snapshot: Snapshot, module: str) -> Place | None:
    """Its class's own line; for a class of a library the line of the script that called it, if one did."""
    told = next((one for one in snapshot.modules.values() if one.get("fqn") == module), None)
    return _place_of_told_module(snapshot, told) if told is not None else None


def _place_of_parameter(snapshot: Snapshot, parameter: str) -> Place | None:
    told = next((one for one in snapshot.parameters.values() if one.get("fqn") == parameter), None)
    module = snapshot.modules.get(int(told.get("module") or 0)) if told is not None else None
    return _place_of_told_module(snapshot, module) if module is not None else None


def _place_of_told_module(snapshot: Snapshot, told: Mapping[str, Any]) -> Place | None:
    own = _parsed(str(told.get("source") or ""))
    library = tuple(str(prefix) for prefix in snapshot.facts.get("library_prefixes", ()))
    if own is not None and not (library and own.source.file.startswith(library)):
        return own
    stacks = [call.stack for call in module_calls(snapshot).values() if call.module == told.get("fqn")]
    return next((place for stack in reversed(stacks) if (place := place_of_stack(snapshot, stack)) is not None), own)


def _place_of_allocation(snapshot: Snapshot, address: int, time_ns: int) -> Place | None:
    """The allocation at an address that was the newest at a time."""
    table = snapshot.table(ALLOCATIONS)
    is_it = (table.column("address") == address) & (table.column("time_ns") <= time_ns)
    rows = np.flatnonzero(is_it & np.isin(table.column("action"), (AllocationAction.ALLOC, AllocationAction.BEFORE)))
    return place_of_stack(snapshot, int(table.column("stack")[rows[-1]])) if len(rows) else None


def _parsed(place: str) -> Place | None:
    file, _, line = place.rpartition(":")
    return Place(Source(file, int(line))) if file and line.isdecimal() else None
