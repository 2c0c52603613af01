"""The gradient map and its curves: paints one finished look, and turns wheel, drag, click and keys into a part of it, a cell or a wish."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QEvent, QPoint, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter, QResizeEvent, QWheelEvent
from PySide6.QtWidgets import QWidget

from tensorscope.gui.panels.gradients_keys import OWN_KEYS, key_command, step_of
from tensorscope.gui.panels.plot import Plot
from tensorscope.render.gradients import GradientsLook, GradientsMarks, curves_marks, frame_of, gradients_geometry, paint_gradients, paint_hovered
from tensorscope.render.gradients_geometry import GradientsGeometry
from tensorscope.render.theme import Theme
from tensorscope.viewmodel.gradient_curves import Curve, curve_of_row
from tensorscope.viewmodel.gradient_view import PAN_STEP, ZOOM_STEP, MapSight, Span

if TYPE_CHECKING:
    from tensorscope.gui.panels.gradients_axes import GradientsAxes

AIR: Final = 8  # pixels above and below the curves' area, for the outermost labels
_DRAG_FROM: Final = 4


class GradientsPlot(Plot):
    """The map; below it the curves, painted here until an axis widget of their own is there (``take_axes``)."""

    cell_chosen = Signal(int, int)  # row, iteration
    hovered = Signal(object, QPoint)  # (row, iteration) or None
    curve_hovered = Signal(object, QPoint)  # (curve's name, iteration) or None
    curve_chosen = Signal(str, int)
    wished = Signal(str)  # a key's command on the chosen row: see gradients_keys
    menu_wanted = Signal(object, QPoint)  # a row's or curve's name or None, and where on the screen
    fold_wanted = Signal(int)  # a row whose label was double-clicked

    def __init__(self, theme: Callable[[], Theme], parent: QWidget | None = None) -> None:
        super().__init__(theme, parent)
        self.axes: GradientsAxes | None = None
        self._look: GradientsLook | None = None
        self._sight = MapSight()
        self._marks = GradientsMarks()
        self._hovered: tuple[int, int] | None = None
        self._pressed: tuple[QPointF, MapSight] | None = None
        self._is_dragging = False

    @property
    def look(self) -> GradientsLook | None:
        return self._look

    @property
    def marks(self) -> GradientsMarks:
        return self._marks

    @property
    def sight(self) -> MapSight:
        """What is in sight."""
        return self._sight

    def take_axes(self, kind: type[GradientsAxes]) -> None:
        self.axes = kind(self.theme, self)
        self.axes.span_changed.connect(self._show_span)
        self.axes.hovered.connect(self._curve_hovered)
        self.axes.chosen.connect(self.curve_chosen)
        self.axes.menu_wanted.connect(self._curve_menu)
        self._fill_axes()
        self.redraw()

    def show_look(self, look: GradientsLook) -> None:
        whole = look.whole_sight
        self._sight = self._sight.of_map(whole.whole_iterations, whole.whole_rows)
        self._look = replace(look, sight=self._sight)
        self._hovered = None
        self._fill_axes()
        self.redraw()

    def show_sight(self, sight: MapSight) -> None:
        if sight != self._sight and self._look is not None:
            self._sight = sight
            self._look = replace(self._look, sight=sight)
            self._fill_axes()
            self.redraw()

    def show_marks(self, marks: GradientsMarks) -> None:
        if marks != self._marks:
            self._marks = marks
            self._fill_axes()
            self.redraw()

    def geometry_of_map(self) -> GradientsGeometry | None:
        if self._look is None or self._look.view.is_empty:
            return None
        return gradients_geometry(QRectF(self.rect()), self._look, self.theme())

    def cell_at(self, at: QPointF) -> tuple[int, int] | None:
        """(row, iteration); over the lanes and the curves, the selected row's."""
        geometry = self.geometry_of_map()
        if geometry is None or not geometry.map.left() <= at.x() <= geometry.map.right():
            return None
        if geometry.map.contains(at):
            return geometry.row_at(at.y()), geometry.iteration_at(at.x())
        if geometry.map.bottom() < at.y() < (geometry.curves.bottom() or geometry.axis.bottom()) and self._marks.selected is not None:
            return self._marks.selected, geometry.iteration_at(at.x())
        return None

    def paint_picture(self, painter: QPainter, rect: QRectF) -> None:
        if self._look is None or self._look.view.is_empty:
            painter.fillRect(rect, self.theme().color("surface.panel"))
            return
        paint_gradients(painter, rect, self._look, self.theme(), self._marks, with_curves=self.axes is None)

    def paint_overlay(self, painter: QPainter, rect: QRectF) -> None:
        geometry = self.geometry_of_map()
        if geometry is None:
            return
        if self._hovered is not None:
            paint_hovered(painter, geometry, *self._hovered, self.theme())

    def redraw(self) -> None:
        super().redraw()
        if self.axes is not None:
            self.axes.theme_changed()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fill_axes()

    def _fill_axes(self) -> None:
        """Put the axes where the curves belong, and the curves into them."""
        geometry, look = self.geometry_of_map(), self._look
        if self.axes is None or geometry is None or look is None:
            return
        area = geometry.curves
        self.axes.setVisible(not area.isEmpty() and look.has_curves)
        top, bottom = round(area.top()) - AIR, round(area.bottom()) + AIR
        self.axes.setGeometry(0, top, self.width(), bottom - top)
        self.axes.set_margins(area.left(), self.width() - area.right(), AIR)
        scale = frame_of(geometry, look, self._marks.curve).scale
        marks = curves_marks(look, self._marks, self._hovered_curve())
        self.axes.show_curves(look.shown_curves, look.view.first_iteration, self._sight.whole_iterations, self._sight.columns_shown, scale, marks)

    def _hovered_curve(self) -> Curve | None:
        return curve_of_row(self._look.rows, self._hovered[0]) if self._look is not None and self._hovered is not None else None

    def _hover(self, cell: tuple[int, int] | None) -> None:
        if cell == self._hovered:
            return
        is_other_row = (cell or (None,))[0] != (self._hovered or (None,))[0]
        self._hovered = cell
        self.update()
        if self.axes is not None and self._look is not None and is_other_row:
            self.axes.show_marks(curves_marks(self._look, self._marks, self._hovered_curve()))

    def _curve_hovered(self, found: tuple[str, int] | None, at: QPointF) -> None:
        if self.axes is None or self._look is None:
            return
        curve = next((one for one in self._look.shown_curves if found is not None and one.name == found[0]), None)
        self.axes.show_marks(curves_marks(self._look, self._marks, curve))
        self.curve_hovered.emit(found, (at + QPointF(self.axes.pos())).toPoint())

    def _curve_menu(self, found: tuple[str, int] | None, at: QPointF) -> None:
        if self.axes is not None:
            self.menu_wanted.emit(found[0] if found else None, self.axes.mapToGlobal(at.toPoint()))

    def _show_span(self, span: Span | None) -> None:
        self.show_sight(self._sight.all() if span is None else self._sight.showing(iterations=span))

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._pressed is None:
            cell = self.cell_at(event.position())
            self._hover(cell)
            self.hovered.emit(cell, event.position().toPoint())
            return
        at, sight = self._pressed
        moved = event.position() - at
        self._is_dragging = self._is_dragging or moved.manhattanLength() >= _DRAG_FROM
        geometry = self.geometry_of_map()
        if self._is_dragging and geometry is not None and not sight.is_whole:
            self.setCursor(Qt.CursorShape.ClosedHandCursor)
            self.show_sight(sight.panned(-moved.x() / geometry.column_width, -moved.y() / geometry.row_height))

    def leaveEvent(self, event: QEvent) -> None:
        self._hover(None)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() is Qt.MouseButton.RightButton:
            row = self._row_under(event.position())
            name = self._look.rows.rows[row].name if row is not None and self._look is not None else None
            self.menu_wanted.emit(name, event.globalPosition().toPoint())
        elif event.button() is Qt.MouseButton.LeftButton:
            self._pressed, self._is_dragging = (event.position(), self._sight), False

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        pressed, self._pressed = self._pressed, None
        self.unsetCursor()
        if pressed is None or self._is_dragging:
            return
        cell = self.cell_at(event.position())
        if cell is not None:
            self.cell_chosen.emit(*cell)
        elif (row := self._row_under(event.position())) is not None and self._look is not None:
            last = self._look.view.last_iteration
            self.cell_chosen.emit(row, self._marks.current if self._marks.current is not None else last)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """On a label: fold or open. Elsewhere: show all."""
        geometry = self.geometry_of_map()
        row = self._row_under(event.position())
        if geometry is not None and row is not None and event.position().x() < geometry.map.left():
            self.fold_wanted.emit(row)
        else:
            self.show_sight(self._sight.all())

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Zoom the iterations at the pointer; with Ctrl, or over the labels, the rows; with Shift move along the iterations, with Alt along the rows."""
        geometry = self.geometry_of_map()
        steps = event.angleDelta()
        if geometry is None or steps.isNull():
            return
        turned, modifiers = (steps.y() or steps.x()) / 120, event.modifiers()
        sight, at = self._sight, event.position()
        if modifiers & Qt.KeyboardModifier.ShiftModifier or not steps.y():
            if modifiers & Qt.KeyboardModifier.AltModifier:
                self.show_sight(sight.panned(rows=-turned * PAN_STEP * geometry.rows))
            else:
                self.show_sight(sight.panned(iterations=-turned * PAN_STEP * geometry.iterations))
        elif modifiers & Qt.KeyboardModifier.ControlModifier or at.x() < geometry.map.left():
            row = geometry.first_row + (at.y() - geometry.map.top()) / geometry.row_height
            self.show_sight(sight.zoomed_rows(row, ZOOM_STEP**-turned))
        else:
            iteration = geometry.first_iteration + (at.x() - geometry.map.left()) / geometry.column_width
            self.show_sight(sight.zoomed_iterations(iteration, ZOOM_STEP**-turned))
        event.accept()

    def event(self, event: QEvent) -> bool:
        """Keys that the window uses too are this plot's while it has the focus."""
        if event.type() is QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent) and Qt.Key(event.key()) in OWN_KEYS:
            event.accept()
            return True
        return bool(super().event(event))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Arrows, Home, End and Page keys move the selected cell; letters zoom, move and choose curves."""
        geometry, look = self.geometry_of_map(), self._look
        command = key_command(event)
        if geometry is None or look is None or not command:
            super().keyPressEvent(event)
            return
        if command in ("zoom in", "zoom out"):
            at = self._marks.current if self._marks.current is not None and geometry.is_shown(self._marks.current) else None
            middle = at + 0.5 if at is not None else geometry.first_iteration + geometry.iterations / 2
            self.show_sight(self._sight.zoomed_iterations(middle, ZOOM_STEP if command == "zoom out" else 1 / ZOOM_STEP))
        elif command in ("earlier", "later"):
            self.show_sight(self._sight.panned(iterations=PAN_STEP * geometry.iterations * (-1 if command == "earlier" else 1)))
        elif command == "show all":
            self.show_sight(self._sight.all())
        elif (step := step_of(command, len(look.rows.rows), look.view.iterations)) is not None:
            self._move(look, *step)
        else:
            self.wished.emit(command)

    def _move(self, look: GradientsLook, rows: int, iterations: int) -> None:
        first, last = look.view.first_iteration, look.view.last_iteration
        has_row, has_iteration = self._marks.selected is not None, self._marks.current is not None
        row = min(max((self._marks.selected or 0) + (rows if has_row else 0), 0), len(look.rows.rows) - 1)
        start = self._marks.current if self._marks.current is not None else last
        iteration = min(max(start + (iterations if has_iteration or iterations else 0), first), last)
        self.show_sight(self._sight.revealing(iteration, row))
        self.cell_chosen.emit(row, iteration)

    def _row_under(self, at: QPointF) -> int | None:
        """The row whose label or cells are there."""
        geometry = self.geometry_of_map()
        if geometry is None or not geometry.map.top() <= at.y() <= geometry.map.bottom() or at.x() > geometry.map.right():
            return None
        return geometry.row_at(at.y())
