"""Paints the norm curves under the gradient map: grey, the selected one azure, with its name at the line's end."""

import math
from typing import Final

import numpy as np
from PySide6.QtCore import QLineF, QRectF, Qt
from PySide6.QtGui import QPainter, QPen

from tensorscope.analysis.results import Floats
from tensorscope.render.gradients_geometry import GradientsGeometry
from tensorscope.render.shapes import polygon
from tensorscope.render.text import draw_text
from tensorscope.render.theme import Theme, mix
from tensorscope.viewmodel.gradient_picture import Curve, curve_points
from tensorscope.viewmodel.ticks import log_ticks

_RIGHT: Final = Qt.AlignmentFlag.AlignRight
_LABEL: Final = 66.0  # pixels for a name at a line's end
_MANY: Final = 12  # curves from which the grey ones step back


def paint_curves(
    painter: QPainter,
    geometry: GradientsGeometry,
    curves: tuple[Curve, ...],
    limits: tuple[float, float],
    theme: Theme,
    selected: Curve | None,
    current: int | None,
    color_role: str,
) -> None:
    """``limits`` are the lowest and highest norm of the log axis."""
    area = geometry.curves
    if area.isEmpty():
        return
    low, high = limits
    for tick in log_ticks(low, high, 3):
        y = _y_of(area, tick.value, low, high)
        painter.setPen(theme.pen("plot.grid"))
        painter.drawLine(QLineF(area.left(), y, area.right(), y))
        draw_text(painter, QRectF(area.left() - 66, y - 7, 58, 14), tick.label, theme.font("caption"), theme.color("text.secondary"), _RIGHT)
    painter.save()
    painter.setClipRect(area.adjusted(-1, -2, 1, 2))
    grey = theme.color("plot.muted_series")
    pen = QPen(mix(grey, theme.color("surface.panel"), 0.2) if len(curves) > _MANY else grey, theme.px("line.curve"))
    pen.setCosmetic(True)  # Qt strokes lines wider than a device pixel fifty times slower
    for curve in curves:
        _paint_curve(painter, geometry, curve, low, high, pen)
    if selected is not None:
        _paint_curve(painter, geometry, selected, low, high, QPen(theme.color("accent.base"), theme.px("line.curve_selected")))
    painter.restore()
    if current is not None:
        x = geometry.x_of(current + 0.5)
        painter.fillRect(QRectF(x - 0.75, area.top() - 2, 1.5, area.height() + 4), theme.color(color_role))
    if selected is not None:
        _paint_end_label(painter, geometry, selected, low, high, theme)


def paint_hovered_curve(painter: QPainter, geometry: GradientsGeometry, curve: Curve, limits: tuple[float, float], theme: Theme) -> None:
    if not geometry.curves.isEmpty():
        _paint_curve(painter, geometry, curve, *limits, QPen(theme.color("text.primary"), 1.5))


def _paint_curve(painter: QPainter, geometry: GradientsGeometry, curve: Curve, low: float, high: float, pen: QPen) -> None:
    at, norms = curve_points(curve.norms, max(int(geometry.curves.width()), 1))
    if not len(at):
        return
    painter.setBrush(Qt.BrushStyle.NoBrush)
    x = geometry.map.left() + at * geometry.column_width
    y = _ys_of(geometry.curves, norms, low, high)
    painter.setPen(pen)
    if len(at) == 1:
        painter.drawEllipse(QRectF(x[0] - 1, y[0] - 1, 2, 2))
        return
    breaks = np.flatnonzero(np.diff(at) > max(1.0, len(curve.norms) / geometry.curves.width())) + 1  # draw the gap
    for part_x, part_y in zip(np.split(x, breaks), np.split(y, breaks), strict=True):
        painter.drawPolyline(polygon(part_x, part_y))


def _paint_end_label(painter: QPainter, geometry: GradientsGeometry, curve: Curve, low: float, high: float, theme: Theme) -> None:
    _, norms = curve_points(curve.norms, len(curve.norms))
    if not len(norms):
        return
    y = min(max(_y_of(geometry.curves, float(norms[-1]), low, high), geometry.curves.top() + 10), geometry.curves.bottom() - 10)
    lines = _two_lines(curve.name, theme)
    for place, line in enumerate(lines):
        rect = QRectF(geometry.curves.right() + 5, y - 7 * len(lines) + 14 * place, _LABEL, 14)
        draw_text(painter, rect, line, theme.font("caption", "semibold"), theme.color("text.link"), mode=Qt.TextElideMode.ElideRight)


def _two_lines(name: str, theme: Theme) -> list[str]:
    """A parameter's name for the room at a line's end: whole, else the module above, else its last two parts below."""
    metrics = theme.metrics("caption", "semibold")
    parts = name.split(".")
    ways = [[name], [".".join(parts[:-1]), parts[-1]], [".".join(parts[:-2]), ".".join(parts[-2:])]]
    fitting = (way for way in ways if all(metrics.horizontalAdvance(line) <= _LABEL for line in way))
    return [line for line in next(fitting, ways[1]) if line]


def _y_of(area: QRectF, norm: float, low: float, high: float) -> float:
    return area.bottom() - math.log(norm / low) / math.log(high / low) * area.height()


def _ys_of(area: QRectF, norms: Floats, low: float, high: float) -> Floats:
    return np.asarray(area.bottom() - np.log(norms / low) * (area.height() / math.log(high / low)), np.float64)
