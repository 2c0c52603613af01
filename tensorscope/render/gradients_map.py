"""Paints the gradient heat map with the marks of cells that hold no norm, its row labels, iteration axis and colour scale."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPolygonF

from tensorscope.language import tr
from tensorscope.render.gradients_geometry import GradientsGeometry
from tensorscope.render.icons import draw_icon
from tensorscope.render.text import draw_text, text_width
from tensorscope.render.theme import RAMP_SIZE, Theme, mix
from tensorscope.viewmodel.gradient_codes import NOT_FINITE, Cell, decoded
from tensorscope.viewmodel.gradient_picture import CellGrid, RowLabel, fit_cells, row_labels, short_name
from tensorscope.viewmodel.gradient_rows import MapRows
from tensorscope.viewmodel.gradients import NormRange
from tensorscope.viewmodel.ticks import count_ticks, log_ticks

LOWEST_SHADE: Final = 28  # of the ramp: its very end looks like no gradient at all
_DOT_FROM: Final = 5.0  # a cell's shorter side in pixels
_RIGHT: Final = Qt.AlignmentFlag.AlignRight
_CENTRE: Final = Qt.AlignmentFlag.AlignHCenter
_WARNING: Final = 4.0  # half the side of a triangle over a column that is not finite


@dataclass(frozen=True, slots=True)
class RowMark:
    """What stands before a row's name: an icon in the colour of a role."""

    icon: str
    role: str


def paint_cells(painter: QPainter, geometry: GradientsGeometry, rows: MapRows, first_iteration: int, norms: NormRange, theme: Theme) -> CellGrid:
    """The map; returns the cells as they were joined."""
    columns = (geometry.first_iteration - first_iteration, geometry.first_iteration - first_iteration + geometry.iterations)
    least_width, least_height = theme.value("gradients.cell_min")
    in_sight = (geometry.first_row, geometry.first_row + geometry.rows)
    grid = fit_cells(rows.codes, columns, in_sight, (geometry.map.width(), geometry.map.height()), (least_width, least_height))
    if not grid.codes.size:
        return grid
    pixels = np.take(colors_of_codes(theme, norms), grid.codes)
    image = QImage(pixels.data, pixels.shape[1], pixels.shape[0], pixels.shape[1] * 4, QImage.Format.Format_RGB32)
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, False)
    painter.setClipRect(geometry.map)
    place = _Place(geometry, grid, geometry.x_of(first_iteration + grid.first_column), geometry.y_of(grid.first_row))
    painter.drawImage(QRectF(place.left, place.top, place.width * pixels.shape[1], place.height * pixels.shape[0]), image)
    _paint_hatch(painter, place, theme)
    _paint_dots(painter, place, theme)
    painter.restore()
    _paint_warnings(painter, place, theme)
    return grid


@lru_cache(maxsize=4)
def colors_of_codes(theme: Theme, norms: NormRange) -> NDArray[np.uint32]:
    """[65,536] the colour of every code as 0xffRRGGBB."""
    with np.errstate(divide="ignore", invalid="ignore"):
        share = (np.log(decoded()) - math.log(norms.low)) / (math.log(norms.high) - math.log(norms.low))
    index = LOWEST_SHADE + np.clip(np.nan_to_num(share, nan=0.0, posinf=1.0, neginf=0.0), 0, 1) * (RAMP_SIZE - 1 - LOWEST_SHADE)
    colors = theme.ramp("gradient_norm")[index.astype(np.intp)]
    for code, color in (
        (Cell.NO_GRADIENT, theme.color("surface.field")),
        (Cell.NOT_RUN, theme.color("surface.panel")),
        (Cell.UNKNOWN, theme.color("surface.panel")),
        (Cell.ALL_ZERO, zero_color(theme)),
        (NOT_FINITE, theme.color("severity.error")),
    ):
        colors[code] = np.uint32(color.rgb())
    return colors


def zero_color(theme: Theme) -> QColor:
    """Of cells whose elements are all zero: grey, for it is neither missing nor small."""
    return mix(theme.color("line.control"), theme.color("surface.panel"), 0.35)


def paint_row_labels(painter: QPainter, geometry: GradientsGeometry, rows: MapRows, theme: Theme, selected: int | None, marks: Mapping[str, RowMark]) -> None:
    """Names at the left; the selected one azure and always there, the others where they do not touch it or each other."""
    labels = row_labels(rows.names, geometry.map.height(), (geometry.first_row, geometry.first_row + geometry.rows))
    chosen = next((label for label in labels if selected is not None and label.first <= selected < label.last), None)
    if chosen is not None and selected is not None and chosen.last - chosen.first > 1:
        chosen = RowLabel(rows.rows[selected].name, selected, selected + 1)
        labels = (chosen, *labels)
    taken: list[tuple[float, float]] = []
    for label in ([chosen] if chosen else []) + [label for label in labels if label is not chosen]:
        top, bottom = geometry.y_of(label.first), geometry.y_of(label.last)
        middle = min(max((max(top, geometry.map.top()) + min(bottom, geometry.map.bottom())) / 2, geometry.map.top() + 5), geometry.map.bottom() - 5)
        if any(middle - 7 < end and middle + 7 > begin for begin, end in taken):
            continue
        taken.append((middle - 7, middle + 7))
        row = rows.rows[label.first] if label.last - label.first == 1 else None
        text = f"{label.text} ({len(row.members)})" if row is not None and row.is_module else label.text
        mark = marks.get(label.text) if row is not None else None
        _paint_row_label(painter, geometry, RowLabel(text, label.first, label.last), middle, theme, mark, is_selected=label is chosen)


def paint_iterations(painter: QPainter, geometry: GradientsGeometry, theme: Theme, current: int | None, color_role: str) -> None:
    """Numbers below the map; the cursor's iteration in its colour."""
    font, strong = theme.font("caption"), theme.font("caption", "semibold")
    beside = QRectF(geometry.axis.left() - 66, geometry.axis.top() + 2, 58, 14)
    draw_text(painter, beside, tr("iteration"), font, theme.color("text.secondary"), _RIGHT)
    taken = QRectF()
    if current is not None and geometry.is_shown(current):
        middle = geometry.x_of(current + 0.5)
        width = text_width(f"{current:,}", strong) + 6
        left = min(max(middle - width / 2, geometry.axis.left() - 8), geometry.axis.right() - width + 30)
        taken = QRectF(left, geometry.axis.top() + 2, width, 14)
        draw_text(painter, taken, f"{current:,}", strong, theme.color(color_role), _CENTRE)
    first, last = math.floor(geometry.first_iteration), math.ceil(geometry.first_iteration + geometry.iterations) - 1
    widest = text_width(f"{last:,}", font) + 18
    for tick in count_ticks(first, last, max(2, int(geometry.map.width() / max(44, widest)))):
        width = text_width(tick.label, font) + 6
        rect = QRectF(geometry.x_of(tick.value + 0.5) - width / 2, geometry.axis.top() + 2, width, 14)
        if not rect.intersects(taken) and geometry.is_shown(tick.value):
            draw_text(painter, rect, tick.label, font, theme.color("text.secondary"), _CENTRE)


def paint_scale(painter: QPainter, geometry: GradientsGeometry, norms: NormRange, full: NormRange, theme: Theme) -> None:
    """The colour of every norm, highest at the top; an end that some norms lie beyond is pointed."""
    ramp = np.ascontiguousarray(theme.ramp("gradient_norm")[LOWEST_SHADE:][::-1]).reshape(-1, 1)
    image = QImage(ramp.data, 1, len(ramp), 4, QImage.Format.Format_RGB32)
    bar = geometry.scale
    painter.drawImage(bar, image)
    painter.setPen(Qt.PenStyle.NoPen)
    for is_beyond, y, tip, shade in (
        (full.high > norms.high * 1.01, bar.top(), -6, RAMP_SIZE - 1),
        (full.low < norms.low / 1.01, bar.bottom(), 6, LOWEST_SHADE),
    ):
        if is_beyond:
            painter.setBrush(theme.ramp_color("gradient_norm", shade / (RAMP_SIZE - 1)))
            painter.drawPolygon(QPolygonF([QPointF(bar.left(), y), QPointF(bar.center().x(), y + tip), QPointF(bar.right(), y)]))
    for tick in log_ticks(norms.low, norms.high, max(2, int(bar.height() / 28))):
        share = math.log(tick.value / norms.low) / math.log(norms.high / norms.low)
        y = bar.bottom() - share * bar.height()
        painter.setPen(theme.pen("text.tertiary"))
        painter.drawLine(QLineF(bar.right() + 1, y, bar.right() + 4, y))
        label = QRectF(bar.right() + 7, min(max(y - 7, bar.top() - 2), bar.bottom() - 12), 40, 14)
        draw_text(painter, label, tick.label, theme.font("caption"), theme.color("text.secondary"))


def paint_linked_rows(painter: QPainter, geometry: GradientsGeometry, theme: Theme, linked: frozenset[int]) -> None:
    """A bar left of the rows that belong to the selection."""
    for row in linked:
        if geometry.is_row_shown(row):
            painter.fillRect(QRectF(geometry.map.left() - 4, geometry.y_of(row), 3, max(geometry.row_height, 2)), theme.color("accent.base"))


def paint_chosen(painter: QPainter, geometry: GradientsGeometry, theme: Theme, selected: int | None, current: int | None, color_role: str) -> None:
    """Outlines of the selected row and of the cursor's iteration."""
    painter.save()
    painter.setClipRect(geometry.map.adjusted(-3, -3, 3, 3))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    if selected is not None and geometry.is_row_shown(selected):
        painter.setPen(theme.pen("accent.base", 1.5))
        row = QRectF(geometry.map.left() - 2, geometry.y_of(selected) - 1, geometry.map.width() + 4, max(geometry.row_height, 2) + 2)
        painter.drawRoundedRect(row, 2, 2)
    if current is not None and geometry.is_shown(current):
        painter.setPen(theme.pen(color_role, 1.5))
        width = max(geometry.column_width, 3.0)
        column = QRectF(geometry.x_of(current + 0.5) - width / 2 - 1, geometry.map.top() - 2, width + 2, geometry.map.height() + 4)
        painter.drawRoundedRect(column, 2, 2)
    painter.restore()


def paint_hovered_cell(painter: QPainter, geometry: GradientsGeometry, row: int, iteration: int, theme: Theme) -> None:
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(theme.pen("text.strong", 1.0))
    painter.setClipRect(geometry.map.adjusted(-2, -2, 2, 2))
    painter.drawRect(QRectF(geometry.x_of(iteration), geometry.y_of(row), max(geometry.column_width, 2), max(geometry.row_height, 2)))


@dataclass(frozen=True, slots=True)
class _Place:
    """Where the cells of a grid lie."""

    geometry: GradientsGeometry
    grid: CellGrid
    left: float
    top: float

    @property
    def width(self) -> float:
        return self.geometry.column_width * self.grid.column_step

    @property
    def height(self) -> float:
        return self.geometry.row_height * self.grid.row_step

    def rect(self, row: int, column: int, rows: int = 1) -> QRectF:
        return QRectF(self.left + column * self.width, self.top + row * self.height, self.width, self.height * rows)


def _paint_hatch(painter: QPainter, place: _Place, theme: Theme) -> None:
    """Over what has not run and what was not read, a run of cells of a column at a time."""
    codes = place.grid.codes
    is_hatched = (codes == Cell.NOT_RUN) | (codes == Cell.UNKNOWN)
    if not is_hatched.any():
        return
    brush = theme.hatch(theme.color("line.control"))
    painter.setBrushOrigin(place.geometry.map.topLeft())
    for column in np.flatnonzero(is_hatched.any(axis=0)).tolist():
        borders = np.flatnonzero(np.diff(np.concatenate([[0], is_hatched[:, column].astype(np.int8), [0]])))
        for first, last in zip(borders[::2].tolist(), borders[1::2].tolist(), strict=True):
            painter.fillRect(place.rect(first, column, last - first), brush)


def _paint_dots(painter: QPainter, place: _Place, theme: Theme) -> None:
    """A dot in cells that are not finite, a dash in those that are all zero, where one has room."""
    side = min(place.width, place.height)
    if side < _DOT_FROM:
        return
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(theme.color("surface.panel"))
    radius = min(side / 5, 2.5)
    for row, column in np.argwhere(place.grid.codes == NOT_FINITE).tolist():
        painter.drawEllipse(place.rect(row, column).center(), radius, radius)
    half = min(place.width / 3, 4.0)
    for row, column in np.argwhere(place.grid.codes == Cell.ALL_ZERO).tolist():
        middle = place.rect(row, column).center()
        painter.fillRect(QRectF(middle.x() - half, middle.y() - 0.75, 2 * half, 1.5), theme.color("surface.panel"))


def _paint_warnings(painter: QPainter, place: _Place, theme: Theme) -> None:
    """A triangle above every column with a gradient that is not finite: seen however small its cells are."""
    columns = np.flatnonzero((place.grid.codes == NOT_FINITE).any(axis=0))
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(theme.color("severity.error"))
    before = -math.inf
    for column in columns.tolist():
        x = place.left + (column + 0.5) * place.width
        if x - before < _WARNING or not place.geometry.map.left() - 1 <= x <= place.geometry.map.right() + 1:
            continue
        before, y = x, place.geometry.map.top() - 2
        painter.drawPolygon(QPolygonF([QPointF(x - _WARNING, y - 6), QPointF(x + _WARNING, y - 6), QPointF(x, y)]))


def _paint_row_label(
    painter: QPainter, geometry: GradientsGeometry, label: RowLabel, middle: float, theme: Theme, mark: RowMark | None, *, is_selected: bool
) -> None:
    color = theme.color("text.link" if is_selected else "text.primary" if mark is not None and mark.icon == "pin" else "text.secondary")
    rect = QRectF(geometry.left, middle - 7, geometry.map.left() - 8 - geometry.left, 14)
    room = rect.adjusted(18 if mark is not None else 2, 0, 0, 0)
    font = theme.font("caption", "semibold" if is_selected else None)
    text = short_name(label.text, lambda name: text_width(name, font) <= room.width())
    width = draw_text(painter, room, text, font, color, _RIGHT, Qt.TextElideMode.ElideMiddle)
    if mark is not None:
        draw_icon(painter, mark.icon, QRectF(rect.right() - width - 15, rect.top(), 12, rect.height()), theme.color(mark.role), 11)
    painter.setPen(theme.pen("accent.base" if is_selected else "line.control", 2.0 if is_selected else 1.0))
    x = geometry.map.left() - 4
    top, bottom = max(geometry.y_of(label.first) + 1, geometry.map.top()), min(geometry.y_of(label.last) - 1, geometry.map.bottom())
    painter.drawLine(QPointF(x, top), QPointF(x, max(bottom, top + 1)))
