"""Paints the curves under the gradient map: grey, pinned ones strong, the selected one azure; names stand at the lines' ends, outliers at the border."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPen, QPolygonF

from tensorscope.analysis.results import Floats, Ints
from tensorscope.render.gradients_frame import CurvesFrame
from tensorscope.render.gradients_raster import paint_dense
from tensorscope.render.shapes import polygon, runs_of
from tensorscope.render.text import draw_text, text_width
from tensorscope.render.theme import Theme, mix, with_alpha
from tensorscope.viewmodel.gradient_curves import Band, Curve, curve_points, extremes_of, is_outlier
from tensorscope.viewmodel.gradient_picture import short_name

_RIGHT: Final = Qt.AlignmentFlag.AlignRight
_LINE: Final = 14.0
_LAST: Final = 512  # iterations before the end in which a curve's end is looked for
_MANY: Final = 12  # curves from which the grey ones step back
_OUTLIER: Final = 3.0  # half the side of its triangle
_BAND: Final = 0.25  # opacity
_SMOOTH_POINTS: Final = 4_000  # of all curves, up to which they are stroked smoothly


@dataclass(frozen=True, slots=True)
class CurvesMarks:
    """What stands out: the selected curve, the hovered one, the cursor's iteration and the role of its colour."""

    selected: Curve | None = None
    hovered: Curve | None = None
    current: int | None = None
    color_role: str = "accent.base"
    band: Band | None = None


def paint_norm_axis(painter: QPainter, frame: CurvesFrame, theme: Theme) -> None:
    for tick in frame.ticks():
        y = frame.y_of(tick.value)
        draw_text(painter, QRectF(frame.area.left() - 66, y - 7, 58, _LINE), tick.label, theme.font("caption"), theme.color("text.secondary"), _RIGHT)


def paint_curves(painter: QPainter, frame: CurvesFrame, curves: Sequence[Curve], first_iteration: int, marks: CurvesMarks, theme: Theme) -> None:
    """Grid, curves, cursor and end labels; ``first_iteration`` is that of the curves' first value."""
    if frame.area.isEmpty():
        return
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(theme.pen("plot.grid"))
    for tick in frame.ticks():
        painter.drawLine(QLineF(frame.area.left(), frame.y_of(tick.value), frame.area.right(), frame.y_of(tick.value)))
    painter.save()
    painter.setClipRect(frame.area.adjusted(-1, -2, 1, 2))
    if marks.band is not None:
        _paint_band(painter, frame, marks.band, first_iteration, theme)
    grey = theme.color("plot.muted_series")
    grey = mix(grey, theme.color("surface.panel"), 0.2) if len(curves) > _MANY else grey
    layers = [([curve for curve in curves if not curve.is_pinned], grey, theme.px("line.curve"))]
    layers.append(([curve for curve in curves if curve.is_pinned], theme.color("text.primary"), theme.px("line.curve")))
    layers.append(([marks.hovered] if marks.hovered else [], theme.color("text.primary"), 1.5))
    layers.append(([marks.selected] if marks.selected else [], theme.color("accent.base"), theme.px("line.curve_selected")))
    is_dense = len(curves) * min(frame.iterations, 2 * frame.area.width()) > _SMOOTH_POINTS or frame.iterations > 2 * frame.area.width()
    for layer, color, width in layers:
        if layer and is_dense:
            paint_dense(painter, frame, layer, first_iteration, color, width)
        else:
            for curve in layer:
                _paint_curve(painter, frame, curve, first_iteration, QPen(color, width))
    painter.restore()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    for curve in (*curves, *([marks.selected] if marks.selected else [])):
        role = "accent.base" if curve is marks.selected else "text.secondary"
        _paint_outliers(painter, frame, curve, first_iteration, theme, role)
    if marks.current is not None and frame.first <= marks.current + 0.5 <= frame.first + frame.iterations:
        x = float(frame.xs_of(np.array([marks.current + 0.5]))[0])
        painter.fillRect(QRectF(x - 0.75, frame.area.top() - 2, 1.5, frame.area.height() + 4), theme.color(marks.color_role))
    _paint_end_labels(painter, frame, curves, first_iteration, marks, theme)
    painter.restore()


def _paint_band(painter: QPainter, frame: CurvesFrame, band: Band, first_iteration: int, theme: Theme) -> None:
    """From the lowest to the highest, where both are known and the place on the axis is."""
    begin = max(math.floor(frame.first) - first_iteration - 1, 0)
    end = min(max(math.ceil(frame.first + frame.iterations) - first_iteration + 1, begin), len(band.low))
    step = max((end - begin) // max(int(frame.area.width()), 1), 1)
    at: Ints = np.arange(begin, end, step, dtype=np.int64)
    low, high = np.fmin.reduceat(band.low, at)[: len(at)] if len(at) else band.low[:0], np.fmax.reduceat(band.high, at)[: len(at)] if len(at) else band.high[:0]
    is_known = np.isfinite(low) & np.isfinite(high) & (low > 0)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(with_alpha(theme.color("accent.base"), _BAND))
    for first, last in runs_of(is_known):
        x = frame.xs_of(at[first:last].astype(np.float64) + (first_iteration + step * 0.5))
        x = x if len(x) > 1 else np.array([x[0] - 2, x[0] + 2])
        top, bottom = (np.clip(frame.ys_of(side[first:last]), frame.area.top() - 4, frame.area.bottom() + 4) for side in (high, low))
        top, bottom = (side if len(side) > 1 else np.repeat(side, 2) for side in (top, bottom))
        painter.drawPolygon(polygon(np.concatenate([x, x[::-1]]), np.concatenate([top, bottom[::-1]])))


def nearest_curve(frame: CurvesFrame, curves: Sequence[Curve], column: int, y: float, reach: float) -> int | None:
    """The curve whose norm in a column lies nearest to a height, at most ``reach`` pixels away."""
    best, nearest = None, reach
    for place, curve in enumerate(curves):
        norm = float(curve.norms[column])
        if math.isfinite(norm) and norm > 0:
            at = min(max(frame.y_of(norm), frame.area.top()), frame.area.bottom())
            if abs(at - y) <= nearest:
                best, nearest = place, abs(at - y)
    return best


def _points(frame: CurvesFrame, curve: Curve, first_iteration: int) -> tuple[Floats, Floats]:
    """(iteration in its middle, norm) of the points in sight and one to each side."""
    begin = max(math.floor(frame.first) - first_iteration - 1, 0)
    end = min(max(math.ceil(frame.first + frame.iterations) - first_iteration + 1, begin), len(curve.norms))
    at, norms = curve_points(curve, begin, end, max(int(frame.area.width()), 1))
    return at + first_iteration + 0.5, norms


def _paint_curve(painter: QPainter, frame: CurvesFrame, curve: Curve, first_iteration: int, pen: QPen) -> None:
    at, norms = _points(frame, curve, first_iteration)
    if not len(at):
        return
    painter.setBrush(Qt.BrushStyle.NoBrush)
    x, y = frame.xs_of(at), np.clip(frame.ys_of(norms), frame.area.top() - 4, frame.area.bottom() + 4)
    painter.setPen(pen)
    if len(at) == 1:
        painter.drawEllipse(QRectF(x[0] - 1, y[0] - 1, 2, 2))
        return
    breaks = np.flatnonzero(np.diff(at) > max(1.0, frame.iterations / frame.area.width() * 2)) + 1  # draw the gap
    for part_x, part_y in zip(np.split(x, breaks), np.split(y, breaks), strict=True):
        if len(part_x) == 1:
            painter.drawEllipse(QRectF(part_x[0] - 1, part_y[0] - 1, 2, 2))
        else:
            painter.drawPolyline(polygon(part_x, part_y))


def _paint_outliers(painter: QPainter, frame: CurvesFrame, curve: Curve, first_iteration: int, theme: Theme, role: str) -> None:
    """A triangle at the border for every point beyond the scale, pointing to where it is."""
    low, high = curve.ends(is_robust=False)
    if not (low < frame.scale.low or high > frame.scale.high):
        return
    at, norms = _points(frame, curve, first_iteration)
    side = is_outlier(frame.scale, norms)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(theme.color(role))
    before = -math.inf
    for place in np.flatnonzero(side).tolist():
        x = float(frame.xs_of(at[place : place + 1])[0])
        if x - before < 2 * _OUTLIER or not frame.area.left() <= x <= frame.area.right():
            continue
        before, y, tip = x, frame.area.top() if side[place] > 0 else frame.area.bottom(), -4.0 if side[place] > 0 else 4.0
        painter.drawPolygon(QPolygonF([QPointF(x - _OUTLIER, y), QPointF(x, y + tip), QPointF(x + _OUTLIER, y)]))


def _paint_end_labels(painter: QPainter, frame: CurvesFrame, curves: Sequence[Curve], first_iteration: int, marks: CurvesMarks, theme: Theme) -> None:
    """The hovered, the selected, the pinned and the extreme curves, in that order, where a name does not touch another."""
    wanted = [(marks.hovered, "text.primary"), (marks.selected, "text.link")]
    wanted += [(curve, "text.primary") for curve in curves if curve.is_pinned]
    wanted += [(curve, "text.secondary") for curve in extremes_of(curves)]
    taken: list[tuple[float, float]] = []
    named: set[str] = set()
    for curve, role in wanted:
        if curve is None or curve.name in named:
            continue
        last = curve.norms[: max(math.ceil(frame.first + frame.iterations) - first_iteration, 0)][-_LAST:]
        norms = last[np.isfinite(last) & (last > 0)]
        if not len(norms):
            continue
        font = theme.font("caption", "semibold" if role == "text.link" else None)
        lines = _two_lines(curve.name, lambda text, font=font: text_width(text, font) <= frame.name_room)  # type: ignore[misc]
        half = _LINE * len(lines) / 2
        middle = min(max(frame.y_of(float(norms[-1])), frame.area.top() + half - 6), frame.area.bottom() - half + 6)
        if any(middle - half < end and middle + half > begin for begin, end in taken):
            continue
        named.add(curve.name)
        taken.append((middle - half, middle + half))
        for place, line in enumerate(lines):
            rect = QRectF(frame.area.right() + 5, middle - half + _LINE * place, frame.name_room, _LINE)
            draw_text(painter, rect, line, font, theme.color(role), mode=Qt.TextElideMode.ElideRight)


def _two_lines(name: str, fits: Callable[[str], bool]) -> list[str]:
    """A parameter's name for the room at a line's end: whole, else its module above and its own name below, shortened where that takes it."""
    if fits(name):
        return [name]
    words = name.split(" ")
    if len(words) > 1:
        cuts = [[" ".join(words[:cut]), " ".join(words[cut:])] for cut in range(len(words) - 1, 0, -1)]
        return next((lines for lines in cuts if all(map(fits, lines))), cuts[-1])
    module, _, own = name.rpartition(".")
    return [short_name(part, fits) for part in (module, own) if part]
