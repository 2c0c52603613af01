"""The curves on pyqtgraph's axes: zoom and pan with the mouse; ``render`` paints what is inside, all curves in one item.

Imported only when the window stands: pyqtgraph takes half a second.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, Final

import pyqtgraph as pg
from PySide6.QtCore import QEvent, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QMouseEvent, QPainter
from PySide6.QtWidgets import QGraphicsObject, QStyleOptionGraphicsItem, QWidget

from tensorscope.render.gradients_curves import CurvesMarks, nearest_curve, paint_curves
from tensorscope.render.gradients_frame import NAME_ROOM, CurvesFrame
from tensorscope.render.theme import Theme
from tensorscope.viewmodel.gradient_curves import Curve, CurveScale
from tensorscope.viewmodel.gradient_view import LEAST_ITERATIONS, Span

REACH: Final = 14.0  # pixels from which a curve is under the pointer


class GradientsAxes(pg.GraphicsLayoutWidget):  # type: ignore[misc]
    """Lies over the lower part of the gradients plot. The wheel zooms the iterations, over the norm axis the norms; a double click shows all again.

    The box's y runs from 0 to 1 over the curves' scale, logarithmic or not.
    """

    span_changed = Signal(object)  # the iterations shown, None for all
    hovered = Signal(object, QPointF)  # (curve, iteration) or None, and where
    chosen = Signal(str, int)  # curve, iteration
    menu_wanted = Signal(object, QPointF)  # curve or None, and where

    def __init__(self, theme: Callable[[], Theme], parent: QWidget) -> None:
        super().__init__(parent)
        self.setBackground(None)
        self._box = _Box(enableMenu=False)
        self._axis = _NormAxis("left", theme, lambda: self._scale)
        self._axis.linkToView(self._box)
        self.addItem(self._axis, 0, 0)
        self.addItem(self._box, 0, 1)
        self._theme = theme
        self._full: Span = (0.0, 1.0)
        self._scale = CurveScale(1e-3, 1.0)
        self._is_setting = False
        self._pressed: QPointF | None = None
        self._item = _Curves(self.frame_shown, theme)
        self._item.setParentItem(self.ci)
        self.ci.layout.setSpacing(0)
        self.setFrameShape(self.Shape.NoFrame)
        self.setMouseTracking(True)
        self._box.setLimits(yMin=-2, yMax=3, minYRange=0.02, maxYRange=3)
        self._box.setRange(yRange=(0, 1), padding=0)
        self._box.sigRangeChanged.connect(self._range_changed)
        self._box.sigResized.connect(lambda *_: self._item.moved())
        self._box.reset.connect(self._reset)
        self.theme_changed()

    @property
    def curves(self) -> tuple[Curve, ...]:
        return self._item.curves

    def frame_shown(self) -> CurvesFrame:
        """Where everything lies, in the layout's coordinates, which are pixels."""
        (left, right), (low, high) = self._box.viewRange()
        scale = self._scale
        area, shown = QRectF(self._box.geometry()), CurveScale(scale.value_at(low), scale.value_at(high), scale.is_log)
        return CurvesFrame(area, left, max(right - left, 1e-9), shown, max(self.width() - area.right() - 6.0, NAME_ROOM))

    def show_curves(self, curves: tuple[Curve, ...], first_iteration: int, full: Span, shown: Span, scale: CurveScale, marks: CurvesMarks) -> None:
        """Take new curves over the iterations ``shown`` of ``full``; norms that the user zoomed to stay while the scale is the same."""
        self._item.show(curves, first_iteration, marks)
        self._is_setting = True
        if full != self._full:
            self._full = full
            length = full[1] - full[0]
            self._box.setLimits(xMin=full[0], xMax=full[1], minXRange=min(LEAST_ITERATIONS, length), maxXRange=length)
        if scale != self._scale:
            self._scale = scale
            self._box.setRange(yRange=(0, 1), padding=0)
            self._axis.theme_changed()
        self._box.setRange(xRange=shown, padding=0)
        self._is_setting = False
        self._item.moved()

    def show_marks(self, marks: CurvesMarks) -> None:
        self._item.show(self._item.curves, self._item.first_iteration, marks)

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
        if event.button() is Qt.MouseButton.RightButton:
            self.menu_wanted.emit(self.curve_at(event.position()), event.position())
            return
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

    def _reset(self) -> None:
        self._is_setting = True
        self._box.setRange(yRange=(0, 1), padding=0)
        self._is_setting = False
        self.span_changed.emit(None)

    def _range_changed(self, *_: object) -> None:
        self._item.moved()
        if self._is_setting:
            return
        (left, right), _y = self._box.viewRange()
        self.span_changed.emit((left, right))


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
    """Round norms in our words, font and colours."""

    def __init__(self, orientation: str, theme: Callable[[], Theme], scale: Callable[[], CurveScale]) -> None:
        self._theme, self._scale = theme, scale
        self._labels: dict[float, str] = {}
        super().__init__(orientation)

    def theme_changed(self) -> None:
        theme = self._theme()
        self.picture = None
        self.setPen(pg.mkPen(None))
        self.setTextPen(theme.color("text.secondary"))
        self.setStyle(tickFont=theme.font("caption"), tickLength=0, tickTextOffset=8, autoExpandTextSpace=False, hideOverlappingLabels=False)

    def tickValues(self, least: float, most: float, size: float) -> list[tuple[float, list[float]]]:
        scale = self._scale()
        shown = CurveScale(scale.value_at(least), scale.value_at(most), scale.is_log)
        ticks = CurvesFrame(QRectF(0, 0, 1, size), 0, 1, shown).ticks()
        self._labels = {round(scale.share_of(tick.value), 6): tick.label for tick in ticks}
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
