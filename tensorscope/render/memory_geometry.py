"""Where things lie in the memory timeline: lanes above, the plot, axes left and below; moments to pixels and back."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from PySide6.QtCore import QRectF

from tensorscope.analysis.results import Floats, Ints
from tensorscope.render.theme import Theme

_RIGHT: Final = 12.0
_TOP: Final = 6.0
_UNDER_LANES: Final = 6.0


@dataclass(frozen=True, slots=True)
class MemoryGeometry:
    iteration_lane: QRectF
    phase_lane: QRectF
    module_lane: QRectF
    plot: QRectF
    axis: QRectF
    begin_ns: int
    end_ns: int
    top_bytes: float
    edges_ns: Ints | None = None  # the columns' borders where these are not of equal duration

    @classmethod
    def of(cls, rect: QRectF, theme: Theme, range_ns: tuple[int, int], top_bytes: float, edges_ns: Ints | None = None) -> MemoryGeometry:
        left = rect.left() + theme.px("timeline.axis_left")
        width = max(rect.right() - _RIGHT - left, 10.0)
        gap = theme.px("timeline.lane.gap")
        lanes, y = [], rect.top() + _TOP
        for lane in ("iteration", "phase", "module"):
            lanes.append(QRectF(left, y, width, theme.px(f"timeline.lane.{lane}")))
            y = lanes[-1].bottom() + gap
        bottom = rect.bottom() - theme.px("timeline.axis_bottom")
        plot = QRectF(left, y + _UNDER_LANES, width, max(bottom - y - _UNDER_LANES, 10.0))
        iteration, phase, module = lanes
        return cls(iteration, phase, module, plot, QRectF(left, plot.bottom(), width, theme.px("timeline.axis_bottom")), *range_ns, top_bytes, edges_ns)

    def x_of(self, time_ns: float) -> float:
        if self.edges_ns is not None:
            return self._between(float(np.interp(time_ns, self.edges_ns, np.arange(len(self.edges_ns)))), time_ns)
        return self.plot.left() + (time_ns - self.begin_ns) / max(self.end_ns - self.begin_ns, 1) * self.plot.width()

    def xs_of(self, times_ns: Ints) -> Floats:
        if self.edges_ns is not None:
            columns = np.interp(times_ns, self.edges_ns, np.arange(len(self.edges_ns)))
            return np.asarray(self.plot.left() + columns * (self.plot.width() / (len(self.edges_ns) - 1)), np.float64)
        return np.asarray(self.plot.left() + (times_ns - self.begin_ns) * (self.plot.width() / max(self.end_ns - self.begin_ns, 1)), np.float64)

    def ns_of(self, x: float) -> int:
        if self.edges_ns is not None:
            column = (x - self.plot.left()) / self.plot.width() * (len(self.edges_ns) - 1)
            return round(float(np.interp(column, np.arange(len(self.edges_ns)), self.edges_ns)))
        return self.begin_ns + round((x - self.plot.left()) / self.plot.width() * (self.end_ns - self.begin_ns))

    def _between(self, column: float, time_ns: float) -> float:
        """A column's x; what is outside of the range lies outside of the plot."""
        outside = -2.0 if time_ns < self.begin_ns else 2.0 if time_ns > self.end_ns else 0.0
        edges = 1 if self.edges_ns is None else len(self.edges_ns) - 1
        return self.plot.left() + column / edges * self.plot.width() + outside

    def y_of(self, size_bytes: float) -> float:
        return self.plot.bottom() - size_bytes / self.top_bytes * self.plot.height()

    def ys_of(self, size_bytes: Ints) -> Floats:
        return np.asarray(self.plot.bottom() - size_bytes * (self.plot.height() / self.top_bytes), np.float64)

    def bytes_of(self, y: float) -> float:
        return (self.plot.bottom() - y) / self.plot.height() * self.top_bytes

    def column_at(self, x: float, columns: int) -> int:
        """The column under a pixel, clamped."""
        return min(max(int((x - self.plot.left()) / self.plot.width() * columns), 0), columns - 1)
