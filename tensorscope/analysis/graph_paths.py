"""The ways a gradient takes from some nodes of a graph to others: a shortest one, and everything that lies on any."""

from collections import deque
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from tensorscope.analysis.results import BackwardGraph, GraphEdge

MOST_COUNTED: Final = 1_000_000  # branches multiply: beyond this nobody wants the number


@dataclass(frozen=True, slots=True)
class Paths:
    """Nodes by their ids. The gradient runs from ``source`` to ``target``."""

    source: int
    target: int
    shortest: tuple[int, ...]  # both ends included
    nodes: frozenset[int]  # on any way
    count: int  # of different ways from ``source`` to ``target``; MOST_COUNTED + 1: more than that

    @property
    def length(self) -> int:
        """Edges of the shortest way."""
        return len(self.shortest) - 1


def paths_between(graph: BackwardGraph, first: Iterable[int], second: Iterable[int]) -> Paths | None:
    """From the first nodes to the second, or the other way round where gradients run so; None where neither reaches the other.

    Where several nodes are given, the two that are nearest to one another count.
    """
    outgoing, incoming = _neighbours(graph.edges, forward=True), _neighbours(graph.edges, forward=False)
    ends = frozenset(first), frozenset(second)
    for sources, targets in (ends, ends[::-1]):
        shortest = _shortest(outgoing, sources, targets)
        if shortest:
            source, target = shortest[0], shortest[-1]
            nodes = _reached(outgoing, source) & _reached(incoming, target)
            return Paths(source, target, shortest, frozenset(nodes), _count(outgoing, nodes, source, target))
    return None


def _neighbours(edges: Iterable[GraphEdge], *, forward: bool) -> Mapping[int, list[int]]:
    found: dict[int, list[int]] = {}
    for edge in edges:
        here, there = (edge.source, edge.target) if forward else (edge.target, edge.source)
        found.setdefault(here, []).append(there)
    return found


def _shortest(outgoing: Mapping[int, list[int]], sources: frozenset[int], targets: frozenset[int]) -> tuple[int, ...]:
    """Breadth first; of equally short ways the one that leaves by the earlier edges. Empty: there is none."""
    came_from: dict[int, int | None] = dict.fromkeys(sorted(sources))
    waiting = deque(came_from)
    while waiting:
        node = waiting.popleft()
        if node in targets and node not in sources:
            way: list[int] = []
            at: int | None = node
            while at is not None:
                way.append(at)
                at = came_from[at]
            return tuple(reversed(way))
        for following in outgoing.get(node, ()):
            if following not in came_from:
                came_from[following] = node
                waiting.append(following)
    return ()


def _reached(neighbours: Mapping[int, list[int]], start: int) -> set[int]:
    reached, waiting = {start}, [start]
    while waiting:
        for following in neighbours.get(waiting.pop(), ()):
            if following not in reached:
                reached.add(following)
                waiting.append(following)
    return reached


def _count(outgoing: Mapping[int, list[int]], nodes: set[int], source: int, target: int) -> int:
    """Ways through ``nodes``, which hold no circle: autograd's graphs have none. Parallel edges count as ways of their own."""
    missing = dict.fromkeys(nodes, 0)
    for node in nodes:
        for following in outgoing.get(node, ()):
            if following in missing:
                missing[following] += 1
    ways = dict.fromkeys(nodes, 0)
    ways[source] = 1
    ready = [node for node, count in missing.items() if count == 0]
    while ready:
        node = ready.pop()
        for following in outgoing.get(node, ()):
            if following in missing:
                ways[following] = min(ways[following] + ways[node], MOST_COUNTED + 1)
                missing[following] -= 1
                if missing[following] == 0:
                    ready.append(following)
    return ways[target]
