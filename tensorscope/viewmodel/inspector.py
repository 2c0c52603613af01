"""Which page the Inspector shows for a selection."""

from __future__ import annotations

from dataclasses import replace
from typing import assert_never

from tensorscope.trace.snapshot import Snapshot
from tensorscope.viewmodel.graph_cache import GRAPHS
from tensorscope.viewmodel.inspector_code import module_page, operator_page, source_page
from tensorscope.viewmodel.inspector_links import links_section
from tensorscope.viewmodel.inspector_memory import block_page, storage_page
from tensorscope.viewmodel.inspector_node import node_page
from tensorscope.viewmodel.inspector_parameter import parameter_page
from tensorscope.viewmodel.inspector_run import run_page
from tensorscope.viewmodel.inspector_view import InspectorView
from tensorscope.viewmodel.linked import NOTHING, Linked
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


def inspector_view(snapshot: Snapshot, selection: Selection | None, cursor_ns: int | None = None, links: Linked = NOTHING) -> InspectorView:
    """For a worker. The run's page where nothing is selected, or what is selected is no longer on record. ``cursor_ns`` None is now.

    ``links``: what belongs to the selection, once it is known.
    """
    page = _page(snapshot, selection, cursor_ns)
    if page is None:
        return run_page(snapshot, cursor_ns)
    section = links_section(snapshot, selection, links)
    return replace(page, sections=(*page.sections, section)) if section is not None else page


def _page(snapshot: Snapshot, selection: Selection | None, cursor_ns: int | None) -> InspectorView | None:
    match selection:
        case None:
            return None
        case NodeSelection(backward, node):
            graph = GRAPHS.get(snapshot, backward)
            return node_page(snapshot, graph, graph.nodes[node]) if graph is not None and 0 <= node < len(graph.nodes) else None
        case ParameterSelection():
            return parameter_page(snapshot, selection, cursor_ns)
        case StorageSelection():
            return storage_page(snapshot, selection)
        case BlockSelection():
            return block_page(snapshot, selection)
        case OperatorSelection():
            return operator_page(snapshot, selection)
        case ModuleSelection():
            return module_page(snapshot, selection)
        case SourceSelection():
            return source_page(snapshot, selection, cursor_ns)
        case _:
            assert_never(selection)
