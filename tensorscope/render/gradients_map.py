"""Paints the gradient heat map with the marks of cells that hold no norm, its row labels, iteration axis and colour scale."""

import math
from typing import Final

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QImage, QPainter

from tensorscope.render.gradients_geometry import GradientsGeometry
from tensorscope.render.text import draw_text, text_width
from tensorscope.render.theme import RAMP_SIZE, Theme
from tensorscope.viewmodel.gradient_picture import CellGrid, RowLabel, fit_cells, row_labels, short_name
from tensorscope.viewmodel.gradients import Cell, GradientMap
from tensorscope.viewmodel.ticks import count_ticks, log_ticks

_DOT_FROM: Final = 5.0  # a cell's shorter side in pixels
_RIGHT: Final = Qt.AlignmentFlag.AlignRight
_CENTRE: Final = Qt.AlignmentFlag.AlignHCenter


def paint_cells(painter: QPainter, geometry: GradientsGeometry, view: GradientMap, theme: Theme) -> None:
    least_width, least_height = theme.value("gradients.cell_min")
    grid = fit_cells(view, geometry.column_width * view.norms.shape[1], geometry.map.height(), least_width, least_height)
    pixels = _pixels(grid, view, theme)
    image = QImage(pixels.data, pixels.shape[1], pixels.shape[0], pixels.shape[1] * 4, QImage.Format.Format_RGB32)
    painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, False)
    width = geometry.column_width * grid.column_step * pixels.shape[1]
    height = geometry.row_height * grid.row_step * pixels.shape[0]
    painter.save()
    painter.setClipRect(geometry.map)
    left = geometry.x_of(view.first_iteration)
    painter.drawImage(QRectF(left, geometry.map.top(), width, height), image)
    _paint_hatch(painter, geometry, grid, left, theme)
    _paint_dots(painter, geometry, grid, left, theme)
    painter.restore()


def paint_row_labels(painter: QPainter, geometry: GradientsGeometry, view: GradientMap, theme: Theme, selected: int | None) -> None:
    """Names at the left; the selected one azure and always there, the others where they do not touch it or each other."""
    labels = row_labels(view.parameters, geometry.map.height())
    chosen = next((label for label in labels if selected is not None and label.first <= selected < label.last), None)
    taken: list[tuple[float, float]] = []
    for label in ([chosen] if chosen else []) + [label for label in labels if label is not chosen]:
        top, bottom = geometry.y_of(label.first), geometry.y_of(label.last)
        middle = min(max((top + bottom) / 2, geometry.map.top() + 5), geometry.map.bottom() - 5)
        if any(middle - 7 < end and middle + 7 > begin for begin, end in taken):
            continue
        taken.append((middle - 7, middle + 7))
        _paint_row_label(painter, geometry, label, middle, theme, is_selected=label is chosen)


def paint_iterations(painter: QPainter, geometry: GradientsGeometry, view: GradientMap, theme: Theme, current: int | None, color_role: str) -> None:
    """Numbers below the map; the cursor's iteration in its colour."""
    font, strong = theme.font("caption"), theme.font("caption", "semibold")
    beside = QRectF(geometry.axis.left() - 66, geometry.axis.top() + 2, 58, 14)
    draw_text(painter, beside, "iteration", font, theme.color("text.secondary"), _RIGHT)
    taken = QRectF()
    if current is not None and geometry.is_shown(current):
        middle = geometry.x_of(current + 0.5)
        taken = QRectF(middle - text_width(str(current), strong) / 2 - 3, geometry.axis.top() + 2, text_width(str(current), strong) + 6, 14)
        draw_text(painter, taken, f"{current:,}", strong, theme.color(color_role), _CENTRE)
    first, last = math.floor(geometry.first_iteration), math.ceil(geometry.first_iteration + geometry.iterations) - 1
    for tick in count_ticks(first, last, max(2, int(geometry.map.width() / 44))):
        width = text_width(tick.label, font) + 6
        rect = QRectF(geometry.x_of(tick.value + 0.5) - width / 2, geometry.axis.top() + 2, width, 14)
        if not rect.intersects(taken) and geometry.is_shown(tick.value):
            draw_text(painter, rect, tick.label, font, theme.color("text.secondary"), _CENTRE)


def paint_scale(painter: QPainter, geometry: GradientsGeometry, view: GradientMap, theme: Theme) -> None:
    """The colour of every norm, highest at the top."""
    ramp = np.ascontiguousarray(theme.ramp("gradient_norm")[::-1]).reshape(-1, 1)
    image = QImage(ramp.data, 1, len(ramp), 4, QImage.Format.Format_RGB32)
    painter.drawImage(geometry.scale, image)
    for tick in log_ticks(view.low, view.high, max(2, int(geometry.scale.height() / 28))):
        share = math.log(tick.value / view.low) / math.log(view.high / view.low)
        y = geometry.scale.bottom() - share * geometry.scale.height()
        painter.setPen(theme.pen("text.tertiary"))
        painter.drawLine(QLineF(geometry.scale.right() + 1, y, geometry.scale.right() + 4, y))
        label = QRectF(geometry.scale.right() + 7, min(max(y - 7, geometry.scale.top() - 2), geometry.scale.bottom() - 12), 40, 14)
        draw_text(painter, label, tick.label, theme.font("caption"), theme.color("text.secondary"))


def paint_chosen(painter: QPainter, geometry: GradientsGeometry, theme: Theme, selected: int | None, current: int | None, color_role: str) -> None:
    """Outlines of the selected row and of the cursor's iteration."""
    painter.setBrush(Qt.BrushStyle.NoBrush)
    if selected is not None:
        painter.setPen(theme.pen("accent.base", 1.5))
        row = QRectF(geometry.map.left() - 2, geometry.y_of(selected) - 1, geometry.map.width() + 4, max(geometry.row_height, 2) + 2)
        painter.drawRoundedRect(row, 2, 2)
    if current is not None and geometry.is_shown(current):
        painter.setPen(theme.pen(color_role, 1.5))
        width = max(geometry.column_width, 3.0)
        column = QRectF(geometry.x_of(current + 0.5) - width / 2 - 1, geometry.map.top() - 2, width + 2, geometry.map.height() + 4)
        painter.drawRoundedRect(column, 2, 2)


def paint_hovered_cell(painter: QPainter, geometry: GradientsGeometry, parameter: int, iteration: int, theme: Theme) -> None:
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(theme.pen("text.strong", 1.0))
    painter.drawRect(QRectF(geometry.x_of(iteration), geometry.y_of(parameter), geometry.column_width, geometry.row_height))


def _pixels(grid: CellGrid, view: GradientMap, theme: Theme) -> NDArray[np.uint32]:
    """The colour of every cell as 0xffRRGGBB."""
    with np.errstate(divide="ignore", invalid="ignore"):
        share = (np.log(grid.norms) - np.log(view.low)) / (np.log(view.high) - np.log(view.low))
    index = np.clip(np.nan_to_num(share, nan=0.0, posinf=1.0, neginf=0.0) * (RAMP_SIZE - 1), 0, RAMP_SIZE - 1).astype(np.intp)
    pixels = theme.ramp("gradient_norm")[index]
    for cell, role in (
        (Cell.NO_GRADIENT, "surface.field"),
        (Cell.NOT_RUN, "surface.panel"),
        (Cell.UNKNOWN, "surface.panel"),
        (Cell.NOT_FINITE, "severity.error"),
    ):
        pixels[grid.cells == cell] = np.uint32(theme.color(role).rgb())
    pixels[grid.cells == Cell.ALL_ZERO] = theme.ramp("gradient_norm")[0]
    return np.ascontiguousarray(pixels)


def _cell_rect(geometry: GradientsGeometry, grid: CellGrid, left: float, row: int, column: int) -> QRectF:
    width, height = geometry.column_width * grid.column_step, geometry.row_height * grid.row_step
    return QRectF(left + column * width, geometry.map.top() + row * height, width, height)


def _paint_hatch(painter: QPainter, geometry: GradientsGeometry, grid: CellGrid, left: float, theme: Theme) -> None:
    """Over what has not run and what was not read, a run of cells of a column at a time."""
    is_hatched = (grid.cells == Cell.NOT_RUN) | (grid.cells == Cell.UNKNOWN)
    brush = theme.hatch(theme.color("line.control"))
    painter.setBrushOrigin(geometry.map.topLeft())
    for column in np.flatnonzero(is_hatched.any(axis=0)).tolist():
        borders = np.flatnonzero(np.diff(np.concatenate([[0], is_hatched[:, column].astype(np.int8), [0]])))
        for first, last in zip(borders[::2].tolist(), borders[1::2].tolist(), strict=True):
            area = _cell_rect(geometry, grid, left, first, column).united(_cell_rect(geometry, grid, left, last - 1, column))
            painter.fillRect(area, brush)


def _paint_dots(painter: QPainter, geometry: GradientsGeometry, grid: CellGrid, left: float, theme: Theme) -> None:
    """A dot in cells that are not finite or all zero, where a dot has room."""
    side = min(geometry.column_width * grid.column_step, geometry.row_height * grid.row_step)
    painter.setPen(Qt.PenStyle.NoPen)
    if side < _DOT_FROM:
        return
    radius = min(side / 5, 2.5)
    for cell, role in ((Cell.NOT_FINITE, "surface.panel"), (Cell.ALL_ZERO, "line.control")):
        painter.setBrush(theme.color(role))
        for row, column in np.argwhere(grid.cells == cell).tolist():
            painter.drawEllipse(_cell_rect(geometry, grid, left, row, column).center(), radius, radius)


def _paint_row_label(painter: QPainter, geometry: GradientsGeometry, label: RowLabel, middle: float, theme: Theme, *, is_selected: bool) -> None:
    color = theme.color("text.link" if is_selected else "text.secondary")
    rect = QRectF(geometry.left, middle - 7, geometry.map.left() - 8 - geometry.left, 14)
    font = theme.font("caption", "semibold" if is_selected else None)
    text = short_name(label.text, lambda name: text_width(name, font) <= rect.width())
    draw_text(painter, rect, text, font, color, _RIGHT, Qt.TextElideMode.ElideMiddle)
    painter.setPen(theme.pen("accent.base" if is_selected else "line.control", 2.0 if is_selected else 1.0))
    x = geometry.map.left() - 4
    painter.drawLine(QPointF(x, geometry.y_of(label.first) + 1), QPointF(x, max(geometry.y_of(label.last) - 1, geometry.y_of(label.first) + 2)))
