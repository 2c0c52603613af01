"""The stacked bands as an image, at a cost that depends on pixels alone.

Filling a polygon with thousands of jagged corners takes Qt 100 ms and more, so on a screen the bands are made row by row: every border adds a bit
field at its pixel, a running sum down the columns gives each pixel's fields, and a table of 256 colours turns them into the picture. SVG gets the
same picture as polygons from ``render.memory_bands``.
"""

from functools import cache
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from PySide6.QtGui import QColor, QImage

from tensorscope.analysis.results import CATEGORIES, Floats
from tensorscope.render.theme import Theme, mix
from tensorscope.viewmodel.memory import MemoryView

GAP_FROM: Final = 2.5  # a band's height in pixels from which it can spare a gap to the one above
JOINED_STEP: Final = 12.0  # pixels; higher steps of the allocated line are not joined, or spikes would be all line
LINE_ALPHA: Final = 0.8
TRANSIENT_WASH: Final = 0.45  # of panel colour over what a column holds only part of the time

_TINT, _WASH, _LINE, _GAP = 16, 32, 64, 128
_BANDS: Final = 15  # the lowest four bits count the band borders above a pixel
_HATCH_PITCH: Final = 6

Fields = NDArray[np.uint8]


def band_image(view: MemoryView, height: int, scale: float, theme: Theme) -> QImage:
    """[height, columns] device pixels of bands, allocated and reserved lines, transparent where there is nothing; ``scale`` is device pixels a pixel."""
    fields = _fields(view, height, scale)
    pixels = _colors(theme)[fields]
    unknown = len(CATEGORIES) - CATEGORIES.index("unknown")
    if view.category_bytes[CATEGORIES.index("unknown")].any():
        y, x = np.nonzero((fields & (_BANDS | _LINE | _GAP)) == unknown)
        pitch = round(_HATCH_PITCH * scale)
        is_line = (x + y) % pitch < max(1, round(scale))
        pixels[y[is_line], x[is_line]] = _hatch_color(theme)
    if view.reserved_bytes is not None:
        _dash_reserved(pixels, view, scale, theme)
    image = QImage(pixels.data, pixels.shape[1], height, pixels.shape[1] * 4, QImage.Format.Format_ARGB32_Premultiplied)
    return image.copy()


def _dash_reserved(pixels: NDArray[np.uint32], view: MemoryView, scale: float, theme: Theme) -> None:
    """A dashed line on the pixels, joined where it steps, up to the newest moment known."""
    known = view.known_columns
    reserved = np.zeros(0, np.int64) if view.reserved_bytes is None else view.reserved_bytes[:known]
    height, color = len(pixels), np.uint32(theme.color("plot.reserved").rgba())
    rows = _rows(height - reserved * (height / view.top_bytes), height - 1)
    on, off = theme.value("line.reserved.dash")
    columns = np.flatnonzero((np.arange(known) % round((on + off) * scale) < round(on * scale)) & (reserved > 0))
    for thickness in range(max(1, round(theme.px("line.reserved.width") * scale))):
        pixels[np.minimum(rows[columns] + thickness, height - 1), columns] = color
    for column in np.flatnonzero((np.diff(rows) != 0) & (reserved[1:] > 0) & (reserved[:-1] > 0)).tolist():
        low, high = sorted((int(rows[column]), int(rows[column + 1])))
        pixels[low : high + 1, column + 1] = color


def _fields(view: MemoryView, height: int, scale: float) -> Fields:
    per_byte = height / view.top_bytes
    heights = view.category_bytes * per_byte
    tops = height - np.cumsum(heights, axis=0)
    columns = np.arange(heights.shape[1])
    fields = np.zeros((height + 1, len(columns)), np.uint8)
    above = np.cumsum(heights[::-1], axis=0)[::-1] - heights
    for category in range(len(CATEGORIES)):
        fields[_rows(tops[category], height), columns] += 1
        gapped = np.flatnonzero((heights[category] >= GAP_FROM * scale) & (above[category] > 0))
        _mark(fields, gapped, tops[category, gapped], tops[category, gapped] + round(scale), _GAP)
    for strip in view.strips:
        if strip.is_tinted:
            lower = height - strip.bottoms * per_byte
            _mark(fields, strip.first + np.arange(len(lower)), lower - strip.size * per_byte, lower, _TINT)
    high, low = height - view.high_bytes * per_byte, height - view.low_bytes * per_byte
    transient = np.flatnonzero(low - high >= 2 * scale)
    _mark(fields, transient, high[transient], low[transient], _WASH)
    if view.allocated_bytes is not None and len(columns):
        held = np.flatnonzero(high < height)
        _mark(fields, held, high[held], ribbon_bottom(high, scale)[held], _LINE)
    for row in range(1, height):
        np.add(fields[row], fields[row - 1], out=fields[row])
    return fields[:height]


def ribbon_bottom(y: NDArray[Any], scale: float = 1.0) -> Floats:
    """The lower edge of a step line drawn as an area one pixel thick that joins neighbouring steps up to ``JOINED_STEP``."""
    lower_neighbour = np.maximum(np.concatenate([y[:1], y[:-1]]), np.concatenate([y[1:], y[-1:]]))
    return np.asarray(y + np.clip(lower_neighbour - y, scale, JOINED_STEP * scale), np.float64)


def _rows(y: NDArray[Any], height: int) -> NDArray[np.intp]:
    rows: NDArray[np.intp] = np.clip(np.rint(y), 0, height).astype(np.intp)
    return rows


def _mark(fields: Fields, columns: NDArray[np.intp], top: NDArray[Any], bottom: NDArray[Any], field: int) -> None:
    """Set a field in one stretch of each column: on at its top, off again (modulo 256) at its bottom."""
    height = len(fields) - 1
    fields[_rows(top, height), columns] += np.uint8(field)
    fields[_rows(bottom, height), columns] -= np.uint8(field)


@cache
def _colors(theme: Theme) -> NDArray[np.uint32]:
    """The colour of every combination of fields, [256] premultiplied ARGB."""
    return np.array([_color(value, theme) for value in range(256)], np.uint32)


def _color(value: int, theme: Theme) -> int:
    band = value & _BANDS
    if not 1 <= band <= len(CATEGORIES):
        return 0
    panel = theme.color("surface.panel")
    name = CATEGORIES[len(CATEGORIES) - band]
    color = theme.category_tint(name) if value & _TINT and name != "unknown" else theme.category(name)
    if value & _WASH:
        color = mix(color, panel, TRANSIENT_WASH)
    if value & _GAP:
        color = panel
    if value & _LINE:
        color = mix(color, theme.color("plot.allocated"), LINE_ALPHA)
    return color.rgba()


def _hatch_color(theme: Theme) -> np.uint32:
    color: QColor = mix(theme.category("unknown"), theme.color("text.strong"), 0.35)
    return np.uint32(color.rgba())
