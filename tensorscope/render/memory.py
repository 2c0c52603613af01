"""Paints the memory timeline: the same picture in the panel, in PNG and in SVG."""

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter

from tensorscope.render.memory_bands import paint_bands, paint_outline, paint_reserved
from tensorscope.render.memory_geometry import MemoryGeometry
from tensorscope.render.memory_lanes import paint_lanes
from tensorscope.render.memory_marks import (
    clear_time_labels,
    cursor_label_rect,
    paint_cursor,
    paint_grid,
    paint_limits,
    paint_other_moment,
    paint_peak,
    paint_refusals,
    paint_time_axis,
    paint_unknown,
    peak_label_rect,
)
from tensorscope.render.memory_ranks import paint_other_ranks
from tensorscope.render.text import draw_text, text_width
from tensorscope.render.theme import Theme, with_alpha
from tensorscope.viewmodel.memory import MemoryView
from tensorscope.viewmodel.memory_blocks import Strip


def memory_geometry(rect: QRectF, view: MemoryView, theme: Theme) -> MemoryGeometry:
    return MemoryGeometry.of(rect, theme, (view.begin_ns, view.end_ns), view.top_bytes, view.edges_ns if view.is_by_events else None)


def plot_size(rect: QRectF, theme: Theme) -> tuple[float, float]:
    """Width and height of the plot inside ``rect``: what ``view_memory`` needs to choose its columns."""
    plot = MemoryGeometry.of(rect, theme, (0, 1), 1.0).plot
    return plot.width(), plot.height()


def paint_memory(painter: QPainter, rect: QRectF, view: MemoryView, theme: Theme, selected_label: str = "", *, with_cursor: bool = True) -> None:
    """The whole timeline into ``rect``, on the panel's ground; the cursor may be painted over it later, by ``paint_cursor_over``."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.fillRect(rect, theme.color("surface.panel"))
    geometry = memory_geometry(rect, view, theme)
    paint_grid(painter, geometry, theme)
    paint_unknown(painter, geometry, view, theme)
    painter.save()
    painter.setClipRect(geometry.plot.adjusted(0, -1, 0, 1))
    paint_bands(painter, geometry, view, theme)
    paint_reserved(painter, geometry, view, theme)
    paint_other_ranks(painter, geometry, view, theme)
    _paint_chosen(painter, geometry, view, theme, selected_label)
    painter.restore()
    paint_lanes(painter, geometry, view, theme)
    paint_limits(painter, geometry, view, theme)
    paint_peak(painter, geometry, view, theme)
    paint_refusals(painter, geometry, view, theme)
    paint_time_axis(painter, geometry, theme, cursor_label_rect(geometry, view, theme) if with_cursor else QRectF())
    if with_cursor:
        paint_cursor(painter, geometry, view, theme)
    painter.restore()


def paint_cursor_over(painter: QPainter, rect: QRectF, view: MemoryView, theme: Theme, other_ns: int | None = None) -> None:
    """The cursor over a picture that was painted without it, and the moment that it is compared with."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    geometry = memory_geometry(rect, view, theme)
    clear_time_labels(painter, geometry, theme, cursor_label_rect(geometry, view, theme))
    if other_ns is not None:
        paint_other_moment(painter, geometry, other_ns, theme)
    paint_cursor(painter, geometry, view, theme)


def paint_hovered_block(painter: QPainter, rect: QRectF, view: MemoryView, theme: Theme, hovered: Strip) -> None:
    """The outline of the block under the pointer, over a picture of the same view."""
    geometry = memory_geometry(rect, view, theme)
    painter.setClipRect(geometry.plot)
    paint_outline(painter, geometry, view, hovered, theme.color("text.strong"), 1.0)
    painter.setClipping(False)


def _paint_chosen(painter: QPainter, geometry: MemoryGeometry, view: MemoryView, theme: Theme, label: str) -> None:
    bounds = [paint_outline(painter, geometry, view, strip, theme.color("text.strong"), 1.5) for strip in view.selected]
    if label and bounds:
        largest = max(range(len(bounds)), key=lambda place: view.selected[place].size)
        rect = block_label_rect(geometry, bounds[largest], label, theme, peak_label_rect(geometry, view, theme))
        painter.fillRect(rect, with_alpha(theme.color("surface.panel"), 0.8))
        draw_text(painter, rect.adjusted(2, 0, 0, 0), label, theme.font("caption", "semibold"), theme.color("text.link"), Qt.AlignmentFlag.AlignLeft)


def block_label_rect(geometry: MemoryGeometry, bounds: QRectF, label: str, theme: Theme, taken: QRectF) -> QRectF:
    """Beside the block at the top, or below ``taken`` where the two would touch."""
    font = theme.font("caption", "semibold")
    width = text_width(label, font) + 4
    left = bounds.left() - width - 4 if bounds.left() - width - 4 > geometry.plot.left() else max(bounds.left(), geometry.plot.left()) + 6
    rect = QRectF(left, bounds.top() - 2, width, 14)
    if rect.intersects(taken.adjusted(-2, 0, 2, 0)):
        rect.moveTop(taken.bottom() + 1)
    return rect
