"""Paints the gradients panel: heat map above, curves below, one iteration axis for both."""

from dataclasses import dataclass

from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter

from tensorscope.render.gradients_curves import paint_curves, paint_hovered_curve
from tensorscope.render.gradients_geometry import GradientsGeometry
from tensorscope.render.gradients_map import paint_cells, paint_chosen, paint_hovered_cell, paint_iterations, paint_row_labels, paint_scale
from tensorscope.render.theme import Theme
from tensorscope.viewmodel.gradient_picture import Curve, curve_range, row_labels
from tensorscope.viewmodel.gradients import GradientMap


@dataclass(frozen=True, slots=True)
class GradientsMarks:
    """What is chosen: a parameter's number, the cursor's iteration."""

    selected: int | None = None
    current: int | None = None
    is_held_there: bool = False  # the script stands in the cursor's iteration


def gradients_geometry(rect: QRectF, view: GradientMap, theme: Theme) -> GradientsGeometry:
    names = [label.text for label in row_labels(view.parameters, GradientsGeometry.map_height(rect))]
    widest = max((theme.metrics("caption", "semibold").horizontalAdvance(name) for name in names), default=0.0)
    return GradientsGeometry.of(rect, len(view.parameters), view.first_iteration, view.norms.shape[1], widest + 14)


def paint_gradients(painter: QPainter, rect: QRectF, view: GradientMap, curves: tuple[Curve, ...], theme: Theme, marks: GradientsMarks) -> None:
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.fillRect(rect, theme.color("surface.panel"))
    geometry = gradients_geometry(rect, view, theme)
    role = "exec.border" if marks.is_held_there else "accent.base"
    paint_cells(painter, geometry, view, theme)
    paint_row_labels(painter, geometry, view, theme, marks.selected)
    paint_iterations(painter, geometry, view, theme, marks.current, "exec.text" if marks.is_held_there else "text.link")
    paint_scale(painter, geometry, view, theme)
    paint_chosen(painter, geometry, theme, marks.selected, marks.current, role)
    selected = _curve_of(view, marks.selected)
    paint_curves(painter, geometry, curves, _limits(curves, selected), theme, selected, marks.current, role)
    painter.restore()


def paint_hovered(
    painter: QPainter, rect: QRectF, view: GradientMap, curves: tuple[Curve, ...], theme: Theme, marks: GradientsMarks, parameter: int, iteration: int
) -> None:
    """What follows the pointer, over a picture of the same ``marks``."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    geometry = gradients_geometry(rect, view, theme)
    paint_hovered_cell(painter, geometry, parameter, iteration, theme)
    hovered = _curve_of(view, parameter)
    if hovered is not None:
        painter.setClipRect(geometry.curves)
        paint_hovered_curve(painter, geometry, hovered, _limits(curves, _curve_of(view, marks.selected)), theme)
        painter.setClipping(False)


def _limits(curves: tuple[Curve, ...], selected: Curve | None) -> tuple[float, float]:
    return curve_range([*curves, *([selected] if selected else [])])


def _curve_of(view: GradientMap, parameter: int | None) -> Curve | None:
    return None if parameter is None else Curve(view.parameters[parameter], view.norms[parameter])
