"""Lucide's one-stroke icons in any colour of the theme, painted at the exact size and cached."""

from functools import cache
from typing import Final

from PySide6.QtCore import QByteArray, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QIcon, QImage, QPainter, QPixmap
from PySide6.QtSvg import QSvgRenderer

from tensorscope.render.resource_files import resource_path

_CURRENT_COLOR: Final = "currentColor"


@cache
def _svg(name: str) -> str:
    return resource_path(f"icons/{name}.svg").read_text(encoding="utf-8")


@cache
def _image(name: str, rgba: int, size: float, scale: float, is_filled: bool) -> QImage:
    color = QColor.fromRgba(rgba)
    text = _svg(name)
    if is_filled:
        text = text.replace('fill="none"', f'fill="{_CURRENT_COLOR}"', 1)
    renderer = QSvgRenderer(QByteArray(text.replace(_CURRENT_COLOR, color.name()).encode()))
    edge = round(size * scale)
    image = QImage(edge, edge, QImage.Format.Format_ARGB32_Premultiplied)
    image.fill(Qt.GlobalColor.transparent)
    with QPainter(image) as painter:
        painter.setOpacity(color.alphaF())
        renderer.render(painter, QRectF(0, 0, edge, edge))
    image.setDevicePixelRatio(scale)
    return image


def icon_image(name: str, color: QColor, size: float = 16, scale: float = 1.0, *, is_filled: bool = False) -> QImage:
    """The icon as a square image of ``size`` device-independent pixels; ``is_filled`` fills its outline (play, pause, circle)."""
    return _image(name, color.rgba(), size, scale, is_filled)


def draw_icon(painter: QPainter, name: str, rect: QRectF, color: QColor, size: float | None = None, *, is_filled: bool = False) -> None:
    """Paint the icon in the middle of ``rect``, as large as fits unless ``size`` is given."""
    edge = min(rect.width(), rect.height()) if size is None else size
    device = painter.device()
    image = icon_image(name, color, edge, device.devicePixelRatio() if device is not None else 1.0, is_filled=is_filled)
    painter.drawImage(QPointF(round(rect.center().x() - edge / 2), round(rect.center().y() - edge / 2)), image)


def icon(name: str, color: QColor, disabled: QColor | None = None, size: float = 16, *, is_filled: bool = False) -> QIcon:
    """The icon for widgets, sharp at 100 % and 200 %."""
    result = QIcon()
    for scale in (1.0, 2.0):
        result.addPixmap(QPixmap.fromImage(icon_image(name, color, size, scale, is_filled=is_filled)))
        if disabled is not None:
            result.addPixmap(QPixmap.fromImage(icon_image(name, disabled, size, scale, is_filled=is_filled)), QIcon.Mode.Disabled)
    return result
