"""Paints an Inspector page: title, figures, folding sections; and tells where everything came to stand."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Final, assert_never

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter, QPen

from tensorscope.language import tr
from tensorscope.render.icons import draw_icon
from tensorscope.render.text import Run, draw_name, draw_quantity, draw_runs, draw_text, elide, elide_place, split_name, text_width, without_suffix
from tensorscope.render.theme import Theme
from tensorscope.units import format_norm, format_place
from tensorscope.viewmodel.inspector_view import FactRow, Figure, InspectorView, MemoryRow, NoteRow, Row, TensorRow

PADDING: Final = 12.0
FIGURES_HEIGHT: Final = 40.0
TENSOR_HEIGHT: Final = 36.0
ROW_HEIGHT: Final = 20.0
NOTE_WIDTH: Final = 72.0  # what a note keeps beside a long name
HISTOGRAM_WIDTH: Final = 66.0
BAR_PITCH: Final = 3
RIGHT: Final = Qt.AlignmentFlag.AlignRight


@dataclass(slots=True)
class Placed:
    """Where things stand after painting, in the page's own coordinates: for clicks, tool tips and copying."""

    height: float = 0.0
    sections: list[tuple[QRectF, str]] = field(default_factory=list)
    rows: list[tuple[QRectF, Row]] = field(default_factory=list)
    figures: list[tuple[QRectF, Figure]] = field(default_factory=list)
    link: QRectF = field(default_factory=QRectF)
    copy: QRectF = field(default_factory=QRectF)


def paint_page(painter: QPainter, width: float, view: InspectorView, folded: frozenset[str], hovered: Row | None, theme: Theme) -> Placed:
    """Paint from (0, 0) down. A painter that is clipped away costs little, so the whole page is always painted."""
    placed = Placed()
    y = _paint_title(painter, width, view, theme, placed)
    if view.figures:
        y = _paint_figures(painter, y, width, view.figures, theme, placed)
    for section in view.sections:
        header = QRectF(0, y, width, theme.px("size.section_header"))
        _paint_section_header(painter, header, section.title, section.note, section.title in folded, theme)
        placed.sections.append((header, section.title))
        y = header.bottom()
        if section.title in folded:
            continue
        for row in section.rows:
            rect = QRectF(0, y, width, _height_of(row, width, theme))
            if row is hovered:
                painter.fillRect(rect, theme.color("surface.hover"))
            _paint_row(painter, rect, row, theme)
            placed.rows.append((rect, row))
            y = rect.bottom()
    placed.height = y + 4
    return placed


def _paint_title(painter: QPainter, width: float, view: InspectorView, theme: Theme, placed: Placed) -> float:
    title = QRectF(PADDING, 9, width - 2 * PADDING - 20, 20)
    placed.copy = QRectF(width - PADDING - 18, 10, 18, 18)
    draw_icon(painter, "copy", placed.copy, theme.color("text.tertiary"), theme.px("size.icon.panel"))
    if view.swatch:
        _paint_swatch(painter, title, view.swatch, theme, is_freed=False)
        title.adjust(16, 0, 0, 0)
    if split_name(view.title)[1]:
        draw_name(painter, title, view.title, theme, "title", "semibold", theme.color("text.strong"))
    else:
        used = draw_text(painter, title, view.title, theme.font("title"), theme.color("text.strong"), mode=Qt.TextElideMode.ElideMiddle)
        if view.detail and title.width() - used > 40:
            room = title.adjusted(used + 8, 0, 0, 0)
            draw_text(painter, room, view.detail, theme.font("body"), theme.color("text.tertiary"))
    line = QRectF(PADDING, 28, width - 2 * PADDING, 18)
    x = line.left()
    place = format_place(view.source.file, view.source.line) if view.source is not None else ""
    link_font, code = theme.font("body", "medium"), theme.font("caption", code=True)
    kept = text_width(place, link_font) + text_width(view.note, theme.font("body")) + (28 if place else 12)
    if view.module:
        module = elide(view.module, code, max(line.width() - kept, 40), Qt.TextElideMode.ElideLeft)
        x += draw_runs(painter, QRectF(x, line.top(), 10, line.height()), (Run(module, code, theme.color("text.secondary")),)) + 12
    if place:
        used = draw_runs(painter, QRectF(x, line.top(), 10, line.height()), (Run(place, link_font, theme.color("text.link")),))
        placed.link = QRectF(x, line.top(), used, line.height())
        x += used + 12
    if view.note:
        draw_text(painter, QRectF(x, line.top(), line.right() - x, line.height()), view.note, theme.font("body"), theme.color("text.tertiary"))
    return line.bottom() + 4 if view.module or place or view.note else 32


def _paint_figures(painter: QPainter, y: float, width: float, figures: tuple[Figure, ...], theme: Theme, placed: Placed) -> float:
    column = (width - 2 * PADDING) / 3
    for place, figure in enumerate(figures):
        rect = QRectF(PADDING + place * column, y, column, FIGURES_HEIGHT)
        draw_text(painter, QRectF(rect.left(), y, column - 4, 14), figure.label, theme.font("caption"), theme.color("text.secondary"))
        value = QRectF(rect.left(), y + 15, column - 4, 18)
        draw_quantity(painter, value, figure.value, theme, "title", "semibold", theme.color("text.strong"), align=Qt.AlignmentFlag.AlignLeft)
        placed.figures.append((rect, figure))
    return y + FIGURES_HEIGHT


def _paint_section_header(painter: QPainter, rect: QRectF, title: str, note: str, is_folded: bool, theme: Theme) -> None:
    painter.fillRect(rect, theme.color("surface.header"))
    painter.fillRect(QRectF(rect.left(), rect.top(), rect.width(), 1), theme.color("line.subtle"))
    chevron = "chevron-right" if is_folded else "chevron-down"
    draw_icon(painter, chevron, QRectF(6, rect.top(), 14, rect.height()), theme.color("text.secondary"), theme.px("size.icon.row"))
    inner = rect.adjusted(24, 0, -PADDING, 0)
    note_font = theme.font("body")
    note_width = min(text_width(note, note_font), inner.width() * 0.6)
    strong = theme.font("body", "semibold")
    draw_text(painter, inner.adjusted(0, 0, -note_width - 8, 0), title, strong, theme.color("text.primary"))
    draw_text(painter, QRectF(inner.right() - note_width, inner.top(), note_width, inner.height()), note, note_font, theme.color("text.tertiary"), RIGHT)


def _height_of(row: Row, width: float, theme: Theme) -> float:
    if isinstance(row, TensorRow):
        return TENSOR_HEIGHT
    if isinstance(row, NoteRow):
        box = theme.metrics("body").boundingRect(QRectF(0, 0, width - 2 * PADDING, 1000), Qt.TextFlag.TextWordWrap, row.text)
        return max(ROW_HEIGHT, float(box.height()) + 10)
    return ROW_HEIGHT


def _paint_row(painter: QPainter, rect: QRectF, row: Row, theme: Theme) -> None:
    match row:
        case TensorRow():
            _paint_tensor(painter, rect, row, theme)
        case MemoryRow():
            _paint_memory(painter, rect, row, theme)
        case FactRow():
            _paint_fact(painter, rect, row, theme)
        case NoteRow(text):
            painter.setFont(theme.font("body"))
            painter.setPen(theme.color("text.tertiary"))
            flags = int(Qt.AlignmentFlag.AlignVCenter) | int(Qt.TextFlag.TextWordWrap)
            painter.drawText(rect.adjusted(PADDING, 2, -PADDING, -2), flags, text)
        case _:
            assert_never(row)


def _paint_tensor(painter: QPainter, rect: QRectF, row: TensorRow, theme: Theme) -> None:
    inner = rect.adjusted(PADDING, 2, -PADDING, -2)
    upper = QRectF(inner.left(), inner.top(), inner.width(), inner.height() / 2)
    lower = upper.translated(0, inner.height() / 2)
    is_bad = row.nonfinite > 0 or (row.norm is not None and not math.isfinite(row.norm))
    color = theme.color("severity.error" if is_bad else "text.primary")
    norm = draw_text(painter, upper, format_norm(row.norm), theme.font("body", "semibold"), color, RIGHT)
    draw_text(painter, lower, format_norm(row.max_abs), theme.font("caption"), theme.color("text.tertiary"), RIGHT)
    right = inner.right() - max(norm, 44) - 14
    if row.bins and inner.width() > 220:
        area = QRectF(right - HISTOGRAM_WIDTH, inner.top() + 2, HISTOGRAM_WIDTH, inner.height() - 4)
        _paint_histogram(painter, area, row, theme)
        right = area.left() - 10
    left = QRectF(upper.left(), upper.top(), right - upper.left(), upper.height())
    if row.name:
        _paint_tensor_name(painter, left, row.name, theme)
        left = QRectF(lower.left(), lower.top(), right - lower.left(), lower.height())
    else:
        left = QRectF(left.left() + 17, inner.top(), left.width() - 17, inner.height())
    draw_text(painter, left, row.shape, theme.font("caption", code=True), theme.color("text.tertiary"))


def _paint_tensor_name(painter: QPainter, rect: QRectF, name: str, theme: Theme) -> None:
    """``from GeluBackward0`` keeps its dim end; names of parameters lose their beginning when room is short."""
    words, space, node = name.partition("from ")
    if space and not words:
        used = draw_text(painter, rect, "from ", theme.font("body", "semibold"), theme.color("text.primary"))
        draw_name(painter, rect.adjusted(used, 0, 0, 0), node, theme)
    elif split_name(name)[1]:
        draw_name(painter, rect, name, theme)
    else:
        draw_text(painter, rect, name, theme.font("body", "semibold"), theme.color("text.primary"), mode=Qt.TextElideMode.ElideLeft)


def _paint_histogram(painter: QPainter, rect: QRectF, row: TensorRow, theme: Theme) -> None:
    bars = int(rect.width() // BAR_PITCH)
    totals = [0.0] * bars
    for place, count in enumerate(row.bins):
        totals[min(place * bars // len(row.bins), bars - 1)] += count
    top = max(totals) or 1.0
    color = theme.category(row.category)
    for place, total in enumerate(totals):
        if total > 0:
            height = max(rect.height() * total / top, 1.0)
            painter.fillRect(QRectF(rect.left() + place * BAR_PITCH, rect.bottom() - height, BAR_PITCH - 1, height), color)
    painter.fillRect(QRectF(rect.left(), rect.bottom(), rect.width(), 1), theme.color("line.strong"))


def _paint_memory(painter: QPainter, rect: QRectF, row: MemoryRow, theme: Theme) -> None:
    inner = rect.adjusted(PADDING, 0, -PADDING, 0)
    size = draw_quantity(painter, inner, row.size, theme, weight="medium")
    right = inner.right() - max(size, 56) - 10
    note = row.note or (tr("freed") if row.is_freed else "")
    if note:
        wanted = text_width(row.name, theme.font("body")) + (17 if row.category else 0) + 8
        width = min(text_width(note, theme.font("body")), max(NOTE_WIDTH, right - inner.left() - wanted))
        where = QRectF(right - width, inner.top(), width, inner.height())
        words = elide_place(note, theme.font("body"), width) if row.target is not None else note
        draw_text(painter, where.adjusted(-1, 0, 1, 0), words, theme.font("body"), theme.color("text.tertiary"), RIGHT, Qt.TextElideMode.ElideMiddle)
        right -= width + 8
    if row.category:
        _paint_swatch(painter, inner, row.category, theme, is_freed=row.is_freed)
        inner.adjust(17, 0, 0, 0)
    room = right - inner.left()
    shape_font = theme.font("caption", code=True)
    shape_width = min(text_width(row.shape, shape_font), room * 0.6)
    name = QRectF(inner.left(), inner.top(), max(room - (shape_width + 10 if row.shape else 0), 30), inner.height())
    color = theme.color("text.link" if row.target is not None else "text.primary")
    words = elide_place(without_suffix(row.name, theme.font("body"), name.width()), theme.font("body"), name.width())
    used = draw_text(painter, name, words, theme.font("body"), color, mode=Qt.TextElideMode.ElideMiddle)
    left = inner.left() + max(used + 10, min(74.0, room * 0.35))
    draw_text(painter, QRectF(left, inner.top(), max(right - left, 0), inner.height()), row.shape, shape_font, theme.color("text.tertiary"))


def _paint_fact(painter: QPainter, rect: QRectF, row: FactRow, theme: Theme) -> None:
    inner = rect.adjusted(PADDING, 0, -PADDING, 0)
    label = draw_text(painter, inner, row.label, theme.font("body"), theme.color("text.secondary"))
    room = inner.adjusted(max(label + 10, 96), 0, 0, 0)
    color = theme.color("text.link" if row.target is not None else "text.primary")
    if row.value.unit:
        draw_quantity(painter, room, row.value, theme, align=Qt.AlignmentFlag.AlignLeft)
    elif row.is_code:
        draw_text(painter, room, row.value.digits, theme.font("caption", code=True), color)
    else:
        draw_text(painter, room, row.value.digits, theme.font("body", "medium"), color, mode=Qt.TextElideMode.ElideMiddle)


def _paint_swatch(painter: QPainter, rect: QRectF, category: str, theme: Theme, *, is_freed: bool) -> None:
    size = theme.px("category.swatch.size")
    square = QRectF(rect.left(), round(rect.center().y() - size / 2), size, size)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    if is_freed:
        painter.setPen(QPen(theme.category(category), 1.5))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        square.adjust(0.75, 0.75, -0.75, -0.75)
    else:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.category_brush(category))
    painter.drawRoundedRect(square, 2, 2)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
