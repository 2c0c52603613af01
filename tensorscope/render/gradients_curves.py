"""Paints the norm curves under the gradient map: grey, the selected one azure; names stand at the lines' ends."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import numpy as np
from PySide6.QtCore import QLineF, QRectF, Qt
from PySide6.QtGui import QPainter, QPen

from tensorscope.analysis.results import Floats
from tensorscope.render.shapes import polygon
from tensorscope.render.text import draw_text, text_width
from tensorscope.render.theme import Theme, mix
from tensorscope.viewmodel.gradient_picture import Curve, curve_points, extremes_of, short_name
from tensorscope.viewmodel.ticks import Tick, log_ticks

LABEL_ROOM: Final = 66.0  # pixels for a name at a line's end
_RIGHT: Final = Qt.AlignmentFlag.AlignRight
_LINE: Final = 14.0
_MANY: Final = 12  # curves from which the grey ones step back
_LEAST_TICKS_APART: Final = 22.0  # pixels


@dataclass(frozen=True, slots=True)
class CurvesFrame:
    """Where iterations and norms lie in pixels: iteration ``first`` at the left edge of ``area``, norm ``low`` at its bottom on a log axis."""

    area: QRectF
    first: float
    iterations: float
    low: float
    high: float

    def xs_of(self, iterations: Floats) -> Floats:
        return np.asarray(self.area.left() + (iterations - self.first) * (self.area.width() / self.iterations), np.float64)

    def ys_of(self, norms: Floats) -> Floats:
        return np.asarray(self.area.bottom() - np.log(norms / self.low) * (self.area.height() / math.log(self.high / self.low)), np.float64)

    def y_of(self, norm: float) -> float:
        return float(self.ys_of(np.array([norm]))[0])

    def ticks(self) -> tuple[Tick, ...]:
        return log_ticks(self.low, self.high, max(2, int(self.area.height() / _LEAST_TICKS_APART)))


@dataclass(frozen=True, slots=True)
class CurvesMarks:
    """What stands out: the selected curve, the hovered one, the cursor's iteration and the role of its colour."""

    selected: Curve | None = None
    hovered: Curve | None = None
    current: int | None = None
    color_role: str = "accent.base"


def paint_norm_axis(painter: QPainter, frame: CurvesFrame, theme: Theme) -> None:
    for tick in frame.ticks():
        y = frame.y_of(tick.value)
        draw_text(painter, QRectF(frame.area.left() - 66, y - 7, 58, _LINE), tick.label, theme.font("caption"), theme.color("text.secondary"), _RIGHT)


def paint_curves(painter: QPainter, frame: CurvesFrame, curves: tuple[Curve, ...], first_iteration: int, marks: CurvesMarks, theme: Theme) -> None:
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
    grey = theme.color("plot.muted_series")
    pen = QPen(mix(grey, theme.color("surface.panel"), 0.2) if len(curves) > _MANY else grey, theme.px("line.curve"))
    pen.setCosmetic(True)  # Qt strokes lines wider than a device pixel fifty times slower
    for curve in curves:
        _paint_curve(painter, frame, curve, first_iteration, pen)
    if marks.hovered is not None:
        _paint_curve(painter, frame, marks.hovered, first_iteration, QPen(theme.color("text.primary"), 1.5))
    if marks.selected is not None:
        _paint_curve(painter, frame, marks.selected, first_iteration, QPen(theme.color("accent.base"), theme.px("line.curve_selected")))
    painter.restore()
    if marks.current is not None and frame.first <= marks.current + 0.5 <= frame.first + frame.iterations:
        x = float(frame.xs_of(np.array([marks.current + 0.5]))[0])
        painter.fillRect(QRectF(x - 0.75, frame.area.top() - 2, 1.5, frame.area.height() + 4), theme.color(marks.color_role))
    _paint_end_labels(painter, frame, curves, first_iteration, marks, theme)
    painter.restore()


def nearest_curve(frame: CurvesFrame, curves: tuple[Curve, ...], column: int, y: float, reach: float) -> int | None:
    """The curve whose norm in a column lies nearest to a height, at most ``reach`` pixels away."""
    best, nearest = None, reach
    for place, curve in enumerate(curves):
        norm = float(curve.norms[column])
        if math.isfinite(norm) and norm > 0 and abs(frame.y_of(norm) - y) <= nearest:
            best, nearest = place, abs(frame.y_of(norm) - y)
    return best


def _paint_curve(painter: QPainter, frame: CurvesFrame, curve: Curve, first_iteration: int, pen: QPen) -> None:
    begin = max(math.floor(frame.first) - first_iteration - 1, 0)
    end = max(math.ceil(frame.first + frame.iterations) - first_iteration + 1, begin)
    shown = curve.norms[begin:end]
    at, norms = curve_points(shown, max(int(frame.area.width()), 1))
    if not len(at):
        return
    painter.setBrush(Qt.BrushStyle.NoBrush)
    x, y = frame.xs_of(at + first_iteration + begin), frame.ys_of(norms)
    painter.setPen(pen)
    if len(at) == 1:
        painter.drawEllipse(QRectF(x[0] - 1, y[0] - 1, 2, 2))
        return
    breaks = np.flatnonzero(np.diff(at) > max(1.0, len(shown) / frame.area.width())) + 1  # draw the gap
    for part_x, part_y in zip(np.split(x, breaks), np.split(y, breaks), strict=True):
        painter.drawPolyline(polygon(part_x, part_y))


def _paint_end_labels(painter: QPainter, frame: CurvesFrame, curves: tuple[Curve, ...], first_iteration: int, marks: CurvesMarks, theme: Theme) -> None:
    """The hovered, the selected and the extreme curves, in that order, where a name does not touch another."""
    wanted = [(marks.hovered, "text.primary"), (marks.selected, "text.link"), *((curve, "text.secondary") for curve in extremes_of(curves))]
    taken: list[tuple[float, float]] = []
    named: set[str] = set()
    for curve, role in wanted:
        if curve is None or curve.name in named:
            continue
        last = max(math.ceil(frame.first + frame.iterations) - first_iteration, 0)
        _, norms = curve_points(curve.norms[:last], len(curve.norms))
        if not len(norms):
            continue
        font = theme.font("caption", "semibold" if role == "text.link" else None)
        lines = _two_lines(curve.name, lambda text, font=font: text_width(text, font) <= LABEL_ROOM)  # type: ignore[misc]
        half = _LINE * len(lines) / 2
        middle = min(max(frame.y_of(float(norms[-1])), frame.area.top() + half - 6), frame.area.bottom() - half + 6)
        if any(middle - half < end and middle + half > begin for begin, end in taken):
            continue
        named.add(curve.name)
        taken.append((middle - half, middle + half))
        for place, line in enumerate(lines):
            rect = QRectF(frame.area.right() + 5, middle - half + _LINE * place, LABEL_ROOM, _LINE)
            draw_text(painter, rect, line, font, theme.color(role), mode=Qt.TextElideMode.ElideRight)


def _two_lines(name: str, fits: Callable[[str], bool]) -> list[str]:
    """A parameter's name for the room at a line's end: whole, else its module above and its own name below, shortened where that takes it."""
    if fits(name):
        return [name]
    module, _, own = name.rpartition(".")
    return [short_name(part, fits) for part in (module, own) if part]
