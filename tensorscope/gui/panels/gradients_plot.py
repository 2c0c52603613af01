"""The gradient map and its curves: paints one finished view and says which cell the pointer is on."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QPoint, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter, QResizeEvent
from PySide6.QtWidgets import QWidget

from tensorscope.gui.panels.plot import Plot
from tensorscope.render.gradients import GradientsMarks, curve_of, curves_marks, frame_of, full_span, gradients_geometry, paint_gradients, paint_hovered
from tensorscope.render.gradients_geometry import GradientsGeometry
from tensorscope.render.theme import Theme
from tensorscope.viewmodel.gradient_picture import Curve
from tensorscope.viewmodel.gradients import GradientMap

if TYPE_CHECKING:
    from tensorscope.gui.panels.gradients_axes import GradientsAxes

AIR = 8  # pixels above and below the curves' area, for the outermost labels
_STEPS = {Qt.Key.Key_Up: (-1, 0), Qt.Key.Key_Down: (1, 0), Qt.Key.Key_Left: (0, -1), Qt.Key.Key_Right: (0, 1)}


class GradientsPlot(Plot):
    """The map; below it the curves, painted here until an axis widget of their own is there (``take_axes``)."""

    cell_chosen = Signal(int, int)  # parameter, iteration
    hovered = Signal(object, QPoint)  # (parameter, iteration) or None
    curve_hovered = Signal(object, QPoint)  # (curve's name, iteration) or None
    curve_chosen = Signal(str, int)

    def __init__(self, theme: Callable[[], Theme], parent: QWidget | None = None) -> None:
        super().__init__(theme, parent)
        self.axes: GradientsAxes | None = None
        self._map: GradientMap | None = None
        self._curves: tuple[Curve, ...] = ()
        self._marks = GradientsMarks()
        self._hovered: tuple[int, int] | None = None

    def take_axes(self, kind: type[GradientsAxes]) -> None:
        self.axes = kind(self.theme, self)
        self.axes.span_changed.connect(lambda _: self.redraw())
        self.axes.hovered.connect(self._curve_hovered)
        self.axes.chosen.connect(self.curve_chosen)
        self._fill_axes()
        self.redraw()

    def show_map(self, view: GradientMap, curves: tuple[Curve, ...]) -> None:
        self._map, self._curves = view, curves
        self._hovered = None
        self._fill_axes()
        self.redraw()

    def show_marks(self, marks: GradientsMarks) -> None:
        if marks != self._marks:
            self._marks = marks
            self._fill_axes()
            self.redraw()

    def geometry_of_map(self) -> GradientsGeometry | None:
        if self._map is None or self._map.is_empty:
            return None
        return gradients_geometry(QRectF(self.rect()), self._map, self.theme(), self.axes.span if self.axes is not None else None)

    def cell_at(self, at: QPointF) -> tuple[int, int] | None:
        """(parameter, iteration); over the curves, the selected parameter's."""
        geometry = self.geometry_of_map()
        if geometry is None:
            return None
        if geometry.map.contains(at):
            return geometry.parameter_at(at.y()), geometry.iteration_at(at.x())
        if geometry.curves.contains(at) and self._marks.selected is not None:
            return self._marks.selected, geometry.iteration_at(at.x())
        return None

    def paint_picture(self, painter: QPainter, rect: QRectF) -> None:
        if self._map is None or self._map.is_empty:
            painter.fillRect(rect, self.theme().color("surface.panel"))
            return
        span = self.axes.span if self.axes is not None else None
        paint_gradients(painter, rect, self._map, self._curves, self.theme(), self._marks, span, with_curves=self.axes is None)

    def paint_overlay(self, painter: QPainter, rect: QRectF) -> None:
        geometry = self.geometry_of_map()
        if geometry is not None and self._hovered is not None:
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
        geometry = self.geometry_of_map()
        if self.axes is None or geometry is None or self._map is None:
            return
        area = geometry.curves
        self.axes.setVisible(not area.isEmpty())
        top, bottom = round(area.top()) - AIR, round(area.bottom()) + AIR
        self.axes.setGeometry(0, top, self.width(), bottom - top)
        self.axes.set_margins(area.left(), self.width() - area.right(), AIR)
        frame = frame_of(geometry, self._curves, curve_of(self._map, self._marks.selected))
        marks = curves_marks(self._map, self._marks, self._hovered_curve())
        self.axes.show_curves(self._curves, self._map.first_iteration, full_span(self._map), (frame.low, frame.high), marks)

    def _hovered_curve(self) -> Curve | None:
        return curve_of(self._map, self._hovered[0]) if self._map is not None and self._hovered is not None else None

    def _hover(self, cell: tuple[int, int] | None) -> None:
        if cell == self._hovered:
            return
        is_other_row = (cell or (None,))[0] != (self._hovered or (None,))[0]
        self._hovered = cell
        self.update()
        if self.axes is not None and self._map is not None and is_other_row:
            self.axes.show_marks(curves_marks(self._map, self._marks, self._hovered_curve()))

    def _curve_hovered(self, found: tuple[str, int] | None, at: QPointF) -> None:
        if self.axes is None or self._map is None:
            return
        curve = next((one for one in self._curves if found is not None and one.name == found[0]), None)
        self.axes.show_marks(curves_marks(self._map, self._marks, curve))
        self.curve_hovered.emit(found, (at + QPointF(self.axes.pos())).toPoint())

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        cell = self.cell_at(event.position())
        self._hover(cell)
        self.hovered.emit(cell, event.position().toPoint())

    def leaveEvent(self, event: QEvent) -> None:
        self._hover(None)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        cell = self.cell_at(event.position())
        if cell is not None and event.button() is Qt.MouseButton.LeftButton:
            self.cell_chosen.emit(*cell)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Arrows move the selected cell."""
        step = _STEPS.get(Qt.Key(event.key()))
        if step is None or self._map is None or self._map.is_empty:
            super().keyPressEvent(event)
            return
        last = self._map.last_iteration
        parameter = min(max((self._marks.selected if self._marks.selected is not None else 0) + step[0], 0), len(self._map.parameters) - 1)
        iteration = min(max((self._marks.current if self._marks.current is not None else last) + step[1], self._map.first_iteration), last)
        self.cell_chosen.emit(parameter, iteration)
