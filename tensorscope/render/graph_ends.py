"""Where a line's arrow, its label and a view that stands on it are drawn, whichever way the graph runs and reads."""

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QPolygonF

from tensorscope.analysis.layout import Point
from tensorscope.viewmodel.graph_levels import Metrics
from tensorscope.viewmodel.graph_scene import Line

LABEL_SPACE = 8.0
STOP_OVERLAP = 10.0


def in_reading_order(line: Line, metrics: Metrics) -> tuple[Point, ...]:
    """The arrow, if there is one, stands at the end."""
    return line.points[::-1] if metrics.options.is_mirrored else line.points


def has_arrow(line: Line, metrics: Metrics) -> bool:
    return (line.source if metrics.options.is_mirrored else line.target) is not None


def arrow(tip: Point, size: tuple[float, float], metrics: Metrics) -> QPolygonF:
    """``size``: breadth and length. Arrows always point the way the rows follow one another."""
    (x, y), (breadth, length) = tip, size
    if metrics.options.is_sideways:
        return QPolygonF([QPointF(x, y), QPointF(x - length, y - breadth / 2), QPointF(x - length, y + breadth / 2)])
    return QPolygonF([QPointF(x, y), QPointF(x - breadth / 2, y - length), QPointF(x + breadth / 2, y - length)])


def label_rect(line: Line, width: float, metrics: Metrics) -> QRectF:
    """Beside the line at the end where the gradient arrives: the tensor's own end."""
    options, gap = metrics.options, metrics.style.label_gap
    end, before = line.points[-1], line.points[-2] if len(line.points) > 1 else line.points[-1]
    if options.is_sideways:
        x = end[0] + LABEL_SPACE / 2 if options.is_mirrored else end[0] - width - LABEL_SPACE
        return QRectF(x, line.label_at - 16, width, 14)
    if options.is_mirrored:
        return QRectF(line.label_at + LABEL_SPACE, end[1], width, min(gap, max(before[1] - end[1], 0.0)))
    top = max(before[1], end[1] - gap)
    return QRectF(line.label_at + LABEL_SPACE, top, width, min(gap, end[1] - before[1]))


def view_rect(line: Line, width: float, metrics: Metrics) -> QRectF:
    """Of a small box that stands on the line, at the same end."""
    options, gap = metrics.options, metrics.style.label_gap
    x, y = line.points[-1]
    if options.is_sideways:
        return QRectF(x + 4 if options.is_mirrored else x - width - LABEL_SPACE, y - 8, width, 16)
    return QRectF(x - STOP_OVERLAP, y + 5 if options.is_mirrored else y - gap + 1, width, 16)
