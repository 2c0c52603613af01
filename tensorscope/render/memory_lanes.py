"""Paints the lanes of a time axis: iterations, phases as three greys with a word, calls of the selected module."""

from functools import lru_cache
from typing import Final

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter

from tensorscope.language import tr
from tensorscope.render.memory_geometry import MemoryGeometry
from tensorscope.render.text import Run, draw_runs, draw_text
from tensorscope.render.theme import Theme
from tensorscope.viewmodel.memory import MemoryView
from tensorscope.viewmodel.memory_lanes import Span
from tensorscope.viewmodel.words import word_of

_LABEL_GAP: Final = 8.0


def paint_lanes(painter: QPainter, geometry: MemoryGeometry, view: MemoryView, theme: Theme) -> None:
    font, secondary = theme.font("caption"), theme.color("text.secondary")
    module = (view.module or (tr("module") if view.module_lane else ""), theme.color("text.link") if view.module else theme.color("text.tertiary"))
    for lane, (label, color) in (
        (geometry.iteration_lane, (tr("iteration"), secondary)),
        (geometry.phase_lane, (tr("phase"), secondary)),
        (geometry.module_lane, module),
    ):
        beside = QRectF(lane.left() - theme.px("timeline.axis_left"), lane.top() - 2, theme.px("timeline.axis_left") - _LABEL_GAP, lane.height() + 4)
        draw_text(painter, beside, label, font, color, Qt.AlignmentFlag.AlignRight, Qt.TextElideMode.ElideLeft)
    for span in view.iteration_lane:
        _paint_span(painter, geometry, geometry.iteration_lane, span, theme, "surface.raised" if theme.is_dark else "surface.header", "text.primary")
    for span in view.phase_lane:
        _paint_span(painter, geometry, geometry.phase_lane, span, theme, f"phase.{span.kind}", f"phase.{span.kind}_text")
    for span in view.module_lane:
        role = "accent.base" if span.kind == "selected" else "phase.backward"
        _paint_span(painter, geometry, geometry.module_lane, span, theme, role, "")


def _paint_span(painter: QPainter, geometry: MemoryGeometry, lane: QRectF, span: Span, theme: Theme, fill: str, text: str) -> None:
    left = max(geometry.x_of(span.begin_ns), lane.left())
    right = min(geometry.x_of(span.end_ns), lane.right())
    if right <= left:
        return
    gap = 1.0 if right - left >= 3 else 0.0
    rect = QRectF(left, lane.top(), max(right - left - gap, 0.5), lane.height())
    painter.fillRect(rect, theme.color(fill))
    if not text or not span.label or rect.width() < theme.px("timeline.min_label_width"):
        return
    inside = rect.adjusted(theme.px("timeline.label_padding"), 0, -2, 0)
    label = _label_that_fits(span, inside.width(), theme)
    if label:
        draw_runs(painter, inside, (Run(label, theme.font("caption"), theme.color(text)),))


def _label_that_fits(span: Span, width: float, theme: Theme) -> str:
    """The whole label, else its short form (``bwd``, an iteration's number), else none."""
    word = word_of(span.label) if span.kind else span.label
    short = str(span.number) if not span.kind else theme.value("timeline.short_label").get(span.label, "") if word == span.label else ""
    return next((label for label in (word, short) if _width(label, theme) <= width), "")


@lru_cache(maxsize=4096)
def _width(label: str, theme: Theme) -> float:
    return theme.metrics("caption").horizontalAdvance(label)
