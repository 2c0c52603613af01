"""Paints lines that a script printed: time, text in the colours that it asked for, links, hits of the search."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QPainter

from tensorscope.render.text import baseline, draw_text, text_width
from tensorscope.render.theme import Theme, mix, with_alpha
from tensorscope.units import format_time
from tensorscope.viewmodel.ansi import PLAIN, Style, StyledSpan
from tensorscope.viewmodel.output import OutputLine, links_of

TIME_WIDTH: Final = 74.0
LEFT: Final = 8.0
NARROW: Final = 420.0
_ROLES: Final = ("text.tertiary", "severity.error", "severity.ok", "severity.warning", "accent.base", "syntax.keyword", "syntax.function", "text.primary")


@dataclass(frozen=True, slots=True)
class OutputLook:
    is_selected: bool = False
    is_hovered: bool = False
    is_later: bool = False  # printed after the moment that is looked at
    wanted: str = ""
    is_hit_chosen: bool = False


def code_left(width: float) -> float:
    """Where the text begins."""
    return TIME_WIDTH + 10 if width >= NARROW else LEFT


def paint_output_line(painter: QPainter, rect: QRectF, line: OutputLine, look: OutputLook, shift: float, cwd: str, theme: Theme) -> None:
    """``shift`` is how far the text is scrolled to the right."""
    if look.is_selected:
        painter.fillRect(rect, theme.color("surface.selected"))
    elif look.is_hovered:
        painter.fillRect(rect, theme.color("surface.hover"))
    left = code_left(rect.width())
    if line.stream == "stderr":
        painter.fillRect(QRectF(rect.left(), rect.top(), 2, rect.height()), theme.color("line.control"))
    if left > LEFT:
        time = QRectF(rect.left(), rect.top(), TIME_WIDTH, rect.height())
        draw_text(painter, time, format_time(line.time_ns), theme.font("caption"), theme.color("text.tertiary"), Qt.AlignmentFlag.AlignRight)
    painter.save()
    painter.setClipRect(QRectF(rect.left() + left, rect.top(), rect.width() - left, rect.height()))
    painter.setOpacity(0.45 if look.is_later else 1.0)
    _paint_text(painter, rect, line, look, rect.left() + left - shift, cwd, theme)
    painter.restore()


def column_at(x: float, width: float, shift: float, theme: Theme) -> int:
    """The column under a place; negative left of the text."""
    return int((x - code_left(width) + shift) // text_width("0", theme.font("body", code=True)))


def _paint_text(painter: QPainter, rect: QRectF, line: OutputLine, look: OutputLook, left: float, cwd: str, theme: Theme) -> None:
    font = theme.font("body", code=True)
    advance = text_width("0", font)
    if look.wanted:
        _paint_hits(painter, rect, line.text, look, left, advance, theme)
    at = 0
    for span in (*line.spans, StyledSpan(len(line.text), len(line.text), PLAIN)):
        _paint_run(painter, rect, line.text, at, span.begin, PLAIN, left, advance, theme, is_error=line.is_error)
        _paint_run(painter, rect, line.text, span.begin, span.end, span.style, left, advance, theme)
        at = max(at, span.end)
    for begin, end, _ in links_of(line.text, cwd):
        y = baseline(rect, font) + 2
        painter.fillRect(QRectF(left + begin * advance, y, (end - begin) * advance, 1), theme.color("text.link"))


def _paint_run(
    painter: QPainter, rect: QRectF, text: str, begin: int, end: int, style: Style, left: float, advance: float, theme: Theme, *, is_error: bool = False
) -> None:
    if begin >= min(end, len(text)):
        return
    color, ground = _colors(style, theme)
    if is_error:
        color = theme.color("severity.error")
    where = QRectF(left + begin * advance, rect.top(), (end - begin) * advance, rect.height())
    if ground is not None:
        painter.fillRect(where, ground)
    font = QFont(theme.font("body", "medium" if style.is_bold else None, code=True))
    font.setItalic(style.is_italic)
    font.setUnderline(style.is_underlined)
    painter.setFont(font)
    painter.setPen(color)
    painter.drawText(QPointF(where.left(), baseline(rect, theme.font("body", code=True))), text[begin:end])


def _paint_hits(painter: QPainter, rect: QRectF, text: str, look: OutputLook, left: float, advance: float, theme: Theme) -> None:
    lower, wanted = text.lower(), look.wanted.lower()
    at = lower.find(wanted)
    while at >= 0:
        wash = with_alpha(theme.color("accent.base"), 0.55 if look.is_hit_chosen else 0.28)
        painter.fillRect(QRectF(left + at * advance, rect.top(), len(wanted) * advance, rect.height()), wash)
        at = lower.find(wanted, at + len(wanted))


def _colors(style: Style, theme: Theme) -> tuple[QColor, QColor | None]:
    """Of the text and of its ground, readable on the panel: the sixteen by their roles, true ones drawn towards the text's own."""
    text, panel = theme.color("text.primary"), theme.color("surface.panel")
    color = text if style.color is None else _color(style.color, theme)
    ground = None if style.ground is None else _color(style.ground, theme)
    if style.is_inverse:
        return (panel if ground is None else ground), color
    if ground is not None:
        ground = mix(ground, panel, 0.55)
    if style.is_dim:
        color = mix(color, panel, 0.4)
    return color, ground


def _color(number: int, theme: Theme) -> QColor:
    if number < 16:
        return theme.color(_ROLES[number % 8])
    rgb = number - 16
    return mix(QColor.fromRgb(rgb), theme.color("text.primary"), 0.25)
