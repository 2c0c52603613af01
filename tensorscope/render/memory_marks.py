"""Paints what points things out in the memory timeline: axes, capacity, the peak, the cursor, and the hatch over what is not known."""

from collections.abc import Iterator
from typing import Final

from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from tensorscope.language import tr
from tensorscope.render.icons import draw_icon
from tensorscope.render.memory_bands import peak_triangle
from tensorscope.render.memory_geometry import MemoryGeometry
from tensorscope.render.text import draw_text, text_width
from tensorscope.render.theme import Theme, with_alpha
from tensorscope.units import format_bytes, format_time
from tensorscope.viewmodel.memory import MemoryView
from tensorscope.viewmodel.memory_axis import event_ticks
from tensorscope.viewmodel.ticks import Tick, byte_ticks, time_decimals, time_ticks

_RIGHT: Final = Qt.AlignmentFlag.AlignRight
_CENTRE: Final = Qt.AlignmentFlag.AlignHCenter
_LABEL_HEIGHT: Final = 14.0
_TICK_WIDTH: Final = 64.0
_EVENT_TICK_WIDTH: Final = 88.0
_OVER_THE_END: Final = 14.0  # pixels that a label may reach beyond the axis
_TICK_ROOM: Final = 5.0  # pixels below the lanes that stay free of a label
_BEHIND_TEXT: Final = 0.7


def paint_grid(painter: QPainter, geometry: MemoryGeometry, theme: Theme) -> None:
    """Horizontal lines with their bytes at the left."""
    plot = geometry.plot
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
    for tick in byte_ticks(geometry.bytes_of(plot.top() + _TICK_ROOM), round(theme.px("timeline.grid_lines"))):
        y = geometry.y_of(tick.value)
        painter.setPen(theme.pen("plot.grid"))
        painter.drawLine(QLineF(plot.left(), y, plot.right(), y))
        beside = QRectF(plot.left() - theme.px("timeline.axis_left"), y - 8, theme.px("timeline.axis_left") - 8, 16)
        draw_text(painter, beside, tick.label, theme.font("caption"), theme.color("text.secondary"), _RIGHT)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)


def paint_time_axis(painter: QPainter, geometry: MemoryGeometry, theme: Theme, taken: QRectF) -> None:
    """Ticks in seconds below the plot; labels that would touch ``taken`` are left out."""
    axis = geometry.axis
    painter.setPen(theme.pen("line.strong"))
    painter.drawLine(QLineF(axis.left(), axis.top(), axis.right(), axis.top()))
    unit = QRectF(axis.left() - theme.px("timeline.axis_left"), axis.top() + 3.5, theme.px("timeline.axis_left") - 8, axis.height() - 3.5)
    first = next((label for _, label in _time_labels(geometry, theme)), QRectF())
    if not unit.intersects(taken) and not unit.intersects(first):
        draw_text(painter, unit, tr("seconds"), theme.font("caption"), theme.color("text.tertiary"), _RIGHT)
    for tick, label in _time_labels(geometry, theme):
        x = geometry.x_of(tick.value)
        painter.setPen(theme.pen("line.strong"))
        painter.drawLine(QLineF(x, axis.top(), x, axis.top() + 3))
        if not label.intersects(taken):
            draw_text(painter, label, tick.label, theme.font("caption"), theme.color("text.secondary"), _CENTRE)


def clear_time_labels(painter: QPainter, geometry: MemoryGeometry, theme: Theme, taken: QRectF) -> None:
    """Take away painted labels that touch ``taken``."""
    for _, label in _time_labels(geometry, theme):
        if label.intersects(taken):
            painter.fillRect(label, theme.color("surface.panel"))


def _time_labels(geometry: MemoryGeometry, theme: Theme) -> Iterator[tuple[Tick, QRectF]]:
    """The ticks of the time axis and where their labels stand."""
    axis = geometry.axis
    most = max(2, int(axis.width() / (_TICK_WIDTH if geometry.edges_ns is None else _EVENT_TICK_WIDTH)))
    for tick in time_ticks(geometry.begin_ns, geometry.end_ns, most) if geometry.edges_ns is None else event_ticks(geometry.edges_ns, most):
        x, width = geometry.x_of(tick.value), text_width(tick.label, theme.font("caption")) + 8
        if x + width / 2 <= axis.right() + _OVER_THE_END:
            yield tick, QRectF(x - width / 2, axis.top() + 3.5, width, axis.height() - 3.5)


def paint_unknown(painter: QPainter, geometry: MemoryGeometry, view: MemoryView, theme: Theme) -> None:
    """Hatch from the newest moment known to the right end."""
    left = geometry.x_of(view.known_until_ns)
    if left < geometry.plot.right() - 1:
        painter.setBrushOrigin(geometry.plot.topLeft())
        rect = QRectF(QPointF(max(left, geometry.plot.left()), geometry.plot.top()), geometry.plot.bottomRight())
        painter.fillRect(rect, theme.hatch(theme.color("plot.future")))


def paint_limits(painter: QPainter, geometry: MemoryGeometry, view: MemoryView, theme: Theme) -> None:
    """Capacity in red, and the words at the lines."""
    plot, font, secondary = geometry.plot, theme.font("caption"), theme.color("text.secondary")
    known_right = min(geometry.x_of(view.known_until_ns), plot.right())
    if view.capacity_bytes is not None:
        y = geometry.y_of(view.capacity_bytes)
        painter.setPen(theme.pen("plot.capacity"))
        painter.drawLine(QLineF(plot.left(), y, plot.right(), y))
        _label(
            painter,
            QRectF(plot.left(), y + 2, known_right - plot.left() - 6, _LABEL_HEIGHT),
            tr("capacity {capacity_bytes}").format(capacity_bytes=format_bytes(view.capacity_bytes)),
            theme,
            _RIGHT,
        )
    elif view.named_capacity_bytes is not None:
        text = tr("capacity {named_capacity_bytes}, above").format(named_capacity_bytes=format_bytes(view.named_capacity_bytes))
        draw_text(painter, QRectF(plot.left(), plot.top(), known_right - plot.left() - 6, _LABEL_HEIGHT), text, font, secondary, _RIGHT)
    if view.reserved_bytes is not None and view.reserved_bytes.any():
        column = int(view.reserved_bytes.argmax())
        highest = int(view.reserved_bytes[column])
        text = tr("reserved {highest}").format(highest=format_bytes(highest))
        left = min(geometry.x_of(int(view.edges_ns[column])), known_right - text_width(text, font) - 14)
        rect = QRectF(left + 6, geometry.y_of(highest) - _LABEL_HEIGHT - 2, text_width(text, font) + 2, _LABEL_HEIGHT)
        taken = peak_label_rect(geometry, view, theme)
        if rect.intersects(taken.adjusted(-2, 0, 2, 0)):
            rect.moveBottom(taken.top() - 1)
        _label(painter, rect, text, theme)
    if view.notice:
        draw_text(painter, QRectF(plot.left() + 6, plot.top(), plot.width() - 12, _LABEL_HEIGHT), view.notice, font, theme.color("severity.warning"))


def paint_peak(painter: QPainter, geometry: MemoryGeometry, view: MemoryView, theme: Theme) -> None:
    """A marker on the run's peak with its bytes beside it, on the side that has room."""
    peak, rect = view.peak, peak_label_rect(geometry, view, theme)
    if peak is None or rect.isEmpty():
        return
    width, height = theme.value("timeline.peak_marker")
    tip = QPointF(geometry.x_of(peak.time_ns), geometry.y_of(peak.bytes) - 2)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(theme.color("text.strong"))
    painter.drawPath(peak_triangle(tip, width, height))
    side = _RIGHT if rect.left() < tip.x() else Qt.AlignmentFlag.AlignLeft
    _label(painter, rect, tr("peak {bytes}").format(bytes=format_bytes(peak.bytes)), theme, side, is_strong=True)


def paint_refusals(painter: QPainter, geometry: MemoryGeometry, view: MemoryView, theme: Theme) -> None:
    """A red line where the allocator found no room, and at the last what was wanted."""
    color = theme.color("severity.error")
    for refusal in view.refusals:
        x = geometry.x_of(refusal.time_ns)
        painter.setPen(QPen(color, 1.5))
        painter.drawLine(QLineF(x, geometry.plot.top() + 14, x, geometry.plot.bottom()))
        draw_icon(painter, "octagon-x", QRectF(x - 7, geometry.plot.top(), 14, 14), color, 14)
    if view.refusals:
        last = view.refusals[-1]
        words = tr("out of memory: {wanted} wanted, {free} free").format(wanted=format_bytes(last.wanted_bytes), free=format_bytes(last.free_bytes))
        x, room = geometry.x_of(last.time_ns), text_width(words, theme.font("caption", "semibold"))
        is_left = x - room - 12 > geometry.plot.left()
        rect = QRectF(x - room - 12 if is_left else x + 12, geometry.plot.top(), room + 2, _LABEL_HEIGHT)
        painter.fillRect(rect, with_alpha(theme.color("surface.panel"), _BEHIND_TEXT))
        draw_text(painter, rect, words, theme.font("caption", "semibold"), color)


def peak_label_rect(geometry: MemoryGeometry, view: MemoryView, theme: Theme) -> QRectF:
    """Where the peak's bytes stand; empty where the peak is out of sight."""
    peak = view.peak
    if peak is None or not peak.bytes or not view.begin_ns <= peak.time_ns <= view.end_ns:
        return QRectF()
    width = theme.value("timeline.peak_marker")[0]
    room = text_width(tr("peak {bytes}").format(bytes=format_bytes(peak.bytes)), theme.font("caption", "semibold")) + 2
    x, top = geometry.x_of(peak.time_ns), geometry.y_of(peak.bytes) - 7
    left = x - width - room if x - width - room > geometry.plot.left() else x + width
    return QRectF(left, top, room, _LABEL_HEIGHT)


def cursor_label_rect(geometry: MemoryGeometry, view: MemoryView, theme: Theme) -> QRectF:
    """Where a cursor's time stands; empty outside the range and without a cursor."""
    time_ns = view.cursor_ns if view.is_looking_back or view.stands_ns is None else view.stands_ns
    return QRectF() if time_ns is None else _time_label_rect(geometry, time_ns, theme)


def _time_label_rect(geometry: MemoryGeometry, time_ns: int, theme: Theme) -> QRectF:
    x = geometry.x_of(time_ns)
    if not geometry.plot.left() - 1 <= x <= geometry.plot.right() + 1:
        return QRectF()
    width = text_width(_time_text(geometry, time_ns), theme.font("caption", "semibold")) + 2 * theme.px("timeline.label_padding")
    left = min(max(x - width / 2, geometry.plot.left() - 40), geometry.plot.right() + 10 - width)
    return QRectF(left, geometry.axis.top() + 2, width, theme.px("timeline.cursor_label"))


def paint_cursor(painter: QPainter, geometry: MemoryGeometry, view: MemoryView, theme: Theme) -> None:
    """Amber where the script stands, azure where the user looks back; with its time at the axis."""
    if view.stands_ns is not None:
        _paint_line(painter, geometry, view.stands_ns, theme.color("exec.base"), theme)
    if (view.is_looking_back or view.stands_ns is None) and view.cursor_ns is not None:
        _paint_line(painter, geometry, view.cursor_ns, theme.color("accent.base"), theme)
        _paint_time_label(painter, geometry, view.cursor_ns, theme, "accent.base", "text.on_accent")
    elif view.stands_ns is not None:
        _paint_time_label(painter, geometry, view.stands_ns, theme, "exec.base", "text.on_exec")


def paint_other_moment(painter: QPainter, geometry: MemoryGeometry, time_ns: int, theme: Theme) -> None:
    """A dashed line where the moment is that the cursor's is compared with, its time in an outlined label."""
    x, rect = geometry.x_of(time_ns), _time_label_rect(geometry, time_ns, theme)
    if rect.isEmpty():
        return
    painter.setPen(QPen(theme.color("accent.base"), 1, Qt.PenStyle.DashLine))
    painter.drawLine(QLineF(x, geometry.iteration_lane.top() - 3, x, geometry.plot.bottom()))
    painter.setPen(QPen(theme.color("accent.base"), 1))
    painter.setBrush(theme.color("surface.panel"))
    painter.drawRoundedRect(rect.adjusted(0.5, 0.5, -0.5, -0.5), theme.px("radius.badge"), theme.px("radius.badge"))
    draw_text(painter, rect, _time_text(geometry, time_ns), theme.font("caption", "semibold"), theme.color("text.link"), _CENTRE)


def _paint_line(painter: QPainter, geometry: MemoryGeometry, time_ns: int, color: QColor, theme: Theme) -> None:
    x = geometry.x_of(time_ns)
    if geometry.plot.left() - 1 <= x <= geometry.plot.right() + 1:
        width = theme.px("line.cursor")
        top = geometry.iteration_lane.top() - 3
        painter.fillRect(QRectF(x - width / 2, top, width, geometry.plot.bottom() + 2 - top), color)


def _paint_time_label(painter: QPainter, geometry: MemoryGeometry, time_ns: int, theme: Theme, fill: str, text: str) -> None:
    rect = _time_label_rect(geometry, time_ns, theme)
    if rect.isEmpty():
        return
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(theme.color(fill))
    painter.drawRoundedRect(rect, theme.px("radius.badge"), theme.px("radius.badge"))
    draw_text(painter, rect, _time_text(geometry, time_ns), theme.font("caption", "semibold"), theme.color(text), _CENTRE)


def _time_text(geometry: MemoryGeometry, time_ns: int) -> str:
    return format_time(time_ns, time_decimals(geometry.begin_ns, geometry.end_ns))


def _label(painter: QPainter, rect: QRectF, text: str, theme: Theme, align: Qt.AlignmentFlag = Qt.AlignmentFlag.AlignLeft, *, is_strong: bool = False) -> None:
    """A word at a line, on a wash of the panel so that it can be read over bands."""
    font = theme.font("caption", "semibold" if is_strong else None)
    width = text_width(text, font) + 4
    left = rect.right() - width + 2 if align & _RIGHT else rect.left() - 2
    painter.fillRect(QRectF(left, rect.top(), width, rect.height()), with_alpha(theme.color("surface.panel"), _BEHIND_TEXT))
    draw_text(painter, rect, text, font, theme.color("text.strong" if is_strong else "text.secondary"), align)
