"""What of an autograd graph is drawn as a node: parameters with their accumulators become badges, views become part of the edge they stand on."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from tensorscope.analysis.results import BackwardGraph, GraphNode

ACCUMULATE: Final = "AccumulateGrad"
PLAIN_VIEWS: Final = frozenset(
    {"View", "UnsafeView", "ReshapeAlias", "_ReshapeAlias", "Transpose", "T", "Permute", "Squeeze", "Unsqueeze", "Alias", "Detach", "_UnsafeView"}
)
PARTIAL_VIEWS: Final = frozenset({"Expand", "Select", "Slice", "Split", "SplitWithSizes", "Unbind", "AsStrided", "Chunk", "Narrow", "ToCopy", "_ToCopy"})
SHORT_NAMES: Final = {"weight": "W", "bias": "b"}
_SUFFIX: Final = re.compile(r"Backward(_\w+)?\d*$")

Shape = tuple[int, ...]


@lru_cache(1024)
def split_name(name: str) -> tuple[str, str]:
    """``AddmmBackward0`` is ``Addmm`` and ``Backward0``; the second part is empty where there is none."""
    match = _SUFFIX.search(name)
    return (name[: match.start()], match.group()) if match and match.start() else (name, "")


@dataclass(frozen=True, slots=True)
class Badge:
    """A parameter that a node sends a gradient to."""

    parameter: str  # FQN
    name: str  # short: ``W``, ``b`` or the last part of the FQN; a bare name as it is
    shape: Shape | None
    accumulator: int  # node
    views: tuple[int, ...]  # nodes between the node and the accumulator


@dataclass(frozen=True, slots=True)
class Link:
    """A gradient's way from one drawn node to the next."""

    source: int
    target: int
    output_nr: int
    input_nr: int
    views: tuple[int, ...]  # nodes on the way
    shape: Shape | None  # of the tensor whose gradient flows, at the target


@dataclass(frozen=True, slots=True)
class Folded:
    drawn: tuple[int, ...]  # in the graph's order
    badges: Mapping[int, tuple[Badge, ...]]  # by drawn node
    links: tuple[Link, ...]
    carrier: Mapping[int, int]  # drawn node that shows a folded node: for a view on an edge the edge's source


def fold(graph: BackwardGraph, parameter_shapes: Mapping[str, Shape]) -> Folded:
    """Every node is drawn, stands on a link, or hides behind a badge. Nodes are named by their place in ``graph.nodes`` here and below."""
    count = len(graph.nodes)
    place = {node.id: index for index, node in enumerate(graph.nodes)}
    leaving: list[list[tuple[int, int, int]]] = [[] for _ in range(count)]  # (target, output_nr, input_nr)
    arrivals = [0] * count
    for edge in graph.edges:
        leaving[place[edge.source]].append((place[edge.target], edge.output_nr, edge.input_nr))
        arrivals[place[edge.target]] += 1
    roots = {place[root] for root in graph.roots}
    heads = [split_name(node.name)[0] for node in graph.nodes]
    accumulators = _accumulators(graph.nodes, heads, leaving)

    def is_hidden(node: int) -> bool:
        return node in accumulators and node not in roots and arrivals[node] > 0

    def is_plain_view(node: int) -> bool:
        return heads[node] in PLAIN_VIEWS and arrivals[node] == 1 and len(leaving[node]) == 1 and node not in roots and not is_hidden(leaving[node][0][0])

    drawn = tuple(node for node in range(count) if not is_hidden(node) and not is_plain_view(node))
    badges: dict[int, tuple[Badge, ...]] = {}
    links: list[Link] = []
    carrier: dict[int, int] = {}
    for source in drawn:
        own: list[Badge] = []
        for target, output_nr, input_nr in leaving[source]:
            if is_hidden(target):
                own.append(_badge(graph.nodes, target, accumulators, leaving, parameter_shapes))
                for hidden in (*own[-1].views, own[-1].accumulator):
                    carrier.setdefault(hidden, source)
                continue
            views: list[int] = []
            while is_plain_view(target):
                views.append(target)
                carrier[target] = source
                target, _, input_nr = leaving[target][0]
            links.append(Link(source, target, output_nr, input_nr, tuple(views), graph.nodes[target].output_shape))
        if own:
            badges[source] = tuple(sorted(dict.fromkeys(own), key=lambda badge: badge.name.startswith("b")))
    return Folded(drawn, badges, tuple(links), carrier)


def _accumulators(nodes: tuple[GraphNode, ...], heads: list[str], leaving: list[list[tuple[int, int, int]]]) -> dict[int, int]:
    """The accumulator behind each node that only passes a gradient on to one parameter."""
    behind = {index: index for index, node in enumerate(nodes) if node.name.rpartition("::")[2] == ACCUMULATE}
    frontier = set(behind)
    into: dict[int, list[int]] = {}
    for source, edges in enumerate(leaving):
        if len(edges) == 1 and (heads[source] in PLAIN_VIEWS or heads[source] in PARTIAL_VIEWS):
            into.setdefault(edges[0][0], []).append(source)
    while frontier:
        reached = [(source, behind[target]) for target in sorted(frontier) for source in into.get(target, ()) if source not in behind]
        behind.update(reached)
        frontier = {source for source, _ in reached}
    return behind


def _badge(
    nodes: tuple[GraphNode, ...],
    node: int,
    accumulators: dict[int, int],
    leaving: list[list[tuple[int, int, int]]],
    parameter_shapes: Mapping[str, Shape],
) -> Badge:
    views: list[int] = []
    accumulator = accumulators[node]
    while node != accumulator:
        views.append(node)
        node = leaving[node][0][0]
    parameter = nodes[accumulator].parameter
    around, _, last = parameter.rpartition(".")
    shape = nodes[accumulator].output_shape or parameter_shapes.get(parameter)
    short = SHORT_NAMES.get(last, last) if around else last
    return Badge(parameter, short or "leaf", shape, accumulator, tuple(views))
