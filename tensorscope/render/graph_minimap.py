"""The whole graph in a corner: states as strokes, and the part in view as a frame."""

from enum import Enum, auto

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPen, QPixmap

from tensorscope.render.graph import Viewport
from tensorscope.render.graph_nodes import far_brush
from tensorscope.render.theme import Theme, with_alpha
from tensorscope.viewmodel.graph import GraphView
from tensorscope.viewmodel.graph_scene import Box, BoxKind

INSET = 6.0
MARGIN = 12.0
MOST_BOXES = 400
MOST_SQUEEZED = 6.0
LEAST_WIDTH, LEAST_HEIGHT = 360, 200


class Corner(Enum):
    """Where the minimap may stand, the best first."""

    RIGHT_TOP = auto()
    RIGHT_BOTTOM = auto()
    LEFT_TOP = auto()
    LEFT_BOTTOM = auto()


def minimap_rect(viewport: Viewport, theme: Theme, corner: Corner = Corner.RIGHT_TOP, *, is_sideways: bool = False) -> QRectF:
    """Lying where the graph runs to the right."""
    width, height = sorted(theme.value("graph.minimap"), reverse=is_sideways)
    x = viewport.width - width - MARGIN if corner in (Corner.RIGHT_TOP, Corner.RIGHT_BOTTOM) else MARGIN
    y = MARGIN if corner in (Corner.RIGHT_TOP, Corner.LEFT_TOP) else viewport.height - height - MARGIN
    return QRectF(x, y, width, height)


def emptiest_corner(view: GraphView, viewport: Viewport, theme: Theme, current: Corner) -> Corner:
    """Where the minimap covers the least of boxes and headers; the current corner stays if it is as good as the others."""
    rects = view.scene.box_rects.copy()
    is_open = [index for index in view.scene.group_boxes if view.scene.boxes[index].kind is BoxKind.OPEN]
    rects[is_open, 3] = rects[is_open, 1] + theme.px("graph.group.header")

    def covered(corner: Corner) -> float:
        rect = minimap_rect(viewport, theme, corner, is_sideways=view.scene.options.is_sideways)
        begin, end = viewport.to_scene(rect.topLeft()), viewport.to_scene(rect.bottomRight())
        width = np.minimum(rects[:, 2], end.x()) - np.maximum(rects[:, 0], begin.x())
        height = np.minimum(rects[:, 3], end.y()) - np.maximum(rects[:, 1], begin.y())
        return float((np.maximum(width, 0) * np.maximum(height, 0)).sum())

    corners: tuple[Corner, ...] = (current, *Corner)
    return min(corners, key=covered)


def covered_width(width: float, theme: Theme) -> float:
    """What the minimap takes of a view's width at the right; nothing in a narrow one, which has none."""
    return float(theme.value("graph.minimap")[0]) + MARGIN if width >= LEAST_WIDTH else 0.0


def is_minimap_needed(view: GraphView, viewport: Viewport) -> bool:
    """Only when something lies outside the view and there is room to spare."""
    part = viewport.scene_rect
    has_room = viewport.width >= LEAST_WIDTH and viewport.height >= LEAST_HEIGHT
    return has_room and not part.contains(QRectF(0, 0, view.scene.width, view.scene.height))


def scene_point(rect: QRectF, view: GraphView, at: QPointF) -> QPointF:
    """The scene's point under a point of the minimap."""
    inner, scale_x, scale_y = _scales(rect, view)
    return QPointF((at.x() - inner.left()) / scale_x, (at.y() - inner.top()) / scale_y)


def paint_minimap(painter: QPainter, rect: QRectF, view: GraphView, viewport: Viewport, theme: Theme) -> None:
    paint_map(painter, rect, view, theme)
    paint_frame(painter, rect, view, viewport, theme)


def paint_map(painter: QPainter, rect: QRectF, view: GraphView, theme: Theme) -> None:
    """The graph; it is the same wherever one looks, so it may be kept as a picture."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    radius = theme.px("radius.field")
    painter.setPen(QPen(theme.color("line.strong"), 1))
    painter.setBrush(with_alpha(theme.color("surface.field"), 0.94))
    painter.drawRoundedRect(rect.adjusted(0.5, 0.5, -0.5, -0.5), radius, radius)
    inner, scale_x, scale_y = _scales(rect, view)
    painter.setClipRect(rect.adjusted(1, 1, -1, -1))
    for box in _sampled(view):
        place = QRectF(inner.left() + box.x * scale_x, inner.top() + box.y * scale_y, max(box.width * scale_x, 2), max(box.height * scale_y, 1.5))
        if box.kind is BoxKind.OPEN:
            painter.setPen(QPen(theme.color("line.control"), 0.75))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(place)
        else:
            is_current, is_held = _stands_for(view, box, view.progress.current), _stands_for(view, box, view.progress.held)
            painter.fillRect(place, far_brush(box, view, theme, is_current, is_held, _is_done(view, box)))
    painter.restore()


def paint_frame(painter: QPainter, rect: QRectF, view: GraphView, viewport: Viewport, theme: Theme) -> None:
    """What is in view."""
    inner, scale_x, scale_y = _scales(rect, view)
    part = viewport.scene_rect
    frame = QRectF(inner.left() + part.left() * scale_x, inner.top() + part.top() * scale_y, part.width() * scale_x, part.height() * scale_y)
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setClipRect(rect.adjusted(1, 1, -1, -1))
    painter.setPen(QPen(theme.color("accent.base"), 1))
    painter.setBrush(with_alpha(theme.color("accent.base"), 0.16))
    painter.drawRoundedRect(frame.intersected(rect.adjusted(1.5, 1.5, -1.5, -1.5)), 2, 2)
    painter.restore()


class KeptMap:
    """The map as a picture, painted anew when the view or the theme is another. GUI thread."""

    def __init__(self) -> None:
        self._of: tuple[GraphView, Theme, float] | None = None
        self._picture = QPixmap()

    def paint(self, painter: QPainter, rect: QRectF, view: GraphView, viewport: Viewport, theme: Theme) -> None:
        ratio = painter.device().devicePixelRatio()
        if self._of is None or self._of[0] is not view or self._of[1:] != (theme, ratio):
            self._picture = QPixmap(round(rect.width() * ratio), round(rect.height() * ratio))
            self._picture.setDevicePixelRatio(ratio)
            self._picture.fill(Qt.GlobalColor.transparent)
            with QPainter(self._picture) as own:
                paint_map(own, QRectF(0, 0, rect.width(), rect.height()), view, theme)
            self._of = (view, theme, ratio)
        painter.drawPixmap(rect.topLeft(), self._picture)
        paint_frame(painter, rect, view, viewport, theme)


def _scales(rect: QRectF, view: GraphView) -> tuple[QRectF, float, float]:
    """The drawn part of the map and its two scales: a long graph is squeezed lengthwise."""
    room = rect.adjusted(INSET, INSET, -INSET, -INSET)
    scale_x, scale_y = room.width() / max(view.scene.width, 1), room.height() / max(view.scene.height, 1)
    least = min(scale_x, scale_y)
    scale_x, scale_y = min(scale_x, least * MOST_SQUEEZED), min(scale_y, least * MOST_SQUEEZED)
    inner = QRectF(0, 0, view.scene.width * scale_x, view.scene.height * scale_y)
    inner.moveCenter(room.center())
    return inner, scale_x, scale_y


def _sampled(view: GraphView) -> list[Box]:
    """At most MOST_BOXES boxes, evenly over the graph, groups and what stands out always among them."""
    boxes = view.scene.boxes
    if len(boxes) <= MOST_BOXES:
        return list(boxes)
    chosen = set(np.linspace(0, len(boxes) - 1, MOST_BOXES).astype(int).tolist())
    for node in (view.progress.current, view.progress.held):
        if node >= 0:
            chosen.add(int(view.scene.shown_by[node]))
    return [boxes[index] for index in sorted(chosen)]


def _stands_for(view: GraphView, box: Box, node: int) -> bool:
    return node >= 0 and view.scene.box_of(node).key == box.key


def _is_done(view: GraphView, box: Box) -> bool:
    return view.progress.is_done(box.key.node) if box.kind is BoxKind.NODE else view.figures[box.key].done > 0
