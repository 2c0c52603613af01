"""Where a graph is looked at from at first: large enough to read, with the spine and its badges whole."""

from typing import Final

import numpy as np

from tensorscope.render.graph import Viewport, fitting
from tensorscope.render.theme import Theme
from tensorscope.viewmodel.graph_scene import Box, BoxKind, Scene

LEAST_WHOLE: Final = 0.55  # a graph that would be smaller is not shown whole at first
MARGIN: Final = 14.0
SAME_AXIS: Final = 2.0  # px that uprights of one spine may differ


def first_viewport(scene: Scene, width: float, height: float, covered: float, place: int, theme: Theme) -> Viewport:
    """``place``: the node that stands out, -1: none. ``covered``: what the minimap takes of the width at the right."""
    whole = fitting(scene, width, height, theme)
    if whole.zoom >= LEAST_WHOLE or not scene.boxes:
        return whole
    box = scene.box_of(place) if place >= 0 else _first_box(scene)
    if scene.options.is_sideways:
        return _sideways(scene, box, width, height, place)
    least = float(theme.value("graph.detail")[0]["from_zoom"])
    left, right = _spine(scene, box, height / least)
    zoom = min(max((width - covered - 2 * MARGIN) / (right - left), least), 1.0)
    room = (width - covered) / zoom
    if scene.width + 2 * MARGIN / zoom <= room:
        left, right = 0.0, scene.width
    x = (left + right - room) / 2 if right - left <= room else left - MARGIN / zoom
    y = box.y + box.height / 2 - height / zoom / 2 if place >= 0 else -16.0
    return Viewport(x, max(y, -16.0), zoom, width, height)


def _first_box(scene: Scene) -> Box:
    """The outermost box where reading begins."""
    return scene.boxes[0] if not scene.options.is_mirrored else min(scene.boxes, key=lambda box: (box.y, -box.width))


def _sideways(scene: Scene, box: Box, width: float, height: float, place: int) -> Viewport:
    """The row of the box in the middle of the height, the graph's beginning at the left (or the box in the middle)."""
    x = max(box.x + box.width / 2 - width / 2, -16.0) if place >= 0 else -16.0
    y = box.y + box.height / 2 - height / 2
    if scene.height + 2 * MARGIN <= height:
        y = (scene.height - height) / 2
    return Viewport(x, max(y, -16.0) if scene.height > height else y, 1.0, width, height)


def _spine(scene: Scene, box: Box, height: float) -> tuple[float, float]:
    """Left and right of what stands on the box's upright within ``height`` around it, badges and the open groups' left sides included."""
    axis, middle = box.x + box.width / 2, box.y + box.height / 2
    upper, lower = middle - height / 2, middle + height / 2
    if upper < 0:
        upper, lower = 0.0, height
    near = np.flatnonzero((scene.box_rects[:, 3] >= upper) & (scene.box_rects[:, 1] <= lower)).tolist()
    on_spine = [index for index in near if scene.boxes[index].kind is not BoxKind.OPEN and abs(_axis(scene.boxes[index]) - axis) <= SAME_AXIS]
    around = [
        index for index in near if scene.boxes[index].kind is BoxKind.OPEN and scene.boxes[index].x <= axis <= scene.boxes[index].x + scene.boxes[index].width
    ]
    lefts = [float(scene.box_rects[index, 0]) for index in (*on_spine, *around)]
    rights = [float(scene.box_rects[index, 2]) for index in on_spine]
    return min(lefts, default=box.x), max(rights, default=box.x + box.width)


def _axis(box: Box) -> float:
    return box.x + box.width / 2
