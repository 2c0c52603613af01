"""The list beside the graph: hits of a search, the nodes of a path, what changed. One row a thing to go to."""

from collections.abc import Sequence
from dataclasses import dataclass

from tensorscope.analysis.results import GraphNode, Source
from tensorscope.language import tr
from tensorscope.units import format_place, format_ratio, plural
from tensorscope.viewmodel.graph import GraphView
from tensorscope.viewmodel.graph_change import Tone
from tensorscope.viewmodel.graph_find import Hit, Hits, Kind
from tensorscope.viewmodel.graph_fold import split_name
from tensorscope.viewmodel.graph_scene import BoxKey, BoxKind


@dataclass(frozen=True, slots=True)
class SideRow:
    """``target``: what a click goes to; None of something that is not in this graph."""

    text: str
    note: str = ""
    target: BoxKey | None = None
    tone: Tone | None = None


@dataclass(frozen=True, slots=True)
class SideView:
    """``words`` says the whole in a sentence; ``kinds``: (kind, its count, whether it is shown)."""

    title: str
    words: str
    rows: tuple[SideRow, ...]
    kinds: tuple[tuple[Kind, int, bool], ...] = ()
    current: int = -1  # row gone to


def hits_side(hits: Hits, kinds: frozenset[Kind], current: int) -> SideView:
    rows = tuple(_hit_row(hit) for hit in hits.found)
    words = "" if rows else tr("Nothing here holds all of these words.")
    chips = tuple((kind, hits.counts.get(kind, 0), kind in kinds) for kind in Kind)
    return SideView(tr("Found: {query}").format(query=hits.query.strip()), words, rows, chips, current)


def _hit_row(hit: Hit) -> SideRow:
    if hit.group is not None:
        return SideRow(hit.text, hit.note, BoxKey(-1, hit.group.key))
    return SideRow(split_name(hit.text)[0], hit.note, BoxKey(hit.place))


def path_side(view: GraphView) -> SideView | None:
    if view.path is None:
        return None
    nodes = view.graph.nodes
    rows = tuple(SideRow(_name(nodes[place]), nodes[place].module, BoxKey(place)) for place in view.path.way)
    return SideView(tr("Path"), view.path.words, rows)


def change_side(view: GraphView) -> SideView | None:
    if view.change is None:
        return None
    nodes, change = view.graph.nodes, view.change
    rows = [SideRow(_name(nodes[place]), nodes[place].module, BoxKey(place), tone) for place, tone in change.tones.items()]
    rows += [SideRow(name, "", None, Tone.GONE) for name in change.gone]
    if not rows:
        slowest = sorted((place for place, ratio in change.ratios.items() if ratio > 1), key=lambda place: _more_ns(view, place), reverse=True)
        rows = [SideRow(_name(nodes[place]), f"{nodes[place].module}  {format_ratio(change.ratios[place])}".strip(), BoxKey(place)) for place in slowest[:20]]
        if rows:
            return SideView(tr("What changed"), tr("{words}. Below: where most time was added.").format(words=change.words), tuple(rows))
    return SideView(tr("What changed"), f"{change.words}.", tuple(rows))


def line_words(view: GraphView, source: Source, places: Sequence[int]) -> str:
    """How many nodes a line made, and how many of them are drawn themselves."""
    drawn = sum(view.scene.box_of(place).kind is BoxKind.NODE for place in places)
    made = tr("{line} made {nodes}").format(line=format_place(source.file, source.line), nodes=plural(len(places), "node"))
    return made if drawn == len(places) else tr("{made}, {drawn} of them drawn; the rest in closed groups").format(made=made, drawn=drawn)


def _name(node: GraphNode) -> str:
    return node.parameter or split_name(node.name)[0]


def _more_ns(view: GraphView, place: int) -> float:
    assert view.change is not None
    now = view.graph.nodes[place].backward_ns or 0
    return now - now / view.change.ratios[place]
