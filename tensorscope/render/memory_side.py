"""Paints what stands beside the memory timeline: the category table and the list of the largest blocks."""

from dataclasses import dataclass
from typing import Final

from PySide6.QtCore import QLineF, QRectF, Qt
from PySide6.QtGui import QPainter, QPen

from tensorscope.analysis.results import CATEGORIES
from tensorscope.language import tr, tr_later
from tensorscope.render.text import draw_quantity, draw_text, elide_place, text_width, without_suffix
from tensorscope.render.theme import Theme
from tensorscope.units import format_place, split_byte_change, split_bytes
from tensorscope.viewmodel.memory_groups import BlockGroup
from tensorscope.viewmodel.memory_side import CategoryRow

_NUMBER: Final = 68.0  # width of a column of bytes
_SIZE: Final = 68.0
_LINK: Final = 92.0
_LEAST_LINK: Final = 64.0
_SWATCH_AND_GAP: Final = 22.0
_RIGHT: Final = Qt.AlignmentFlag.AlignRight


@dataclass(frozen=True, slots=True)
class CursorLook:
    """How the cursor's column is headed: amber while the script is held there, azure when looking back."""

    color_role: str
    word: str = tr_later("at cursor")
    is_compared: bool = False  # the change since another moment stands in place of the peak


def paint_category_head(painter: QPainter, rect: QRectF, look: CursorLook, theme: Theme) -> None:
    inner = _inner(rect, theme)
    font = theme.font("caption")
    if inner.width() > 300:
        draw_text(painter, inner, tr("Click hides, Alt+click solos"), font, theme.color("text.secondary"))
    draw_text(painter, inner.adjusted(0, 0, -_NUMBER, 0), tr(look.word), font, theme.color(look.color_role), _RIGHT)
    beside, color = (tr("change"), "text.link") if look.is_compared else (tr("at peak"), "text.secondary")
    draw_text(painter, inner, beside, font, theme.color(color), _RIGHT)


def paint_category(painter: QPainter, rect: QRectF, row: CategoryRow, theme: Theme, *, is_hovered: bool) -> None:
    inner = _inner(rect, theme)
    if is_hovered:
        painter.fillRect(rect, theme.color("surface.hover"))
    is_sum = row.number is None and not row.label
    if is_sum:
        painter.setPen(theme.pen("line.strong"))
        painter.drawLine(QLineF(inner.left() + 14, rect.top(), inner.right(), rect.top()))
    name = row.label or tr("allocated") if row.number is None else theme.category_label(CATEGORIES[row.number])
    if row.number is not None:
        _swatch(painter, inner, CATEGORIES[row.number], theme, is_hollow=row.is_hidden)
    weight = "semibold" if is_sum else None
    color = theme.color("text.disabled" if row.is_hidden else "text.strong" if is_sum else "text.primary")
    draw_text(painter, inner.adjusted(16, 0, -2 * _NUMBER, 0), name, theme.font("body", weight), color)
    dim = theme.color("text.disabled" if row.is_hidden else "text.tertiary")
    draw_quantity(painter, inner.adjusted(0, 0, -_NUMBER, 0), split_bytes(row.at_cursor_bytes), theme, "body", weight, color, dim)
    peak_color = color if is_sum or row.is_hidden else theme.color("text.secondary")
    beside = split_bytes(row.at_peak_bytes) if row.change_bytes is None else split_byte_change(row.change_bytes)
    draw_quantity(painter, inner, beside, theme, "body", weight, peak_color, dim)


def paint_block_head(painter: QPainter, rect: QRectF, title: str, note: str, theme: Theme) -> None:
    """A section's header: a hairline, a bold word, a note at the right."""
    painter.setPen(theme.pen("line.subtle"))
    painter.drawLine(QLineF(rect.left(), rect.top() + 0.5, rect.right(), rect.top() + 0.5))
    inner = _inner(rect, theme)
    used = draw_text(painter, inner, title, theme.font("body", "semibold"), theme.color("text.primary"))
    draw_text(painter, inner.adjusted(used + 10, 0, 0, 0), note, theme.font("caption"), theme.color("text.secondary"), _RIGHT)


def paint_block(painter: QPainter, rect: QRectF, block: BlockGroup, theme: Theme, *, is_selected: bool, is_hovered: bool, is_change: bool = False) -> None:
    """Swatch, name, source link, size or (``is_change``) change of it."""
    if is_selected or is_hovered:
        painter.fillRect(rect, theme.color("surface.selected" if is_selected else "surface.hover"))
    inner = _inner(rect, theme)
    _swatch(painter, inner, block.category, theme)
    link = block_link_rect(rect, block, theme)
    color = theme.color("text.primary" if block.is_named else "text.secondary")
    room = QRectF(inner.left() + 16, inner.top(), link.left() - inner.left() - _SWATCH_AND_GAP, inner.height())
    draw_text(painter, room, without_suffix(block.name, theme.font("body"), room.width()), theme.font("body"), color)
    if block.source is not None:
        place = elide_place(format_place(block.source.file, block.source.line), theme.font("body"), link.width())
        draw_text(painter, link.adjusted(-1, 0, 1, 0), place, theme.font("body"), theme.color("text.link"), _RIGHT)
    draw_quantity(painter, inner, (split_byte_change if is_change else split_bytes)(block.size_bytes), theme)


def block_link_rect(rect: QRectF, block: BlockGroup, theme: Theme) -> QRectF:
    """Where a block row's source link stands; without width where it has none. A long name takes its room: names tell equal lines apart."""
    inner = _inner(rect, theme)
    right = inner.right() - _SIZE
    if block.source is None:
        return QRectF(right, inner.top(), 0, inner.height())
    font = theme.font("body")
    left_by_name = inner.width() - _SIZE - _SWATCH_AND_GAP - text_width(block.name, font)
    most = min(max(_LINK, inner.width() * 0.46), max(_LEAST_LINK, left_by_name))
    width = min(text_width(format_place(block.source.file, block.source.line), font), most)
    return QRectF(right - width, inner.top(), width, inner.height())


def _inner(rect: QRectF, theme: Theme) -> QRectF:
    padding = theme.px("space.panel_padding_x")
    return rect.adjusted(padding, 0, -padding, 0)


def _swatch(painter: QPainter, inner: QRectF, category: str, theme: Theme, *, is_hollow: bool = False) -> None:
    size, radius = theme.px("category.swatch.size"), theme.px("category.swatch.radius")
    rect = QRectF(inner.left(), round(inner.center().y() - size / 2), size, size)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    if is_hollow:
        painter.setPen(QPen(theme.category(category), 1.5))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(rect.adjusted(0.75, 0.75, -0.75, -0.75), radius, radius)
        return
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(theme.category_brush(category))
    painter.drawRoundedRect(rect, radius, radius)
