"""Paints the gradients panel: heat map, lanes and one iteration axis, curves, legend."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter

from tensorscope.render.gradients_curves import CurvesMarks, paint_curves, paint_norm_axis
from tensorscope.render.gradients_frame import CurvesFrame
from tensorscope.render.gradients_geometry import GradientsGeometry
from tensorscope.render.gradients_lanes import paint_lanes
from tensorscope.render.gradients_legend import Sign, paint_legend
from tensorscope.render.gradients_map import (
    RowMark,
    paint_cells,
    paint_chosen,
    paint_hovered_cell,
    paint_iterations,
    paint_linked_rows,
    paint_row_labels,
    paint_scale,
)
from tensorscope.render.gradients_spread import paint_spread
from tensorscope.render.message import paint_message
from tensorscope.render.theme import Theme
from tensorscope.viewmodel.gradient_curves import Band, Curve, curve_of_row, curve_scale
from tensorscope.viewmodel.gradient_lanes import GradientLanes
from tensorscope.viewmodel.gradient_rows import MapRows
from tensorscope.viewmodel.gradient_series import Series, SeriesKind
from tensorscope.viewmodel.gradient_view import MapSight
from tensorscope.viewmodel.gradients import GradientMap, NormRange


@dataclass(frozen=True, slots=True)
class GradientsLook:
    """What is painted, and how."""

    view: GradientMap
    rows: MapRows
    curves: tuple[Curve, ...] = ()  # of all rows
    series: Series = field(default_factory=Series)  # of the chosen row, instead of them
    lanes: GradientLanes = field(default_factory=lambda: GradientLanes(0))
    sight: MapSight = field(default_factory=MapSight)
    is_robust: bool = True
    is_log: bool = True
    row_marks: Mapping[str, RowMark] = field(default_factory=dict)
    signs: tuple[Sign, ...] = ()

    @property
    def norms(self) -> NormRange:
        return self.rows.robust if self.is_robust else self.rows.full

    @property
    def shown_curves(self) -> tuple[Curve, ...]:
        return self.curves if self.series.kind is SeriesKind.NORMS else self.series.curves

    @property
    def has_note(self) -> bool:
        """There is nothing below the map but a sentence."""
        return self.series.kind is not SeriesKind.NORMS and self.series.is_empty

    @property
    def has_curves(self) -> bool:
        return self.series.spread.is_empty and not self.has_note

    @property
    def whole_sight(self) -> MapSight:
        first = float(self.view.first_iteration)
        return MapSight((first, first + max(self.view.iterations, 1)), (0.0, float(max(len(self.rows.rows), 1))))


@dataclass(frozen=True, slots=True)
class GradientsMarks:
    """What is chosen: a row's number and its curve, the cursor's iteration."""

    selected: int | None = None
    curve: Curve | None = None
    current: int | None = None
    is_held_there: bool = False  # the script stands in the cursor's iteration
    linked: frozenset[int] = frozenset()  # rows that belong to the selection
    band: Band | None = None  # of the row across ranks

    @property
    def color_role(self) -> str:
        return "exec.border" if self.is_held_there else "accent.base"


def gradients_geometry(rect: QRectF, look: GradientsLook, theme: Theme) -> GradientsGeometry:
    widest = theme.metrics("caption", "semibold").horizontalAdvance(look.rows.longest)
    room = widest + (30 if look.row_marks or look.rows.has_modules else 14)
    return GradientsGeometry.of(rect, look.sight, room, len(look.lanes.lines), has_marks=bool(look.lanes.kinds))


def paint_gradients(painter: QPainter, rect: QRectF, look: GradientsLook, theme: Theme, marks: GradientsMarks, *, with_curves: bool = True) -> None:
    """``with_curves`` False: an axis widget of its own shows them."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.fillRect(rect, theme.color("surface.panel"))
    geometry = gradients_geometry(rect, look, theme)
    paint_cells(painter, geometry, look.rows, look.view.first_iteration, look.norms, theme)
    paint_row_labels(painter, geometry, look.rows, theme, marks.selected, look.row_marks)
    paint_lanes(painter, geometry, look.lanes, theme, marks.current)
    paint_iterations(painter, geometry, theme, marks.current, "exec.text" if marks.is_held_there else "text.link")
    paint_scale(painter, geometry, look.norms, look.rows.full, theme)
    paint_chosen(painter, geometry, theme, marks.selected, marks.current, marks.color_role)
    paint_linked_rows(painter, geometry, theme, marks.linked)
    paint_legend(painter, geometry.legend, look.signs, theme)
    if not look.series.spread.is_empty and not geometry.curves.isEmpty():
        paint_spread(painter, geometry, look.series.spread, theme, marks.current, marks.color_role)
    elif with_curves and not geometry.curves.isEmpty() and not look.has_note:
        frame = frame_of(geometry, look, marks.curve)
        paint_norm_axis(painter, frame, theme)
        paint_curves(painter, frame, look.shown_curves, look.view.first_iteration, curves_marks(look, marks), theme)
    if not geometry.curves.isEmpty() and look.has_note:
        paint_message(painter, geometry.curves, theme, look.series.note, "")
    painter.restore()


def paint_hovered(painter: QPainter, geometry: GradientsGeometry, row: int, iteration: int, theme: Theme) -> None:
    """The cell under the pointer, over a picture of the map."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    paint_hovered_cell(painter, geometry, row, iteration, theme)


def frame_of(geometry: GradientsGeometry, look: GradientsLook, selected: Curve | None) -> CurvesFrame:
    """The scale holds all curves that are shown and the selected one."""
    chosen = selected if look.series.kind is SeriesKind.NORMS else None
    scale = curve_scale([*look.shown_curves, *([chosen] if chosen else [])], is_robust=look.is_robust, is_log=look.is_log)
    return CurvesFrame(geometry.curves, geometry.first_iteration, geometry.iterations, scale, geometry.name_room)


def curves_marks(look: GradientsLook, marks: GradientsMarks, hovered: Curve | None = None) -> CurvesMarks:
    is_of_all = look.series.kind is SeriesKind.NORMS
    return CurvesMarks(marks.curve if is_of_all else None, hovered, marks.current, marks.color_role, marks.band if is_of_all else None)


def selected_curve(look: GradientsLook, selected: int | None) -> Curve | None:
    """Of the selected row."""
    if selected is None or not selected < len(look.rows.rows):
        return None
    name = look.rows.rows[selected].name
    return next((curve for curve in look.curves if curve.name == name), None) or curve_of_row(look.rows, selected)
