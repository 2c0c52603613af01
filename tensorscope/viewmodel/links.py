"""From one thing to its others: which selection a stop means, which source line, module or parameter belongs to a selection. Pure functions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tensorscope.analysis.results import BackwardGraph, GraphNode, Source
from tensorscope.viewmodel.workspace import NodeSelection, Selection, SourceSelection


def selection_of_hold(held: Mapping[str, Any]) -> NodeSelection:
    """The node before which the script is held."""
    return NodeSelection(int(held["backward"]) - 1, int(held["node_index"]))


def node_of(selection: Selection | None, graph: BackwardGraph | None) -> GraphNode | None:
    """The selected node, if it is one of this graph's."""
    if graph is None or not isinstance(selection, NodeSelection) or selection.backward != graph.backward:
        return None
    return graph.nodes[selection.node] if 0 <= selection.node < len(graph.nodes) else None


def source_of(selection: Selection | None, graph: BackwardGraph | None) -> Source | None:
    """The line to show for a selection."""
    if isinstance(selection, SourceSelection):
        return Source(selection.file, selection.line)
    node = node_of(selection, graph)
    return node.source if node is not None else None
