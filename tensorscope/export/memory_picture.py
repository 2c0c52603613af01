"""The memory timeline as a picture that stands alone: the panel's own painter under a line that says what run it is."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path, PurePath
from typing import Any, Final

from PySide6.QtCore import QLineF, QRectF, Qt
from PySide6.QtGui import QImage, QPainter

from tensorscope.analysis.results import CATEGORIES
from tensorscope.export.files import unwritable, write_atomically
from tensorscope.export.image_file import save_png
from tensorscope.render.memory import paint_memory, plot_size
from tensorscope.render.svg import paint_svg
from tensorscope.render.text import draw_text
from tensorscope.render.theme import Theme
from tensorscope.units import format_bytes
from tensorscope.viewmodel.memory import MemoryModel, MemoryView, category_bytes_at, peak_moment, view_memory
from tensorscope.viewmodel.memory_axis import EventAxis

INCH: Final = 0.0254
SCREEN_DPI: Final = 96
_TITLE: Final = 34.0
_LEGEND: Final = 26.0


@dataclass(frozen=True, slots=True)
class PictureOptions:
    """``width`` × ``height`` in device-independent pixels; ``dpi`` 96 gives one image pixel each."""

    width: int = 1600
    height: int = 900
    dpi: int = SCREEN_DPI
    theme: str = "dark"
    range_ns: tuple[int, int] | None = None
    cursor_ns: int | None = None
    facts: Mapping[str, Any] = field(default_factory=dict)
    is_by_events: bool = False  # the x axis counts allocations and frees, not time


def save_memory_png(path: Path, model: MemoryModel, options: PictureOptions) -> None:
    """Needs a QGuiApplication. Raises TensorScopeError where the file cannot be written."""
    scale = options.dpi / SCREEN_DPI
    image = QImage(round(options.width * scale), round(options.height * scale), QImage.Format.Format_RGB32)
    if image.isNull():
        raise unwritable(path, f"a picture of {options.width} × {options.height} at {options.dpi} dpi is too large")
    image.setDevicePixelRatio(scale)
    image.setDotsPerMeterX(round(options.dpi / INCH))
    image.setDotsPerMeterY(round(options.dpi / INCH))
    with QPainter(image) as painter:
        paint_memory_picture(painter, model, options, scale)
    save_png(path, image)


def save_memory_svg(path: Path, model: MemoryModel, options: PictureOptions) -> None:
    """Bands and lines as shapes, words as text. Needs a QGuiApplication. Raises TensorScopeError where the file cannot be written."""

    def write(target: Path) -> None:
        title = f"{script_of(options.facts)}, {model.timeline.device}, {date_of(options.facts)}"
        paint_svg(target, options.width, options.height, title, lambda painter: paint_memory_picture(painter, model, options, 1.0))

    write_atomically(path, write)


def paint_memory_picture(painter: QPainter, model: MemoryModel, options: PictureOptions, scale: float) -> None:
    """Title, timeline, legend."""
    theme = Theme.named(options.theme)
    page = QRectF(0, 0, options.width, options.height)
    painter.fillRect(page, theme.color("surface.panel"))
    plot = page.adjusted(4, _TITLE, -4, -_LEGEND)
    width, height = plot_size(plot, theme)
    axis = EventAxis.of(model.timeline.times_ns) if options.is_by_events else None
    view = view_memory(model, options.range_ns, round(width * scale), height, options.cursor_ns, with_cursor=False, axis=axis)
    paint_memory(painter, plot, view, theme)
    _paint_title(painter, QRectF(0, 0, page.width(), _TITLE), model, options.facts, theme)
    _paint_legend(painter, QRectF(0, plot.bottom(), page.width(), _LEGEND), model, view, theme)


def _paint_title(painter: QPainter, rect: QRectF, model: MemoryModel, facts: Mapping[str, Any], theme: Theme) -> None:
    inner = rect.adjusted(theme.px("space.panel_padding_x"), 0, -theme.px("space.panel_padding_x"), 0)
    peak = peak_moment(model)
    used = draw_text(painter, inner, script_of(facts), theme.font("title"), theme.color("text.strong")) + 12
    used += draw_text(painter, inner.adjusted(used, 0, 0, 0), model.timeline.device, theme.font("body"), theme.color("text.primary")) + 12
    if peak is not None:
        words = f"peak {format_bytes(peak.bytes)}"
        used += draw_text(painter, inner.adjusted(used, 0, 0, 0), words, theme.font("body", "semibold"), theme.color("text.primary")) + 12
    draw_text(painter, inner.adjusted(used, 0, 0, 0), date_of(facts), theme.font("body"), theme.color("text.secondary"), Qt.AlignmentFlag.AlignRight)
    painter.setPen(theme.pen("line.subtle"))
    painter.drawLine(QLineF(rect.left(), rect.bottom(), rect.right(), rect.bottom()))


def _paint_legend(painter: QPainter, rect: QRectF, model: MemoryModel, view: MemoryView, theme: Theme) -> None:
    """The categories that are seen, with their bytes at the peak."""
    peak = peak_moment(model)
    at_peak = category_bytes_at(model.timeline, peak.time_ns) if peak else [0] * len(CATEGORIES)
    font, x = theme.font("caption"), rect.left() + theme.px("timeline.axis_left") + 4
    for number, name in enumerate(CATEGORIES):
        if number in model.hidden or not (at_peak[number] or view.category_bytes[number].any()):
            continue
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.category_brush(name))
        painter.drawRoundedRect(QRectF(x, rect.center().y() - 4.5, 9, 9), 2, 2)
        label, size = theme.category_label(name), format_bytes(int(at_peak[number]))
        x += 14 + draw_text(painter, rect.adjusted(x + 14, 0, 0, 0), label, font, theme.color("text.primary")) + 6
        x += draw_text(painter, rect.adjusted(x, 0, 0, 0), size, font, theme.color("text.secondary")) + 18
    draw_text(painter, rect.adjusted(x, 0, -12, 0), "bytes at the peak", font, theme.color("text.tertiary"), Qt.AlignmentFlag.AlignRight)


def script_of(facts: Mapping[str, Any]) -> str:
    """``train.py`` for a path, ``-m package`` as it is."""
    script = str(facts.get("script") or "")
    return PurePath(script).name or "memory timeline"


def date_of(facts: Mapping[str, Any]) -> str:
    """When the run began, local time; "" where that is not on record."""
    begin = int(facts.get("wall_begin_ns") or 0)
    return time.strftime("%Y-%m-%d %H:%M", time.localtime(begin / 1e9)) if begin else ""
