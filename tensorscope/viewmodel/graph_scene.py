"""The graph as laid-out boxes and lines in one coordinate system: what is visible with the groups that stand open, free of time and colour."""

from bisect import bisect_left, bisect_right
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum, auto
from functools import lru_cache
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tensorscope.analysis.layout import LayoutCache, PlacedLevel, Point, lay_out
from tensorscope.language import tr
from tensorscope.units import format_shape
from tensorscope.viewmodel.collector import without_collector
from tensorscope.viewmodel.graph_badges import extent
from tensorscope.viewmodel.graph_fold import Badge, Shape
from tensorscope.viewmodel.graph_levels import LevelBuilder, Metrics, Sheet
from tensorscope.viewmodel.graph_open import OpenState
from tensorscope.viewmodel.graph_options import GraphOptions
from tensorscope.viewmodel.graph_orientation import Orientation
from tensorscope.viewmodel.graph_tree import GraphTree, Group, GroupKey

LABEL_CLEARANCE: Final = 70.0  # another line that ends as close to the right would run through a label
LABEL_HEIGHT: Final = 14.0  # the same of lines that run to the right: as close above


class BoxKind(Enum):
    NODE = auto()
    GROUP = auto()  # closed
    OPEN = auto()
    RUN = auto()  # equal siblings rolled up


class BoxKey(NamedTuple):
    """What a box stands for, in every backward of the shape."""

    node: int  # -1: a group
    group: GroupKey | None = None
    is_run: bool = False


class Box(NamedTuple):
    """x, y, width and height are the box's own; its badges stand beside it (``badge_rects``)."""

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


class Line(NamedTuple):
    """One piece of a gradient's way: it ends at a box (with an arrow) or at an open group's border, where the next begins."""

    points: tuple[Point, ...]
    source: BoxKey | None  # None: the border of the group around it
    target: BoxKey | None
    links: tuple[int, ...]  # of the tree's folded links
    label: str
    label_at: float = 0.0  # right of this x, or above this y where lines run to the right


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
    metrics: Metrics

    @property
    def options(self) -> GraphOptions:
        return self.metrics.options

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
    _flatten(tree, sheet, placed, _Frame(metrics, Orientation.of(metrics.options, metrics.style)), (0.0, 0.0), -1, boxes, lines)
    for index, box in enumerate(boxes):
        if box.kind is BoxKind.NODE:
            shown_by[box.key.node] = index
        elif box.kind is not BoxKind.OPEN:
            for group in box.groups:
                shown_by[group.members] = index
    lines = _with_free_labels(lines, is_sideways=metrics.options.is_sideways)
    for folded, carrier in tree.folded.carrier.items():
        shown_by[folded] = shown_by[carrier]
    return Scene(
        tuple(boxes),
        tuple(lines),
        {box.key: index for index, box in enumerate(boxes)},
        shown_by,
        placed.height if metrics.options.is_sideways else placed.width,
        placed.width if metrics.options.is_sideways else placed.height,
        _extents(boxes, metrics),
        np.array([_bounds(line.points) for line in lines], float).reshape(-1, 4),
        metrics,
    )


@dataclass(frozen=True, slots=True)
class _Frame:
    """How big things are and which way the graph runs."""

    metrics: Metrics
    orientation: Orientation


def _flatten(tree: GraphTree, sheet: Sheet, placed: PlacedLevel, frame: _Frame, corner: Point, parent: int, boxes: list[Box], lines: list[Line]) -> None:
    keys: list[BoxKey] = []
    metrics, orientation = frame.metrics, frame.orientation
    for unit, item, inner_sheet, rect, inner in zip(sheet.units, sheet.level.items, sheet.inner, placed.boxes, placed.inner, strict=True):
        children = [sheet.group.children[index] for index in unit.children]
        x, y, width, height = orientation.rect(rect, placed.height)
        x, y = corner[0] + x, corner[1] + y
        first = children[0]
        if isinstance(first, int):
            badges = tree.folded.badges.get(first, ()) if metrics.options.has_parameters else ()
            own_height = metrics.tall_height if first == sheet.tall_node else metrics.node_height
            keys.append(BoxKey(first))
            if orientation.is_sideways:
                y += height - own_height
            else:
                node_width = 2 * (item.width - item.axis)
                x, y, width = x + width - node_width, y + (height - own_height) / 2, node_width
            boxes.append(Box(keys[-1], BoxKind.NODE, x, y, width, own_height, sheet.group.depth, (), badges, parent))
            continue
        groups = tuple(child for child in children if isinstance(child, Group))
        is_run = len(groups) > 1
        kind = BoxKind.OPEN if inner is not None else BoxKind.RUN if is_run else BoxKind.GROUP
        keys.append(BoxKey(-1, first.key, is_run))
        boxes.append(Box(keys[-1], kind, x, y, width, height, first.depth, groups, (), parent))
        if inner is not None and inner_sheet is not None:
            inside = (x + metrics.style.padding, y + metrics.style.header)
            _flatten(tree, inner_sheet, inner, frame, inside, len(boxes) - 1, boxes, lines)
    for edge, strand, route in zip(sheet.level.edges, sheet.strands, placed.routes, strict=True):
        source = keys[edge.source] if edge.source >= 0 else None
        target = keys[edge.target] if edge.target >= 0 else None
        points = orientation.to_borders(route, source is None, target is None) if source is None or target is None else route
        points = orientation.points(points, placed.height, corner)
        label = _label(tree, strand, metrics.options) if edge.has_label else ""
        lines.append(Line(points, source, target, strand, label, points[-1][orientation.is_sideways]))


def _label(tree: GraphTree, links: tuple[int, ...], options: GraphOptions) -> str:
    folded = tree.folded.links
    if len(links) == 1:
        target = folded[links[0]].target
        return _words(folded[links[0]].shape, tree.graph.nodes[target].output_dtype if options.has_dtypes else "")
    tensors = {(folded[link].shape, tree.graph.nodes[folded[link].target].output_dtype if options.has_dtypes else "") for link in links}
    if len(tensors) > 1:
        return tr("{count} tensors").format(count=len({(folded[link].target, folded[link].input_nr) for link in links}))
    return _words(*tensors.pop())


@lru_cache(1024)
def _words(shape: Shape | None, dtype: str) -> str:
    return format_shape(shape, dtype) if shape is not None else ""


def _with_free_labels(lines: list[Line], *, is_sideways: bool) -> list[Line]:
    """Of the lines that bring a box the same tensor only the first says its shape, and it says it beyond the others that end close to it."""
    ends: dict[BoxKey, list[int]] = {}
    for number, line in enumerate(lines):
        if line.target is not None:
            ends.setdefault(line.target, []).append(number)
    placed = list(lines)
    for numbers in ends.values():
        if len(numbers) == 1:
            continue
        places = sorted(lines[number].label_at for number in numbers)
        first: dict[str, float] = {}
        for number in numbers:
            label, at = lines[number].label, lines[number].label_at
            first[label] = min(first.get(label, at), at)
        for number in numbers:
            label, at = lines[number].label, lines[number].label_at
            if label and first[label] < at:
                placed[number] = _relabelled(lines[number], "", at)
            elif label and (free := _free(at, places, is_sideways)) != at:
                placed[number] = _relabelled(lines[number], label, free)
    return placed


def _free(at: float, places: list[float], is_sideways: bool) -> float:
    """Right of the lines that end close to the right, or above those that end close above. ``places``: of all, in order."""
    return places[bisect_right(places, at - LABEL_HEIGHT)] if is_sideways else places[bisect_left(places, at + LABEL_CLEARANCE) - 1]


def _relabelled(line: Line, label: str, label_at: float) -> Line:
    return Line(line.points, line.source, line.target, line.links, label, label_at)


def _extents(boxes: list[Box], metrics: Metrics) -> NDArray[np.float64]:
    plain = [(box.x, box.y, box.x + box.width, box.y + box.height) if not box.badges else extent(box, metrics) for box in boxes]
    return np.array(plain, float).reshape(-1, 4)


def _bounds(points: tuple[Point, ...]) -> tuple[float, float, float, float]:
    if len(points) == 2:
        (x0, y0), (x1, y1) = points
        return (x0, y0, x1, y1) if x0 <= x1 and y0 <= y1 else (min(x0, x1), min(y0, y1), max(x0, x1), max(y0, y1))
    xs, ys = [x for x, _ in points], [y for _, y in points]
    return min(xs), min(ys), max(xs), max(ys)
