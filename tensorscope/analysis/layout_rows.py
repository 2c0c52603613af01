"""The rows of a level: each item one row below the lowest of those that reach it."""

from collections.abc import Callable
from dataclasses import dataclass

from tensorscope.analysis.layout_types import OUTSIDE, Level


@dataclass(frozen=True, slots=True)
class Ranks:
    """Vertices are the items, then the input ports, then the output ports. Row 0 holds the input ports alone, the last row the output ports."""

    rank: list[int]  # [vertices]
    height: list[int]  # [vertices] edges on the longest way down
    edges: list[tuple[int, int]]  # vertices of each edge of the level
    successors: list[list[int]]  # [vertices] edge indices, without backward ones
    count: int  # of rows, ports' rows included


def rank_vertices(level: Level, check: Callable[[], None]) -> Ranks:
    items, ports = len(level.items), len(level.items) + level.inputs
    total = ports + level.outputs
    edges = [
        (items + edge.source_port if edge.source == OUTSIDE else edge.source, ports + edge.target_port if edge.target == OUTSIDE else edge.target)
        for edge in level.edges
    ]
    outgoing: list[list[int]] = [[] for _ in range(total)]
    waiting = [0] * total
    for index, (source, target) in enumerate(edges):
        outgoing[source].append(index)
        waiting[target] += 1
    order, backward = _topological(edges, outgoing, waiting, check)
    successors = [[edge for edge in leaving if edge not in backward] for leaving in outgoing] if backward else outgoing
    rank = [0 if items <= vertex < ports else 1 for vertex in range(total)]
    for vertex in order:
        below = rank[vertex] + 1
        for edge in successors[vertex]:
            target = edges[edge][1]
            if rank[target] < below:
                rank[target] = below
    last = max((rank[vertex] for vertex in range(items)), default=0) + 1
    rank[ports:] = [last] * level.outputs
    height = [0] * total
    for vertex in reversed(order):
        height[vertex] = max((height[edges[edge][1]] + 1 for edge in successors[vertex]), default=0)
    return Ranks(rank, height, edges, successors, last + 1)


def _topological(edges: list[tuple[int, int]], outgoing: list[list[int]], waiting: list[int], check: Callable[[], None]) -> tuple[list[int], set[int]]:
    """Vertices in an order that follows the edges, and the edges that run against it (a group may reach itself through a node outside it)."""
    waiting = list(waiting)
    is_done = [False] * len(waiting)
    ready = [vertex for vertex, count in enumerate(waiting) if count == 0][::-1]
    order: list[int] = []
    backward: set[int] = set()
    first_left = 0
    while len(order) < len(waiting):
        if not ready:
            check()
            while is_done[first_left]:
                first_left += 1
            ready.append(first_left)
        vertex = ready.pop()
        is_done[vertex] = True
        order.append(vertex)
        for edge in outgoing[vertex]:
            target = edges[edge][1]
            waiting[target] -= 1
            if is_done[target]:
                backward.add(edge)
            elif waiting[target] == 0:
                ready.append(target)
    return order, backward
