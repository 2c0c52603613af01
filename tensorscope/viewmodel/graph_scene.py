"""The graph as laid-out boxes and lines in one coordinate system: what is visible with the groups that stand open, free of time and colour."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum, auto
from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from tensorscope.analysis.layout import LayoutCache, PlacedLevel, Point, Style, lay_out
from tensorscope.units import format_shape
from tensorscope.viewmodel.collector import without_collector
from tensorscope.viewmodel.graph_fold import Badge, Shape
from tensorscope.viewmodel.graph_levels import LevelBuilder, Metrics, Sheet
from tensorscope.viewmodel.graph_open import OpenState
from tensorscope.viewmodel.graph_tree import GraphTree, Group, GroupKey

LABEL_CLEARANCE: Final = 70.0  # another line that ends as close to the right would run through a label


class BoxKind(Enum):
    NODE = auto()
    GROUP = auto()  # closed
    OPEN = auto()
    RUN = auto()  # equal siblings rolled up


@dataclass(frozen=True, slots=True)
class BoxKey:
    """What a box stands for, in every backward of the shape."""

    node: int  # -1: a group
    group: GroupKey | None = None
    is_run: bool = False


@dataclass(frozen=True, slots=True)
class Box:
    """x, y, width and height are the box's own; its badges stand left of it."""

    key: BoxKey
    kind: BoxKind
    x: float
    y: float
    width: float
    height: float
    depth: int
    groups: tuple[Group, ...] = ()  # the group, or all of a run
    badges: tuple[Badge, ...] = ()
    parent: int = -1  # index of the open box around it


@dataclass(frozen=True, slots=True)
class Line:
    """One piece of a gradient's way: it ends at a box (with an arrow) or at an open group's border, where the next begins."""

    points: tuple[Point, ...]
    source: BoxKey | None  # None: the border of the group around it
    target: BoxKey | None
    links: tuple[int, ...]  # of the tree's folded links
    label: str
    label_x: float = 0.0  # right of this


@dataclass(frozen=True, slots=True)
class Scene:
    boxes: tuple[Box, ...]  # outer before inner
    lines: tuple[Line, ...]
    index: dict[BoxKey, int]
    shown_by: NDArray[np.int32]  # [drawn and folded nodes] box that stands for each node: itself, or the closed group around it
    width: float
    height: float
    box_rects: NDArray[np.float64]  # [boxes, 4] left, top, right, bottom with badges
    line_rects: NDArray[np.float64]  # [lines, 4]

    def box_of(self, node: int) -> Box:
        return self.boxes[int(self.shown_by[node])]


def build_scene(tree: GraphTree, state: OpenState, metrics: Metrics, tall_node: int, cache: LayoutCache, check: Callable[[], None] = lambda: None) -> Scene:
    """Lay out what is visible. ``tall_node`` gets room for a second line (-1: none). Raises LevelTooLarge, and whatever ``check`` raises."""
    with without_collector():
        return _build_scene(tree, state, metrics, tall_node, cache, check)


def _build_scene(tree: GraphTree, state: OpenState, metrics: Metrics, tall_node: int, cache: LayoutCache, check: Callable[[], None]) -> Scene:
    sheet = LevelBuilder(tree, state, metrics, tall_node).build(tree.top)
    placed = lay_out(sheet.level, metrics.style, cache, check)
    boxes: list[Box] = []
    lines: list[Line] = []
    shown_by = np.full(len(tree.graph.nodes), -1, np.int32)
    _flatten(tree, sheet, placed, metrics, (0.0, 0.0), -1, boxes, lines)
    for index, box in enumerate(boxes):
        if box.kind is BoxKind.NODE:
            shown_by[box.key.node] = index
        elif box.kind is not BoxKind.OPEN:
            for group in box.groups:
                shown_by[group.members] = index
    lines = _with_free_labels(lines)
    for folded, carrier in tree.folded.carrier.items():
        shown_by[folded] = shown_by[carrier]
    return Scene(
        tuple(boxes),
        tuple(lines),
        {box.key: index for index, box in enumerate(boxes)},
        shown_by,
        placed.width,
        placed.height,
        np.array([_extent(box, metrics) for box in boxes], float).reshape(-1, 4),
        np.array([_bounds(line.points) for line in lines], float).reshape(-1, 4),
    )


def _flatten(tree: GraphTree, sheet: Sheet, placed: PlacedLevel, metrics: Metrics, corner: Point, parent: int, boxes: list[Box], lines: list[Line]) -> None:
    keys: list[BoxKey] = []
    for unit, item, inner_sheet, rect, inner in zip(sheet.units, sheet.level.items, sheet.inner, placed.boxes, placed.inner, strict=True):
        children = [sheet.group.children[index] for index in unit.children]
        x, y, width, height = corner[0] + rect[0], corner[1] + rect[1], rect[2], rect[3]
        first = children[0]
        if isinstance(first, int):
            badges = tree.folded.badges.get(first, ())
            own_height = metrics.tall_height if first == sheet.tall_node else metrics.node_height
            keys.append(BoxKey(first))
            node_width = 2 * (item.width - item.axis)
            boxes.append(
                Box(
                    keys[-1], BoxKind.NODE, x + width - node_width, y + (height - own_height) / 2, node_width, own_height, sheet.group.depth, (), badges, parent
                )
            )
            continue
        groups = tuple(child for child in children if isinstance(child, Group))
        is_run = len(groups) > 1
        kind = BoxKind.OPEN if inner is not None else BoxKind.RUN if is_run else BoxKind.GROUP
        keys.append(BoxKey(-1, first.key, is_run))
        boxes.append(Box(keys[-1], kind, x, y, width, height, first.depth, groups, (), parent))
        if inner is not None and inner_sheet is not None:
            inside = (x + metrics.style.padding, y + metrics.style.header)
            _flatten(tree, inner_sheet, inner, metrics, inside, len(boxes) - 1, boxes, lines)
    for edge, strand, route in zip(sheet.level.edges, sheet.strands, placed.routes, strict=True):
        source = keys[edge.source] if edge.source >= 0 else None
        target = keys[edge.target] if edge.target >= 0 else None
        points = tuple((corner[0] + x, corner[1] + y) for x, y in route)
        points = _reaching_borders(points, source is None, target is None, metrics.style)
        lines.append(Line(points, source, target, strand, _label(tree, strand) if edge.has_label else "", points[-1][0]))


def _reaching_borders(points: tuple[Point, ...], from_border: bool, to_border: bool, style: Style) -> tuple[Point, ...]:
    """A level's routes end at its content's sides; the group's border is a header above and a padding below."""
    if from_border:
        points = ((points[0][0], points[0][1] - style.header), *points[1 if points[0][0] == points[min(1, len(points) - 1)][0] and len(points) > 1 else 0 :])
    if to_border:
        kept = points[:-1] if len(points) > 1 and points[-1][0] == points[-2][0] else points
        points = (*kept, (points[-1][0], points[-1][1] + style.padding))
    return points


def _label(tree: GraphTree, links: tuple[int, ...]) -> str:
    if len(links) == 1:
        shape = tree.folded.links[links[0]].shape
        return _words(shape)
    shapes = {tree.folded.links[link].shape for link in links}
    if len(shapes) > 1:
        return f"{len({(tree.folded.links[link].target, tree.folded.links[link].input_nr) for link in links})} tensors"
    return _words(*shapes)


@lru_cache(1024)
def _words(shape: Shape | None) -> str:
    return format_shape(shape) if shape is not None else ""


def _with_free_labels(lines: list[Line]) -> list[Line]:
    """Of the lines that bring a box the same tensor only the leftmost says its shape, and it says it right of the others that end close to it."""
    ends: dict[BoxKey, list[int]] = {}
    for number, line in enumerate(lines):
        if line.target is not None:
            ends.setdefault(line.target, []).append(number)
    placed = list(lines)
    for numbers in ends.values():
        if len(numbers) == 1:
            continue
        arriving = [(lines[number].points[-1][0], lines[number].label) for number in numbers]
        for number, (x, label) in zip(numbers, arriving, strict=True):
            if label and any(same == label and other < x for other, same in arriving):
                placed[number] = _relabelled(lines[number], "", x)
            elif label and (right := max([other for other, _ in arriving if other - x < LABEL_CLEARANCE])) != x:
                placed[number] = _relabelled(lines[number], label, right)
    return placed


def _relabelled(line: Line, label: str, label_x: float) -> Line:
    return Line(line.points, line.source, line.target, line.links, label, label_x)


def _extent(box: Box, metrics: Metrics) -> tuple[float, float, float, float]:
    if not box.badges:
        return box.x, box.y, box.x + box.width, box.y + box.height
    half = metrics.badges_height(len(box.badges)) / 2
    middle = box.y + box.height / 2
    left = box.x - metrics.badge_room
    return left, min(box.y, middle - half), box.x + box.width, max(box.y + box.height, middle + half)


def _bounds(points: tuple[Point, ...]) -> tuple[float, float, float, float]:
    if len(points) == 2:
        (x0, y0), (x1, y1) = points
        return (x0, y0, x1, y1) if x0 <= x1 and y0 <= y1 else (min(x0, x1), min(y0, y1), max(x0, x1), max(y0, y1))
    xs, ys = [x for x, _ in points], [y for _, y in points]
    return min(xs), min(ys), max(xs), max(ys)
