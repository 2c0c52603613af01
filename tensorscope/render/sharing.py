"""Paints the sharing graph of a storage: boxes from holders to views, the bytes of each tensor, arrows from a base to its views."""

from typing import Final

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPainterPath, QPen, QPolygonF

from tensorscope.render.storage_bar import paint_storage_bar, paint_tensor_bar
from tensorscope.render.text import draw_quantity, draw_text, quantity_width
from tensorscope.render.theme import Theme
from tensorscope.units import format_shape, split_bytes
from tensorscope.viewmodel.sharing import GAP, BoxKind, SharingBox, SharingEdge, SharingScene

_PADDING: Final = 9.0
_LINE: Final = 14.0
_ARROW: Final = 5.0


def paint_sharing(painter: QPainter, scene: SharingScene, theme: Theme) -> None:
    """In the scene's own coordinates, from (0, 0)."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    for edge in scene.edges:
        _paint_edge(painter, scene.boxes[edge.source], scene.boxes[edge.target], edge, theme)
    for box in scene.boxes:
        _paint_box(painter, box, scene, theme)


def _paint_edge(painter: QPainter, source: SharingBox, target: SharingBox, edge: SharingEdge, theme: Theme) -> None:
    begin = QPointF(source.x + source.width, source.y + source.height / 2)
    end = QPointF(target.x - (_ARROW if edge.is_view else 0), target.y + target.height / 2)
    path = QPainterPath(begin)
    path.cubicTo(begin + QPointF(GAP / 2, 0), end - QPointF(GAP / 2, 0), end)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(QPen(theme.color("text.tertiary" if edge.is_view else "line.control"), 1.2))
    painter.drawPath(path)
    if edge.is_view:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.color("text.tertiary"))
        tip = end + QPointF(_ARROW, 0)
        painter.drawPolygon(QPolygonF([tip, tip + QPointF(-_ARROW - 1, -_ARROW + 1), tip + QPointF(-_ARROW - 1, _ARROW - 1)]))


def _paint_box(painter: QPainter, box: SharingBox, scene: SharingScene, theme: Theme) -> None:
    rect = QRectF(box.x, box.y, box.width, box.height)
    is_storage, is_view = box.kind is BoxKind.STORAGE, box.tensor is not None and box.tensor.tensor.is_view
    is_quiet = box.kind in (BoxKind.HOLDER, BoxKind.MORE)
    pen = QPen(theme.category(scene.item.row.category) if is_storage else theme.color("line.control"), 1.5 if is_storage else 1)
    if is_view or box.kind is BoxKind.MORE:
        pen.setStyle(Qt.PenStyle.DashLine)
    painter.setPen(pen)
    painter.setBrush(theme.color("surface.panel" if is_quiet else "surface.field" if is_view else "surface.raised"))
    radius = theme.px("radius.node")
    painter.drawRoundedRect(rect.adjusted(0.5, 0.5, -0.5, -0.5), radius, radius)
    inner = rect.adjusted(_PADDING, 0, -_PADDING, 0)
    if is_quiet:
        draw_text(painter, inner, box.title, theme.font("caption"), theme.color("text.secondary"), mode=Qt.TextElideMode.ElideMiddle)
    elif is_storage:
        _paint_storage(painter, inner, scene, theme)
    else:
        _paint_tensor(painter, inner, box, scene, theme)


def _paint_storage(painter: QPainter, inner: QRectF, scene: SharingScene, theme: Theme) -> None:
    item = scene.item
    upper = QRectF(inner.left(), inner.top() + 6, inner.width(), 16)
    size = split_bytes(item.row.nbytes)
    draw_quantity(painter, upper, size, theme, weight="semibold")
    room = upper.adjusted(0, 0, -quantity_width(size, theme, weight="semibold") - 8, 0)
    draw_text(painter, room, item.name, theme.font("body", "semibold"), theme.color("text.strong"), mode=Qt.TextElideMode.ElideMiddle)
    words = f"{theme.category_label(item.row.category)} · {item.row.device}"
    draw_text(painter, upper.translated(0, 16), words, theme.font("caption"), theme.color("text.secondary"))
    paint_storage_bar(painter, QRectF(inner.left(), upper.bottom() + 16, inner.width(), 14), item, theme)


def _paint_tensor(painter: QPainter, inner: QRectF, box: SharingBox, scene: SharingScene, theme: Theme) -> None:
    tensor = box.tensor
    assert tensor is not None
    line = QRectF(inner.left(), inner.top() + 4, inner.width(), 16)
    color = theme.color("text.primary" if tensor.is_named else "text.secondary")
    draw_text(painter, line, tensor.name, theme.font("body", "semibold"), color, mode=Qt.TextElideMode.ElideMiddle)
    code = theme.font("caption", code=True)
    layout = "" if tensor.layout == "contiguous" else f"  {tensor.layout}"
    draw_text(painter, line.translated(0, 15), format_shape(tensor.tensor.shape, tensor.tensor.dtype) + layout, code, theme.color("text.secondary"))
    paint_tensor_bar(painter, QRectF(inner.left(), line.bottom() + 15, inner.width(), 14), tensor, scene.item, theme)
    for number, note in enumerate(box.notes):
        place = QRectF(inner.left(), line.bottom() + 29 + number * _LINE, inner.width(), _LINE)
        draw_text(painter, place, note, theme.font("caption"), theme.color("text.secondary"), mode=Qt.TextElideMode.ElideMiddle)
