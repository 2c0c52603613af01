"""Paints lines of source with their costs: arrow, number, time, live bytes, code."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QLinearGradient, QPainter, QPen, QPolygonF

from tensorscope.analysis.results import Source
from tensorscope.language import tr
from tensorscope.render.icons import draw_icon
from tensorscope.render.text import Run, baseline, draw_quantity, draw_runs, draw_text, text_width
from tensorscope.render.theme import Theme, with_alpha
from tensorscope.units import format_place
from tensorscope.viewmodel.code import Span
from tensorscope.viewmodel.line_costs import LineCost
from tensorscope.viewmodel.line_heat import Heat, amount_of
from tensorscope.viewmodel.source_view import SourceView

GUTTER: Final = 130.0  # arrow, number, time, bytes
NUMBER_RIGHT: Final = 42.0
TIME_RIGHT: Final = 83.0
BYTES_RIGHT: Final = 124.0
CODE_LEFT: Final = GUTTER + 6
BAR_WIDTH: Final = 34.0
FADE: Final = 28.0
DOT_X: Final = 10.5
DOT_RADIUS: Final = 4.5
PROBLEM_SIZE: Final = 12.0
BREAK_WIDTH: Final = NUMBER_RIGHT + 2  # of what is clicked to set a breakpoint


@dataclass(frozen=True, slots=True)
class LineLook:
    is_held: bool = False
    is_selected: bool = False
    is_hovered: bool = False
    has_breakpoint: bool = False
    is_breakpoint_on: bool = True
    is_gutter_hovered: bool = False  # a click would set a breakpoint here
    severity: str = ""  # of the problem whose culprit the line is
    is_linked: bool = False  # belongs to what is selected


def paint_source_head(painter: QPainter, rect: QRectF, view: SourceView, theme: Theme) -> None:
    font = theme.font("caption", "medium")
    right = Qt.AlignmentFlag.AlignRight
    for edge, heat in zip((TIME_RIGHT, BYTES_RIGHT), view.columns, strict=True):
        color = theme.color("text.strong" if heat is view.heat else "text.secondary")
        draw_text(painter, QRectF(rect.left(), rect.top(), edge, rect.height()), view.unit_of(heat), font, color, right)
    if view.is_changed:
        words = tr("{title} has changed since the run").format(title=view.title)
        left = rect.left() + GUTTER + 10
        draw_icon(painter, "triangle-alert", QRectF(left, rect.top(), 13, rect.height()), theme.color("severity.warning"), 12)
        draw_text(painter, QRectF(left + 17, rect.top(), rect.right() - left - 17, rect.height()), words, font, theme.color("severity.warning"))


def gutter_role(theme: Theme) -> str:
    return "surface.header" if theme.is_dark else "surface.field"


def paint_source_line(painter: QPainter, rect: QRectF, number: int, view: SourceView, look: LineLook, shift: float, theme: Theme) -> None:
    """One line; ``shift`` is how far the code is scrolled to the right."""
    gutter = QRectF(rect.left(), rect.top(), GUTTER, rect.height())
    painter.fillRect(gutter, theme.color(gutter_role(theme)))
    _paint_ground(painter, rect, look, theme)
    color = theme.color("exec.text" if look.is_held else "text.primary" if look.is_selected else "text.tertiary")
    number_rect = QRectF(rect.left(), rect.top(), NUMBER_RIGHT, rect.height())
    draw_text(painter, number_rect, str(number), theme.font("caption", "semibold" if look.is_held else None), color, Qt.AlignmentFlag.AlignRight)
    _paint_breakpoint(painter, rect, look, number in view.costs, theme)
    if look.severity:
        _paint_problem(painter, rect, look, theme)
    if look.is_held:
        _paint_arrow(painter, rect, theme)
    cost = view.costs.get(number)
    if cost is not None:
        _paint_cost(painter, rect, cost, view, theme)
    painter.save()
    painter.setClipRect(QRectF(rect.left() + GUTTER, rect.top(), rect.width() - GUTTER, rect.height()))
    painter.setFont(theme.font("body", code=True))
    end = _paint_code(painter, rect, view.code.lines[number - 1], view.code.spans[number - 1], shift, theme)
    painter.restore()
    if end > rect.right():
        _paint_more(painter, rect, _ground(look, theme), theme)


def paint_overview(painter: QPainter, rect: QRectF, line_count: int, lines: tuple[int, ...], theme: Theme) -> None:
    """At the right edge, where in the whole file the lines lie that belong to the selection."""
    for line in lines:
        painter.fillRect(QRectF(rect.right() - 3, rect.top() + (line - 1) / max(line_count, 1) * rect.height(), 3, 3), theme.color("accent.base"))


def paint_calls(painter: QPainter, rect: QRectF, calls: tuple[Source, ...], theme: Theme) -> list[tuple[QRectF, Source]]:
    """The calls that led to the line, outermost first; the outer ones go when room is short. Returns where each stands."""
    small, strong = theme.font("body", "regular"), theme.font("body", "semibold")
    separator = "  ›  "
    words = [format_place(call.file, call.line) if place == 0 else f"{call.function} :{call.line}" for place, call in enumerate(calls)]
    first = 0
    while first < len(words) - 1 and _calls_width(words[first:], theme, separator) > rect.width() - 20:
        first += 1
    places: list[tuple[QRectF, Source]] = []
    x = rect.left() + 10
    for place in range(first, len(words)):
        is_last = place == len(words) - 1
        text = words[place] if place else words[0]
        font = strong if is_last else small
        width = text_width(text, font)
        where = QRectF(x, rect.top(), min(width, rect.right() - x), rect.height())
        draw_text(painter, where, text, font, theme.color("text.primary" if is_last else "text.secondary"))
        places.append((where, calls[place]))
        x += width
        if not is_last:
            x += draw_runs(painter, QRectF(x, rect.top(), 20, rect.height()), (Run(separator, small, theme.color("text.tertiary")),))
    return places


def _calls_width(words: list[str], theme: Theme, separator: str) -> float:
    small, strong = theme.font("body", "regular"), theme.font("body", "semibold")
    return sum(text_width(word, small) for word in words[:-1]) + text_width(words[-1], strong) + (len(words) - 1) * text_width(separator, small)


def _paint_ground(painter: QPainter, rect: QRectF, look: LineLook, theme: Theme) -> None:
    if look.is_held:
        painter.fillRect(rect, theme.color("exec.soft"))
        painter.fillRect(QRectF(rect.left(), rect.top(), rect.width(), 1), theme.color("exec.border"))
        painter.fillRect(QRectF(rect.left(), rect.bottom() - 1, rect.width(), 1), theme.color("exec.border"))
    elif look.is_selected:
        painter.fillRect(rect, theme.color("surface.selected"))
    elif look.is_hovered:
        painter.fillRect(QRectF(rect.left() + GUTTER, rect.top(), rect.width() - GUTTER, rect.height()), theme.color("surface.hover"))
    elif look.is_linked:
        painter.fillRect(QRectF(rect.left() + GUTTER, rect.top(), rect.width() - GUTTER, rect.height()), theme.color("surface.selected_inactive"))
    if look.is_selected or look.is_linked:
        painter.fillRect(QRectF(rect.left() + GUTTER, rect.top(), 2, rect.height()), theme.color("accent.base"))


def _paint_breakpoint(painter: QPainter, rect: QRectF, look: LineLook, has_run: bool, theme: Theme) -> None:
    """Filled where it is on and an operator has run on the line, else a ring; pale where a click would set one."""
    if not look.has_breakpoint and not look.is_gutter_hovered:
        return
    color = theme.color("breakpoint")
    if not look.has_breakpoint:
        color = with_alpha(color, 0.35)
    is_filled = not look.has_breakpoint or (look.is_breakpoint_on and has_run)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen if is_filled else QPen(color, 1.5))
    painter.setBrush(color if is_filled else Qt.BrushStyle.NoBrush)
    radius = DOT_RADIUS if is_filled else DOT_RADIUS - 0.75
    painter.drawEllipse(QPointF(rect.left() + DOT_X, rect.center().y()), radius, radius)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)


def _paint_problem(painter: QPainter, rect: QRectF, look: LineLook, theme: Theme) -> None:
    """The icon of its severity where a breakpoint would stand, and a wash over the line's code; beside a breakpoint or the arrow only the wash."""
    color = theme.color(f"severity.{look.severity}")
    painter.fillRect(QRectF(rect.left() + GUTTER, rect.top(), rect.width() - GUTTER, rect.height()), with_alpha(color, 0.10))
    if not (look.has_breakpoint or look.is_gutter_hovered or look.is_held):
        where = QRectF(rect.left() + DOT_X - PROBLEM_SIZE / 2, rect.top(), PROBLEM_SIZE, rect.height())
        draw_icon(painter, theme.value(f"severity.{look.severity}.icon"), where, color, PROBLEM_SIZE)


def _paint_arrow(painter: QPainter, rect: QRectF, theme: Theme) -> None:
    x, y = rect.left() + 7, rect.center().y()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(theme.color("exec.border"), 1))
    painter.setBrush(theme.color("exec.base"))
    painter.drawPolygon(QPolygonF([QPointF(x, y - 4.5), QPointF(x + 7, y), QPointF(x, y + 4.5)]))
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)


def _paint_cost(painter: QPainter, rect: QRectF, cost: LineCost, view: SourceView, theme: Theme) -> None:
    colors = {Heat.LIVE: theme.category(cost.category), Heat.SAVED: theme.category("activation")}
    for right, heat in zip((TIME_RIGHT, BYTES_RIGHT), view.columns, strict=True):
        amount = amount_of(cost, heat)
        if amount <= 0:
            continue
        color = colors.get(heat, theme.color("text.tertiary"))
        if heat is view.heat:
            painter.fillRect(
                QRectF(rect.left() + right - BAR_WIDTH - 3, rect.top(), BAR_WIDTH + 5, rect.height()), with_alpha(color, 0.3 * amount / view.largest[heat])
            )
        where = QRectF(rect.left(), rect.top() - 1, right, rect.height())
        draw_quantity(painter, where, view.quantity(cost, heat), theme, "caption")
        width = max(BAR_WIDTH * amount / max(view.largest[heat], 1), 1.0)
        painter.fillRect(QRectF(rect.left() + right - width, rect.bottom() - 2, width, 2), color)


def _paint_code(painter: QPainter, rect: QRectF, line: str, spans: tuple[Span, ...], shift: float, theme: Theme) -> float:
    """Returns where the line ends."""
    font = theme.font("body", code=True)
    advance = text_width("0", font)
    y = baseline(rect, font)
    left = rect.left() + CODE_LEFT - shift
    at = 0
    for begin, end, role in (*spans, Span(len(line), len(line), "")):
        for start, stop, color in ((at, begin, "text.primary"), (begin, end, f"syntax.{role}")):
            text = line[start:stop]
            if text.strip():
                painter.setPen(theme.color(color))
                painter.drawText(QPointF(left + start * advance, y), text)
        at = max(at, end)
    return left + len(line.rstrip()) * advance


def _ground(look: LineLook, theme: Theme) -> QColor:
    roles = (
        (look.is_held, "exec.soft"),
        (look.is_selected, "surface.selected"),
        (look.is_hovered, "surface.hover"),
        (look.is_linked, "surface.selected_inactive"),
    )
    return theme.color(next((role for is_so, role in roles if is_so), "surface.panel"))


def _paint_more(painter: QPainter, rect: QRectF, ground: QColor, theme: Theme) -> None:
    """The line goes on to the right: it fades into the ground, with dots."""
    where = QRectF(rect.right() - FADE, rect.top() + 1, FADE, rect.height() - 2)
    fade = QLinearGradient(where.topLeft(), where.topRight())
    clear = QColor(ground)
    clear.setAlpha(0)
    fade.setColorAt(0, clear)
    fade.setColorAt(0.5, ground)
    painter.fillRect(where, fade)
    draw_text(painter, where.adjusted(0, 0, -3, 0), "…", theme.font("body", code=True), theme.color("text.tertiary"), Qt.AlignmentFlag.AlignRight)
