"""The norm curves on pyqtgraph's axes: zoom and pan with the mouse, a log axis; ``render`` paints what is inside, all curves in one item.

Imported only when the window stands: pyqtgraph takes half a second.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, Final

import pyqtgraph as pg
from PySide6.QtCore import QEvent, QPointF, QRectF, Signal
from PySide6.QtGui import QMouseEvent, QPainter
from PySide6.QtWidgets import QGraphicsObject, QStyleOptionGraphicsItem, QWidget

from tensorscope.render.gradients import Span
from tensorscope.render.gradients_curves import CurvesFrame, CurvesMarks, nearest_curve, paint_curves
from tensorscope.render.theme import Theme
from tensorscope.viewmodel.gradient_picture import Curve

REACH: Final = 14.0  # pixels from which a curve is under the pointer
LEAST_ITERATIONS: Final = 4.0


class GradientsAxes(pg.GraphicsLayoutWidget):  # type: ignore[misc]
    """Lies over the lower part of the gradients plot. The wheel zooms the iterations, over the norm axis the norms; a double click shows all again."""

    span_changed = Signal(object)  # the iterations shown, None for all
    hovered = Signal(object, QPointF)  # (curve, iteration) or None, and where
    chosen = Signal(str, int)  # curve, iteration

    def __init__(self, theme: Callable[[], Theme], parent: QWidget) -> None:
        super().__init__(parent)
        self.setBackground(None)
        self._box = _Box(enableMenu=False)
        self._axis = _NormAxis("left", theme)
        self._axis.linkToView(self._box)
        self.addItem(self._axis, 0, 0)
        self.addItem(self._box, 0, 1)
        self._theme = theme
        self._full: Span = (0.0, 1.0)
        self._limits = (0.0, 1.0)
        self._is_zoomed = False
        self._is_setting = False
        self._pressed: QPointF | None = None
        self._item = _Curves(self.frame_shown, theme)
        self._item.setParentItem(self.ci)
        self.ci.layout.setSpacing(0)
        self.setFrameShape(self.Shape.NoFrame)
        self.setMouseTracking(True)
        self._box.sigRangeChanged.connect(self._range_changed)
        self._box.sigResized.connect(lambda *_: self._item.moved())
        self._box.reset.connect(self.show_all)
        self.theme_changed()

    @property
    def curves(self) -> tuple[Curve, ...]:
        return self._item.curves

    @property
    def span(self) -> Span | None:
        """The iterations shown; None for all."""
        (left, right), _ = self._box.viewRange()
        return (left, right) if self._is_zoomed else None

    def frame_shown(self) -> CurvesFrame:
        """Where everything lies, in the layout's coordinates, which are pixels."""
        (left, right), (low, high) = self._box.viewRange()
        area = self._box.geometry()
        return CurvesFrame(QRectF(area), left, max(right - left, 1e-9), 10**low, 10**high)

    def show_curves(self, curves: tuple[Curve, ...], first_iteration: int, full: Span, limits: tuple[float, float], marks: CurvesMarks) -> None:
        """Take new curves; what the user zoomed to stays, all else follows."""
        self._item.show(curves, first_iteration, marks)
        logs = math.log10(limits[0]), math.log10(limits[1])
        if (full, logs) == (self._full, self._limits):
            return
        self._full, self._limits = full, logs
        self._is_setting = True
        self._box.setLimits(xMin=full[0], xMax=full[1], minXRange=min(LEAST_ITERATIONS, full[1] - full[0]), maxXRange=full[1] - full[0])
        self._box.setLimits(yMin=logs[0] - 2, yMax=logs[1] + 2, minYRange=0.2, maxYRange=logs[1] - logs[0] + 4)
        self._is_setting = False
        if not self._is_zoomed:
            self.show_all()

    def show_marks(self, marks: CurvesMarks) -> None:
        self._item.show(self._item.curves, self._item.first_iteration, marks)

    def show_all(self) -> None:
        self._is_setting = True
        self._box.setRange(xRange=self._full, yRange=self._limits, padding=0)
        self._is_setting = False
        was_zoomed, self._is_zoomed = self._is_zoomed, False
        if was_zoomed:
            self.span_changed.emit(None)

    def theme_changed(self) -> None:
        self._axis.theme_changed()
        self._item.update()

    def set_margins(self, left: float, right: float, air: float) -> None:
        """Room for the norms at the left and for the curves' names at the right, so that the iterations stand below those of the map."""
        self._axis.setWidth(left)
        self.ci.layout.setContentsMargins(0, air, right, air)

    def curve_at(self, at: QPointF) -> tuple[str, int] | None:
        frame = self.frame_shown()
        if not frame.area.contains(at):
            return None
        iteration = math.floor(frame.first + (at.x() - frame.area.left()) / frame.area.width() * frame.iterations)
        column = iteration - self._item.first_iteration
        if not self._item.curves or not 0 <= column < len(self._item.curves[0].norms):
            return None
        place = nearest_curve(frame, self._item.curves, column, at.y(), REACH)
        return (self._item.curves[place].name, iteration) if place is not None else None

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        super().mouseMoveEvent(event)
        if not event.buttons():
            self.hovered.emit(self.curve_at(event.position()), event.position())

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._pressed = event.position()
        super().mousePressEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        is_click = self._pressed is not None and (event.position() - self._pressed).manhattanLength() < 4
        self._pressed = None
        if is_click and (found := self.curve_at(event.position())) is not None:
            self.chosen.emit(*found)

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self.hovered.emit(None, QPointF())

    def _range_changed(self, *_: object) -> None:
        self._item.moved()
        if self._is_setting:
            return
        (left, right), _y = self._box.viewRange()
        self._is_zoomed = right - left < (self._full[1] - self._full[0]) * 0.999
        self.span_changed.emit(self.span)


class _Box(pg.ViewBox):  # type: ignore[misc]
    """The wheel and dragging move the iterations alone; the norms move from their axis."""

    reset = Signal()

    def wheelEvent(self, event: Any, axis: int | None = None) -> None:
        super().wheelEvent(event, 0 if axis is None else axis)

    def mouseDragEvent(self, event: Any, axis: int | None = None) -> None:
        super().mouseDragEvent(event, 0 if axis is None else axis)

    def mouseDoubleClickEvent(self, event: Any) -> None:
        event.accept()
        self.reset.emit()


class _NormAxis(pg.AxisItem):  # type: ignore[misc]
    """Powers of ten in our words, font and colours."""

    def __init__(self, orientation: str, theme: Callable[[], Theme]) -> None:
        super().__init__(orientation)
        self._theme = theme

    def theme_changed(self) -> None:
        theme = self._theme()
        self.setPen(pg.mkPen(None))
        self.setTextPen(theme.color("text.secondary"))
        self.setStyle(tickFont=theme.font("caption"), tickLength=0, tickTextOffset=8, autoExpandTextSpace=False, hideOverlappingLabels=False)

    def tickValues(self, least: float, most: float, size: float) -> list[tuple[float, list[float]]]:
        frame = CurvesFrame(QRectF(0, 0, 1, size), 0, 1, 10**least, 10**most)
        self._labels = {round(math.log10(tick.value), 6): tick.label for tick in frame.ticks()}
        return [(1.0, list(self._labels))]

    def tickStrings(self, values: list[float], scale: float, spacing: float) -> list[str]:
        return [self._labels.get(round(value, 6), "") for value in values]


class _Curves(QGraphicsObject):
    """All curves: painted in pixels by ``render``, with their names beside the axes' area."""

    def __init__(self, frame: Callable[[], CurvesFrame], theme: Callable[[], Theme]) -> None:
        super().__init__()
        self._frame = frame
        self._theme = theme
        self.curves: tuple[Curve, ...] = ()
        self.first_iteration = 0
        self._marks = CurvesMarks()
        self.setZValue(10)
        self.setAcceptedMouseButtons(pg.QtCore.Qt.MouseButton.NoButton)

    def show(self, curves: tuple[Curve, ...], first_iteration: int, marks: CurvesMarks) -> None:  # type: ignore[override]
        self.curves, self.first_iteration, self._marks = curves, first_iteration, marks
        self.update()

    def moved(self) -> None:
        self.prepareGeometryChange()
        self.update()

    def boundingRect(self) -> QRectF:
        parent = self.parentItem()
        return parent.boundingRect() if parent is not None else QRectF()

    def paint(self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None) -> None:
        paint_curves(painter, self._frame(), self.curves, self.first_iteration, self._marks, self._theme())
