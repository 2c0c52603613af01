"""Paints what is visible of a graph, as finely as the zoom allows. The panel and the exports share it."""

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPen, QPolygonF

from tensorscope.render.graph_emphasis import DIM, dimmed_boxes, paint_count, paint_tone
from tensorscope.render.graph_groups import paint_closed_group, paint_open_group, paint_open_header, paint_run
from tensorscope.render.graph_lines import paint_lines
from tensorscope.render.graph_nodes import paint_node
from tensorscope.render.graph_style import detail_at
from tensorscope.render.theme import Theme
from tensorscope.viewmodel.graph import GraphView
from tensorscope.viewmodel.graph_scene import BoxKey, BoxKind, Scene


@dataclass(frozen=True, slots=True)
class Viewport:
    """``x``, ``y``: the scene's point at the left upper corner; ``width`` and ``height`` in pixels of the painter."""

    x: float
    y: float
    zoom: float
    width: float
    height: float

    def to_scene(self, point: QPointF) -> QPointF:
        return QPointF(self.x + point.x() / self.zoom, self.y + point.y() / self.zoom)

    def from_scene(self, point: QPointF) -> QPointF:
        return QPointF((point.x() - self.x) * self.zoom, (point.y() - self.y) * self.zoom)

    @property
    def scene_rect(self) -> QRectF:
        return QRectF(self.x, self.y, self.width / self.zoom, self.height / self.zoom)


@dataclass(frozen=True, slots=True)
class Look:
    """What the user has done to the picture: it moves nothing."""

    selected: frozenset[BoxKey] = field(default_factory=frozenset)
    folded: int = -1  # a selected node that has no box: a view on a line, or a parameter's accumulator behind a badge
    hovered: BoxKey | None = None
    hits: frozenset[int] = field(default_factory=frozenset)  # places of nodes that a search found
    hit: int = -1  # the one gone to
    line_opacity: float = 1.0  # while boxes move
    inside: Mapping[BoxKey, int] = field(default_factory=dict)  # by closed box, how many of what is looked for it holds


def fitting(scene: Scene, width: float, height: float, theme: Theme, margin: float = 16.0, most: float = 1.0) -> Viewport:
    """The viewport that shows the whole scene, not larger than ``most``."""
    return framing(QRectF(0, 0, scene.width, scene.height), width, height, theme, margin, most)


def framing(rect: QRectF, width: float, height: float, theme: Theme, margin: float = 16.0, most: float = 1.0) -> Viewport:
    """The viewport with a part of the scene in its middle, as large as fits."""
    least = theme.value("graph.zoom")[0]
    zoom = max(min(most, (width - 2 * margin) / max(rect.width(), 1), (height - 2 * margin) / max(rect.height(), 1)), least)
    return Viewport(rect.center().x() - width / zoom / 2, rect.center().y() - height / zoom / 2, zoom, width, height)


def paint_graph(
    painter: QPainter,
    view: GraphView,
    viewport: Viewport,
    theme: Theme,
    look: Look = Look(),
    scene: Scene | None = None,
    *,
    has_dots: bool = True,
    is_whole: bool = False,
) -> None:
    """Paint the ground and everything inside the viewport. ``scene``: the boxes on their way while a group opens; else the view's own.

    ``is_whole``: the viewport is a tile of a picture of everything, so no words move to stay inside it.
    """
    scene = view.scene if scene is None else scene
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setRenderHint(QPainter.RenderHint.TextAntialiasing)
    painter.setClipRect(QRectF(0, 0, viewport.width, viewport.height), Qt.ClipOperation.IntersectClip)
    paint_ground(painter, viewport, theme, has_dots=has_dots)
    painter.translate(round(-viewport.x * viewport.zoom), round(-viewport.y * viewport.zoom))
    painter.scale(viewport.zoom, viewport.zoom)
    detail = detail_at(viewport.zoom, theme)
    part = QRectF(0, 0, scene.width, scene.height) if is_whole else viewport.scene_rect
    shown = visible(scene.box_rects, viewport, margin=12)
    boxes = [scene.boxes[index] for index in shown]
    dimmed = dimmed_boxes(view)
    for box in boxes:
        if box.kind is BoxKind.OPEN:
            paint_open_group(painter, box, view, theme, detail)
    if detail.has_nodes:
        painter.setOpacity(look.line_opacity)
        paint_lines(painter, [scene.lines[index] for index in visible(scene.line_rects, viewport, margin=90)], view, theme, look, detail, viewport.zoom)
        painter.setOpacity(1.0)
    for index, box in zip(shown, boxes, strict=True):
        painter.setOpacity(DIM if index in dimmed else 1.0)
        if box.kind is BoxKind.OPEN:
            paint_open_header(painter, box, view, theme, look, detail, part)
        elif box.kind is BoxKind.GROUP:
            paint_closed_group(painter, box, view, theme, look, detail)
        elif box.kind is BoxKind.RUN:
            paint_run(painter, box, view, theme, look, detail)
        elif detail.has_nodes or box.key.node in (view.progress.current, view.progress.held):
            paint_node(painter, box, view, theme, look, detail)
        if view.change is not None and detail.has_nodes:
            paint_tone(painter, box, view, theme, theme.px("radius.node"))
    painter.setOpacity(1.0)
    if look.inside and detail.has_text:
        for box in boxes:
            if box.key in look.inside:
                paint_count(painter, box, look.inside[box.key], theme)
    painter.restore()


def visible(rects: "np.ndarray[tuple[int, int], np.dtype[np.float64]]", viewport: Viewport, margin: float) -> list[int]:
    """Indices of the rectangles [n, 4] (left, top, right, bottom) that touch the viewport, in order."""
    if not len(rects):
        return []
    area = viewport.scene_rect.adjusted(-margin, -margin, margin, margin)
    is_inside = (rects[:, 2] >= area.left()) & (rects[:, 0] <= area.right()) & (rects[:, 3] >= area.top()) & (rects[:, 1] <= area.bottom())
    return [int(index) for index in np.flatnonzero(is_inside)]


def paint_ground(painter: QPainter, viewport: Viewport, theme: Theme, *, has_dots: bool = True) -> None:
    painter.fillRect(QRectF(0, 0, viewport.width, viewport.height), theme.color("surface.panel"))
    if not has_dots:
        return
    pitch = theme.px("graph.ground_dot_pitch") * viewport.zoom
    while pitch < theme.px("graph.ground_dot_pitch") * 0.75:
        pitch *= 2
    left, top = -(viewport.x * viewport.zoom) % pitch, -(viewport.y * viewport.zoom) % pitch
    dots = [
        QPointF(left + column * pitch, top + row * pitch)
        for row in range(int(viewport.height / pitch) + 1)
        for column in range(int(viewport.width / pitch) + 1)
    ]
    painter.setPen(QPen(theme.color("line.subtle"), 1.0))
    painter.drawPoints(QPolygonF(dots))
