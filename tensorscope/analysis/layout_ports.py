"""Where edges meet the boxes: on the axis when straight, else beside it in order of where they come from, so that they do not cross."""

from collections.abc import Iterator
from dataclasses import dataclass
from math import inf
from typing import Final

from tensorscope.analysis.layout_rows import Ranks
from tensorscope.analysis.layout_tracks import Tracks
from tensorscope.analysis.layout_types import Item, Level, PlacedLevel, Style

FIRST_OUT: Final = 12.0  # distance from the axis; ins and outs differ, or an end above a start would look like one line
FIRST_IN: Final = 18.0
STEP: Final = 12.0


@dataclass(frozen=True, slots=True)
class Ports:
    source: list[float]  # [edges] x
    target: list[float]
    sideways: frozenset[int]  # edges that leave at the right side: their x is the side's


def place_ports(level: Level, sized: tuple[Item, ...], inner: tuple[PlacedLevel | None, ...], ranks: Ranks, tracks: Tracks, style: Style) -> Ports:
    leaving: list[list[int]] = [[] for _ in ranks.rank]
    arriving: list[list[int]] = [[] for _ in ranks.rank]
    for edge, (source, target) in enumerate(ranks.edges):
        leaving[source].append(edge)
        arriving[target].append(edge)
    axes = [tracks.tracks[tracks.of_vertex[vertex]].x for vertex in range(len(ranks.rank))]
    source_x, target_x = [0.0] * len(ranks.edges), [0.0] * len(ranks.edges)

    def toward(edge: int, other: int) -> float:
        lane = tracks.lane_of_edge[edge]
        return axes[other] if lane < 0 else tracks.tracks[lane].x

    sideways = frozenset(_sideways(sized, ranks, tracks, axes, leaving))
    for edge in sideways:
        source = ranks.edges[edge][0]
        source_x[edge] = axes[source] - sized[source].axis + sized[source].width
    for vertex, axis in enumerate(axes):
        placed = inner[vertex] if vertex < len(sized) else None
        if placed is not None:
            left = axis - placed.axis
            for edge in leaving[vertex]:
                source_x[edge] = left + placed.outputs[level.edges[edge].source_port]
            for edge in arriving[vertex]:
                target_x[edge] = left + placed.inputs[level.edges[edge].target_port]
            continue
        room = _room(sized[vertex], style.corner) if vertex < len(sized) else (0.0, 0.0)
        below = [edge for edge in leaving[vertex] if edge not in sideways]
        if len(below) == 1:
            source_x[below[0]] = axis
        elif below:
            _spread([(toward(edge, ranks.edges[edge][1]), edge) for edge in below], axis, room, FIRST_OUT, source_x)
        if len(arriving[vertex]) == 1:
            target_x[arriving[vertex][0]] = axis
        elif arriving[vertex]:
            _spread([(toward(edge, ranks.edges[edge][0]), edge) for edge in arriving[vertex]], axis, room, FIRST_IN, target_x)
    return Ports(source_x, target_x, sideways)


def _sideways(sized: tuple[Item, ...], ranks: Ranks, tracks: Tracks, axes: list[float], leaving: list[list[int]]) -> Iterator[int]:
    """Edges whose track stands free to the right of their source: they leave at its side, so that the spine below it stays clear."""
    lefts: dict[int, list[float]] = {}
    for vertex, item in enumerate(sized):
        lefts.setdefault(ranks.rank[vertex], []).append(axes[vertex] - item.axis)
    for vertex, item in enumerate(sized):
        right = axes[vertex] - item.axis + item.width
        stop = min((left for left in lefts[ranks.rank[vertex]] if left >= right), default=inf)
        for edge in leaving[vertex] if item.level is None else ():
            target = ranks.edges[edge][1]
            lane = tracks.lane_of_edge[edge]
            track = tracks.tracks[lane if lane >= 0 else tracks.of_vertex[target]]
            is_free_there = track.first == ranks.rank[vertex] + 1 and (lane >= 0 or track.vertices[0] == target)
            if is_free_there and right + STEP / 2 <= track.x < stop:
                yield edge


def _room(item: Item, corner: float) -> tuple[float, float]:
    """Left and right of the axis; badges stand at the left, where no line may end."""
    right = item.width - item.axis - corner
    return max(min(item.axis - corner, right), 0.0), right


def _spread(ends: list[tuple[float, int]], axis: float, room: tuple[float, float], first: float, x_of: list[float]) -> None:
    """Set the x of several edges at one side of a box. Edges of one shared lane share a port."""
    if room[1] <= 0.0:
        for _, edge in ends:
            x_of[edge] = axis
        return
    if len(ends) == 2:
        _spread_two(ends[0], ends[1], axis, room, first, x_of)
        return
    lefts = sorted({x for x, _ in ends if x < axis}, reverse=True)
    rights = sorted({x for x, _ in ends if x > axis})
    position = {axis: axis}
    if not any(x == axis for x, _ in ends):
        nearest = rights.pop(0) if rights else lefts.pop(0)
        position[nearest] = axis
    for side, sign, most in ((lefts, -1.0, room[0]), (rights, 1.0, room[1])):
        nearest_to_axis = min(first, most / 2)
        step = min(STEP, (most - nearest_to_axis) / max(1, len(side) - 1))
        for count, x in enumerate(side):
            position[x] = axis + sign * (nearest_to_axis + count * step)
    for x, edge in ends:
        x_of[edge] = position[x]


def _spread_two(one: tuple[float, int], other: tuple[float, int], axis: float, room: tuple[float, float], first: float, x_of: list[float]) -> None:
    """The most frequent case by far: one meets the axis (what is on it, else what is nearest at the right, else at the left), the other stands beside it."""
    if one[0] > other[0]:
        one, other = other, one
    x_of[one[1]] = x_of[other[1]] = axis
    if one[0] == other[0]:
        return
    if one[0] < axis:  # the other is on the axis, at the right, or nearer at the left
        x_of[one[1]] = axis - min(first, room[0] / 2)
    else:
        x_of[other[1]] = axis + min(first, room[1] / 2)
