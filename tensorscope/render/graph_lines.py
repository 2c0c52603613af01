"""Paints the gradients' ways: grey where a gradient has passed, dashed where it is still to come, and in the colour of the moment where it waits now."""

from collections.abc import Sequence
from functools import lru_cache
from math import hypot
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPainterPath, QPen

from tensorscope.analysis.layout import Point
from tensorscope.render.graph_emphasis import DIM, path_pen
from tensorscope.render.graph_ends import arrow, has_arrow, in_reading_order, label_rect, view_rect
from tensorscope.render.graph_nodes import paint_ring
from tensorscope.render.graph_style import Detail
from tensorscope.render.icons import draw_icon
from tensorscope.render.text import draw_text, split_name, text_width
from tensorscope.render.theme import Theme
from tensorscope.viewmodel.graph import GraphView
from tensorscope.viewmodel.graph_levels import Metrics
from tensorscope.viewmodel.graph_scene import Line

if TYPE_CHECKING:
    from tensorscope.render.graph import Look

CORNER: Final = 5.0
CURRENT: Final = 2  # rank of the line that the current node stands on or takes from


def paint_lines(painter: QPainter, lines: Sequence[Line], view: GraphView, theme: Theme, look: "Look", detail: Detail, zoom: float) -> None:
    """Lines that wait first, so that those that are done lie on top where they share a way."""
    width = max(theme.px("line.edge"), 0.8 / zoom)
    waiting = theme.pen("line.control", width, tuple(theme.value("line.waiting.dash")))
    done = QPen(theme.color("text.tertiary"), width)
    current_role = "accent.base" if view.progress.is_looking_back else "exec.border"
    current = QPen(theme.color(current_role), max(theme.px("line.edge_held"), 0.8 / zoom))
    ranked: list[tuple[int, Line]] = sorted(((_rank(line, view), line) for line in lines), key=lambda entry: entry[0])
    views = views_by_line(lines, view, look)
    metrics, size = view.scene.metrics, theme.value("graph.arrow")
    has_path, opacity = view.path is not None and bool(view.path.nodes), painter.opacity()
    if has_path:
        ranked.sort(key=lambda entry: path_pen(entry[1], view, theme, width) is not None)
    for rank, line in ranked:
        pen = (waiting, done, current)[rank]
        if has_path:
            on_path = path_pen(line, view, theme, width)
            painter.setOpacity(opacity if on_path is not None else opacity * DIM)
            pen = on_path or pen
        pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
        painter.setPen(pen)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        points, is_tipped = in_reading_order(line, metrics), has_arrow(line, metrics)
        painter.drawPath(_path(points, size[1] if is_tipped else 0.0))
        if is_tipped and detail.has_text:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(pen.color())
            painter.drawPolygon(arrow(points[-1], size, metrics))
        named = views.get(line, -1)
        if named >= 0 and detail.has_badges:
            _paint_view(painter, line, named, view, theme, is_selected=named == look.folded)
        elif line.label and detail.has_badges:
            _paint_label(painter, line, metrics, theme)
    painter.setOpacity(opacity)


def _rank(line: Line, view: GraphView) -> int:
    """0 waiting, 1 done, 2 the gradient that the current node takes."""
    folded, progress = view.tree.folded.links, view.progress
    if progress.current < 0:
        return int(any(progress.is_done(folded[number].source) for number in line.links))
    is_done = False
    for number in line.links:
        link = folded[number]
        if progress.is_done(link.source):
            is_done = True
            if progress.current >= 0 and (link.target == progress.current or progress.current in link.views):
                return CURRENT
    return int(is_done)


def views_by_line(lines: Sequence[Line], view: GraphView, look: "Look") -> dict[Line, int]:
    """The view that stands on a line because it is selected or current: on one piece of its gradient's way only, that of its own module."""
    found: dict[Line, int] = {}
    for node in (view.progress.current, look.folded):
        if node not in view.tree.folded.carrier:
            continue
        pieces = [line for line in lines if line.target is not None and _runs_through(line, node, view)]
        if pieces:
            found[max(pieces, key=lambda line: _nearness(line, node, view))] = node
    return found


def _nearness(line: Line, node: int, view: GraphView) -> int:
    """Depth of the innermost open group around a line, if the node is in it; -1 if it is not."""
    assert line.target is not None
    parent = view.scene.boxes[view.scene.index[line.target]].parent
    if parent < 0:
        return 0
    box = view.scene.boxes[parent]
    return box.depth if node in box.groups[0].members else -1


def _runs_through(line: Line, node: int, view: GraphView) -> bool:
    return any(node in view.tree.folded.links[number].views for number in line.links)


def _paint_view(painter: QPainter, line: Line, node: int, view: GraphView, theme: Theme, *, is_selected: bool) -> None:
    """A view that is selected, or on which the script or the cursor stands: its name in a small box on the line."""
    head, _ = split_name(view.graph.nodes[node].name)
    is_current, is_looking_back = node == view.progress.current, view.progress.is_looking_back
    font, icon = theme.font("caption", "semibold"), theme.px("size.icon.row")
    rect = view_rect(line, text_width(head, font) + icon + 14, view.scene.metrics)
    color = theme.color("exec.border" if is_current and not is_looking_back else "accent.base")
    painter.setPen(QPen(color, 1))
    painter.setBrush(theme.color("exec.soft" if is_current and not is_looking_back else "surface.selected"))
    painter.drawRoundedRect(rect, theme.px("radius.badge"), theme.px("radius.badge"))
    if is_selected and is_current:
        paint_ring(painter, rect.adjusted(1, 1, -1, -1), theme, theme.px("radius.badge"))
    spot = QRectF(rect.left() + 4, rect.top(), icon, rect.height())
    draw_icon(painter, "play" if is_current else "check" if view.progress.is_done(node) else "circle", spot, color, icon - 2, is_filled=is_current)
    draw_text(painter, rect.adjusted(icon + 7, 0, -4, 0), head, font, theme.color("exec.text" if is_current and not is_looking_back else "text.strong"))


@lru_cache(8_192)
def _path(way: tuple[Point, ...], end_gap: float) -> QPainterPath:
    """Kept: lines stay where they are while one pans and zooms. Nobody may change it."""
    points = list(way)
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


def _paint_label(painter: QPainter, line: Line, metrics: Metrics, theme: Theme) -> None:
    font = theme.font("caption", code=True)
    draw_text(painter, label_rect(line, text_width(line.label, font) + 2, metrics), line.label, font, theme.color("text.tertiary"))
