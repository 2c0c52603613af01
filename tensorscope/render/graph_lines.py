"""Paints the gradients' ways: grey where a gradient has passed, dashed where it is still to come, and in the colour of the moment where it waits now."""

from collections.abc import Sequence
from math import hypot
from typing import Final

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPen, QPolygonF

from tensorscope.render.graph_style import Detail
from tensorscope.render.icons import draw_icon
from tensorscope.render.text import draw_text, split_name, text_width
from tensorscope.render.theme import Theme
from tensorscope.viewmodel.graph import GraphView
from tensorscope.viewmodel.graph_scene import Line

CORNER: Final = 5.0
LABEL_SPACE: Final = 8.0
STOP_OVERLAP: Final = 10.0
CURRENT: Final = 2  # rank of the line that the current node stands on or takes from


def paint_lines(painter: QPainter, lines: Sequence[Line], view: GraphView, theme: Theme, detail: Detail, zoom: float) -> None:
    """Lines that wait first, so that those that are done lie on top where they share a way."""
    width = max(theme.px("line.edge"), 0.8 / zoom)
    waiting = theme.pen("line.control", width, tuple(theme.value("line.waiting.dash")))
    done = QPen(theme.color("text.tertiary"), width)
    current_role = "accent.base" if view.progress.is_looking_back else "exec.border"
    current = QPen(theme.color(current_role), max(theme.px("line.edge_held"), 0.8 / zoom))
    ranked: list[tuple[int, Line]] = sorted(((_rank(line, view), line) for line in lines), key=lambda entry: entry[0])
    for rank, line in ranked:
        pen = (waiting, done, current)[rank]
        pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
        painter.setPen(pen)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        arrow = theme.value("graph.arrow")
        painter.drawPath(_path(line, arrow[1] if line.target is not None else 0.0))
        if line.target is not None and detail.has_text:
            _paint_arrow(painter, line, pen.color(), arrow)
        if detail.has_badges and rank == CURRENT and _stops_on(line, view) and line.target is not None:
            _paint_stop(painter, line, view, theme)
        elif line.label and detail.has_badges:
            _paint_label(painter, line, theme)


def _rank(line: Line, view: GraphView) -> int:
    """0 waiting, 1 done, 2 the gradient that the current node takes."""
    folded, progress = view.tree.folded.links, view.progress
    is_done = False
    for number in line.links:
        link = folded[number]
        if progress.is_done(link.source):
            is_done = True
            if progress.current >= 0 and (link.target == progress.current or progress.current in link.views):
                return CURRENT
    return int(is_done)


def _stops_on(line: Line, view: GraphView) -> bool:
    """The current node is a view that this line runs through."""
    return any(view.progress.current in view.tree.folded.links[number].views for number in line.links)


def _paint_stop(painter: QPainter, line: Line, view: GraphView, theme: Theme) -> None:
    """Where the script stands on a line: the view's name in a small box."""
    head, _ = split_name(view.graph.nodes[view.progress.current].name)
    is_looking_back = view.progress.is_looking_back
    x, bottom = line.points[-1]
    font, icon = theme.font("caption", "semibold"), theme.px("size.icon.row")
    rect = QRectF(x - STOP_OVERLAP, bottom - theme.px("graph.rank_gap.with_label") + 1, text_width(head, font) + icon + 14, 16)
    painter.setPen(QPen(theme.color("accent.base" if is_looking_back else "exec.border"), 1))
    painter.setBrush(theme.color("surface.selected" if is_looking_back else "exec.soft"))
    painter.drawRoundedRect(rect, theme.px("radius.badge"), theme.px("radius.badge"))
    color = theme.color("accent.base" if is_looking_back else "exec.border")
    draw_icon(painter, "play", QRectF(rect.left() + 4, rect.top(), icon, rect.height()), color, icon - 2, is_filled=True)
    draw_text(painter, rect.adjusted(icon + 7, 0, -4, 0), head, font, theme.color("text.strong" if is_looking_back else "exec.text"))


def _path(line: Line, end_gap: float) -> QPainterPath:
    points = list(line.points)
    (x0, y0), (x1, y1) = points[-2] if len(points) > 1 else points[-1], points[-1]
    length = hypot(x1 - x0, y1 - y0)
    if length > end_gap > 0:
        points[-1] = (x1 - (x1 - x0) / length * end_gap, y1 - (y1 - y0) / length * end_gap)
    path = QPainterPath(QPointF(*points[0]))
    for before, corner, after in zip(points, points[1:], points[2:], strict=False):
        radius = min(CORNER, hypot(corner[0] - before[0], corner[1] - before[1]) / 2, hypot(after[0] - corner[0], after[1] - corner[1]) / 2)
        path.lineTo(_towards(corner, before, radius))
        path.quadTo(QPointF(*corner), _towards(corner, after, radius))
    path.lineTo(QPointF(*points[-1]))
    return path


def _towards(start: tuple[float, float], goal: tuple[float, float], distance: float) -> QPointF:
    length = hypot(goal[0] - start[0], goal[1] - start[1]) or 1.0
    return QPointF(start[0] + (goal[0] - start[0]) / length * distance, start[1] + (goal[1] - start[1]) / length * distance)


def _paint_arrow(painter: QPainter, line: Line, color: QColor, size: Sequence[float]) -> None:
    x, y = line.points[-1]
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(color)
    painter.drawPolygon(QPolygonF([QPointF(x, y), QPointF(x - size[0] / 2, y - size[1]), QPointF(x + size[0] / 2, y - size[1])]))


def _paint_label(painter: QPainter, line: Line, theme: Theme) -> None:
    bottom = line.points[-1][1]
    top = line.points[-2][1] if len(line.points) > 1 else bottom
    height = theme.px("graph.rank_gap.with_label")
    font = theme.font("caption", code=True)
    rect = QRectF(line.label_x + LABEL_SPACE, max(top, bottom - height), text_width(line.label, font) + 2, min(height, bottom - top))
    draw_text(painter, rect, line.label, font, theme.color("text.tertiary"))
