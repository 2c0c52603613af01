"""Builds the scene of a graph from its laid-out levels: places in arrays at once, boxes and lines one by one when they are looked at."""

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from tensorscope.analysis.layout import LayoutCache, PlacedLevel, Point, lay_out
from tensorscope.viewmodel.collector import without_collector
from tensorscope.viewmodel.graph_badges import extents
from tensorscope.viewmodel.graph_labels import LevelLabels
from tensorscope.viewmodel.graph_lazy import Made
from tensorscope.viewmodel.graph_levels import LevelBuilder, Metrics, Sheet
from tensorscope.viewmodel.graph_open import OpenState
from tensorscope.viewmodel.graph_orientation import Orientation
from tensorscope.viewmodel.graph_scene import Box, BoxIndex, BoxKey, BoxKind, Line, Scene
from tensorscope.viewmodel.graph_tree import GraphTree, Group

Floats = NDArray[np.float64]


def build_scene(tree: GraphTree, state: OpenState, metrics: Metrics, tall_node: int, cache: LayoutCache, check: Callable[[], None] = lambda: None) -> Scene:
    """Lay out what is visible. ``tall_node`` gets room for a second line (-1: none). Raises LevelTooLarge, and whatever ``check`` raises."""
    with without_collector():
        sheet = LevelBuilder(tree, state, metrics, tall_node).build(tree.top)
        return _Builder(tree, metrics).scene(sheet, lay_out(sheet.level, metrics.style, cache, check))


@dataclass(frozen=True, slots=True)
class _Part:
    """One level in the scene."""

    sheet: Sheet
    parent: int  # box of the open group around it
    boxes: NDArray[np.int64]  # [items] the box of each
    points: Floats  # of all routes
    starts: NDArray[np.int64]
    ends: dict[int, tuple[Point, ...]]  # points of the edges that run to the border of the group around
    labels: LevelLabels

    def route(self, edge: int) -> tuple[Point, ...]:
        known = self.ends.get(edge)
        return known if known is not None else tuple([(x, y) for x, y in self.points[self.starts[edge] : self.starts[edge + 1]].tolist()])


@dataclass(slots=True)
class _Builder:
    tree: GraphTree
    metrics: Metrics
    parts: list[_Part] = field(default_factory=list)  # inner before outer
    places: list[tuple[NDArray[np.int64], Floats, list[int]]] = field(default_factory=list)  # of each part: its boxes, their places, their nodes
    bounds: list[Floats] = field(default_factory=list)

    def scene(self, sheet: Sheet, placed: PlacedLevel) -> Scene:
        metrics, tree = self.metrics, self.tree
        count = self._add(sheet, placed, (0.0, 0.0), -1, 0)
        part_of, item_of = np.zeros(count, np.int64), np.zeros(count, np.int64)
        places, nodes = np.zeros((count, 4)), np.full(count, -1, np.int32)
        for number, (boxes, rects, own) in enumerate(self.places):
            part_of[boxes], item_of[boxes] = number, np.arange(len(boxes))
            places[boxes], nodes[boxes] = rects, own
        made = Made(count, _BoxMaker(tree, metrics, self.parts, part_of, item_of, places))
        group_boxes = tuple(np.flatnonzero(nodes < 0).tolist())
        shown_by = np.full(len(tree.graph.nodes), -1, np.int32)
        shown_by[nodes[nodes >= 0]] = np.flatnonzero(nodes >= 0)
        for index in group_boxes:
            if made[index].kind is not BoxKind.OPEN:
                for group in made[index].groups:
                    shown_by[group.members] = index
        if tree.folded.carrier:
            shown_by[list(tree.folded.carrier)] = shown_by[list(tree.folded.carrier.values())]
        lines = np.cumsum([0, *(len(part.starts) - 1 for part in self.parts)])
        return Scene(
            made,
            Made(int(lines[-1]), _LineMaker(self.parts, lines)),
            BoxIndex(nodes, shown_by, {made[index].key: index for index in group_boxes}),
            nodes,
            places,
            group_boxes,
            shown_by,
            placed.height if metrics.options.is_sideways else placed.width,
            placed.width if metrics.options.is_sideways else placed.height,
            extents(places, self._badge_counts(nodes), metrics),
            np.concatenate(self.bounds) if self.bounds else np.zeros((0, 4)),
            metrics,
        )

    def _add(self, sheet: Sheet, placed: PlacedLevel, corner: Point, parent: int, first: int) -> int:
        """Add a level whose first box is number ``first``; returns the number after its last, all levels inside it included."""
        metrics, orientation = self.metrics, Orientation.of(self.metrics.options, self.metrics.style)
        rects = orientation.rects(np.array(placed.boxes, float).reshape(-1, 4), placed.height, corner)
        boxes = np.arange(first, first + len(rects))
        after = first + len(rects)
        for item, (inner_sheet, inner) in enumerate(zip(sheet.inner, placed.inner, strict=True)):
            if inner_sheet is not None and inner is not None:
                x, y = rects[item, :2].tolist()
                inside = (x + metrics.style.padding, y + metrics.style.header)
                grown = self._add(inner_sheet, inner, inside, int(boxes[item]), int(boxes[item]) + 1)
                boxes[item + 1 :] += grown - int(boxes[item]) - 1
                after += grown - int(boxes[item]) - 1
        nodes = [child if isinstance(child := sheet.group.children[unit.children[0]], int) else -1 for unit in sheet.units]
        self._fit_nodes(sheet, rects, nodes)
        points = orientation.moved(placed.routes.points, placed.height, corner)
        starts, ends = placed.routes.starts, self._ends(sheet, placed, orientation, corner)
        labels = LevelLabels(self.tree, sheet, points[starts[1:] - 1, int(metrics.options.is_sideways)], metrics.options)
        self.parts.append(_Part(sheet, parent, boxes, points, starts, ends, labels))
        self.places.append((boxes, rects, nodes))
        if len(starts) > 1:
            bounds = np.column_stack((np.minimum.reduceat(points, starts[:-1]), np.maximum.reduceat(points, starts[:-1])))
            for edge, route in ends.items():
                (x0, *_, x1), (y0, *_, y1) = (sorted(values) for values in zip(*route, strict=True))
                bounds[edge] = x0, y0, x1, y1
            self.bounds.append(bounds)
        return after

    def _fit_nodes(self, sheet: Sheet, rects: Floats, nodes: list[int]) -> None:
        """An item holds a node and its badges: leave the node's own place of it."""
        metrics = self.metrics
        is_node = np.array(nodes, np.int64) >= 0
        own = np.where(np.array(sheet.tall, np.bool_), metrics.tall_height, metrics.node_height)[is_node]
        found = rects[is_node]
        if metrics.options.is_sideways:
            found[:, 1] += found[:, 3] - own
        else:
            width = np.array([2 * (item.width - item.axis) for item in sheet.level.items])[is_node]
            found[:, 0] += found[:, 2] - width
            found[:, 1] += (found[:, 3] - own) / 2
            found[:, 2] = width
        found[:, 3] = own
        rects[is_node] = found

    def _ends(self, sheet: Sheet, placed: PlacedLevel, orientation: Orientation, corner: Point) -> dict[int, tuple[Point, ...]]:
        ends = {}
        for number, edge in enumerate(sheet.level.edges):
            if edge.source < 0 or edge.target < 0:
                ends[number] = orientation.points(orientation.to_borders(placed.routes[number], edge.source < 0, edge.target < 0), placed.height, corner)
        return ends

    def _badge_counts(self, nodes: NDArray[np.int32]) -> NDArray[np.int64]:
        """[boxes]"""
        counts = np.zeros(len(self.tree.graph.nodes) + 1, np.int64)  # the last stands for groups: they have none
        if self.metrics.options.has_parameters:
            for node, badges in self.tree.folded.badges.items():
                counts[node] = len(badges)
        counted: NDArray[np.int64] = counts[nodes]
        return counted


@dataclass(frozen=True, slots=True)
class _BoxMaker:
    tree: GraphTree
    metrics: Metrics
    parts: list[_Part]
    part_of: NDArray[np.int64]  # [boxes]
    item_of: NDArray[np.int64]
    places: Floats

    def __call__(self, index: int) -> Box:
        part, item = self.parts[self.part_of[index]], int(self.item_of[index])
        x, y, width, height = self.places[index].tolist()
        group = part.sheet.group
        children = [group.children[child] for child in part.sheet.units[item].children]
        key = key_of(part.sheet, item)
        if key.node >= 0:
            badges = self.tree.folded.badges.get(key.node, ()) if self.metrics.options.has_parameters else ()
            return Box(key, BoxKind.NODE, x, y, width, height, group.depth, (), badges, part.parent)
        groups = tuple(child for child in children if isinstance(child, Group))
        kind = BoxKind.OPEN if part.sheet.inner[item] is not None else BoxKind.RUN if key.is_run else BoxKind.GROUP
        return Box(key, kind, x, y, width, height, groups[0].depth, groups, (), part.parent)


@dataclass(frozen=True, slots=True)
class _LineMaker:
    parts: list[_Part]
    firsts: NDArray[np.int64]  # [parts + 1] number of each part's first line

    def __call__(self, index: int) -> Line:
        number = int(np.searchsorted(self.firsts, index, side="right")) - 1
        part, place = self.parts[number], index - int(self.firsts[number])
        edge = part.sheet.level.edges[place]
        source = key_of(part.sheet, edge.source) if edge.source >= 0 else None
        target = key_of(part.sheet, edge.target) if edge.target >= 0 else None
        return Line(part.route(place), source, target, tuple(sorted(part.sheet.strands[place])), *part.labels.of(place))


def key_of(sheet: Sheet, item: int) -> BoxKey:
    unit = sheet.units[item].children
    first = sheet.group.children[unit[0]]
    return BoxKey(first) if isinstance(first, int) else BoxKey(-1, first.key, len(unit) > 1)
