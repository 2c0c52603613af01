"""Paints when a storage was written, read and viewed: filled, hollow and small marks along its life, larger where several lie together."""

from math import log2
from typing import Final

from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPen

from tensorscope.analysis.storage_uses import StorageUses
from tensorscope.language import tr
from tensorscope.render.text import draw_text, text_width
from tensorscope.render.theme import Theme
from tensorscope.units import format_time
from tensorscope.viewmodel.storage_detail import LANE_COUNT, READ_LANE, WRITE_LANE, Mark, lane_words, strip_marks, strip_range
from tensorscope.viewmodel.ticks import time_decimals

_LANE: Final = 15.0
_AXIS: Final = 15.0
_TOP: Final = 3.0
_LABEL: Final = 46.0
_RADIUS: Final = (3.0, 5.0)
STRIP_HEIGHT: Final = _TOP + LANE_COUNT * _LANE + _AXIS + 2


def plot_rect(rect: QRectF) -> QRectF:
    """Where the marks stand within the strip: right of the lanes' names, above the axis."""
    return QRectF(rect.left() + _LABEL, rect.top() + _TOP, max(rect.width() - _LABEL - _RADIUS[1] - 1, 10.0), LANE_COUNT * _LANE)


def paint_strip(painter: QPainter, rect: QRectF, uses: StorageUses, theme: Theme, cursor_ns: int | None) -> None:
    plot = plot_rect(rect)
    for number, lane in enumerate(lane_words()):
        y = _lane_y(plot, number)
        draw_text(painter, QRectF(rect.left(), y - 8, _LABEL - 6, 16), lane, theme.font("caption"), theme.color("text.secondary"))
        painter.fillRect(QRectF(plot.left(), y, plot.width(), 1), theme.color("line.subtle"))
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    for mark in strip_marks(uses, plot.width()):
        _paint_mark(painter, plot, mark, theme)
    begin, end = strip_range(uses)
    _paint_axis(painter, QRectF(plot.left(), plot.bottom(), plot.width(), _AXIS), begin, end, theme, ends_there=not uses.is_alive)
    if cursor_ns is not None and begin <= cursor_ns <= end:
        x = plot.left() + (cursor_ns - begin) / max(end - begin, 1) * plot.width()
        painter.setPen(theme.pen("accent.base", 1.0))
        painter.drawLine(QLineF(x, plot.top(), x, plot.bottom()))


def mark_at(rect: QRectF, uses: StorageUses, at: QPointF) -> Mark | None:
    """The mark at a position of the strip, with a little room around it."""
    plot = plot_rect(rect)
    near = [
        (abs(plot.left() + mark.x - at.x()), mark)
        for mark in strip_marks(uses, plot.width())
        if abs(_lane_y(plot, mark.lane) - at.y()) <= _LANE / 2 and abs(plot.left() + mark.x - at.x()) <= _RADIUS[1] + 1
    ]
    return min(near, key=lambda one: one[0])[1] if near else None


def _lane_y(plot: QRectF, lane: int) -> float:
    return plot.top() + (lane + 0.5) * _LANE


def _paint_mark(painter: QPainter, plot: QRectF, mark: Mark, theme: Theme) -> None:
    radius = min(_RADIUS[0] + log2(mark.count) * 0.5, _RADIUS[1])
    center = QPointF(plot.left() + mark.x, _lane_y(plot, mark.lane) + 0.5)
    ink = theme.color("text.primary")
    if mark.lane == WRITE_LANE:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(ink)
    else:
        painter.setPen(QPen(ink if mark.lane == READ_LANE else theme.color("text.tertiary"), 1.4))
        painter.setBrush(theme.color("surface.panel"))
    if mark.lane in (WRITE_LANE, READ_LANE):
        painter.drawEllipse(center, radius, radius)
    else:
        painter.drawLine(QPointF(center.x(), center.y() - radius), QPointF(center.x(), center.y() + radius))


def _paint_axis(painter: QPainter, rect: QRectF, begin_ns: int, end_ns: int, theme: Theme, *, ends_there: bool) -> None:
    font, color = theme.font("caption"), theme.color("text.tertiary")
    decimals = time_decimals(begin_ns, end_ns)
    first = format_time(begin_ns, decimals)
    last = tr("freed {time}").format(time=format_time(end_ns, decimals)) if ends_there else format_time(end_ns, decimals)
    draw_text(painter, rect, first, font, color)
    if text_width(first, font) + text_width(last, font) + 16 <= rect.width():
        draw_text(painter, rect, last, font, color, Qt.AlignmentFlag.AlignRight)
