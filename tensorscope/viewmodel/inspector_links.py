"""The Inspector's section of all that belongs to the selection: lines, nodes and parameters as links, how many operators and storages."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from tensorscope.language import tr
from tensorscope.trace.snapshot import Snapshot
from tensorscope.units import format_count, format_place
from tensorscope.viewmodel.graph_cache import GRAPHS
from tensorscope.viewmodel.inspector_view import FactRow, Section, fact
from tensorscope.viewmodel.linked import Linked
from tensorscope.viewmodel.workspace import ModuleSelection, NodeSelection, ParameterSelection, Selection, SourceSelection

MOST_LISTED: Final = 6  # of a kind
Link = tuple[str, Selection]


def links_section(snapshot: Snapshot, selection: Selection | None, links: Linked) -> Section | None:
    """None where nothing belongs to it but itself. A node's page names its own already."""
    if selection is None or isinstance(selection, NodeSelection):
        return None
    lines = [(format_place(line.file, line.line), SourceSelection(line.file, line.line)) for line in links.lines]
    nodes = [(_node_words(snapshot, backward, node), NodeSelection(backward, node)) for backward, node in sorted(links.nodes)]
    names = [(name, ParameterSelection(name)) for name in links.parameters]
    rows = (
        *_listed(tr("lines"), lines, selection),
        *_listed(tr("nodes"), nodes, selection),
        *(() if isinstance(selection, ModuleSelection) else _listed(tr("parameters"), names, selection)),
        *((fact(tr("operators"), format_count(len(links.operators))),) if links.operators else ()),
        *((fact(tr("storages"), format_count(len(links.storages))),) if len(links.storages) > 1 else ()),
    )
    return Section(tr("Belongs to it"), "", rows) if rows else None


def _listed(label: str, links: Sequence[Link], selection: Selection) -> tuple[FactRow, ...]:
    """The first of a kind but the selection itself, under one label, and how many more there are."""
    others = [(words, target) for words, target in links if target != selection and not _is_same_parameter(target, selection)]
    shown = [fact(label if place == 0 else " ", words, target=target) for place, (words, target) in enumerate(others[:MOST_LISTED])]
    more = len(others) - len(shown)
    return (*shown, *((fact(" ", tr("and {count} more").format(count=format_count(more))),) if more else ()))


def _is_same_parameter(target: Selection, selection: Selection) -> bool:
    return isinstance(target, ParameterSelection) and isinstance(selection, ParameterSelection) and target.parameter == selection.parameter


def _node_words(snapshot: Snapshot, backward: int, number: int) -> str:
    graph = GRAPHS.get(snapshot, backward)
    node = next((node for node in graph.nodes if node.id == number), None) if graph is not None else None
    if node is None:
        return str(number)
    return node.name if node.parameter or not node.module else f"{node.name}  {node.module}"
