"""Where things lie in the gradients panel: labels, map, lanes, colour scale, iteration axis, curves, legend."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

from PySide6.QtCore import QRectF

from tensorscope.viewmodel.gradient_view import MapSight

LABELS: Final = (66.0, 190.0)  # least and most room for row labels
LANE: Final = 16.0
MARKS: Final = 12.0
_MOST_LABELS_SHARE: Final = 0.28
_SCALE: Final = (72.0, 150.0)  # least and most room for the colour scale and the names at the curves' ends
_ROOMY: Final = 560.0  # width from which a seventh of what is more goes to them
_SCALE_BAR: Final = 12.0
_AXIS: Final = 18.0
_TOP: Final = 10.0
_GAP: Final = 2.0
_UNDER_MAP: Final = 4.0
_LEGEND: Final = 19.0
_CURVES_SHARE: Final = 0.36
_LEAST_CURVES: Final = 54.0  # but for a low panel, where a third is the map's first
_LOWEST_CURVES: Final = 36.0
_MAP_SHARE: Final = 1 / 3  # of the whole height, at least
_NO_CURVES_BELOW: Final = 176.0
_NO_LANES_BELOW: Final = 236.0
_NO_LEGEND_BELOW: Final = 130.0


@dataclass(frozen=True, slots=True)
class GradientsGeometry:
    left: float
    map: QRectF
    scale: QRectF  # the bar; its labels stand at its right
    marks: QRectF  # empty where there are none
    lanes: tuple[QRectF, ...]
    axis: QRectF
    curves: QRectF  # empty where there is no room
    legend: QRectF  # likewise
    name_room: float  # right of the curves
    first_row: float  # at the upper edge: the map may be zoomed in
    rows: float
    first_iteration: float  # at the left edge
    iterations: float

    @classmethod
    def of(cls, rect: QRectF, sight: MapSight, labels: float, lanes: int = 0, *, has_marks: bool = False) -> GradientsGeometry:
        """``labels`` is the width that the row labels would like, ``lanes`` how many lines there are to show."""
        scale = min(max(_SCALE[0] + (rect.width() - _ROOMY) / 7, _SCALE[0]), _SCALE[1])
        most = max(LABELS[0], min(LABELS[1], rect.width() * _MOST_LABELS_SHARE))
        left, right = rect.left() + min(max(labels, LABELS[0]), most), rect.right() - scale
        width = max(right - left, 20.0)
        legend_height = _LEGEND if rect.height() >= _NO_LEGEND_BELOW else 0.0
        marks_height = MARKS + _GAP if has_marks else 0.0
        lanes = lanes if rect.height() >= _NO_LANES_BELOW + LANE * lanes else 0
        inner = rect.height() - _TOP - _UNDER_MAP - _AXIS - legend_height - marks_height - lanes * (LANE + _GAP)
        has_curves = rect.height() >= _NO_CURVES_BELOW
        spare = inner - 2 * _TOP - rect.height() * _MAP_SHARE
        curves_height = max(min(max(inner * _CURVES_SHARE, _LEAST_CURVES), spare), _LOWEST_CURVES) if has_curves else 0.0
        map_height = max(inner - curves_height - (2 * _TOP if has_curves else 0.0), 20.0)
        grid = QRectF(left, rect.top() + _TOP, width, map_height)
        marks = QRectF(left, grid.bottom() + _UNDER_MAP, width, MARKS) if has_marks else QRectF()
        under = grid.bottom() + _UNDER_MAP + marks_height
        lines = tuple(QRectF(left, under + place * (LANE + _GAP), width, LANE) for place in range(lanes))
        axis = QRectF(left, under + lanes * (LANE + _GAP), width, _AXIS)
        curves = QRectF(left, axis.bottom() + _TOP, width, curves_height) if has_curves else QRectF()
        legend = QRectF(rect.left() + 12, rect.bottom() - _LEGEND, rect.width() - 24, _LEGEND) if legend_height else QRectF()
        bar = QRectF(right + 12, grid.top(), _SCALE_BAR, grid.height())
        (first, last), (top, bottom) = sight.columns_shown, sight.rows_shown
        return cls(rect.left(), grid, bar, marks, lines, axis, curves, legend, scale - 6.0, top, max(bottom - top, 1e-9), first, max(last - first, 1e-9))

    @property
    def row_height(self) -> float:
        return self.map.height() / self.rows

    @property
    def column_width(self) -> float:
        return self.map.width() / self.iterations

    def x_of(self, iteration: float) -> float:
        """The left edge of an iteration's column."""
        return self.map.left() + (iteration - self.first_iteration) * self.column_width

    def is_shown(self, iteration: float) -> bool:
        """Its middle lies on the axis."""
        return self.first_iteration <= iteration + 0.5 <= self.first_iteration + self.iterations

    def is_row_shown(self, row: float) -> bool:
        return self.first_row - 0.5 < row < self.first_row + self.rows - 0.5

    def y_of(self, row: float) -> float:
        """The upper edge of a row."""
        return self.map.top() + (row - self.first_row) * self.row_height

    def iteration_at(self, x: float) -> int:
        at = self.first_iteration + (x - self.map.left()) / self.map.width() * self.iterations
        return min(max(math.floor(at), math.floor(self.first_iteration)), math.ceil(self.first_iteration + self.iterations) - 1)

    def row_at(self, y: float) -> int:
        at = self.first_row + (y - self.map.top()) / self.map.height() * self.rows
        return min(max(math.floor(at), math.floor(self.first_row)), math.ceil(self.first_row + self.rows) - 1)
