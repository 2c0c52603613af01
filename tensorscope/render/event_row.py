"""Paints one row of the events tree: indent, state, name, a bar of time, the change of memory."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto
from typing import Final

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPen, QPolygonF

from tensorscope.analysis.events import EventKind
from tensorscope.language import tr
from tensorscope.render.icons import draw_icon
from tensorscope.render.text import Run, draw_name, draw_quantity, draw_runs, draw_text, elide, text_width
from tensorscope.render.theme import Theme
from tensorscope.units import UNKNOWN, Quantity, split_byte_change, split_duration
from tensorscope.viewmodel.event_rows import EventRow

TIME_WIDTH: Final = 58.0
MEMORY_WIDTH: Final = 72.0
RIGHT: Final = 10.0
LEFT: Final = 10.0
CHEVRON: Final = 12.0
_STRONG: Final = frozenset({EventKind.ITERATION, EventKind.PHASE, EventKind.MODULE, EventKind.NODE})


class Link(Enum):
    """How a row belongs to the selection."""

    NONE = auto()
    INSIDE = auto()  # something in it does
    ITSELF = auto()


@dataclass(frozen=True, slots=True)
class RowLook:
    is_selected: bool = False
    is_hovered: bool = False
    is_held: bool = False  # the script stands here
    is_at_cursor: bool = False  # the moment that is looked at lies in it
    is_bookmarked: bool = False
    link: Link = Link.NONE
    shows_self: bool = False  # the time that lies in no row under it, in place of all of it


def time_rect(rect: QRectF) -> QRectF:
    right = rect.right() - RIGHT - MEMORY_WIDTH
    return QRectF(right - TIME_WIDTH, rect.top(), TIME_WIDTH, rect.height())


def memory_rect(rect: QRectF) -> QRectF:
    return QRectF(rect.right() - RIGHT - MEMORY_WIDTH, rect.top(), MEMORY_WIDTH, rect.height())


def chevron_rect(rect: QRectF, row: EventRow, theme: Theme) -> QRectF:
    return QRectF(rect.left() + LEFT + row.depth * theme.px("space.tree_indent") - 2, rect.top(), CHEVRON + 2, rect.height())


def paint_event_head(painter: QPainter, rect: QRectF, theme: Theme, *, shows_self: bool = False) -> None:
    """The column heads."""
    font, color = theme.font("caption", "medium"), theme.color("text.secondary")
    right = Qt.AlignmentFlag.AlignRight
    draw_text(painter, rect.adjusted(LEFT + 2, 0, 0, 0), tr("Event"), font, color)
    draw_text(painter, time_rect(rect).adjusted(0, 0, -4, 0), tr("Self time") if shows_self else tr("Time"), font, color, right)
    draw_text(painter, memory_rect(rect), tr("Memory"), font, color, right)


def paint_event_row(painter: QPainter, rect: QRectF, row: EventRow, look: RowLook, theme: Theme) -> None:
    if look.is_held:
        painter.fillRect(rect, theme.color("exec.soft"))
    if look.is_selected:
        painter.fillRect(rect, theme.color("surface.selected"))
    elif look.is_hovered and not look.is_held:
        painter.fillRect(rect, theme.color("surface.hover"))
    elif look.link is Link.ITSELF and not look.is_held:
        painter.fillRect(rect, theme.color("surface.selected_inactive"))
    if look.is_held:
        _paint_arrow(painter, rect, theme)
    if look.is_at_cursor:
        painter.fillRect(QRectF(rect.left(), rect.top(), theme.px("line.cursor"), rect.height()), theme.color("accent.base"))
    if look.link is not Link.NONE:
        _paint_link(painter, rect, look.link, theme)
    _paint_guides(painter, rect, row, theme)
    if row.has_children:
        chevron = "chevron-down" if row.is_open else "chevron-right"
        draw_icon(painter, chevron, chevron_rect(rect, row, theme), theme.color("text.secondary"), theme.px("size.icon.row"))
    left = chevron_rect(rect, row, theme).right() + 2
    left = _paint_state(painter, QRectF(left, rect.top(), 14, rect.height()), row, theme)
    right = time_rect(rect).left() - 6
    if look.is_bookmarked:
        right -= 16
        draw_icon(painter, "bookmark", QRectF(right + 2, rect.top(), 14, rect.height()), theme.color("accent.base"), theme.px("size.icon.row"))
    _paint_label(painter, QRectF(left, rect.top(), right - left, rect.height()), row, theme)
    _paint_time(painter, time_rect(rect), row, theme, is_dim=look.is_held, shows_self=look.shows_self)
    change = split_byte_change(row.memory_delta_bytes) if row.state != "held" else Quantity(UNKNOWN)
    weight = "semibold" if row.kind in (EventKind.ITERATION, EventKind.PHASE) else "regular"
    color = theme.color("text.tertiary" if row.memory_delta_bytes == 0 else "text.primary")
    draw_quantity(painter, memory_rect(rect), change, theme, weight=weight, color=color)


def _paint_arrow(painter: QPainter, rect: QRectF, theme: Theme) -> None:
    middle = rect.center().y()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(theme.color("exec.border"), 1))
    painter.setBrush(theme.color("exec.base"))
    painter.drawPolygon(QPolygonF([QPointF(rect.left() + 3, middle - 4), QPointF(rect.left() + 9, middle), QPointF(rect.left() + 3, middle + 4)]))
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)


def _paint_link(painter: QPainter, rect: QRectF, link: Link, theme: Theme) -> None:
    """At the right edge: a bar beside what belongs to the selection, a ring where it lies further inside."""
    if link is Link.ITSELF:
        painter.fillRect(QRectF(rect.right() - 3, rect.top(), 3, rect.height()), theme.color("accent.base"))
        return
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(theme.color("accent.base"), 1.2))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawEllipse(QPointF(rect.right() - 4.5, rect.center().y()), 2.6, 2.6)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)


def _paint_guides(painter: QPainter, rect: QRectF, row: EventRow, theme: Theme) -> None:
    for depth in range(1, row.depth):
        x = rect.left() + LEFT + depth * theme.px("space.tree_indent") + 4
        painter.fillRect(QRectF(round(x), rect.top(), 1, rect.height()), theme.color("line.guide"))


def _paint_state(painter: QPainter, rect: QRectF, row: EventRow, theme: Theme) -> float:
    """A module's box or a node's dot; returns where the label begins."""
    if row.kind is EventKind.MODULE:
        draw_icon(painter, "box", rect.adjusted(0, 0, -1, 0), theme.color("exec.text" if row.state == "held" else "text.tertiary"), theme.px("size.icon.row"))
        return rect.right() + 4
    if row.kind is not EventKind.NODE:
        return rect.left()
    dot = QRectF(rect.left() + 3, rect.center().y() - 3.5, 7, 7)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    if row.state == "waiting":
        painter.setPen(QPen(theme.color("line.control"), 1))
        painter.setBrush(Qt.BrushStyle.NoBrush)
    else:
        is_held = row.state == "held"
        painter.setPen(QPen(theme.color("exec.border"), 1) if is_held else Qt.PenStyle.NoPen)
        painter.setBrush(theme.color("exec.base" if is_held else "text.tertiary"))
    painter.drawEllipse(dot)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
    return rect.right() + 2


def _paint_label(painter: QPainter, rect: QRectF, row: EventRow, theme: Theme) -> None:
    if row.kind is EventKind.OPERATOR:
        draw_text(painter, rect, row.label, theme.font("caption", code=True), theme.color("text.secondary"))
        return
    detail = row.detail
    if row.kind is EventKind.NODE and row.detail:
        used = draw_text(painter, rect, row.detail, theme.font("body", "medium"), theme.color("text.primary"))
        detail = row.label
    elif row.kind is EventKind.NODE:
        used = draw_name(painter, rect, row.label, theme, weight="medium")
    else:
        used = draw_text(painter, rect, row.label, theme.font("body", "semibold" if row.kind in _STRONG else "regular"), theme.color("text.primary"))
    room = rect.width() - used - 6
    if detail and room > 24:
        font = theme.font("body", "regular")
        words = detail if text_width(detail, font) <= room else elide(detail, font, room)
        draw_runs(painter, rect.adjusted(used + 6, 0, 0, 0), (Run(words, font, theme.color("text.tertiary")),))


def _paint_time(painter: QPainter, rect: QRectF, row: EventRow, theme: Theme, *, is_dim: bool, shows_self: bool) -> None:
    duration_ns = row.self_ns if shows_self else row.duration_ns
    share = row.share * duration_ns / max(row.duration_ns, 1)
    bar = QRectF(rect.left(), rect.top() + 3, rect.width() * min(share, 1.0), rect.height() - 6)
    if bar.width() >= 1:
        painter.fillRect(bar, theme.color("line.strong" if theme.is_dark else "line.subtle"))
    quantity = Quantity(UNKNOWN) if is_dim else split_duration(duration_ns)
    weight = "semibold" if row.kind in (EventKind.ITERATION, EventKind.PHASE) else "regular"
    draw_quantity(painter, rect.adjusted(0, 0, -4, 0), quantity, theme, weight=weight)
