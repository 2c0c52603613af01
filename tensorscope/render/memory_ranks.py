"""Paints the allocated memory of the job's other ranks over the timeline: thin faint steps."""

from typing import Final

import numpy as np
from PySide6.QtGui import QPainter, QPen

from tensorscope.render.memory_geometry import MemoryGeometry
from tensorscope.render.shapes import polygon, runs_of
from tensorscope.render.theme import Theme, with_alpha
from tensorscope.viewmodel.memory import MemoryView

ALPHA: Final = 0.4


def paint_other_ranks(painter: QPainter, geometry: MemoryGeometry, view: MemoryView, theme: Theme) -> None:
    """One line a rank."""
    if not view.other_bytes:
        return
    edges = geometry.xs_of(view.edges_ns)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
    painter.setPen(QPen(with_alpha(theme.color("text.primary"), ALPHA), 1))
    for highest in view.other_bytes:
        y = geometry.ys_of(highest)
        for first, last in runs_of(highest > 0):
            painter.drawPolyline(polygon(np.repeat(edges[first : last + 1], 2)[1:-1], np.repeat(y[first:last], 2)))
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
