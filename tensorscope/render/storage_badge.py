"""Paints badges: a word in a rounded frame, hatched where bytes stand for more or for less than they seem, in the warning colour where bytes are wasted."""

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter, QPen

from tensorscope.render.text import draw_text, text_width
from tensorscope.render.theme import Theme
from tensorscope.viewmodel.storage_badges import Badge, BadgeKind

_HEIGHT: Final = 15.0
_PADDING: Final = 5.0
_GAP: Final = 4.0


def badge_width(word: str, theme: Theme) -> float:
    return text_width(word, theme.font("caption")) + 2 * _PADDING


def paint_badge(painter: QPainter, x: float, rect: QRectF, word: str, theme: Theme, kind: BadgeKind = "plain") -> None:
    """One badge with its left end at ``x``, vertically in the middle of ``rect``."""
    badge = QRectF(x, round(rect.center().y() - _HEIGHT / 2), badge_width(word, theme), _HEIGHT)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(theme.color("severity.warning" if kind == "warning" else "line.strong"), 1))
    painter.setBrush(theme.color("severity.warning_soft" if kind == "warning" else "surface.field"))
    shape = badge.adjusted(0.5, 0.5, -0.5, -0.5)
    radius = theme.px("radius.badge")
    painter.drawRoundedRect(shape, radius, radius)
    if kind == "hatched":
        painter.setBrush(theme.hatch(theme.color("line.subtle")))
        painter.drawRoundedRect(shape, radius, radius)
    color = theme.color("severity.warning" if kind == "warning" else "text.secondary")
    draw_text(painter, badge, word, theme.font("caption"), color, Qt.AlignmentFlag.AlignHCenter)


def paint_badges(painter: QPainter, rect: QRectF, badges: Sequence[Badge], theme: Theme) -> None:
    """As many as fit, from the left."""
    for badge, place in placed_badges(rect, badges, theme):
        paint_badge(painter, place.left(), rect, badge.word, theme, badge.kind)


def placed_badges(rect: QRectF, badges: Sequence[Badge], theme: Theme) -> list[tuple[Badge, QRectF]]:
    x, placed = rect.left(), []
    for badge in badges:
        width = badge_width(badge.word, theme)
        if x + width > rect.right():
            break
        placed.append((badge, QRectF(x, rect.top(), width, rect.height())))
        x += width + _GAP
    return placed
