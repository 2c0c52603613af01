"""The whole graph of a backward as a picture that stands alone: the panel's own painter under a line that says what run it is."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from math import ceil, floor
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QLineF, QRectF, Qt
from PySide6.QtGui import QImage, QPainter

from tensorscope.export.files import write_atomically
from tensorscope.export.memory_picture import SCREEN_DPI, date_of, script_of
from tensorscope.export.png_strips import write_png
from tensorscope.render.graph import Viewport, paint_graph
from tensorscope.render.graph_legend import paint_legend
from tensorscope.render.pdf import paint_pdf
from tensorscope.render.svg import paint_svg
from tensorscope.render.text import draw_text, text_width
from tensorscope.render.theme import Theme
from tensorscope.units import plural
from tensorscope.viewmodel.graph import GraphView

_TITLE: Final = 34.0
_LEGEND: Final = 24.0
_MARGIN: Final = 20.0
_LEAST_WIDTH: Final = 560.0
_TILE: Final = 2048  # image pixels a side that are painted at a time


@dataclass(frozen=True, slots=True)
class GraphPictureOptions:
    """``dpi`` 96 gives one image pixel each."""

    theme: str = "dark"
    dpi: int = SCREEN_DPI
    facts: Mapping[str, Any] = field(default_factory=dict)


def save_graph_png(path: Path, view: GraphView, options: GraphPictureOptions) -> None:
    """Painted in tiles, so that its size has no limit. Needs a QGuiApplication. Raises TensorScopeError where the file cannot be written."""
    scale = options.dpi / SCREEN_DPI
    page = page_of(view)
    width, height = ceil(page.width() * scale), ceil(page.height() * scale)
    write_atomically(path, lambda target: write_png(target, width, height, options.dpi, _strips(view, options, scale, width, height)))


def save_graph_svg(path: Path, view: GraphView, options: GraphPictureOptions) -> None:
    """Boxes and lines as shapes, words as text. Needs a QGuiApplication. Raises TensorScopeError where the file cannot be written."""
    _save_shapes(path, view, options, paint_svg)


def save_graph_pdf(path: Path, view: GraphView, options: GraphPictureOptions) -> None:
    """One page in the design of the screen, its fonts embedded. Needs a QGuiApplication. Raises TensorScopeError where the file cannot be written."""
    _save_shapes(path, view, options, paint_pdf)


def _save_shapes(path: Path, view: GraphView, options: GraphPictureOptions, store: Callable[[Path, int, int, str, Callable[[QPainter], None]], None]) -> None:
    page = page_of(view)
    title = f"{script_of(options.facts)}, {_what(view)}, {date_of(options.facts)}"
    width, height = ceil(page.width()), ceil(page.height())
    write_atomically(path, lambda target: store(target, width, height, title, lambda painter: paint_graph_page(painter, view, options, page)))


def page_of(view: GraphView) -> QRectF:
    """Title, graph with a margin, legend."""
    width = max(view.scene.width + 2 * _MARGIN, _LEAST_WIDTH)
    return QRectF(0, 0, ceil(width), ceil(_TITLE + view.scene.height + 2 * _MARGIN + _LEGEND))


def paint_graph_page(painter: QPainter, view: GraphView, options: GraphPictureOptions, part: QRectF) -> None:
    """What of the page lies in ``part``, whose sides are whole numbers."""
    theme, page = Theme.named(options.theme), page_of(view)
    painter.fillRect(part, theme.color("surface.panel"))
    graph = QRectF(0, _TITLE, page.width(), page.height() - _TITLE - _LEGEND).intersected(part)
    if not graph.isEmpty():
        left = (page.width() - view.scene.width) // 2
        painter.save()
        painter.translate(graph.topLeft())
        viewport = Viewport(graph.left() - left, graph.top() - _TITLE - _MARGIN, 1.0, graph.width(), graph.height())
        paint_graph(painter, view, viewport, theme, has_dots=False, is_whole=True)
        painter.restore()
    if part.top() < _TITLE:
        _paint_title(painter, QRectF(0, 0, page.width(), _TITLE), view, options.facts, theme)
    if part.bottom() > page.height() - _LEGEND:
        paint_legend(painter, QRectF(0, page.height() - _LEGEND, page.width(), _LEGEND), theme, None, view)


def _strips(view: GraphView, options: GraphPictureOptions, scale: float, width: int, height: int) -> Iterator[NDArray[np.uint8]]:
    """[rows, width, 3] from top to bottom."""
    for top in range(0, height, _TILE):
        rows = min(_TILE, height - top)
        strip = np.empty((rows, width, 3), np.uint8)
        for left in range(0, width, _TILE):
            columns = min(_TILE, width - left)
            strip[:, left : left + columns] = _tile(view, options, scale, left, top, columns, rows)
        yield strip


def _tile(view: GraphView, options: GraphPictureOptions, scale: float, left: int, top: int, width: int, height: int) -> NDArray[np.uint8]:
    image = QImage(width, height, QImage.Format.Format_RGB32)
    with QPainter(image) as painter:
        painter.translate(-left, -top)
        painter.scale(scale, scale)
        x, y = floor(left / scale), floor(top / scale)
        paint_graph_page(painter, view, options, QRectF(x, y, ceil((left + width) / scale) - x, ceil((top + height) / scale) - y))
    pixels = image.convertToFormat(QImage.Format.Format_RGB888)
    rows = np.frombuffer(pixels.constBits(), np.uint8).reshape(height, pixels.bytesPerLine())
    return rows[:, : width * 3].reshape(height, width, 3).copy()


def _paint_title(painter: QPainter, rect: QRectF, view: GraphView, facts: Mapping[str, Any], theme: Theme) -> None:
    inner = rect.adjusted(theme.px("space.panel_padding_x"), 0, -theme.px("space.panel_padding_x"), 0)
    painter.fillRect(rect, theme.color("surface.panel"))
    date, caption = date_of(facts), theme.font("caption")
    draw_text(painter, inner, date, caption, theme.color("text.secondary"), Qt.AlignmentFlag.AlignRight)
    inner.adjust(0, 0, -text_width(date, caption) - 12, 0)
    used = draw_text(painter, inner, script_of(facts), theme.font("title"), theme.color("text.strong")) + 12
    draw_text(painter, inner.adjusted(used, 0, 0, 0), _what(view), theme.font("body"), theme.color("text.primary"))
    painter.setPen(theme.pen("line.subtle"))
    painter.drawLine(QLineF(rect.left(), rect.bottom(), rect.right(), rect.bottom()))


def _what(view: GraphView) -> str:
    return f"backward {view.graph.backward} · iteration {view.graph.iteration} · {plural(len(view.graph.nodes), 'node')}"
