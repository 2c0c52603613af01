"""The memory timeline itself: paints one finished view, and turns wheel, drag, click and keys into a range, a moment or a block."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from PySide6.QtCore import QPoint, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter, QWheelEvent
from PySide6.QtWidgets import QWidget

from tensorscope.analysis.results import Ints
from tensorscope.gui.panels.plot import Plot
from tensorscope.render.memory import memory_geometry, paint_cursor_over, paint_hovered_block, paint_memory, plot_size
from tensorscope.render.memory_geometry import MemoryGeometry
from tensorscope.render.theme import Theme
from tensorscope.viewmodel.memory import MemoryModel, MemoryView, busy_range, view_memory, whole_range
from tensorscope.viewmodel.memory_axis import EventAxis
from tensorscope.viewmodel.memory_blocks import block_at, strip_of
from tensorscope.viewmodel.memory_lanes import span_at
from tensorscope.viewmodel.timeline_range import PAN_STEP, ZOOM_STEP, panned, with_room, zoomed

_CURSOR_HIT: Final = 4.5
_DRAG_FROM: Final = 4
_KEYS: Final = {Qt.Key.Key_W: ("zoom", 1 / ZOOM_STEP), Qt.Key.Key_S: ("zoom", ZOOM_STEP), Qt.Key.Key_A: ("pan", -PAN_STEP), Qt.Key.Key_D: ("pan", PAN_STEP)}


class MemoryPlot(Plot):
    range_chosen = Signal(object)  # (begin_ns, end_ns), or None for all
    time_chosen = Signal(object)  # ns
    block_chosen = Signal(object)  # row, or None beside every block
    peak_wanted = Signal()
    other_chosen = Signal(object)  # ns of a moment to compare with, or None for no longer
    hovered = Signal(object, object, QPoint)  # row or None, ns or None, where

    def __init__(self, theme: Callable[[], Theme], parent: QWidget | None = None) -> None:
        super().__init__(theme, parent)
        self._model: MemoryModel | None = None
        self._range_ns: tuple[int, int] | None = None
        self._cursor_ns: int | None = None
        self._stands_ns: int | None = None
        self._other_ns: int | None = None
        self._is_by_events = False
        self._known_axis: tuple[Ints, EventAxis] | None = None  # with the times that it is of
        self._is_live = False
        self._selected_rows: tuple[int, ...] = ()
        self._label = ""
        self._view: MemoryView | None = None
        self._hovered_row: int | None = None
        self._pressed: QPointF | None = None
        self._pressed_range = (0, 1)
        self._is_dragging = False
        self._is_on_cursor = False

    def show_model(self, model: MemoryModel, selected_rows: tuple[int, ...], label: str, stands_ns: int | None, *, is_live: bool) -> None:
        self._model, self._selected_rows, self._label = model, selected_rows, label
        self._stands_ns, self._is_live = stands_ns, is_live
        self._hovered_row = None
        self.redraw()

    def show_range(self, range_ns: tuple[int, int] | None) -> None:
        if range_ns != self._range_ns:
            self._range_ns = range_ns
            self.redraw()

    def show_cursor(self, cursor_ns: int | None) -> None:
        if cursor_ns != self._cursor_ns:
            self._cursor_ns = cursor_ns
            if self._view is not None and self._model is not None:
                shown_ns = self._model.end_ns if cursor_ns is None else cursor_ns
                self._view = replace(self._view, cursor_ns=shown_ns, is_looking_back=cursor_ns is not None)
            self.update()

    @property
    def is_by_events(self) -> bool:
        return self._is_by_events

    def go_by_events(self, is_by_events: bool) -> None:
        """Give every allocation and free the same room, or every second."""
        self._is_by_events = is_by_events
        self.redraw()

    @property
    def _axis(self) -> EventAxis | None:
        if not self._is_by_events or self._model is None:
            return None
        times_ns = self._model.timeline.times_ns
        if self._known_axis is None or self._known_axis[0] is not times_ns:
            self._known_axis = times_ns, EventAxis.of(times_ns)
        return self._known_axis[1]

    def show_other(self, time_ns: int | None) -> None:
        """The moment that the cursor's is compared with."""
        self._other_ns = time_ns
        self.update()

    @property
    def whole_ns(self) -> tuple[int, int]:
        return with_room(*whole_range(self._model), is_live=self._is_live) if self._model else (0, 1)

    @property
    def fit_ns(self) -> tuple[int, int]:
        """What F shows: the whole while live, else without an idle end."""
        return self.whole_ns if self._is_live or self._model is None else busy_range(self._model)

    @property
    def range_ns(self) -> tuple[int, int]:
        """What is shown."""
        return self._range_ns or self.fit_ns

    @property
    def view(self) -> MemoryView | None:
        return self._view

    def geometry_of_view(self) -> MemoryGeometry | None:
        return memory_geometry(QRectF(self.rect()), self._view, self.theme()) if self._view is not None else None

    def paint_picture(self, painter: QPainter, rect: QRectF) -> None:
        theme = self.theme()
        if self._model is None:
            painter.fillRect(rect, theme.color("surface.panel"))
            return
        device = painter.device()
        width, height = plot_size(rect, theme)
        columns = round(width * (device.devicePixelRatioF() if device is not None else 1.0))
        self._view = view_memory(self._model, self.range_ns, columns, height, self._cursor_ns, self._stands_ns, self._selected_rows, axis=self._axis)
        paint_memory(painter, rect, self._view, theme, self._label, with_cursor=False)

    def paint_overlay(self, painter: QPainter, rect: QRectF) -> None:
        if self._view is None or self._model is None:
            return
        paint_cursor_over(painter, rect, self._view, self.theme(), self._other_ns)
        if self._hovered_row is None:
            return
        known = self._view.known_columns
        strip = strip_of(self._model.blocks, self._view.moments_ns[:known], self._view.category_bytes[:, :known], self._hovered_row)
        if strip is not None:
            paint_hovered_block(painter, rect, self._view, self.theme(), strip)

    def wheelEvent(self, event: QWheelEvent) -> None:
        geometry = self.geometry_of_view()
        if geometry is None:
            return
        steps = event.angleDelta()
        if steps.x() or event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            self._pan(-(steps.x() or steps.y()) / 120 * PAN_STEP)
        elif steps.y():
            self._zoom(geometry.ns_of(event.position().x()), ZOOM_STEP ** (-steps.y() / 120))
        event.accept()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = Qt.Key(event.key())
        if key in _KEYS and not event.modifiers():
            what, amount = _KEYS[key]
            if what == "pan":
                self._pan(amount)
            else:
                self._zoom(self._pointer_ns(), amount)
        elif key is Qt.Key.Key_F and not event.modifiers():
            self.range_chosen.emit(None)
        elif key is Qt.Key.Key_P and not event.modifiers():
            self.peak_wanted.emit()
        elif key is Qt.Key.Key_M and not event.modifiers():
            self.other_chosen.emit(self._pointer_ns() if self.underMouse() else self._view.cursor_ns if self._view is not None else None)
        elif key is Qt.Key.Key_Escape and self._other_ns is not None:
            self.other_chosen.emit(None)
        else:
            super().keyPressEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        geometry = self.geometry_of_view()
        if event.button() is not Qt.MouseButton.LeftButton or geometry is None or self._view is None:
            return
        self._pressed, self._pressed_range, self._is_dragging = event.position(), self.range_ns, False
        cursor_ns = self._view.cursor_ns
        self._is_on_cursor = cursor_ns is not None and abs(geometry.x_of(cursor_ns) - event.position().x()) <= _CURSOR_HIT

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        geometry = self.geometry_of_view()
        if geometry is None:
            return
        if self._pressed is None:
            self._hover(event.position(), geometry)
            return
        moved = event.position().x() - self._pressed.x()
        self._is_dragging = self._is_dragging or abs(moved) >= _DRAG_FROM
        if not self._is_dragging:
            return
        if self._is_on_cursor:
            self.time_chosen.emit(self._clamped(geometry.ns_of(event.position().x())))
            return
        self.setCursor(Qt.CursorShape.ClosedHandCursor)
        self._move(self._pressed_range, -moved / geometry.plot.width())

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        pressed, was_dragging = self._pressed, self._is_dragging
        self._pressed, self._is_dragging = None, False
        self.unsetCursor()
        geometry = self.geometry_of_view()
        if pressed is None or was_dragging or geometry is None or event.position().x() < geometry.plot.left() - 4:
            return
        if event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            self.other_chosen.emit(self._clamped(geometry.ns_of(event.position().x())))
            return
        self.time_chosen.emit(self._clamped(geometry.ns_of(event.position().x())))
        self.block_chosen.emit(self._row_at(event.position(), geometry))

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Fit the iteration or phase under the pointer."""
        geometry = self.geometry_of_view()
        if geometry is None or self._model is None:
            return
        for lane, table in ((geometry.iteration_lane, self._model.iterations), (geometry.phase_lane, self._model.phases)):
            span = span_at(table, geometry.ns_of(event.position().x()))
            if lane.contains(event.position()) and span is not None:
                self._choose_range((span.begin_ns, span.end_ns))

    def _hover(self, at: QPointF, geometry: MemoryGeometry) -> None:
        is_inside = geometry.plot.left() <= at.x() <= geometry.plot.right() and at.y() <= geometry.plot.bottom()
        row = self._row_at(at, geometry) if is_inside else None
        if row != self._hovered_row:
            self._hovered_row = row
            self.update()
        self.hovered.emit(row, self._clamped(geometry.ns_of(at.x())) if is_inside else None, at.toPoint())

    def _row_at(self, at: QPointF, geometry: MemoryGeometry) -> int | None:
        if self._model is None or self._view is None or not geometry.plot.contains(at):
            return None
        column = geometry.column_at(at.x(), len(self._view.moments_ns))
        return block_at(self._model.blocks, int(self._view.moments_ns[column]), geometry.bytes_of(at.y()), self._model.hidden)

    def _pointer_ns(self) -> int:
        """The moment under the pointer, else the middle."""
        geometry = self.geometry_of_view()
        x = self.mapFromGlobal(self.cursor().pos()).x()
        begin, end = self.range_ns
        if geometry is None or not self.underMouse() or not geometry.plot.left() <= x <= geometry.plot.right():
            return (begin + end) // 2
        return geometry.ns_of(x)

    def _zoom(self, at_ns: int, factor: float) -> None:
        axis = self._axis
        self._choose_range((zoomed if axis is None else axis.zoomed)(self.range_ns, at_ns, factor, self.whole_ns))

    def _pan(self, share: float) -> None:
        self._move(self.range_ns, share)

    def _move(self, range_ns: tuple[int, int], share: float) -> None:
        """From a range by a share of it."""
        axis, (begin, end) = self._axis, range_ns
        moved = panned(range_ns, round(share * (end - begin)), self.whole_ns) if axis is None else axis.panned(range_ns, share, self.whole_ns)
        self._choose_range(moved)

    def _choose_range(self, range_ns: tuple[int, int]) -> None:
        self.range_chosen.emit(None if range_ns == self.fit_ns else range_ns)

    def _clamped(self, time_ns: int) -> int:
        return min(max(time_ns, 0), self._model.end_ns if self._model else 0)
