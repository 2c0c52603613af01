"""Paints a hover card: a name, two to four facts, a footer, on a raised ground."""

from dataclasses import dataclass

from PySide6.QtCore import QLineF, QRectF, QSizeF, Qt
from PySide6.QtGui import QPainter, QPen

from tensorscope.render.text import Run, draw_runs, draw_text, text_width
from tensorscope.render.theme import Theme

_PADDING = 10.0
_LINE = 17.0
_LABEL_GAP = 14.0


@dataclass(frozen=True, slots=True)
class Card:
    """``facts`` are (label, value); ``category`` gives the title a swatch."""

    title: str
    note: str = ""
    facts: tuple[tuple[str, str], ...] = ()
    footer: str = ""
    category: str = ""


def card_size(card: Card, theme: Theme) -> QSizeF:
    """What the card needs, within the widths of ``hover_card.width``."""
    narrow, wide = theme.value("hover_card.width")
    title = text_width(card.title, theme.font("body", "semibold")) + (16 if card.note else 0) + text_width(card.note, theme.font("caption"))
    labels = max((text_width(label, theme.font("caption")) for label, _ in card.facts), default=0.0)
    values = max((text_width(value, theme.font("caption")) for _, value in card.facts), default=0.0)
    needed = max(title + (15 if card.category else 0), labels + _LABEL_GAP + values, text_width(card.footer, theme.font("caption"))) + 2 * _PADDING
    lines = 1 + len(card.facts) + bool(card.footer)
    return QSizeF(min(max(needed + 2, narrow), wide), 2 * _PADDING - 4 + lines * _LINE + (6 if card.facts else 0) + (6 if card.footer else 0))


def paint_card(painter: QPainter, rect: QRectF, card: Card, theme: Theme) -> None:
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(theme.color("line.strong"), 1))
    painter.setBrush(theme.color("surface.raised"))
    painter.drawRoundedRect(rect.adjusted(0.5, 0.5, -0.5, -0.5), theme.px("radius.card"), theme.px("radius.card"))
    inner = rect.adjusted(_PADDING, _PADDING - 2, -_PADDING, 0)
    line = QRectF(inner.left(), inner.top(), inner.width(), _LINE)
    _paint_title(painter, line, card, theme)
    labels = max((text_width(label, theme.font("caption")) for label, _ in card.facts), default=0.0)
    line.translate(0, _LINE + (6 if card.facts else 0))
    for label, value in card.facts:
        draw_text(painter, line, label, theme.font("caption"), theme.color("text.secondary"))
        draw_text(painter, line.adjusted(labels + _LABEL_GAP, 0, 0, 0), value, theme.font("caption"), theme.color("text.primary"))
        line.translate(0, _LINE)
    if card.footer:
        painter.setPen(theme.pen("line.subtle" if not theme.is_dark else "line.strong"))
        painter.drawLine(QLineF(line.left(), line.top() + 3, line.right(), line.top() + 3))
        draw_text(painter, line.translated(0, 6), card.footer, theme.font("caption"), theme.color("text.secondary"))


def _paint_title(painter: QPainter, line: QRectF, card: Card, theme: Theme) -> None:
    left = line
    if card.category:
        size = theme.px("category.swatch.size")
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.category_brush(card.category))
        painter.drawRoundedRect(QRectF(line.left(), line.center().y() - size / 2, size, size), 2, 2)
        left = line.adjusted(size + 6, 0, 0, 0)
    note_width = text_width(card.note, theme.font("caption"))
    if card.note:
        draw_runs(painter, line, [Run(card.note, theme.font("caption"), theme.color("text.secondary"))], Qt.AlignmentFlag.AlignRight)
    room = left.adjusted(0, 0, -(note_width + 8) if card.note else 0, 0)
    draw_text(painter, room, card.title, theme.font("body", "semibold"), theme.color("text.strong"), mode=Qt.TextElideMode.ElideMiddle)
