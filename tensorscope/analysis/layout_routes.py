"""Heights of rows and gaps, and the orthogonal route of every edge.

Upright pieces run in tracks, level pieces only in the gaps between rows, each on a line of its own: no route crosses a box.
"""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

import numpy as np
from numpy.typing import NDArray

from tensorscope.analysis.layout_lines import Piece, assign_lines
from tensorscope.analysis.layout_ports import Ports, place_ports
from tensorscope.analysis.layout_rows import Ranks
from tensorscope.analysis.layout_tracks import Tracks
from tensorscope.analysis.layout_types import Item, Level, PlacedLevel, Point, Routes, Style

TALL_ROW: Final = 90.0  # rows above this height hold open groups: what is smaller stands at their upper side
MOST_POINTS: Final = 6  # of a route: both ends and two level pieces

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Flags = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Routing:
    level: Level
    sized: tuple[Item, ...]
    inner: tuple[PlacedLevel | None, ...]
    ranks: Ranks
    tracks: Tracks
    style: Style


@dataclass(frozen=True, slots=True)
class _Ways:
    """Of each edge: where it leaves and arrives, the upright that it runs down, and its (up to two) level pieces."""

    begin: Floats
    end: Floats
    upright: Floats
    is_sideways: Flags
    has_upper: Flags  # a piece in the gap below its source, from ``begin`` to ``upper_end``
    upper_end: Floats
    has_lower: Flags  # a piece in the gap above its target, from ``upright`` to ``end``
    upper_gap: Ints
    lower_gap: Ints


def route_edges(routing: Routing, check: Callable[[], None]) -> PlacedLevel:
    ports = place_ports(routing.level, routing.sized, routing.inner, routing.ranks, routing.tracks, routing.style)
    check()
    ways = _ways(routing, ports)
    upper = [Piece(*values) for values in _rows(ways.has_upper, ways.upper_gap, ways.begin, ways.upper_end)]
    lower = [Piece(*values) for values in _rows(ways.has_lower, ways.lower_gap, ways.upright, ways.end)]
    lines, line_count = assign_lines((*upper, *lower), routing.ranks.count)
    check()
    boxes, gap_tops, height = _place_rows(routing, line_count)
    tracks, items = routing.tracks, len(routing.sized)
    inputs = tuple(tracks.tracks[tracks.of_vertex[items + port]].x for port in range(routing.level.inputs))
    outputs = tuple(tracks.tracks[tracks.of_vertex[items + routing.level.inputs + port]].x for port in range(routing.level.outputs))
    upper_y, lower_y = _heights(upper, lines, gap_tops, routing.style), _heights(lower, lines, gap_tops, routing.style)
    routes = _routes(ways, upper_y, lower_y, *_ends(routing, boxes, height))
    right = max([box[0] + box[2] for box in boxes] + [*inputs, *outputs], default=0.0)
    if len(routes.points):
        right = max(right, float(routes.points[:, 0].max()))
    axis = tracks.tracks[0].x if tracks.tracks else 0.0
    return PlacedLevel(right, height, axis, tuple(boxes), routing.inner, routes, inputs, outputs)


def _rows(chosen: Flags, *columns: NDArray[np.generic]) -> list[tuple[int, float, float]]:
    return list(zip(*(column[chosen].tolist() for column in columns), strict=True))


def _heights(pieces: list[Piece], lines: dict[Piece, int], gap_tops: list[float], style: Style) -> Floats:
    return np.array([gap_tops[piece.gap] + style.line_gap * (lines[piece] + 0.75) for piece in pieces], float)


def _ways(routing: Routing, ports: Ports) -> _Ways:
    ranks, tracks = routing.ranks, routing.tracks
    source, target = np.array(ranks.edges, np.int64).reshape(-1, 2).T
    rank, lane = np.array(ranks.rank, np.int64), np.array(tracks.lane_of_edge, np.int64)
    of_vertex, x_of_track = np.array(tracks.of_vertex, np.int64), np.array([track.x for track in tracks.tracks], float)
    begin, end = np.array(ports.source, float), np.array(ports.target, float)
    upright = x_of_track[np.where(lane >= 0, lane, of_vertex[target])] if len(lane) else end
    is_sideways = np.zeros(len(lane), np.bool_)
    is_sideways[list(ports.sideways)] = True
    has_lane = (lane >= 0) & ~is_sideways
    is_bent = ~has_lane & ~is_sideways & (begin != end)
    return _Ways(
        begin=begin,
        end=end,
        upright=upright,
        is_sideways=is_sideways,
        has_upper=is_bent | (has_lane & (begin != upright)),
        upper_end=np.where(has_lane, upright, end),
        has_lower=(has_lane | is_sideways) & (end != upright),
        upper_gap=rank[source],
        lower_gap=rank[target] - 1,
    )


def _ends(routing: Routing, boxes: list[tuple[float, float, float, float]], height: float) -> tuple[Floats, Floats, Floats]:
    """Where each edge begins and ends, and the middle of its source's side."""
    items, vertices = len(routing.sized), len(routing.ranks.rank)
    below, middle, above = np.zeros(vertices), np.zeros(vertices), np.full(vertices, height)
    if items:
        _, top, _, tall = np.array(boxes, float).T
        inset = np.array([item.inset for item in routing.sized])
        below[:items], middle[:items], above[:items] = top + tall - inset, top + tall / 2, top + inset
    source, target = np.array(routing.ranks.edges, np.int64).reshape(-1, 2).T
    return below[source], above[target], middle[source]


def _routes(ways: _Ways, upper_y: Floats, lower_y: Floats, begin_y: Floats, end_y: Floats, side_y: Floats) -> Routes:
    """All points of all edges in one array. An edge that leaves sideways has its side's height and upright in place of an upper piece."""
    count = len(ways.begin)
    points = np.zeros((count, MOST_POINTS, 2))
    is_there = np.zeros((count, MOST_POINTS), np.bool_)
    is_there[:, (0, 5)] = True
    points[:, 0] = np.column_stack((ways.begin, np.where(ways.is_sideways, side_y, begin_y)))
    points[:, 5] = np.column_stack((ways.end, end_y))
    upper = ways.has_upper
    is_there[upper, 1] = is_there[upper, 2] = True
    points[upper, 1] = np.column_stack((ways.begin[upper], upper_y))
    points[upper, 2] = np.column_stack((ways.upper_end[upper], upper_y))
    side = ways.is_sideways
    is_there[side, 2] = True
    points[side, 2] = np.column_stack((ways.upright[side], side_y[side]))
    lower = ways.has_lower
    is_there[lower, 3] = is_there[lower, 4] = True
    points[lower, 3] = np.column_stack((ways.upright[lower], lower_y))
    points[lower, 4] = np.column_stack((ways.end[lower], lower_y))
    for edge in np.flatnonzero(_may_repeat(points, is_there)).tolist():
        kept = _without_repeats([(x, y) for x, y in points[edge, is_there[edge]].tolist()])
        is_there[edge] = np.arange(MOST_POINTS) < len(kept)
        points[edge, : len(kept)] = kept
    return Routes(points[is_there], np.concatenate(([0], is_there.sum(axis=1).cumsum())))


def _may_repeat(points: Floats, is_there: Flags) -> Flags:
    """Edges with two equal points, or three on one straight piece."""
    flat, edge = points[is_there], np.nonzero(is_there)[0]
    is_same_x, is_same_y = (flat[1:] == flat[:-1]).T
    is_one_edge = edge[1:] == edge[:-1]
    found = np.zeros(len(points), np.bool_)
    found[edge[1:][is_one_edge & is_same_x & is_same_y]] = True
    for is_same in (is_same_x & is_one_edge, is_same_y & is_one_edge):
        found[edge[2:][is_same[1:] & is_same[:-1]]] = True
    found &= is_there.sum(axis=1) > 2
    return found


def _place_rows(routing: Routing, line_count: list[int]) -> tuple[list[tuple[float, float, float, float]], list[float], float]:
    """Boxes (x, y, width, height), the upper side of the gap below each row, and the level's height."""
    ranks, style, items = routing.ranks, routing.style, len(routing.sized)
    row_heights = [0.0] * ranks.count
    for vertex, item in enumerate(routing.sized):
        row_heights[ranks.rank[vertex]] = max(row_heights[ranks.rank[vertex]], item.height)
    has_label = [False] * ranks.count
    for edge, (_, target) in zip(routing.level.edges, ranks.edges, strict=True):
        if edge.has_label:
            has_label[ranks.rank[target] - 1] = True
    bases = [style.label_gap if labelled else style.rank_gap for labelled in has_label]
    gaps = [base + style.line_gap * max(0.0, lines - 0.5) for base, lines in zip(bases, line_count, strict=True)]
    first, last = (0 if routing.level.inputs else 1), (ranks.count - 1 if routing.level.outputs else ranks.count - 2)
    tops, gap_tops, y = [0.0] * ranks.count, [0.0] * ranks.count, 0.0
    for row in range(ranks.count):
        tops[row] = y
        y += row_heights[row]
        gap_tops[row] = y
        if first <= row < last or line_count[row]:
            y += gaps[row]
    x_of = routing.tracks.of_vertex
    boxes = []
    for vertex in range(items):
        item, row = routing.sized[vertex], ranks.rank[vertex]
        free = row_heights[row] - item.height
        boxes.append(
            (routing.tracks.tracks[x_of[vertex]].x - item.axis, tops[row] + (free / 2 if row_heights[row] <= TALL_ROW else 0.0), item.width, item.height)
        )
    return boxes, gap_tops, max(y, routing.level.least_height)


def _without_repeats(points: list[Point]) -> tuple[Point, ...]:
    """The same line with the points left out that stand between two others on one straight piece."""
    kept = [points[0]]
    for before, after in pairwise(points):
        if before == after:
            continue
        if len(kept) > 1 and (kept[-2][0] == kept[-1][0] == after[0] or kept[-2][1] == kept[-1][1] == after[1]):
            kept[-1] = after
        else:
            kept.append(after)
    return tuple(kept)
