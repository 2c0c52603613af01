"""Paints the histograms of one row over time: numbers upwards, iterations to the right, the share of elements as colour; pale since the last sample."""

from __future__ import annotations

from typing import Final

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QImage, QPainter

from tensorscope.analysis.results import Floats
from tensorscope.render.gradients_geometry import GradientsGeometry
from tensorscope.render.gradients_map import LOWEST_SHADE
from tensorscope.render.text import draw_text
from tensorscope.render.theme import RAMP_SIZE, Theme
from tensorscope.units import MINUS
from tensorscope.viewmodel.gradient_spread import Spread

_RIGHT: Final = Qt.AlignmentFlag.AlignRight
_LABEL: Final = 13.0  # pixels from one number to the next
_PALE: Final = 0.55  # of the ground's colour in a column without a sample of its own
_ROOM: Final = 66.0


def paint_spread(painter: QPainter, geometry: GradientsGeometry, spread: Spread, theme: Theme, current: int | None, color_role: str) -> None:
    area = geometry.curves
    painter.save()
    painter.fillRect(area, theme.color("surface.field"))
    image = _image(geometry, spread, theme, max(int(area.width()), 1))
    painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, False)
    painter.drawImage(area, image)
    middle = area.top() + area.height() / 2
    half = area.height() / spread.rows / 2
    painter.setPen(theme.pen("line.control"))
    painter.drawLine(QPointF(area.left(), middle - half), QPointF(area.right(), middle - half))
    painter.drawLine(QPointF(area.left(), middle + half), QPointF(area.right(), middle + half))
    if current is not None and geometry.is_shown(current):
        x = geometry.x_of(current + 0.5)
        painter.fillRect(QRectF(x - 0.75, area.top() - 2, 1.5, area.height() + 4), theme.color(color_role))
    _paint_numbers(painter, area, spread, theme)
    for line, words in enumerate(spread.words()):
        room = QRectF(area.right() + 6, area.top() - 2 + 14 * line, _ROOM, 14)
        draw_text(painter, room, words, theme.font("caption"), theme.color("text.secondary"))
    painter.restore()


def _image(geometry: GradientsGeometry, spread: Spread, theme: Theme, columns: int) -> QImage:
    """One pixel a column and a row."""
    width = geometry.iterations / columns
    begins: Floats = geometry.first_iteration + np.arange(columns, dtype=np.float64) * width
    newest, is_inside = spread.samples_at(begins, width)
    beside_zero = np.delete(spread.shares, spread.rows // 2, axis=0)  # zeros, of a ReLU often most of all, would leave no colour for the rest
    most = float(beside_zero.max(initial=0.0)) or 1.0
    shares = np.minimum(np.where(newest >= 0, spread.shares[:, newest.clip(min=0)], 0.0) / most, 1.0)
    index = LOWEST_SHADE + np.sqrt(shares) * (RAMP_SIZE - 1 - LOWEST_SHADE)
    ground = np.uint32(theme.color("surface.field").rgb())
    pixels = np.where(shares > 0, theme.ramp("gradient_norm")[index.astype(np.intp)], ground)
    pixels = np.where(is_inside, pixels, _mixed(pixels, ground))
    is_bad = (newest >= 0) & (spread.nonfinite[newest.clip(min=0)] > 0) & is_inside
    pixels[:: spread.rows - 1, is_bad] = np.uint32(theme.color("severity.error").rgb())  # beyond all numbers on both sides
    pixels = np.ascontiguousarray(pixels.astype(np.uint32))
    return QImage(pixels.data, columns, spread.rows, columns * 4, QImage.Format.Format_RGB32).copy()


def _mixed(pixels: np.ndarray[tuple[int, ...], np.dtype[np.uint32]], ground: np.uint32) -> np.ndarray[tuple[int, ...], np.dtype[np.uint32]]:
    """Colours with some of the ground in them."""
    result = np.full(pixels.shape, 0xFF000000, np.uint32)
    for shift in (0, 8, 16):
        channel = ((pixels >> np.uint32(shift)) & np.uint32(255)) * (1 - _PALE) + int((int(ground) >> shift) & 255) * _PALE
        result |= channel.astype(np.uint32) << np.uint32(shift)
    return result


def _paint_numbers(painter: QPainter, area: QRectF, spread: Spread, theme: Theme) -> None:
    """Powers of ten on both sides, and zero."""
    taken: list[float] = []
    exponents = range(int(np.ceil(spread.low_power * np.log10(2))), int(np.floor((spread.high_power + 1) * np.log10(2))) + 1)
    values = [0.0] + [sign * 10.0**exponent for exponent in reversed(exponents) for sign in (1, -1)]
    for value in values:
        y = area.top() + spread.row_of(value) / spread.rows * area.height()
        if any(abs(y - other) < _LABEL for other in taken) or not area.top() - 1 <= y <= area.bottom() + 1:
            continue
        taken.append(y)
        size = abs(value)
        words = "0" if value == 0 else (MINUS if value < 0 else "") + (f"{size:g}" if 1e-3 <= size <= 1e3 else f"{size:.0e}".replace("e-0", "e-"))
        draw_text(painter, QRectF(area.left() - _ROOM, y - 7, _ROOM - 8, 14), words, theme.font("caption"), theme.color("text.secondary"), _RIGHT)
