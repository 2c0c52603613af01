"""Heights of rows and gaps, and the orthogonal route of every edge.

Upright pieces run in tracks, level pieces only in the gaps between rows, each on a line of its own: no route crosses a box.
"""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from typing import Final, NamedTuple

from tensorscope.analysis.layout_ports import Ports, place_ports
from tensorscope.analysis.layout_rows import Ranks
from tensorscope.analysis.layout_tracks import Tracks
from tensorscope.analysis.layout_types import Item, Level, PlacedLevel, Point, Style

TALL_ROW: Final = 90.0  # rows above this height hold open groups: what is smaller stands at their upper side


TOUCHING: Final = 4.0  # lines nearer to each other look like one


@dataclass(frozen=True, slots=True)
class Routing:
    level: Level
    sized: tuple[Item, ...]
    inner: tuple[PlacedLevel | None, ...]
    ranks: Ranks
    tracks: Tracks
    style: Style


class _Piece(NamedTuple):
    """A level piece of a route in one gap."""

    gap: int
    begin: float
    end: float


def route_edges(routing: Routing, check: Callable[[], None]) -> PlacedLevel:
    ports = place_ports(routing.level, routing.sized, routing.inner, routing.ranks, routing.tracks, routing.style)
    check()
    pieces = [_pieces(edge, routing, ports) for edge in range(len(routing.level.edges))]
    lines, line_count = _assign_lines(pieces, routing.ranks.count)
    check()
    boxes, gap_tops, height = _place_rows(routing, line_count)
    tracks, items = routing.tracks, len(routing.sized)
    inputs = tuple(tracks.tracks[tracks.of_vertex[items + port]].x for port in range(routing.level.inputs))
    outputs = tuple(tracks.tracks[tracks.of_vertex[items + routing.level.inputs + port]].x for port in range(routing.level.outputs))
    routes = []
    for index, (source, target) in enumerate(routing.ranks.edges):
        begin = boxes[source][1] + boxes[source][3] - routing.sized[source].inset if source < items else 0.0
        end = boxes[target][1] + routing.sized[target].inset if target < items else height
        points: list[Point] = [(ports.source[index], begin)]
        if index in ports.sideways:
            middle = boxes[source][1] + boxes[source][3] / 2
            points = [(ports.source[index], middle), (_track_x(index, routing), middle)]
        for piece in pieces[index]:
            y = gap_tops[piece.gap] + routing.style.line_gap * (lines[piece] + 0.75)
            points += [(piece.begin, y), (piece.end, y)]
        points.append((ports.target[index], end))
        routes.append(_without_repeats(points))
    right = max([box[0] + box[2] for box in boxes] + [x for route in routes for x, _ in route] + [*inputs, *outputs], default=0.0)
    axis = tracks.tracks[0].x if tracks.tracks else 0.0
    return PlacedLevel(right, height, axis, tuple(boxes), routing.inner, tuple(routes), inputs, outputs)


def _pieces(edge: int, routing: Routing, ports: Ports) -> tuple[_Piece, ...]:
    source, target = routing.ranks.edges[edge]
    upper, lower = routing.ranks.rank[source], routing.ranks.rank[target] - 1
    begin, end = ports.source[edge], ports.target[edge]
    x = _track_x(edge, routing)
    if edge in ports.sideways:
        return (_Piece(lower, x, end),) if end != x else ()
    if routing.tracks.lane_of_edge[edge] < 0:
        return (_Piece(upper, begin, end),) if begin != end else ()
    leaving = (_Piece(upper, begin, x),) if begin != x else ()
    return (*leaving, _Piece(lower, x, end)) if end != x else leaving


def _track_x(edge: int, routing: Routing) -> float:
    """The upright line that an edge runs down: its lane, or its target's track."""
    lane = routing.tracks.lane_of_edge[edge]
    return routing.tracks.tracks[lane if lane >= 0 else routing.tracks.of_vertex[routing.ranks.edges[edge][1]]].x


def _assign_lines(pieces: list[tuple[_Piece, ...]], rows: int) -> tuple[dict[_Piece, int], list[int]]:
    """The line of each piece within its gap, and the number of lines of each gap."""
    by_gap: list[set[_Piece]] = [set() for _ in range(rows)]
    for route in pieces:
        for piece in route:
            by_gap[piece.gap].add(piece)
    lines: dict[_Piece, int] = {}
    counts = [0] * rows
    for gap, members in enumerate(by_gap):
        counts[gap] = _assign_gap(members, lines)
    return lines, counts


def _assign_gap(members: set[_Piece], lines: dict[_Piece, int]) -> int:
    """Pieces to the right: the rightmost start on the upper line; to the left: the leftmost first; so that those that nest do not cross. What starts
    where another ends lies above it, or their upright parts would run on top of each other. Returns the number of lines."""
    if len(members) == 1:
        lines[next(iter(members))] = 0
        return 1
    order = sorted(members, key=lambda piece: (piece.begin > piece.end, -piece.begin if piece.begin < piece.end else piece.begin, piece.end))
    above = {piece: [other for other in order if other is not piece and abs(other.begin - piece.end) < TOUCHING] for piece in order}
    taken: list[list[tuple[float, float]]] = []
    waiting = dict.fromkeys(order)
    while waiting:
        piece = next((piece for piece in waiting if not any(other in waiting for other in above[piece])), None) or next(iter(waiting))
        del waiting[piece]
        low, high = min(piece.begin, piece.end), max(piece.begin, piece.end)
        least = max((lines[other] + 1 for other in above[piece] if other in lines), default=0)
        line = max(len(taken), least)
        while line > least and all(high < other_low - TOUCHING or low > other_high + TOUCHING for other_low, other_high in taken[line - 1]):
            line -= 1
        taken.extend([] for _ in range(line + 1 - len(taken)))
        taken[line].append((low, high))
        lines[piece] = line
    return len(taken)


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
    if len(points) == 2:
        return points[0], points[1]
    kept = [points[0]]
    for before, after in pairwise(points):
        if before == after:
            continue
        if len(kept) > 1 and (kept[-2][0] == kept[-1][0] == after[0] or kept[-2][1] == kept[-1][1] == after[1]):
            kept[-1] = after
        else:
            kept.append(after)
    return tuple(kept)
