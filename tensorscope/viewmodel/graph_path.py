"""The way between two boxes of a graph, as what stands out in the picture and in words."""

from dataclasses import dataclass
from itertools import pairwise

from tensorscope.analysis.graph_paths import MOST_COUNTED, Paths, paths_between
from tensorscope.analysis.results import BackwardGraph
from tensorscope.language import tr
from tensorscope.units import format_count, plural
from tensorscope.viewmodel.graph_scene import BoxKey
from tensorscope.viewmodel.graph_tree import GraphTree

Ends = tuple[BoxKey, BoxKey]


@dataclass(frozen=True, slots=True)
class PathView:
    """Nodes by their places in the graph, links by their numbers in the tree. All empty where no gradient runs between the ends."""

    ends: Ends
    words: str
    way: tuple[int, ...] = ()  # a shortest one, folded nodes included
    nodes: frozenset[int] = frozenset()  # on any
    links: frozenset[int] = frozenset()  # on any
    way_links: frozenset[int] = frozenset()


def path_view(graph: BackwardGraph, tree: GraphTree, ends: Ends) -> PathView | None:
    """None where an end is not part of this graph."""
    first, second = (_members(tree, end) for end in ends)
    if not first or not second:
        return None
    place = {node.id: index for index, node in enumerate(graph.nodes)}
    found = paths_between(graph, (graph.nodes[one].id for one in first), (graph.nodes[one].id for one in second))
    names = [_name(graph, tree, end) for end in ends]
    if found is None:
        return PathView(ends, tr("No gradient runs between {first} and {second}.").format(first=names[0], second=names[1]))
    nodes = frozenset(place[node] for node in found.nodes)
    way = tuple(place[node] for node in found.shortest)
    links = tree.folded.links
    on_any = frozenset(number for number, link in enumerate(links) if link.source in nodes and link.target in nodes)
    steps = set(pairwise(way))
    on_way = frozenset(number for number in on_any if _is_on_way((links[number].source, *links[number].views, links[number].target), steps))
    return PathView(ends, _words(graph, found, place), way, nodes, on_any, on_way)


def _members(tree: GraphTree, end: BoxKey) -> tuple[int, ...]:
    if end.node >= 0:
        return (end.node,) if end.node < len(tree.graph.nodes) else ()
    group = tree.groups.get(end.group) if end.group is not None else None
    return tuple(group.members) if group is not None else ()


def _name(graph: BackwardGraph, tree: GraphTree, end: BoxKey) -> str:
    if end.node >= 0:
        return graph.nodes[end.node].parameter or graph.nodes[end.node].name
    assert end.group is not None
    return end.group.module or tree.groups[end.group].class_name


def _is_on_way(chain: tuple[int, ...], steps: set[tuple[int, int]]) -> bool:
    return all(step in steps for step in pairwise(chain))


def _words(graph: BackwardGraph, found: Paths, place: dict[int, int]) -> str:
    source, target = graph.nodes[place[found.source]], graph.nodes[place[found.target]]
    ends = tr("{source} to {target}").format(source=source.parameter or source.name, target=target.parameter or target.name)
    if found.count == 1:
        return tr("{ends}: the only way, {edges}").format(ends=ends, edges=plural(found.length, "edge"))
    many = tr("more than {count}").format(count=format_count(MOST_COUNTED)) if found.count > MOST_COUNTED else format_count(found.count)
    between = plural(len(found.nodes) - 2, "node")
    words = tr("{ends}: {edges} on the shortest of {count} ways; {nodes} lie between")
    return words.format(ends=ends, count=many, edges=plural(found.length, "edge"), nodes=between)
