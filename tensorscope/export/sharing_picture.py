"""The sharing graph of a storage as a picture that stands alone: the panel's own painter under a line that says what it shows."""

from collections.abc import Mapping
from math import ceil
from pathlib import Path
from typing import Any, Final

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QImage, QPainter

from tensorscope.export.files import write_atomically
from tensorscope.export.image_file import save_png
from tensorscope.export.memory_picture import date_of, script_of
from tensorscope.language import tr
from tensorscope.render.sharing import paint_sharing
from tensorscope.render.svg import paint_svg
from tensorscope.render.text import draw_text, text_width
from tensorscope.render.theme import Theme
from tensorscope.viewmodel.sharing import SharingScene

_TITLE: Final = 34.0
_MARGIN: Final = 20.0
_LEAST_WIDTH: Final = 480.0
_SCALE: Final = 2  # of a PNG


def save_sharing_picture(path: Path, scene: SharingScene, theme: str, facts: Mapping[str, Any]) -> None:
    """SVG where the name ends so, else PNG at twice the size. Needs a QGuiApplication. Raises TensorScopeError where the file cannot be written."""
    width, height = page_size(scene)
    if path.suffix == ".svg":
        title = f"{script_of(facts)}, {scene.item.name}"
        write_atomically(path, lambda target: paint_svg(target, width, height, title, lambda painter: paint_sharing_page(painter, scene, theme, facts)))
        return
    image = QImage(width * _SCALE, height * _SCALE, QImage.Format.Format_RGB32)
    image.setDevicePixelRatio(_SCALE)
    with QPainter(image) as painter:
        paint_sharing_page(painter, scene, theme, facts)
    save_png(path, image)


def page_size(scene: SharingScene) -> tuple[int, int]:
    """Title, then the graph with a margin."""
    return ceil(max(scene.width + 2 * _MARGIN, _LEAST_WIDTH)), ceil(_TITLE + scene.height + 2 * _MARGIN)


def paint_sharing_page(painter: QPainter, scene: SharingScene, theme_name: str, facts: Mapping[str, Any]) -> None:
    theme = Theme.named(theme_name)
    width, height = page_size(scene)
    painter.fillRect(QRectF(0, 0, width, height), theme.color("surface.panel"))
    head = QRectF(_MARGIN, 0, width - 2 * _MARGIN, _TITLE)
    date, caption = date_of(facts), theme.font("caption")
    draw_text(painter, head, date, caption, theme.color("text.secondary"), Qt.AlignmentFlag.AlignRight)
    head.adjust(0, 0, -text_width(date, caption) - 12, 0)
    used = draw_text(painter, head, script_of(facts), theme.font("title"), theme.color("text.strong")) + 12
    draw_text(painter, head.adjusted(used, 0, 0, 0), f"{tr('sharing graph')} · {scene.item.name}", theme.font("body"), theme.color("text.primary"))
    painter.fillRect(QRectF(0, _TITLE, width, 1), theme.color("line.subtle"))
    painter.save()
    painter.translate(max((width - scene.width) / 2, _MARGIN), _TITLE + _MARGIN)
    paint_sharing(painter, scene, theme)
    painter.restore()
