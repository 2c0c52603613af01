"""The mark of TensorScope: four bars in category colours."""

from typing import Final

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QImage, QPainter

from tensorscope.render.theme import Theme

MARK_WIDTH: Final = 17.0
MARK_HEIGHT: Final = 16.0
_BARS: Final = (("parameter", 8), ("activation", 12), ("input", 16), ("gradient", 10))


def paint_mark(painter: QPainter, left: float, bottom: float, theme: Theme, scale: float = 1.0) -> None:
    """The bars standing on ``bottom``, 17 by 16 pixels at scale 1."""
    for number, (name, height) in enumerate(_BARS):
        painter.fillRect(QRectF(left + number * 4.5 * scale, bottom - height * scale, 3.5 * scale, height * scale), theme.category(name))


def mark_image(theme: Theme, size: int = 64) -> QImage:
    """The mark as a window's icon."""
    image = QImage(size, size, QImage.Format.Format_ARGB32_Premultiplied)
    image.fill(Qt.GlobalColor.transparent)
    with QPainter(image) as painter:
        scale = size / (MARK_WIDTH + 3)
        paint_mark(painter, (size - MARK_WIDTH * scale) / 2, size / 2 + MARK_HEIGHT * scale / 2, theme, scale)
    return image
