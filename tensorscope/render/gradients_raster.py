"""Paints many long curves at once: a pixel column of a curve is the stretch between its lowest and highest point there, and stretches are summed, not stroked.

Qt strokes a noisy line of 2,000 points in 2 ms; fifty of them are far more than a frame.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from PySide6.QtCore import QPointF
from PySide6.QtGui import QColor, QImage, QPainter

from tensorscope.analysis.results import Floats
from tensorscope.render.gradients_frame import CurvesFrame
from tensorscope.viewmodel.gradient_curves import Curve


def paint_dense(painter: QPainter, frame: CurvesFrame, curves: Sequence[Curve], first_iteration: int, color: QColor, width: float) -> None:
    """All ``curves`` (of equal length) in one colour, ``width`` pixels thick, at the device's resolution."""
    device = painter.device()
    scale = device.devicePixelRatio() if device is not None else 1.0
    columns, height = max(int(frame.area.width() * scale), 1), max(int(frame.area.height() * scale), 1)
    low, high = _stretches(frame, curves, first_iteration, columns)
    with np.errstate(invalid="ignore"):
        top, bottom = (1 - frame.scale.shares(high)) * height, (1 - frame.scale.shares(low)) * height
    top, bottom = _joined(top, bottom)
    thick = max(round(width * scale), 1) - 1
    is_there = np.isfinite(top) & np.isfinite(bottom) & (bottom >= -0.5) & (top <= height + 0.5)
    begin = np.clip(np.where(is_there, top - thick / 2, 0), 0, height - 1).astype(np.intp)
    end = np.clip(np.where(is_there, bottom + thick / 2, 0), 0, height - 1).astype(np.intp) + 1
    column = np.broadcast_to(np.arange(columns), begin.shape)
    change = np.bincount((begin * columns + column)[is_there], minlength=(height + 1) * columns).astype(np.int64)
    change -= np.bincount((end * columns + column)[is_there], minlength=(height + 1) * columns)
    is_painted = np.cumsum(change.reshape(height + 1, columns)[:height], axis=0) > 0
    pixels = np.where(is_painted, np.uint32(color.rgba()), np.uint32(0))
    image = QImage(pixels.data, columns, height, columns * 4, QImage.Format.Format_ARGB32)
    image.setDevicePixelRatio(scale)
    painter.drawImage(QPointF(frame.area.topLeft()), image)


def _stretches(frame: CurvesFrame, curves: Sequence[Curve], first_iteration: int, columns: int) -> tuple[Floats, Floats]:
    """Lowest and highest value of each curve in each pixel column [curves, columns]; nan where there is none."""
    per_column = frame.iterations / columns
    edges: Floats = (frame.first - first_iteration + np.arange(columns + 1) * per_column).astype(np.float64)
    if per_column <= 1:
        return _between(curves, edges)
    step = 1
    while step * 2 <= per_column:
        step *= 2
    borders = np.clip((edges / step).astype(np.intp), 0, -(-len(curves[0].norms) // step))
    first, last = int(borders[0]), int(borders[-1])
    low = np.stack([curve.extremes(step)[0][first:last] for curve in curves])
    high = np.stack([curve.extremes(step)[1][first:last] for curve in curves])
    lows, highs = np.full((len(curves), columns), np.nan), np.full((len(curves), columns), np.nan)
    filled = np.flatnonzero(np.diff(borders))
    if len(filled):
        starts = borders[filled] - first
        lows[:, filled], highs[:, filled] = np.minimum.reduceat(low, starts, axis=1), np.maximum.reduceat(high, starts, axis=1)
    is_none = ~(lows <= highs)
    lows[is_none] = highs[is_none] = np.nan
    return lows, highs


def _between(curves: Sequence[Curve], edges: Floats) -> tuple[Floats, Floats]:
    """Where columns are narrower than an iteration: the line from each value to the next, at the column's two edges."""
    count = len(curves[0].norms)
    at = np.clip(edges - 0.5, 0, max(count - 1, 0))
    left = np.minimum(at.astype(np.intp), count - 1)
    right = np.minimum(left + 1, count - 1)
    share = at - left
    begin, end = int(left[0]), int(right[-1]) + 1
    norms = np.stack([curve.norms[begin:end] for curve in curves])
    logs = np.log(np.where(norms > 0, norms, np.nan))
    lines = np.exp(logs[:, left - begin] * (1 - share) + logs[:, right - begin] * share)
    return np.fmin(lines[:, :-1], lines[:, 1:]), np.fmax(lines[:, :-1], lines[:, 1:])


def _joined(top: Floats, bottom: Floats) -> tuple[Floats, Floats]:
    """Every stretch reaching to the next one, so that a line has no holes."""
    upper, lower = top.copy(), bottom.copy()
    upper[:, :-1] = np.fmin(top[:, :-1], np.where(np.isnan(bottom[:, 1:]), np.inf, bottom[:, 1:]))
    lower[:, :-1] = np.fmax(bottom[:, :-1], np.where(np.isnan(top[:, 1:]), -np.inf, top[:, 1:]))
    upper[np.isnan(top)] = np.nan
    lower[np.isnan(bottom)] = np.nan
    return upper, lower
