"""What lies under a point of the scene."""

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from tensorscope.viewmodel.graph_badges import badge_rects
from tensorscope.viewmodel.graph_fold import Badge
from tensorscope.viewmodel.graph_levels import Metrics
from tensorscope.viewmodel.graph_scene import Box, BoxKind, Line, Scene

CHEVRON = 22.0  # width of the part of a group's header that opens and closes it
LINE_REACH = 5.0  # pixels on the screen


@dataclass(frozen=True, slots=True)
class Picked:
    box: Box | None = None
    badge: Badge | None = None
    line: Line | None = None
    on_chevron: bool = False


def pick(scene: Scene, x: float, y: float, zoom: float, header: float = 24.0) -> Picked | None:
    """The innermost box, badge or line at a point; an open group only at its header. None: the ground."""
    if not len(scene.box_rects):
        return None
    rects = scene.box_rects
    inside = np.flatnonzero((rects[:, 0] <= x) & (x <= rects[:, 2]) & (rects[:, 1] <= y) & (y <= rects[:, 3]))
    for index in inside[::-1].tolist():
        box = scene.boxes[index]
        if box.kind is BoxKind.NODE:
            if box.x <= x <= box.x + box.width and box.y <= y <= box.y + box.height:
                return Picked(box)
            badge = _badge_at(box, scene.metrics, x, y)
            if badge is not None:
                return Picked(None, badge)
        elif box.kind is not BoxKind.OPEN or y <= box.y + header:
            return Picked(box, on_chevron=x <= box.x + CHEVRON)
        else:
            break
    line = _line_at(scene, x, y, LINE_REACH / zoom)
    return Picked(line=line) if line is not None else None


def _badge_at(box: Box, metrics: Metrics, x: float, y: float) -> Badge | None:
    for badge, (left, top, width, height) in zip(box.badges, badge_rects(box, metrics), strict=False):
        if left <= x <= left + width and top <= y <= top + height + metrics.badge_gap:
            return badge
    return None


def _line_at(scene: Scene, x: float, y: float, reach: float) -> Line | None:
    rects = scene.line_rects
    near = np.flatnonzero((rects[:, 0] - reach <= x) & (x <= rects[:, 2] + reach) & (rects[:, 1] - reach <= y) & (y <= rects[:, 3] + reach))
    for index in near.tolist():
        points = scene.lines[index].points
        for (x0, y0), (x1, y1) in pairwise(points):
            if min(x0, x1) - reach <= x <= max(x0, x1) + reach and min(y0, y1) - reach <= y <= max(y0, y1) + reach:
                return scene.lines[index]
    return None
