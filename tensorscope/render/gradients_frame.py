"""Where iterations and norms lie in pixels under the gradient map."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from PySide6.QtCore import QRectF

from tensorscope.analysis.results import Floats
from tensorscope.viewmodel.gradient_curves import CurveScale
from tensorscope.viewmodel.ticks import Tick, linear_ticks, log_ticks

NAME_ROOM: Final = 66.0
_LEAST_TICKS_APART: Final = 22.0  # pixels


@dataclass(frozen=True, slots=True)
class CurvesFrame:
    """Where iterations and norms lie in pixels: iteration ``first`` at the left edge of ``area``, ``scale.low`` at its bottom."""

    area: QRectF
    first: float
    iterations: float
    scale: CurveScale
    name_room: float = NAME_ROOM  # pixels at the right for a name at a line's end

    def xs_of(self, iterations: Floats) -> Floats:
        return np.asarray(self.area.left() + (iterations - self.first) * (self.area.width() / self.iterations), np.float64)

    def ys_of(self, norms: Floats) -> Floats:
        return np.asarray(self.area.bottom() - self.scale.shares(norms) * self.area.height(), np.float64)

    def y_of(self, norm: float) -> float:
        return float(self.ys_of(np.array([norm]))[0])

    def ticks(self) -> tuple[Tick, ...]:
        most = max(2, int(self.area.height() / _LEAST_TICKS_APART))
        return log_ticks(self.scale.low, self.scale.high, most) if self.scale.is_log else linear_ticks(self.scale.low, self.scale.high, most)
