"""Paints one row of the problems: severity, sentence, place, iterations."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter

from tensorscope.render.icons import draw_icon
from tensorscope.render.text import draw_text, elide, text_width
from tensorscope.render.theme import Theme
from tensorscope.viewmodel.problems import ProblemRow

LEFT: Final = 12.0
GAP: Final = 12.0
SHORTEST_SENTENCE: Final = 140.0


def paint_problem_row(painter: QPainter, rect: QRectF, row: ProblemRow, theme: Theme, *, is_chosen: bool, is_hovered: bool) -> QRectF:
    """Returns where its place stands, which is a link (empty where there is none)."""
    if is_chosen or is_hovered:
        painter.fillRect(rect, theme.color("surface.selected" if is_chosen else "surface.hover"))
    inner = rect.adjusted(LEFT, 0, -LEFT, 0)
    left = inner.left() + theme.px("size.icon.panel") + theme.px("space.icon_to_text")
    is_related = row.related is not None
    icon = "corner-down-right" if is_related else theme.value(f"severity.{row.finding.severity}.icon")
    color = theme.color("text.tertiary" if is_related else f"severity.{row.finding.severity}")
    draw_icon(painter, icon, QRectF(inner.left(), rect.top(), left - 6 - inner.left(), rect.height()), color, theme.px("size.icon.panel"))
    right = _paint_when(painter, inner, row, left, theme)
    link = _paint_place(painter, QRectF(left, rect.top(), right - left, rect.height()), row, theme)
    end = link.left() - GAP if not link.isEmpty() else right
    font = theme.font("body", "regular" if is_related else "medium")
    words = theme.color("text.secondary" if is_related else "text.primary")
    draw_text(painter, QRectF(left, rect.top(), max(end - left, 0), rect.height()), row.words, font, words)
    return link


def _paint_when(painter: QPainter, inner: QRectF, row: ProblemRow, left: float, theme: Theme) -> float:
    """Returns the right end of what stands before it; nothing is painted where the sentence needs the room."""
    font = theme.font("body", "regular")
    width = text_width(row.when, font)
    if not row.when or inner.right() - width - left < SHORTEST_SENTENCE + text_width(row.place, font) + 2 * GAP:
        return inner.right()
    draw_text(painter, inner, row.when, font, theme.color("text.secondary"), Qt.AlignmentFlag.AlignRight)
    return inner.right() - width - GAP


def _paint_place(painter: QPainter, room: QRectF, row: ProblemRow, theme: Theme) -> QRectF:
    font = theme.font("body", "regular")
    place = elide(row.place, font, room.width() * 0.5, Qt.TextElideMode.ElideLeft)
    if not place:
        return QRectF()
    width = text_width(place, font)
    link = QRectF(room.right() - width, room.top(), width, room.height())
    draw_text(painter, link.adjusted(-1, 0, 1, 0), place, font, theme.color("text.link"), Qt.AlignmentFlag.AlignRight)
    return link
