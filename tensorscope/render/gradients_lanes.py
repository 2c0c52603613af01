"""Paints the lanes under the gradient map: learning rates and loss scale as lines, accumulated, clipped and skipped steps as marks."""

from __future__ import annotations

import math
from typing import Final

import numpy as np
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter

from tensorscope.language import tr
from tensorscope.render.gradients_geometry import GradientsGeometry
from tensorscope.render.shapes import polygon
from tensorscope.render.text import draw_text
from tensorscope.render.theme import Theme
from tensorscope.viewmodel.gradient_lanes import GradientLanes, Lane, StepMark

MARK_ROLES: Final = {StepMark.ACCUMULATED: "text.tertiary", StepMark.CLIPPED: "text.strong", StepMark.SKIPPED: "severity.warning"}
_RIGHT: Final = Qt.AlignmentFlag.AlignRight
_LEAST_MARK: Final = 2.0  # pixels


def paint_lanes(painter: QPainter, geometry: GradientsGeometry, lanes: GradientLanes, theme: Theme, current: int | None) -> None:
    if not geometry.marks.isEmpty():
        _paint_title(painter, geometry, geometry.marks, tr("steps"), theme)
        _paint_marks(painter, geometry, lanes, theme)
    for rect, lane in zip(geometry.lanes, lanes.lines, strict=False):
        _paint_title(painter, geometry, rect, lane.title, theme)
        _paint_line(painter, geometry, rect, lane, lanes.first_iteration, theme)
        at = (current if current is not None else lanes.first_iteration + len(lane.values) - 1) - lanes.first_iteration
        if 0 <= at < len(lane.values) and math.isfinite(lane.values[at]):
            room = QRectF(rect.right() + 6, rect.top(), 62, rect.height())
            draw_text(painter, room, short_number(float(lane.values[at])), theme.font("caption"), theme.color("text.secondary"))


def paint_mark(painter: QPainter, kind: StepMark, rect: QRectF, theme: Theme) -> None:
    """Accumulated stands low, clipped is a lid on top, skipped fills the height: all three can be seen at once."""
    color = theme.color(MARK_ROLES[kind])
    match kind:
        case StepMark.SKIPPED:
            painter.fillRect(rect, color)
        case StepMark.CLIPPED:
            painter.fillRect(QRectF(rect.left(), rect.top(), rect.width(), 3), color)
        case _:
            painter.fillRect(QRectF(rect.left(), rect.bottom() - 4, rect.width(), 4), color)


def short_number(value: float) -> str:
    """``0.0003``, ``2.5e-5``, ``65,536``."""
    if value == round(value) and abs(value) < 1e8:
        return f"{value:,.0f}"
    return f"{value:.4g}".replace("e-0", "e-").replace("e+0", "e")


def _paint_title(painter: QPainter, geometry: GradientsGeometry, rect: QRectF, title: str, theme: Theme) -> None:
    room = QRectF(geometry.left + 2, rect.center().y() - 7, geometry.map.left() - geometry.left - 10, 14)
    draw_text(painter, room, title, theme.font("caption"), theme.color("text.secondary"), _RIGHT)


def _paint_marks(painter: QPainter, geometry: GradientsGeometry, lanes: GradientLanes, theme: Theme) -> None:
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
    painter.setClipRect(geometry.marks)
    painter.fillRect(geometry.marks, theme.color("surface.field"))
    step = 1
    while geometry.column_width * step < _LEAST_MARK:
        step *= 2
    first = max(int(geometry.first_iteration) - lanes.first_iteration, 0) // step * step
    last = math.ceil(geometry.first_iteration + geometry.iterations) - lanes.first_iteration
    marks = lanes.window(first, last, step)
    width = geometry.column_width * step
    gap = 1.0 if width >= 4 else 0.0
    for kind in (StepMark.SKIPPED, StepMark.ACCUMULATED, StepMark.CLIPPED):
        for place in np.flatnonzero(marks & kind).tolist():
            x = geometry.x_of(lanes.first_iteration + first + place * step)
            paint_mark(painter, kind, QRectF(x, geometry.marks.top() + 1, max(width - gap, 1.0), geometry.marks.height() - 2), theme)
    painter.restore()


def _paint_line(painter: QPainter, geometry: GradientsGeometry, rect: QRectF, lane: Lane, first_iteration: int, theme: Theme) -> None:
    """A step line, the lowest value at the bottom; one that never changes runs through the middle."""
    begin = max(int(geometry.first_iteration) - first_iteration, 0)
    end = min(math.ceil(geometry.first_iteration + geometry.iterations) - first_iteration + 1, len(lane.values))
    values = lane.values[begin:end]
    changes = np.flatnonzero(np.diff(values, prepend=np.nan) != 0)
    changes = changes[np.isfinite(values[changes])]
    if not len(changes):
        return
    if len(changes) > 2 * rect.width():
        changes = changes[:: math.ceil(len(changes) / (2 * rect.width()))]
    kept = values[changes]
    share = np.full(len(kept), 0.5) if lane.high <= lane.low else (kept - lane.low) / (lane.high - lane.low)
    left = geometry.map.left() + (changes + begin + first_iteration - geometry.first_iteration) * geometry.column_width
    last = geometry.map.left() + (begin + len(values) + first_iteration - geometry.first_iteration) * geometry.column_width
    right = np.append(left[1:], last)
    y = rect.bottom() - 3 - share * (rect.height() - 6)
    painter.save()
    painter.setClipRect(rect.adjusted(0, -1, 0, 1))
    painter.setPen(theme.pen("line.subtle"))
    painter.drawLine(rect.bottomLeft(), rect.bottomRight())
    painter.setPen(theme.pen("text.secondary", 1.25))
    painter.drawPolyline(polygon(np.stack([left, right], axis=1).ravel(), np.repeat(y, 2)))
    painter.restore()
