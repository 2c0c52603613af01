"""Finding things of a graph by words: nodes, modules, parameters, tensors by shape or type, source lines; each kind can be left out."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Final

from tensorscope.analysis.results import GraphNode
from tensorscope.language import tr_later
from tensorscope.units import format_place, format_shape
from tensorscope.viewmodel.graph import GraphView
from tensorscope.viewmodel.graph_tree import Group


class Kind(Enum):
    """What a hit is one of; the value is what the user reads."""

    NODE = tr_later("nodes")
    MODULE = tr_later("modules")
    PARAMETER = tr_later("parameters")
    TENSOR = tr_later("tensors")
    LINE = tr_later("lines")


ALL_KINDS: Final = frozenset(Kind)
Texts = Mapping[Kind, str]


@dataclass(frozen=True, slots=True)
class Hit:
    """``place``: the drawn node that shows it, -1 of a module; ``group``: the module."""

    kind: Kind
    text: str
    note: str = ""
    place: int = -1
    group: Group | None = None


@dataclass(frozen=True, slots=True)
class Hits:
    """``found``: modules first, then nodes in the order in which backward runs them, as far as known; one a drawn node and kind."""

    query: str = ""
    found: tuple[Hit, ...] = ()
    counts: Mapping[Kind, int] = field(default_factory=dict)  # of every kind, also of those left out

    @property
    def places(self) -> tuple[int, ...]:
        """Drawn nodes, each once, in order."""
        return tuple(dict.fromkeys(hit.place for hit in self.found if hit.place >= 0))

    def following(self, index: int, step: int, selected: int = -1) -> int:
        """Index of the hit after (step 1) or before (-1) one, round the end; from the selected node on where there is none yet; -1: no hits."""
        if not self.found:
            return -1
        if index < 0 and selected >= 0:
            index = next((number for number, hit in enumerate(self.found) if hit.place == selected), -1)
        if index < 0:
            return 0 if step > 0 else len(self.found) - 1
        return (index + step) % len(self.found)


def find(view: GraphView, query: str, kinds: frozenset[Kind] = ALL_KINDS) -> Hits:
    """What holds every word of the query, whatever the case. The words of a node may stand in its module's name too, but not all of them: that finds
    the module, not everything in it. A line is found as ``model.py:77``. An empty query finds nothing."""
    words = query.lower().split()
    if not words:
        return Hits()
    modules = [hit for group in view.tree.groups.values() if (hit := _module_hit(group, words)) is not None]
    nodes = _node_hits(view, words)
    counts = {kind: sum(hit.kind is kind for hit in (*modules, *nodes)) for kind in Kind}
    return Hits(query, tuple(hit for hit in (*modules, *nodes) if hit.kind in kinds), counts)


def _module_hit(group: Group, words: list[str]) -> Hit | None:
    text = f"{group.key.module} {group.class_name}".lower()
    call = f" · call {group.key.nth + 1}" if group.key.nth else ""
    return Hit(Kind.MODULE, group.key.module or group.class_name, group.class_name + call, group=group) if all(word in text for word in words) else None


def _node_hits(view: GraphView, words: list[str]) -> list[Hit]:
    graph, carrier = view.graph, view.tree.folded.carrier
    found: dict[tuple[int, Kind], Hit] = {}
    for place, node in enumerate(graph.nodes):
        texts, around = _texts(node, words), f"{node.module} {node.module_class}".lower()
        kind = _kind(texts, around, words)
        if kind is not None:
            drawn = carrier.get(place, place)
            found.setdefault((drawn, kind), Hit(kind, node.parameter if kind is Kind.PARAMETER else node.name, _note(node, kind, words), drawn))

    def order(hit: Hit) -> tuple[bool, int, int]:
        begin = graph.nodes[hit.place].begin_ns
        return begin is None, begin or 0, hit.place

    return sorted(found.values(), key=order)


def _texts(node: GraphNode, words: list[str]) -> Texts:
    tensors = [format_shape(node.output_shape, node.output_dtype) if node.output_shape is not None else ""]
    tensors += [f"{saved.name} {format_shape(saved.shape, saved.dtype)}" for saved in node.saved]
    line = format_place(node.source.file, node.source.line) if node.source is not None else ""
    name = node.name.lower()
    if node.parameter and not any(name.rpartition("::")[2].startswith(word) for word in words):
        name = ""  # who looks for "mul" does not mean each accuMULateGrad
    return {Kind.NODE: name, Kind.PARAMETER: node.parameter.lower(), Kind.TENSOR: " ".join(tensors).lower(), Kind.LINE: line.lower()}


def _kind(texts: Texts, around: str, words: list[str]) -> Kind | None:
    """The kind of the first word that does not stand in the module's name; None if a word stands nowhere, or all in the module's name."""
    own: Kind | None = None
    for word in words:
        kind = next((kind for kind, text in texts.items() if word in text), None)
        if kind is None and word not in around:
            return None
        own = own or kind
    return own


def _note(node: GraphNode, kind: Kind, words: list[str]) -> str:
    if kind is Kind.LINE and node.source is not None:
        return format_place(node.source.file, node.source.line)
    if kind is Kind.TENSOR:
        shapes = [format_shape(node.output_shape, node.output_dtype), *(f"{saved.name} {format_shape(saved.shape, saved.dtype)}" for saved in node.saved)]
        return next((shape for shape in shapes if any(word in shape.lower() for word in words)), shapes[0])
    return node.module
