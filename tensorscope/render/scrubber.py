"""Paints the strip of the whole run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPen, QPolygonF

from tensorscope.language import tr
from tensorscope.render.icons import draw_icon
from tensorscope.render.text import draw_text, text_width
from tensorscope.render.theme import Theme, with_alpha
from tensorscope.viewmodel.scrubber import RunMark, ScrubberView

PHASE_HEIGHT: Final = 9.0
LABEL_HEIGHT: Final = 14.0
PROBLEM_SIZE: Final = 12.0
_MOMENTS: Final = {"exception": "severity.error", "hold": "exec.base", "peak": "text.secondary", "bookmark": "accent.base"}


@dataclass(frozen=True, slots=True)
class ScrubberState:
    """What moves without a new computation. Times are run time in ns."""

    view_range_ns: tuple[int, int] | None
    cursor_ns: int | None
    now_ns: int
    is_held: bool


def paint_run(painter: QPainter, rect: QRectF, theme: Theme, view: ScrubberView) -> None:
    """The run itself: the same until there is a newer view."""
    painter.save()
    painter.setClipRect(rect)
    painter.fillRect(rect, theme.color("surface.header"))
    _paint_silhouette(painter, rect, theme, view)
    _paint_phases(painter, rect, theme, view)
    _paint_iterations(painter, rect, theme, view)
    if view.start_up:
        _paint_start_up(painter, rect, theme, view)
    painter.restore()


def paint_position(painter: QPainter, rect: QRectF, theme: Theme, view: ScrubberView, state: ScrubberState) -> None:
    """The shown range, the cursor and where the script stands, over the run."""
    painter.save()
    painter.setClipRect(rect)
    _paint_window(painter, rect, theme, view, state)
    _paint_lines(painter, rect, theme, view, state)
    painter.restore()


def paint_moments(painter: QPainter, rect: QRectF, theme: Theme, view: ScrubberView, moments: Sequence[RunMark]) -> None:
    """A small triangle on the strip for each, pointing down at its moment."""
    painter.save()
    painter.setClipRect(rect)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    top = rect.bottom() - PHASE_HEIGHT - 7
    for moment in moments:
        x = min(max(rect.left() + view.axis.position(moment.time_ns) * rect.width(), rect.left() + 4), rect.right() - 4)
        painter.setBrush(theme.color(_MOMENTS[moment.kind]))
        painter.drawPolygon(QPolygonF([QPointF(x - 4, top), QPointF(x + 4, top), QPointF(x, top + 6)]))
    painter.restore()


def paint_problems(painter: QPainter, rect: QRectF, theme: Theme, view: ScrubberView, problems: Sequence[RunMark]) -> None:
    """The icon of its severity for each, under the iterations' numbers."""
    painter.save()
    painter.setClipRect(rect)
    for problem in problems:
        x = problem_x(rect, view, problem)
        where = QRectF(x - PROBLEM_SIZE / 2, rect.top() + LABEL_HEIGHT - 1, PROBLEM_SIZE, PROBLEM_SIZE)
        ground = where.adjusted(-1, -1, 1, 1)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.color("surface.header"))
        painter.drawEllipse(ground)
        draw_icon(painter, theme.value(f"severity.{problem.kind}.icon"), where, theme.color(f"severity.{problem.kind}"), PROBLEM_SIZE)
    painter.restore()


def problem_x(rect: QRectF, view: ScrubberView, problem: RunMark) -> float:
    """The middle of a problem's mark: at its moment, wholly inside."""
    x = rect.left() + view.axis.position(problem.time_ns) * rect.width()
    return min(max(x, rect.left() + PROBLEM_SIZE / 2 + 1), rect.right() - PROBLEM_SIZE / 2 - 1)


def _paint_silhouette(painter: QPainter, rect: QRectF, theme: Theme, view: ScrubberView) -> None:
    bottom = rect.bottom() - PHASE_HEIGHT - 1
    room = rect.height() - PHASE_HEIGHT - LABEL_HEIGHT
    width = rect.width() / max(len(view.heights), 1)
    bars = []
    begin = 0
    for end in range(1, len(view.heights) + 1):  # equal ones make one bar; a polygon of thousands of corners takes tens of milliseconds to fill
        if end == len(view.heights) or view.heights[end] != view.heights[begin]:
            height = room * float(view.heights[begin])
            bars.append(QRectF(rect.left() + begin * width, bottom - height, (end - begin) * width, height))
            begin = end
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(theme.color("phase.backward"))
    painter.drawRects(bars)


def _paint_phases(painter: QPainter, rect: QRectF, theme: Theme, view: ScrubberView) -> None:
    top = rect.bottom() - PHASE_HEIGHT
    for strip in view.strips:
        left, right = rect.left() + strip.begin * rect.width(), rect.left() + strip.end * rect.width()
        painter.fillRect(QRectF(left, top, right - left, PHASE_HEIGHT), theme.color(f"phase.{strip.kind}"))


def _paint_iterations(painter: QPainter, rect: QRectF, theme: Theme, view: ScrubberView) -> None:
    font = theme.font("caption")
    free_from = rect.left()
    for mark in view.iterations:
        x = round(rect.left() + mark.position * rect.width())
        if not mark.label or x < free_from:
            continue
        painter.fillRect(QRectF(x, rect.top(), 1, rect.height() - PHASE_HEIGHT), theme.color("line.control"))
        words = tr("iteration {label}").format(label=mark.label) if free_from == rect.left() else mark.label
        free_from = x + text_width(words, font) + 12
        if free_from - 8 < rect.right():
            draw_text(painter, QRectF(x + 4, rect.top(), 90, LABEL_HEIGHT), words, font, theme.color("text.secondary"))


def _paint_start_up(painter: QPainter, rect: QRectF, theme: Theme, view: ScrubberView) -> None:
    width = view.axis.cut_share * rect.width()
    area = QRectF(rect.left(), rect.top(), width, rect.height())
    painter.fillRect(area, theme.color("surface.field"))
    draw_text(painter, QRectF(area.left() + 6, area.top() + 2, width - 12, LABEL_HEIGHT), tr("start-up"), theme.font("caption"), theme.color("text.tertiary"))
    draw_text(painter, QRectF(area.left() + 6, area.top() + 15, width - 12, 14), view.start_up, theme.font("caption"), theme.color("text.secondary"))
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(theme.color("text.tertiary"), 1))
    middle = area.left() + width * 0.5
    for shift in (0, 4):
        painter.drawLine(QPointF(middle + shift, rect.bottom() - 2), QPointF(middle + shift + 4, rect.bottom() - PHASE_HEIGHT - 1))
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)


def _paint_window(painter: QPainter, rect: QRectF, theme: Theme, view: ScrubberView, state: ScrubberState) -> None:
    if state.view_range_ns is None:
        return
    left, right = (rect.left() + view.axis.position(time) * rect.width() for time in state.view_range_ns)
    shown = QRectF(left, rect.top() + 0.5, max(right - left, 4), rect.height() - 1)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(theme.color("accent.base"), 1.5))
    painter.setBrush(with_alpha(theme.color("accent.base"), 0.18))
    painter.drawRoundedRect(shown, 3, 3)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)


def _paint_lines(painter: QPainter, rect: QRectF, theme: Theme, view: ScrubberView, state: ScrubberState) -> None:
    width = theme.px("line.cursor")
    if state.is_held:
        x = rect.left() + view.axis.position(state.now_ns) * rect.width()
        painter.fillRect(QRectF(min(x, rect.right() - width), rect.top(), width, rect.height()), theme.color("exec.border"))
    if state.cursor_ns is not None:
        x = rect.left() + view.axis.position(state.cursor_ns) * rect.width()
        painter.fillRect(QRectF(min(x, rect.right() - width), rect.top(), width, rect.height()), theme.color("accent.base"))
