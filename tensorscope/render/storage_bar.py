"""Paints a storage's bytes as a bar: each tensor on its true range, pale where no live tensor reaches, hatched where one byte stands for many elements."""

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPen

from tensorscope.render.theme import Theme, with_alpha
from tensorscope.viewmodel.byte_ranges import ByteBar, byte_bar, covered
from tensorscope.viewmodel.storages import StorageItem, TensorItem

_EXPANDED_FILL = 0.25


def paint_storage_bar(painter: QPainter, cell: QRectF, item: StorageItem, theme: Theme) -> None:
    """The whole storage: what any tensor reaches in the category's colour on the pale ground of what none does."""
    bar = _bar_rect(cell, theme)
    bars = [_bytes_of(tensor, item, bar, theme) for tensor in item.tensors]
    is_expanded = bool(bars) and all(one.is_expanded for one in bars)
    _paint(painter, bar, ByteBar(covered(bars), is_expanded=is_expanded), item, theme, ground=theme.category_pale(item.row.category))


def paint_tensor_bar(painter: QPainter, cell: QRectF, tensor: TensorItem, item: StorageItem, theme: Theme) -> None:
    """One tensor on its range within its storage."""
    bar = _bar_rect(cell, theme)
    _paint(painter, bar, _bytes_of(tensor, item, bar, theme), item, theme, ground=theme.color("surface.field"))


def _bytes_of(tensor: TensorItem, item: StorageItem, bar: QRectF, theme: Theme) -> ByteBar:
    return byte_bar(tensor.tensor, item.row.nbytes, bar.width(), theme.px("storage_bar.min_segment"))


def _bar_rect(cell: QRectF, theme: Theme) -> QRectF:
    height = theme.px("storage_bar.height")
    return QRectF(cell.left(), round(cell.center().y() - height / 2), max(cell.width(), 4.0), height)


def _paint(painter: QPainter, bar: QRectF, filled: ByteBar, item: StorageItem, theme: Theme, ground: QColor) -> None:
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(theme.color("line.strong"), 1))
    painter.setBrush(ground)
    painter.drawRoundedRect(bar.adjusted(0.5, 0.5, -0.5, -0.5), 2, 2)
    fill = theme.category(item.row.category)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrushOrigin(bar.topLeft())
    painter.save()
    shape = QPainterPath()
    shape.addRoundedRect(bar, 2, 2)
    painter.setClipPath(shape, Qt.ClipOperation.IntersectClip)
    for begin, end in filled.segments:
        segment = QRectF(bar.left() + begin, bar.top(), end - begin, bar.height())
        if filled.is_expanded or item.row.is_external:
            painter.fillRect(segment, with_alpha(fill, _EXPANDED_FILL))
            painter.fillRect(segment, theme.hatch(fill))
        else:
            painter.fillRect(segment, theme.category_brush(item.row.category))
    painter.restore()
