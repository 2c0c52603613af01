"""Where things lie in the gradients panel: labels, map, colour scale, iteration axis, curves."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

from PySide6.QtCore import QRectF

LABELS: Final = (66.0, 130.0)  # least and most room for row labels
_MOST_LABELS_SHARE: Final = 0.28
_SCALE: Final = 72.0
_SCALE_BAR: Final = 12.0
_AXIS: Final = 18.0
_TOP: Final = 8.0
_CURVES_SHARE: Final = 0.3
_LEAST_CURVES: Final = 54.0
_NO_CURVES_BELOW: Final = 170.0


@dataclass(frozen=True, slots=True)
class GradientsGeometry:
    left: float
    map: QRectF
    scale: QRectF  # the bar; its labels stand at its right
    axis: QRectF
    curves: QRectF  # empty where there is no room
    parameters: int
    first_iteration: float  # at the left edge: the axis may be zoomed in
    iterations: float

    @classmethod
    def of(cls, rect: QRectF, parameters: int, first_iteration: float, iterations: float, labels: float) -> GradientsGeometry:
        """``labels`` is the width that the row labels would like."""
        most = max(LABELS[0], min(LABELS[1], rect.width() * _MOST_LABELS_SHARE))
        left, right = rect.left() + min(max(labels, LABELS[0]), most), rect.right() - _SCALE
        inner = rect.height() - _TOP - _AXIS
        has_curves = rect.height() >= _NO_CURVES_BELOW
        curves_height = max(inner * _CURVES_SHARE, _LEAST_CURVES) if has_curves else 0.0
        map_height = inner - curves_height - (2 * _TOP if has_curves else 0.0)
        grid = QRectF(left, rect.top() + _TOP, max(right - left, 20.0), max(map_height, 20.0))
        axis = QRectF(left, grid.bottom(), grid.width(), _AXIS)
        curves = QRectF(left, axis.bottom() + 1.5 * _TOP, grid.width(), curves_height) if has_curves else QRectF()
        bar = QRectF(right + 12, grid.top(), _SCALE_BAR, grid.height())
        return cls(rect.left(), grid, bar, axis, curves, parameters, first_iteration, iterations)

    @classmethod
    def map_height(cls, rect: QRectF) -> float:
        return cls.of(rect, 1, 0, 1, 0.0).map.height()

    @property
    def row_height(self) -> float:
        return self.map.height() / max(self.parameters, 1)

    @property
    def column_width(self) -> float:
        return self.map.width() / max(self.iterations, 1e-9)

    def x_of(self, iteration: float) -> float:
        """The left edge of an iteration's column."""
        return self.map.left() + (iteration - self.first_iteration) * self.column_width

    def is_shown(self, iteration: float) -> bool:
        """Its middle lies on the axis."""
        return self.first_iteration <= iteration + 0.5 <= self.first_iteration + self.iterations

    def y_of(self, parameter: float) -> float:
        """The upper edge of a parameter's row."""
        return self.map.top() + parameter * self.row_height

    def iteration_at(self, x: float) -> int:
        at = self.first_iteration + (x - self.map.left()) / self.map.width() * self.iterations
        return min(max(math.floor(at), math.floor(self.first_iteration)), math.ceil(self.first_iteration + self.iterations) - 1)

    def parameter_at(self, y: float) -> int:
        return min(max(int((y - self.map.top()) / self.map.height() * self.parameters), 0), self.parameters - 1)
