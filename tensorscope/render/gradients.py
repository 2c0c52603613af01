"""Paints the gradients panel: heat map above, curves below, one iteration axis for both."""

from dataclasses import dataclass

from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter

from tensorscope.render.gradients_curves import CurvesFrame, CurvesMarks, paint_curves, paint_norm_axis
from tensorscope.render.gradients_geometry import GradientsGeometry
from tensorscope.render.gradients_map import paint_cells, paint_chosen, paint_hovered_cell, paint_iterations, paint_row_labels, paint_scale
from tensorscope.render.theme import Theme
from tensorscope.viewmodel.gradient_picture import Curve, curve_range, row_labels
from tensorscope.viewmodel.gradients import GradientMap

Span = tuple[float, float]  # iterations at the left and the right edge


@dataclass(frozen=True, slots=True)
class GradientsMarks:
    """What is chosen: a parameter's number, the cursor's iteration."""

    selected: int | None = None
    current: int | None = None
    is_held_there: bool = False  # the script stands in the cursor's iteration

    @property
    def color_role(self) -> str:
        return "exec.border" if self.is_held_there else "accent.base"


def gradients_geometry(rect: QRectF, view: GradientMap, theme: Theme, span: Span | None = None) -> GradientsGeometry:
    """``span`` is what the axis is zoomed to, None for all."""
    names = [label.text for label in row_labels(view.parameters, GradientsGeometry.map_height(rect))]
    widest = max((theme.metrics("caption", "semibold").horizontalAdvance(name) for name in names), default=0.0)
    first, last = span or full_span(view)
    return GradientsGeometry.of(rect, len(view.parameters), first, last - first, widest + 14)


def full_span(view: GradientMap) -> Span:
    return float(view.first_iteration), float(view.first_iteration + max(view.norms.shape[1], 1))


def paint_gradients(
    painter: QPainter,
    rect: QRectF,
    view: GradientMap,
    curves: tuple[Curve, ...],
    theme: Theme,
    marks: GradientsMarks,
    span: Span | None = None,
    *,
    with_curves: bool = True,
) -> None:
    """``with_curves`` False: an axis widget of its own shows them."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.fillRect(rect, theme.color("surface.panel"))
    geometry = gradients_geometry(rect, view, theme, span)
    paint_cells(painter, geometry, view, theme)
    paint_row_labels(painter, geometry, view, theme, marks.selected)
    paint_iterations(painter, geometry, view, theme, marks.current, "exec.text" if marks.is_held_there else "text.link")
    paint_scale(painter, geometry, view, theme)
    paint_chosen(painter, geometry, theme, marks.selected, marks.current, marks.color_role)
    if with_curves and not geometry.curves.isEmpty():
        frame = frame_of(geometry, curves, curve_of(view, marks.selected))
        paint_norm_axis(painter, frame, theme)
        paint_curves(painter, frame, curves, view.first_iteration, curves_marks(view, marks), theme)
    painter.restore()


def paint_hovered(painter: QPainter, geometry: GradientsGeometry, parameter: int, iteration: int, theme: Theme) -> None:
    """The cell under the pointer, over a picture of the map."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    paint_hovered_cell(painter, geometry, parameter, iteration, theme)


def frame_of(geometry: GradientsGeometry, curves: tuple[Curve, ...], selected: Curve | None) -> CurvesFrame:
    low, high = curve_range([*curves, *([selected] if selected else [])])
    return CurvesFrame(geometry.curves, geometry.first_iteration, geometry.iterations, low, high)


def curves_marks(view: GradientMap, marks: GradientsMarks, hovered: Curve | None = None) -> CurvesMarks:
    return CurvesMarks(curve_of(view, marks.selected), hovered, marks.current, marks.color_role)


def curve_of(view: GradientMap, parameter: int | None) -> Curve | None:
    return None if parameter is None else Curve(view.parameters[parameter], view.norms[parameter])
