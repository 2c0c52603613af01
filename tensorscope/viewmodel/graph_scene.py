"""The graph as laid-out boxes and lines in one coordinate system: what is visible with the groups that stand open, free of time and colour."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tensorscope.analysis.layout import Point
from tensorscope.viewmodel.graph_fold import Badge
from tensorscope.viewmodel.graph_levels import Metrics
from tensorscope.viewmodel.graph_options import GraphOptions
from tensorscope.viewmodel.graph_tree import Group, GroupKey


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


class BoxIndex(Mapping[BoxKey, int]):
    """Where the box of a key stands in ``Scene.boxes``."""

    def __init__(self, nodes: NDArray[np.int32], shown_by: NDArray[np.int32], groups: dict[BoxKey, int]) -> None:
        self._nodes = nodes  # [boxes] node of each, -1: a group
        self._shown_by = shown_by
        self._groups = groups

    def __getitem__(self, key: BoxKey) -> int:
        if not 0 <= key.node < len(self._shown_by):
            return self._groups[key]
        place = int(self._shown_by[key.node])
        if place < 0 or self._nodes[place] != key.node:
            raise KeyError(key)
        return place

    def __iter__(self) -> Iterator[BoxKey]:
        yield from self._groups
        yield from (BoxKey(node) for node in self._nodes.tolist() if node >= 0)

    def __len__(self) -> int:
        return len(self._nodes)


@dataclass(frozen=True, slots=True)
class Scene:
    boxes: Sequence[Box]  # outer before inner
    lines: Sequence[Line]
    index: Mapping[BoxKey, int]
    nodes: NDArray[np.int32]  # [boxes] node of each box, -1: of a group
    places: NDArray[np.float64]  # [boxes, 4] x, y, width, height of each
    group_boxes: tuple[int, ...]  # those that stand for groups
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
