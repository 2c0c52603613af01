"""A picture that is painted once and shown until it changes."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QRectF, QSize
from PySide6.QtGui import QPainter, QPixmap


class KeptPicture:
    """``draw`` paints anew after ``forget``, at another size and at another scale of the painter's device."""

    def __init__(self) -> None:
        self._picture: QPixmap | None = None

    def forget(self) -> None:
        self._picture = None

    def draw(self, painter: QPainter, size: QSize, paint: Callable[[QPainter, QRectF], None]) -> None:
        scale = max(painter.deviceTransform().m11(), 0.1)  # also right when the window is painted into a picture of higher resolution
        pixels = QSize(round(size.width() * scale), round(size.height() * scale))
        if self._picture is None or self._picture.size() != pixels or self._picture.devicePixelRatio() != scale:
            self._picture = QPixmap(pixels)
            self._picture.setDevicePixelRatio(scale)
            self._picture.fill("transparent")
            with QPainter(self._picture) as inner:
                paint(inner, QRectF(0, 0, size.width(), size.height()))
        painter.drawPixmap(0, 0, self._picture)
