"""What stands out of a graph: the nodes and lines of a path before the dimmed rest, how a node differs from another backward's, how many hits a closed
group holds."""

from typing import Final

import numpy as np
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from tensorscope.render.text import draw_text, text_width
from tensorscope.render.theme import Theme
from tensorscope.units import format_count
from tensorscope.viewmodel.graph import GraphView
from tensorscope.viewmodel.graph_change import Tone, tones_of
from tensorscope.viewmodel.graph_scene import Box, BoxKind, Line

DIM: Final = 0.3
OFF: Final = 3.0  # px outside a box
PILL: Final = 14.0
TONES: Final = {Tone.NEW: "severity.ok", Tone.RESHAPED: "severity.warning", Tone.REWIRED: "severity.info", Tone.GONE: "severity.error"}


def dimmed_boxes(view: GraphView) -> frozenset[int]:
    """Indices of the boxes that step back: none without a path, nor any that a part of the path lies in."""
    if view.path is None or not view.path.nodes:
        return frozenset()
    shown = {int(index) for index in np.unique(view.scene.shown_by[list(view.path.nodes)])}
    boxes = view.scene.boxes
    for index in list(shown):
        while boxes[index].parent >= 0:
            index = boxes[index].parent
            shown.add(index)
    shown.update(_pinned(view))
    return frozenset(range(len(boxes))) - shown


def _pinned(view: GraphView) -> set[int]:
    """Pinned groups and all that is drawn in them: they never step back."""
    found: set[int] = set()
    for index, box in enumerate(view.scene.boxes):
        if box.parent in found or any(group.key in view.state.pinned for group in box.groups):
            found.add(index)
    return found


def path_pen(line: Line, view: GraphView, theme: Theme, width: float) -> QPen | None:
    """Of a line that a path takes: strong on the shortest way; None of another line."""
    if view.path is None or not view.path.links.intersection(line.links):
        return None
    is_on_way = not view.path.way_links.isdisjoint(line.links)
    pen = QPen(theme.color("accent.base"), width * (2.0 if is_on_way else 1.0))
    if not is_on_way:
        pen.setStyle(Qt.PenStyle.DotLine)
    return pen


def paint_tone(painter: QPainter, box: Box, view: GraphView, theme: Theme, radius: float) -> None:
    """An outline in the colour of the difference; of a closed group with several the first."""
    if view.change is None or box.kind is BoxKind.OPEN:
        return
    tones = tones_of(view.change, box)
    if tones:
        painter.setPen(QPen(tone_color(tones[0], theme), theme.px("line.selection")))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(QRectF(box.x, box.y, box.width, box.height), radius, radius)


def tone_color(tone: Tone, theme: Theme) -> QColor:
    return theme.color(TONES[tone])


def paint_count(painter: QPainter, box: Box, count: int, theme: Theme) -> None:
    """How many of what is looked for lie in a closed group, at its upper right corner."""
    font, words = theme.font("caption", "semibold"), format_count(count)
    width = max(text_width(words, font) + 8, PILL)
    pill = QRectF(box.x + box.width - width + OFF, box.y - PILL / 2, width, PILL)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(theme.color("accent.base"))
    painter.drawRoundedRect(pill, PILL / 2, PILL / 2)
    draw_text(painter, pill, words, font, theme.color("text.on_accent"), Qt.AlignmentFlag.AlignHCenter)
