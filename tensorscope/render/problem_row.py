"""Paints one row of the problems: severity, sentence, place, iterations; a sentence that does not fit beside its place stands above it, whole."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QFont, QFontMetricsF, QPainter

from tensorscope.render.icons import draw_icon
from tensorscope.render.text import draw_text, elide, text_width
from tensorscope.render.theme import Theme
from tensorscope.viewmodel.problems import ProblemRow

LEFT: Final = 12.0
GAP: Final = 12.0
LINE: Final = 16.0  # of a sentence that takes several
PADDING: Final = 4.0
MOST_LINES: Final = 5
_RIGHT: Final = Qt.AlignmentFlag.AlignRight


def problem_row_height(row: ProblemRow, width: float, theme: Theme) -> int:
    """In pixels, for a list that is ``width`` wide."""
    lines = _lines(row, width, theme)
    one = round(theme.px("size.row.comfortable"))
    if not lines:
        return one
    return round(2 * PADDING + lines * LINE + (LINE if row.place or row.when else 0))


def paint_problem_row(painter: QPainter, rect: QRectF, row: ProblemRow, theme: Theme, *, is_chosen: bool, is_hovered: bool) -> QRectF:
    """Returns where its place stands, which is a link (empty where there is none)."""
    if is_chosen or is_hovered:
        painter.fillRect(rect, theme.color("surface.selected" if is_chosen else "surface.hover"))
    lines = _lines(row, rect.width(), theme)
    inner = _inner(rect, theme)
    first = QRectF(rect.left() + LEFT, rect.top() + (PADDING if lines else 0), inner.width(), LINE if lines else rect.height())
    is_related = row.related is not None
    icon = "corner-down-right" if is_related else theme.value(f"severity.{row.finding.severity}.icon")
    color = theme.color("text.tertiary" if is_related else f"severity.{row.finding.severity}")
    draw_icon(painter, icon, QRectF(first.left(), first.top(), theme.px("size.icon.panel"), first.height()), color, theme.px("size.icon.panel"))
    font, words = _font(row, theme), theme.color("text.secondary" if is_related else "text.primary")
    small = theme.font("body", "regular")
    if not lines:
        draw_text(painter, inner, row.when, small, theme.color("text.secondary"), _RIGHT)
        right = inner.right() - (text_width(row.when, small) + GAP if row.when else 0)
        link = _paint_place(painter, QRectF(inner.left(), rect.top(), right - inner.left(), rect.height()), row, theme, _RIGHT)
        draw_text(
            painter,
            QRectF(inner.left(), rect.top(), (link.left() - GAP if not link.isEmpty() else right) - inner.left(), rect.height()),
            row.words,
            font,
            words,
        )
        return link
    painter.setFont(font)
    painter.setPen(words)
    sentence = QRectF(inner.left(), first.top(), inner.width(), lines * LINE)
    painter.save()
    painter.setClipRect(sentence)
    painter.drawText(sentence, int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop) | int(Qt.TextFlag.TextWordWrap), row.words)
    painter.restore()
    below = QRectF(inner.left(), sentence.bottom(), inner.width(), LINE)
    draw_text(painter, below, row.when, small, theme.color("text.secondary"), _RIGHT)
    return _paint_place(painter, below, row, theme, Qt.AlignmentFlag.AlignLeft)


def _lines(row: ProblemRow, width: float, theme: Theme) -> int:
    """Lines that the sentence takes above its place; 0 where all stands in one row."""
    font, small = _font(row, theme), theme.font("body", "regular")
    room = _inner(QRectF(0, 0, width, 0), theme).width()
    beside = sum(text_width(words, small) + GAP for words in (row.place, row.when) if words)
    if text_width(row.words, font) + beside <= room:
        return 0
    metrics = QFontMetricsF(font)
    height = metrics.boundingRect(QRectF(0, 0, room, 10_000), int(Qt.TextFlag.TextWordWrap), row.words).height()
    return min(max(round(height / metrics.lineSpacing()), 1), MOST_LINES)


def _inner(rect: QRectF, theme: Theme) -> QRectF:
    """Right of the icon."""
    return rect.adjusted(LEFT + theme.px("size.icon.panel") + theme.px("space.icon_to_text"), 0, -LEFT, 0)


def _font(row: ProblemRow, theme: Theme) -> QFont:
    return theme.font("body", "regular" if row.related is not None else "medium")


def _paint_place(painter: QPainter, room: QRectF, row: ProblemRow, theme: Theme, align: Qt.AlignmentFlag) -> QRectF:
    font = theme.font("body", "regular")
    place = elide(row.place, font, room.width() * 0.7, Qt.TextElideMode.ElideLeft)
    if not place:
        return QRectF()
    width = text_width(place, font)
    link = QRectF(room.right() - width if align & _RIGHT else room.left(), room.top(), width, room.height())
    draw_text(painter, link.adjusted(-1, 0, 1, 0), place, font, theme.color("text.link"), align)
    return link
