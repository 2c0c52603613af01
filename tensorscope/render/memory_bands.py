"""Paints the stacked categories, their single blocks, and the curves over them."""

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QImage, QPaintEngine, QPainter, QPainterPath, QPen

from tensorscope.analysis.results import CATEGORIES, Floats
from tensorscope.render.memory_geometry import MemoryGeometry
from tensorscope.render.memory_raster import GAP_FROM, LINE_ALPHA, TRANSIENT_WASH, band_image, ribbon_bottom
from tensorscope.render.shapes import runs_of, step_band
from tensorscope.render.theme import Theme, with_alpha
from tensorscope.viewmodel.memory import MemoryView
from tensorscope.viewmodel.memory_blocks import Strip

_GAP = 1.0  # of panel colour between neighbouring bands


def paint_bands(painter: QPainter, geometry: MemoryGeometry, view: MemoryView, theme: Theme) -> None:
    """The stack of every column at the moment when it is highest, with the allocated line on it; what a column does not hold all the time is washed out."""
    if painter.paintEngine().type() == QPaintEngine.Type.SVG:
        _paint_polygons(painter, geometry, view, theme)
        return
    scale = painter.device().devicePixelRatioF()
    image = band_image(view, round(geometry.plot.height() * scale), scale, theme)
    painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, False)
    painter.drawImage(geometry.plot, image)


def _paint_polygons(painter: QPainter, geometry: MemoryGeometry, view: MemoryView, theme: Theme) -> None:
    edges = geometry.xs_of(view.edges_ns)
    heights = view.category_bytes * (geometry.plot.height() / view.top_bytes)
    tops = geometry.plot.bottom() - np.cumsum(heights, axis=0)
    bottoms = tops + heights
    above = np.cumsum(heights[::-1], axis=0)[::-1] - heights
    gaps = np.where((heights >= GAP_FROM) & (above > 0), _GAP, 0.0)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
    painter.setBrushOrigin(geometry.plot.topLeft())
    for category, name in enumerate(CATEGORIES):
        painter.setBrush(theme.category_brush(name))
        for first, last in runs_of(heights[category] > 0):
            columns = slice(first, last)
            painter.drawPolygon(step_band(edges[first : last + 1], (tops + gaps)[category, columns], bottoms[category, columns]))
    _paint_tints(painter, geometry, view, edges, theme)
    _wash_transients(painter, geometry, view, edges, theme)
    if view.allocated_bytes is not None:
        painter.setBrush(with_alpha(theme.color("plot.allocated"), LINE_ALPHA))
        line = geometry.ys_of(view.allocated_bytes)
        for first, last in runs_of(view.allocated_bytes > 0):
            painter.drawPolygon(step_band(edges[first : last + 1], line[first:last], ribbon_bottom(line)[first:last]))
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)


def paint_reserved(painter: QPainter, geometry: MemoryGeometry, view: MemoryView, theme: Theme) -> None:
    """SVG's dashed line, up to the newest moment known; on a screen it is part of the image."""
    known = view.known_columns
    if view.reserved_bytes is None or not known or painter.paintEngine().type() != QPaintEngine.Type.SVG:
        return
    y = geometry.ys_of(view.reserved_bytes[:known])
    bottom = np.maximum(np.maximum(np.concatenate([y[:1], y[:-1]]), np.concatenate([y[1:], y[-1:]])), y + theme.px("line.reserved.width"))
    edges = geometry.xs_of(view.edges_ns)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(_dashes(theme))
    for first, last in runs_of(view.reserved_bytes[:known] > 0):
        painter.drawPolygon(step_band(edges[first : last + 1], y[first:last], bottom[first:last]))
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)


def _dashes(theme: Theme) -> QBrush:
    """Vertical stripes that make a dashed line of a ribbon."""
    on, off = theme.value("line.reserved.dash")
    tile = QImage(on + off, 1, QImage.Format.Format_ARGB32_Premultiplied)
    tile.fill(Qt.GlobalColor.transparent)
    for x in range(on):
        tile.setPixelColor(x, 0, theme.color("plot.reserved"))
    return QBrush(tile)


def paint_outline(painter: QPainter, geometry: MemoryGeometry, view: MemoryView, strip: Strip, color: QColor, width: float) -> QRectF:
    """A block's outline; returns its bounds."""
    shape = _strip_polygon_path(geometry, geometry.xs_of(view.edges_ns), strip)
    painter.setPen(QPen(color, width))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawPath(shape)
    return shape.boundingRect()


def _paint_tints(painter: QPainter, geometry: MemoryGeometry, view: MemoryView, edges: Floats, theme: Theme) -> None:
    paths: dict[int, QPainterPath] = {}
    for strip in view.strips:
        if strip.is_tinted and CATEGORIES[strip.category] != "unknown":
            paths.setdefault(strip.category, QPainterPath()).addPath(_strip_polygon_path(geometry, edges, strip, _GAP))
    for category, path in paths.items():
        painter.setBrush(theme.category_tint(CATEGORIES[category]))
        painter.drawPath(path)


def _strip_polygon_path(geometry: MemoryGeometry, edges: Floats, strip: Strip, inset: float = 0.0) -> QPainterPath:
    columns = slice(strip.first, strip.first + len(strip.bottoms) + 1)
    lower = geometry.ys_of(strip.bottoms)
    upper = lower - strip.size * (geometry.plot.height() / geometry.top_bytes) + inset
    path = QPainterPath()
    path.addPolygon(step_band(edges[columns], upper, lower))
    path.closeSubpath()
    return path


def _wash_transients(painter: QPainter, geometry: MemoryGeometry, view: MemoryView, edges: Floats, theme: Theme) -> None:
    high, low = geometry.ys_of(view.high_bytes), geometry.ys_of(view.low_bytes)
    painter.setBrush(with_alpha(theme.color("surface.panel"), TRANSIENT_WASH))
    for first, last in runs_of(low - high >= 2):
        painter.drawPolygon(step_band(edges[first : last + 1], high[first:last], low[first:last]))


def peak_triangle(tip: QPointF, width: float, height: float) -> QPainterPath:
    """A marker that points down at ``tip``."""
    path = QPainterPath(tip)
    path.lineTo(tip + QPointF(width / 2, -height))
    path.lineTo(tip + QPointF(-width / 2, -height))
    path.closeSubpath()
    return path
