"""The gradient map and its curves: paints one finished view and says which cell the pointer is on."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QPoint, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter
from PySide6.QtWidgets import QWidget

from tensorscope.gui.panels.plot import Plot
from tensorscope.render.gradients import GradientsMarks, gradients_geometry, paint_gradients, paint_hovered
from tensorscope.render.gradients_geometry import GradientsGeometry
from tensorscope.render.theme import Theme
from tensorscope.viewmodel.gradient_picture import Curve
from tensorscope.viewmodel.gradients import GradientMap

_STEPS = {Qt.Key.Key_Up: (-1, 0), Qt.Key.Key_Down: (1, 0), Qt.Key.Key_Left: (0, -1), Qt.Key.Key_Right: (0, 1)}


class GradientsPlot(Plot):
    cell_chosen = Signal(int, int)  # parameter, iteration
    hovered = Signal(object, QPoint)  # (parameter, iteration) or None

    def __init__(self, theme: Callable[[], Theme], parent: QWidget | None = None) -> None:
        super().__init__(theme, parent)
        self._map: GradientMap | None = None
        self._curves: tuple[Curve, ...] = ()
        self._marks = GradientsMarks()
        self._hovered: tuple[int, int] | None = None

    def show_map(self, view: GradientMap, curves: tuple[Curve, ...]) -> None:
        self._map, self._curves = view, curves
        self._hovered = None
        self.redraw()

    def show_marks(self, marks: GradientsMarks) -> None:
        if marks != self._marks:
            self._marks = marks
            self.redraw()

    def geometry_of_map(self) -> GradientsGeometry | None:
        return gradients_geometry(QRectF(self.rect()), self._map, self.theme()) if self._map is not None and not self._map.is_empty else None

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
        paint_gradients(painter, rect, self._map, self._curves, self.theme(), self._marks)

    def paint_overlay(self, painter: QPainter, rect: QRectF) -> None:
        if self._map is not None and self._hovered is not None:
            paint_hovered(painter, rect, self._map, self._curves, self.theme(), self._marks, *self._hovered)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        cell = self.cell_at(event.position())
        if cell != self._hovered:
            self._hovered = cell
            self.update()
        self.hovered.emit(cell, event.position().toPoint())

    def leaveEvent(self, event: QEvent) -> None:
        self._hovered = None
        self.update()

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
