"""Paints one storage in full, a line at a time: title with badges, facts, tensors on their bytes, the strip of reads and writes, operators."""

from typing import Final, assert_never

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter

from tensorscope.analysis.results import Source
from tensorscope.analysis.storage_uses import WRITES
from tensorscope.render.icons import draw_icon
from tensorscope.render.storage_badge import paint_badges
from tensorscope.render.storage_bar import paint_tensor_bar
from tensorscope.render.storage_strip import STRIP_HEIGHT, paint_strip
from tensorscope.render.text import draw_name, draw_quantity, draw_text, text_width
from tensorscope.render.theme import Theme
from tensorscope.units import format_place, format_shape, format_time, split_bytes
from tensorscope.viewmodel.storage_detail import DetailLine, FactLine, SectionLine, StripLine, TensorLine, TitleLine, UseLine, effect_words, saving_words

_LABEL: Final = 76.0  # of a fact
_TIME: Final = 66.0
_EFFECT: Final = 50.0
_LINK: Final = 150.0  # at most
_RIGHT: Final = Qt.AlignmentFlag.AlignRight


def line_height(line: DetailLine, theme: Theme) -> float:
    match line:
        case TitleLine():
            return 26.0 if not line.item.badges else 44.0
        case SectionLine():
            return theme.px("size.section_header") + 3
        case StripLine():
            return STRIP_HEIGHT
        case TensorLine():
            return 2 * theme.px("size.row.compact")
        case _:
            return theme.px("size.row.compact")


def paint_line(painter: QPainter, rect: QRectF, line: DetailLine, theme: Theme, cursor_ns: int | None = None) -> None:
    inner = strip_rect(rect, theme)
    match line:
        case TitleLine():
            _paint_title(painter, inner, line, theme)
        case SectionLine():
            _paint_section(painter, rect, inner, line, theme)
        case FactLine():
            _paint_fact(painter, inner, line, theme)
        case TensorLine():
            _paint_tensor(painter, inner, line, theme)
        case StripLine():
            paint_strip(painter, inner, line.uses, theme, cursor_ns)
        case UseLine():
            _paint_use(painter, inner, line, theme)
        case _:
            assert_never(line)


def strip_rect(rect: QRectF, theme: Theme) -> QRectF:
    """Where the strip of marks stands within its line."""
    return rect.adjusted(theme.px("space.panel_padding_x"), 0, -theme.px("space.panel_padding_x"), 0)


def badges_rect(rect: QRectF, theme: Theme) -> QRectF:
    """Where the badges stand within the title's line."""
    return QRectF(rect.left() + theme.px("space.panel_padding_x"), rect.top() + 25, rect.width() - 2 * theme.px("space.panel_padding_x"), 18)


def source_of_line(line: DetailLine) -> Source | None:
    match line:
        case FactLine():
            return line.source
        case UseLine():
            return line.use.source
        case _:
            return None


def link_rect(rect: QRectF, line: DetailLine, theme: Theme) -> QRectF:
    """Where the link to the source line stands; empty where there is none."""
    source = source_of_line(line)
    if source is None:
        return QRectF()
    right = rect.right() - theme.px("space.panel_padding_x")
    width = min(text_width(format_place(source.file, source.line), theme.font("caption")), _LINK)
    return QRectF(right - width, rect.top(), width, rect.height())


def _paint_title(painter: QPainter, rect: QRectF, line: TitleLine, theme: Theme) -> None:
    head = QRectF(rect.left(), rect.top() + 4, rect.width(), 20)
    size = theme.px("category.swatch.size")
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(theme.category_brush(line.item.row.category))
    painter.drawRoundedRect(QRectF(head.left(), round(head.center().y() - size / 2), size, size), 2, 2)
    used = draw_quantity(painter, head, split_bytes(line.item.row.nbytes), theme, weight="semibold")
    room = head.adjusted(size + theme.px("space.icon_to_text"), 0, -used - 10, 0)
    draw_text(painter, room, line.item.name, theme.font("title"), theme.color("text.strong"), mode=Qt.TextElideMode.ElideMiddle)
    paint_badges(painter, QRectF(rect.left(), head.bottom() + 1, rect.width(), 18), line.item.badges, theme)


def _paint_section(painter: QPainter, rect: QRectF, inner: QRectF, line: SectionLine, theme: Theme) -> None:
    painter.fillRect(QRectF(rect.left(), rect.top() + 2, rect.width(), 1), theme.color("line.subtle"))
    row = inner.adjusted(0, 3, 0, 0)
    used = draw_text(painter, row, line.title, theme.font("body", "semibold"), theme.color("text.primary"))
    draw_text(painter, row.adjusted(used + 12, 0, 0, 0), line.note, theme.font("caption"), theme.color("text.secondary"), _RIGHT)


def _paint_fact(painter: QPainter, rect: QRectF, line: FactLine, theme: Theme) -> None:
    color = theme.color("text.secondary")
    left = rect
    if line.is_warning:
        draw_icon(painter, "triangle-alert", QRectF(rect.left(), rect.top(), 14, rect.height()), theme.color("severity.warning"), 12)
        left = rect.adjusted(18, 0, 0, 0)
    elif line.label:
        draw_text(painter, QRectF(rect.left(), rect.top(), _LABEL - 6, rect.height()), line.label, theme.font("caption"), color)
        left = rect.adjusted(_LABEL, 0, 0, 0)
    link = _paint_link(painter, rect, line, theme)
    draw_text(painter, left.adjusted(0, 0, -link, 0), line.value, theme.font("caption"), theme.color("text.primary"), mode=Qt.TextElideMode.ElideMiddle)


def _paint_tensor(painter: QPainter, rect: QRectF, line: TensorLine, theme: Theme) -> None:
    """Name and shape above, the bytes it reaches and what saving it writes below."""
    height = rect.height() / 2
    upper, lower = QRectF(rect.left(), rect.top(), rect.width(), height), QRectF(rect.left(), rect.top() + height - 2, rect.width(), height)
    facts = line.tensor.tensor
    code = theme.font("caption", code=True)
    shape = format_shape(facts.shape, facts.dtype)
    shape = shape if line.tensor.layout == "contiguous" else f"{shape}  {line.tensor.layout}"
    width = min(text_width(shape, code), upper.width() * 0.7)
    color = theme.color("text.primary" if line.tensor.is_named else "text.secondary")
    draw_text(painter, upper.adjusted(0, 0, -width - 10, 0), line.tensor.name, theme.font("body"), color, mode=Qt.TextElideMode.ElideMiddle)
    draw_text(painter, QRectF(upper.right() - width, upper.top(), width, upper.height()), shape, code, theme.color("text.secondary"), _RIGHT)
    words = saving_words(facts, line.item.row.nbytes)
    used = draw_text(painter, lower, words, theme.font("caption"), theme.color("text.secondary"), _RIGHT)
    paint_tensor_bar(painter, lower.adjusted(0, 0, -min(used, lower.width() * 0.7) - 10, 0), line.tensor, line.item, theme)


def _paint_use(painter: QPainter, rect: QRectF, line: UseLine, theme: Theme) -> None:
    use, caption = line.use, theme.font("caption")
    draw_text(painter, QRectF(rect.left(), rect.top(), _TIME, rect.height()), format_time(use.begin_ns, line.decimals), caption, theme.color("text.secondary"))
    font, color = (theme.font("caption", "semibold"), theme.color("text.primary")) if use.effect >= WRITES else (caption, theme.color("text.secondary"))
    draw_text(painter, QRectF(rect.left() + _TIME, rect.top(), _EFFECT, rect.height()), effect_words()[use.effect], font, color)
    room = rect.adjusted(_TIME + _EFFECT, 0, -_paint_link(painter, rect, line, theme), 0)
    if use.is_node:
        draw_name(painter, room, use.name, theme, "caption", "regular")
    else:
        draw_text(painter, room, use.name.removeprefix("aten::"), caption, theme.color("text.primary"))


def _paint_link(painter: QPainter, rect: QRectF, line: DetailLine, theme: Theme) -> float:
    """Returns the room that the link takes at the right."""
    source = source_of_line(line)
    if source is None:
        return 0.0
    width = min(text_width(format_place(source.file, source.line), theme.font("caption")), _LINK)
    link = QRectF(rect.right() - width, rect.top(), width, rect.height())
    draw_text(painter, link, format_place(source.file, source.line), theme.font("caption"), theme.color("text.link"), _RIGHT)
    return width + 10
