"""Paints the cells of the storages table: names with a swatch, shapes, badges, writers with a link, sizes."""

from typing import Final

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter

from tensorscope.language import tr
from tensorscope.render.storage_badge import badge_width, paint_badge, paint_badges
from tensorscope.render.text import Run, draw_quantity, draw_runs, draw_text, text_width
from tensorscope.render.theme import Theme
from tensorscope.units import UNKNOWN, format_shape, plural, short_dtype, split_bytes
from tensorscope.viewmodel.storage_groups import StorageGroup
from tensorscope.viewmodel.storages import StorageItem, TensorItem, place_of

_RIGHT: Final = Qt.AlignmentFlag.AlignRight
_LEAST_NAME: Final = 90.0  # of a name before a badge takes its room


def paint_name(painter: QPainter, rect: QRectF, item: StorageItem, tensor: TensorItem | None, theme: Theme, *, with_writer: bool) -> None:
    """A storage's name is bold beside its category's swatch, with its badges (``with_writer``: also where it was written last); a tensor's stands under it."""
    size = theme.px("category.swatch.size")
    inner = rect.adjusted(size + theme.px("space.icon_to_text") if tensor is None else 1, 0, -4, 0)
    shown = tensor or item
    if tensor is None:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.category_brush(item.row.category))
        painter.drawRoundedRect(QRectF(rect.left(), round(rect.center().y() - size / 2), size, size), 2, 2)
    font = theme.font("body", "semibold" if tensor is None else None)
    badges = tuple(badge for badge in item.badges if with_writer or badge.facet != "is:written") if tensor is None else ()
    first = badge_width(badges[0].word, theme) + 6 if badges else 0.0
    room = inner.adjusted(0, 0, -first, 0) if inner.width() - first >= min(text_width(shown.name, font), _LEAST_NAME) else inner
    color = theme.color("text.primary" if shown.is_named else "text.secondary")
    used = draw_text(painter, room, shown.name, font, color, mode=Qt.TextElideMode.ElideMiddle)
    paint_badges(painter, inner.adjusted(used + 6, 0, 0, 0), badges, theme)


def paint_group(painter: QPainter, rect: QRectF, group: StorageGroup, theme: Theme) -> None:
    """A group's heading: what its storages have in common and how many they are."""
    used = draw_text(painter, rect, group.title, theme.font("body", "semibold"), theme.color("text.strong"))
    words = plural(len(group.items), "storage")
    draw_text(painter, rect.adjusted(used + 10, 0, 0, 0), words, theme.font("caption"), theme.color("text.secondary"))


def paint_shape(painter: QPainter, rect: QRectF, tensor: TensorItem | None, theme: Theme, *, with_note: bool) -> None:
    """The shape in code; with a word on an unusual layout where no column says it."""
    if tensor is None:
        return
    inner = rect.adjusted(0, 0, -4, 0)
    code = theme.font("caption", code=True)
    shape = format_shape(tensor.tensor.shape)
    dim = theme.color("text.secondary")
    note = _unusual(tensor)
    width = text_width(shape, code)
    if with_note and note and width + 8 + text_width(note, theme.font("caption")) <= inner.width():
        draw_runs(painter, inner, [Run(shape, code, dim), Run(f"  {note}", theme.font("caption"), dim)])
    else:
        draw_text(painter, inner, shape, code, dim)


def paint_layout(painter: QPainter, rect: QRectF, tensor: TensorItem | None, theme: Theme) -> None:
    """Badges: dtype, view or base, how it lies, version."""
    if tensor is None:
        return
    facts = tensor.tensor
    x = rect.left()
    for word in (short_dtype(facts.dtype), tr("view") if facts.is_view else tr("base"), _lies(tensor), f"v{facts.version}"):
        width = badge_width(word, theme)
        if x + width > rect.right() - 4:
            break
        paint_badge(painter, x, rect, word, theme)
        x += width + 4


def paint_writer(painter: QPainter, rect: QRectF, item: StorageItem, theme: Theme) -> None:
    inner = rect.adjusted(0, 0, -4, 0)
    link = writer_link_rect(rect, item, theme)
    draw_text(
        painter,
        inner.adjusted(0, 0, -link.width() - 6, 0),
        item.row.last_writer.removeprefix("aten::") or UNKNOWN,
        theme.font("caption"),
        theme.color("text.secondary"),
    )
    if link.width():
        draw_text(painter, link, place_of(item.row.last_writer_source), theme.font("caption"), theme.color("text.link"), _RIGHT)


def writer_link_rect(rect: QRectF, item: StorageItem, theme: Theme) -> QRectF:
    """Where the last writer's line stands; without width where it is not known."""
    if item.row.last_writer_source is None:
        return QRectF(rect.right() - 4, rect.top(), 0, rect.height())
    width = text_width(place_of(item.row.last_writer_source), theme.font("caption"))
    return QRectF(rect.right() - 4 - width, rect.top(), width, rect.height())


def paint_group_size(painter: QPainter, rect: QRectF, group: StorageGroup, theme: Theme) -> None:
    draw_quantity(painter, rect.adjusted(0, 0, -6, 0), split_bytes(group.nbytes), theme, weight="semibold")


def paint_size(painter: QPainter, rect: QRectF, item: StorageItem, tensor: TensorItem | None, theme: Theme) -> None:
    inner = rect.adjusted(0, 0, -6, 0)
    if tensor is None:
        draw_quantity(painter, inner, split_bytes(item.row.nbytes), theme)
    elif tensor.note:
        draw_text(painter, inner, tensor.note, theme.font("caption"), theme.color("text.secondary"), _RIGHT)
    else:
        draw_quantity(painter, inner, split_bytes(tensor.size_bytes), theme, color=theme.color("text.secondary"))


def _unusual(tensor: TensorItem) -> str:
    lies = _lies(tensor)
    return "" if lies == tr("contiguous") else lies


def _lies(tensor: TensorItem) -> str:
    return tensor.layout if tensor.layout == tr("stride 0") else tr("contiguous") if tensor.tensor.is_contiguous else tr("strided")
