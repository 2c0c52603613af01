"""Lucide's one-stroke icons in any colour of the theme, painted at the exact size and cached."""

from functools import cache
from threading import Lock
from typing import Final

from PySide6.QtCore import QByteArray, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QIcon, QImage, QPaintEngine, QPainter, QPixmap
from PySide6.QtSvg import QSvgRenderer

from tensorscope.render.resource_files import resource_path

_CURRENT_COLOR: Final = "currentColor"
_ONE_AT_A_TIME: Final = Lock()  # pictures are painted into files on workers, and a renderer is for one thread
_OF_SHAPES: Final = (QPaintEngine.Type.SVG, QPaintEngine.Type.Pdf)


@cache
def _svg(name: str) -> str:
    return resource_path(f"icons/{name}.svg").read_text(encoding="utf-8")


@cache
def _renderer(name: str, rgba: int, is_filled: bool) -> QSvgRenderer:
    text = _svg(name)
    if is_filled:
        text = text.replace('fill="none"', f'fill="{_CURRENT_COLOR}"', 1)
    return QSvgRenderer(QByteArray(text.replace(_CURRENT_COLOR, QColor.fromRgba(rgba).name()).encode()))


@cache
def _image(name: str, rgba: int, edge: int, is_filled: bool) -> QImage:
    """``edge`` in pixels of the image."""
    image = QImage(edge, edge, QImage.Format.Format_ARGB32_Premultiplied)
    image.fill(Qt.GlobalColor.transparent)
    with _ONE_AT_A_TIME, QPainter(image) as painter:
        painter.setOpacity(QColor.fromRgba(rgba).alphaF())
        _renderer(name, rgba, is_filled).render(painter, QRectF(0, 0, edge, edge))
    return image


def icon_image(name: str, color: QColor, size: float = 16, scale: float = 1.0, *, is_filled: bool = False) -> QImage:
    """The icon as a square image of ``size`` device-independent pixels; ``is_filled`` fills its outline (play, pause, circle)."""
    image = QImage(_image(name, color.rgba(), round(size * scale), is_filled))
    image.setDevicePixelRatio(scale)
    return image


def draw_icon(painter: QPainter, name: str, rect: QRectF, color: QColor, size: float | None = None, *, is_filled: bool = False) -> None:
    """Paint the icon in the middle of ``rect``, as large as fits unless ``size`` is given; sharp at every zoom, and as shapes into SVG and PDF."""
    edge = min(rect.width(), rect.height()) if size is None else size
    corner = QPointF(round(rect.center().x() - edge / 2), round(rect.center().y() - edge / 2))
    engine, device = painter.paintEngine(), painter.device()
    if engine is not None and engine.type() in _OF_SHAPES:
        _paint_shape(painter, name, QRectF(corner.x(), corner.y(), edge, edge), color, is_filled)
        return
    scale = (device.devicePixelRatio() if device is not None else 1.0) * abs(painter.worldTransform().m11())
    image = _image(name, color.rgba(), max(round(edge * scale), 1), is_filled)
    painter.drawImage(QRectF(corner.x(), corner.y(), image.width() / scale, image.height() / scale), image)


def _paint_shape(painter: QPainter, name: str, rect: QRectF, color: QColor, is_filled: bool) -> None:
    """Into a file of shapes: as shapes."""
    opacity = painter.opacity()
    painter.setOpacity(opacity * color.alphaF())
    with _ONE_AT_A_TIME:
        _renderer(name, color.rgba(), is_filled).render(painter, rect)
    painter.setOpacity(opacity)


def icon(name: str, color: QColor, disabled: QColor | None = None, size: float = 16, *, is_filled: bool = False) -> QIcon:
    """The icon for widgets, sharp at 100 % and 200 %."""
    result = QIcon()
    for scale in (1.0, 2.0):
        result.addPixmap(QPixmap.fromImage(icon_image(name, color, size, scale, is_filled=is_filled)))
        if disabled is not None:
            result.addPixmap(QPixmap.fromImage(icon_image(name, disabled, size, scale, is_filled=is_filled)), QIcon.Mode.Disabled)
    return result
