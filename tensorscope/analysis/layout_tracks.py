"""The upright tracks of a level: paths of items that stand one below the other, and lanes for long edges.

Each track spans rows and has one x. Tracks get columns (short spans first, so that what is nested stands nearer the spine), then each column moves as
far left as what stands there in its own rows allows.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import numpy as np

from tensorscope.analysis.layout_rows import Ranks
from tensorscope.analysis.layout_types import Item, Level, Style

SHARED_FROM: Final = 3  # long edges to one target from as many sources run in one lane


@dataclass(slots=True)
class Track:
    first: int  # row
    last: int
    vertices: tuple[int, ...]  # empty: a lane for an edge or for several of one source
    column: int = 0
    x: float = 0.0


@dataclass(frozen=True, slots=True)
class Tracks:
    of_vertex: list[int]  # track of each vertex
    lane_of_edge: list[int]  # track that a long edge runs in, -1: none needed
    tracks: list[Track]


def place_tracks(level: Level, sized: tuple[Item, ...], ranks: Ranks, style: Style, check: Callable[[], None]) -> Tracks:
    tracks = _cover_with_paths(ranks, check)
    of_vertex = [0] * len(ranks.rank)
    for index, track in enumerate(tracks):
        for vertex in track.vertices:
            of_vertex[vertex] = index
    lane_of_edge = _add_lanes(ranks, tracks, of_vertex, check)
    _assign_columns(tracks)
    _assign_x(tracks, sized, ranks, style)
    return Tracks(of_vertex, lane_of_edge, tracks)


def _cover_with_paths(ranks: Ranks, check: Callable[[], None]) -> list[Track]:
    """Split the vertices into downward paths, the longest first: it is the spine."""
    taken = [False] * len(ranks.rank)
    starts = sorted(range(len(taken)), key=lambda vertex: (ranks.rank[vertex], -ranks.height[vertex], vertex))
    if starts:
        spine = min(starts, key=lambda vertex: (-ranks.height[vertex], ranks.rank[vertex], vertex))
        starts.insert(0, spine)
    paths: list[Track] = []
    for start in starts:
        if taken[start]:
            continue
        check()
        path = [start]
        taken[start] = True
        while True:
            free = [target for edge in ranks.successors[path[-1]] if not taken[target := ranks.edges[edge][1]]]
            if not free:
                break
            following = min(free, key=lambda vertex: (-ranks.height[vertex], ranks.rank[vertex], vertex))
            taken[following] = True
            path.append(following)
        paths.append(Track(ranks.rank[path[0]], ranks.rank[path[-1]], tuple(path)))
    return paths


def _add_lanes(ranks: Ranks, tracks: list[Track], of_vertex: list[int], check: Callable[[], None]) -> list[int]:
    """Give every edge that passes rows a track to run in: its own path's where that begins or ends there, else a lane, shared by the edges of one
    source or of one target."""
    lane_of_edge = [-1] * len(ranks.edges)
    following = {vertex: after for track in tracks for vertex, after in zip(track.vertices, track.vertices[1:], strict=False)}
    single: dict[int, list[int]] = {}  # by target, long edges that are the only long one of their source
    for source in range(len(ranks.rank)):
        check()
        long = [
            edge
            for edge in ranks.successors[source]
            if ranks.rank[ranks.edges[edge][1]] > ranks.rank[source] + 1 and following.get(source) != ranks.edges[edge][1]
        ]
        if not long:
            continue
        first, last = ranks.rank[source] + 1, max(ranks.rank[ranks.edges[edge][1]] for edge in long) - 1
        own = of_vertex[source]
        if len(long) == 1:
            single.setdefault(ranks.edges[long[0]][1], []).append(long[0])
        elif tracks[own].vertices[-1] == source:
            tracks[own].last = max(tracks[own].last, last)
            _set_lane(lane_of_edge, long, own)
        else:
            _set_lane(lane_of_edge, long, _new_lane(tracks, first, last))
    for target, arriving in sorted(single.items()):
        check()
        if len(arriving) >= SHARED_FROM:
            first = min(ranks.rank[ranks.edges[edge][0]] for edge in arriving) + 1
            _set_lane(lane_of_edge, arriving, _new_lane(tracks, first, ranks.rank[target] - 1))
            continue
        for edge in arriving:
            lane_of_edge[edge] = _lane_of_single(ranks, tracks, of_vertex, *ranks.edges[edge])
    for edge, (source, target) in enumerate(ranks.edges):
        if ranks.rank[target] <= ranks.rank[source]:  # against the flow
            lane_of_edge[edge] = _new_lane(tracks, ranks.rank[target], ranks.rank[source])
    return lane_of_edge


def _lane_of_single(ranks: Ranks, tracks: list[Track], of_vertex: list[int], source: int, target: int) -> int:
    first, last = ranks.rank[source] + 1, ranks.rank[target] - 1
    own, onward = tracks[of_vertex[source]], tracks[of_vertex[target]]
    if own.vertices[-1] == source and own.last == ranks.rank[source]:
        own.last = last
        return of_vertex[source]
    if onward.vertices[0] == target and onward.first == ranks.rank[target]:
        onward.first = first
        return of_vertex[target]
    return _new_lane(tracks, first, last)


def _new_lane(tracks: list[Track], first: int, last: int) -> int:
    tracks.append(Track(first, last, ()))
    return len(tracks) - 1


def _set_lane(lane_of_edge: list[int], edges: list[int], lane: int) -> None:
    for edge in edges:
        lane_of_edge[edge] = lane


def _assign_columns(tracks: list[Track]) -> None:
    """The spine stands in column 0; every other track in the first column that is free in its rows."""
    taken: list[int] = []  # a bit a row, for each column
    order = sorted(range(1, len(tracks)), key=lambda index: (tracks[index].last - tracks[index].first, tracks[index].first, index))
    for index in [0, *order] if tracks else []:
        track = tracks[index]
        rows = ((1 << (track.last - track.first + 2)) - 1) << track.first  # and one row between it and the next in its column
        column = 0 if index == 0 else 1
        while column < len(taken) and taken[column] & rows:
            column += 1
        taken.extend([0] * (column + 1 - len(taken)))
        taken[column] |= rows
        track.column = column


def _assign_x(tracks: list[Track], sized: tuple[Item, ...], ranks: Ranks, style: Style) -> None:
    """Move each column left until something in its rows stops it. x is relative; the leftmost box touches 0."""
    edge_of_right = np.full(ranks.count + 2, -np.inf)  # from the row above the first to the row below the last: lines end between rows
    for track in sorted(tracks, key=lambda track: (track.column, track.first)):
        left = np.full(track.last - track.first + 3, style.line_gap / 2)
        right = left.copy()
        for vertex in track.vertices:
            if vertex < len(sized):
                item, row = sized[vertex], ranks.rank[vertex] - track.first + 1
                left[row] = item.axis + style.column_gap / 2
                right[row] = item.width - item.axis + style.column_gap / 2
        rows = slice(track.first, track.last + 3)
        track.x = max(0.0, float((edge_of_right[rows] + left).max()))
        edge_of_right[rows] = track.x + right
    if sized and tracks:
        of_vertex = {vertex: track.x for track in tracks for vertex in track.vertices}
        shift = min(of_vertex[vertex] - item.axis for vertex, item in enumerate(sized))
        for track in tracks:
            track.x -= shift
