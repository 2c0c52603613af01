"""Paints groups of a module's nodes: open with a header, closed as one box, and equal ones rolled up on a stack of sheets."""

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from tensorscope.language import tr
from tensorscope.render.graph_heat import dimmed, heat_color, ink_on
from tensorscope.render.graph_nodes import far_brush, paint_bytes, paint_heat_figure, paint_ring, set_box_colors, set_heat_colors
from tensorscope.render.graph_style import MOST_ENLARGED_ICON, Detail
from tensorscope.render.icons import draw_icon
from tensorscope.render.text import draw_quantity, draw_text, enlarged, quantity_width, text_width
from tensorscope.render.theme import Theme, mix, with_alpha
from tensorscope.units import format_count, format_duration, plural, split_bytes, split_duration
from tensorscope.viewmodel.graph import GraphView
from tensorscope.viewmodel.graph_options import GraphOptions
from tensorscope.viewmodel.graph_progress import Figures
from tensorscope.viewmodel.graph_scene import Box, BoxKind

if TYPE_CHECKING:
    from tensorscope.render.graph import Look

NESTED_WASH: Final = {True: 0.03, False: 0.015}  # in the dark and the light theme
HIT_WASH: Final = 0.32
SHEETS: Final = 2


def paint_open_group(painter: QPainter, box: Box, view: GraphView, theme: Theme, detail: Detail) -> None:
    """The ground, below the lines."""
    radius = theme.px("radius.card")
    pen = QPen(theme.color("line.control" if detail.has_nodes else "surface.panel"), theme.px("line.outline_node"))
    pen.setCosmetic(not detail.has_nodes)  # from far away one block ends where a line of the ground parts it from the next
    painter.setPen(pen)
    painter.setBrush(_ground(box, theme) if detail.has_nodes else _far_ground(box, view, theme))
    painter.drawRoundedRect(QRectF(box.x, box.y, box.width, box.height), radius, radius)


def paint_open_header(painter: QPainter, box: Box, view: GraphView, theme: Theme, look: "Look", detail: Detail, part: QRectF) -> None:
    """The header, above the lines that enter through it. Its words stay in ``part``, the scene that is in view."""
    radius = theme.px("radius.card")
    if box.key in look.selected:
        paint_ring(painter, QRectF(box.x, box.y, box.width, box.height), theme, radius)
    if not detail.has_text:
        return
    header = QRectF(box.x, box.y, box.width, theme.px("graph.group.header"))
    painter.fillRect(header.adjusted(radius, 1, -radius, 0), _ground(box, theme))
    icon = theme.px("size.icon.row") * min(detail.enlarged, MOST_ENLARGED_ICON)
    draw_icon(painter, "chevron-down", QRectF(header.left() + 6, header.center().y() - icon / 2, icon, icon), theme.color("text.secondary"))
    inner = header.adjusted(theme.px("graph.node.text_x"), 0, -10, 0)
    inner.setLeft(max(inner.left(), min(part.left() + 10, inner.right())))
    inner.setRight(min(inner.right(), max(part.right() - 10, inner.left())))
    words, caption = _count_words(view.figures[box.key], view.scene.options), theme.font("caption")
    note = text_width(words, caption) if detail.has_badges else 0.0
    used = _paint_title(painter, inner.adjusted(0, 0, -note - 10 if note else 0, 0), box, view, theme, look, detail)
    if any(group.key in view.state.pinned for group in box.groups) and used + icon + 8 <= inner.width():
        draw_icon(painter, "pin", QRectF(inner.left() + used + 6, header.center().y() - icon / 2, icon, icon), theme.color("accent.base"))
        used += icon + 8
    if note and used + note + 10 <= inner.width() + 1:
        draw_text(painter, inner, words, caption, theme.color("text.secondary"), Qt.AlignmentFlag.AlignRight)


def _count_words(figures: Figures, options: GraphOptions) -> str:
    """``10 of 43 nodes · 6.83 ms``; the share only while it is one."""
    words = plural(figures.nodes, "node")
    if 0 < figures.done < figures.nodes:
        words = tr("{done} of {words}").format(done=format_count(figures.done), words=words)
    return words if figures.backward_ns is None or not options.has_times else f"{words} · {format_duration(figures.backward_ns)}"


def paint_closed_group(painter: QPainter, box: Box, view: GraphView, theme: Theme, look: "Look", detail: Detail) -> None:
    rect = QRectF(box.x, box.y, box.width, box.height)
    radius = theme.px("radius.node")
    figures, progress = view.figures[box.key], view.progress
    is_done = figures.done > 0
    is_held, is_current = _holds(box, view, progress.held), _holds(box, view, progress.current)
    if not detail.has_text:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.color("severity.error") if figures.raised else far_brush(box, view, theme, is_current, is_held, is_done))
        painter.drawRoundedRect(rect, radius, radius)
        return
    set_box_colors(painter, theme, is_current and progress.is_looking_back, is_held, is_done)
    heat = view.heat if not is_held and not (is_current and progress.is_looking_back) else None
    ink = ink_on(heat_color(heat, box.key, theme), theme) if heat is not None else None
    if heat is not None:
        set_heat_colors(painter, box.key, heat, theme)
    if figures.raised:
        painter.setPen(QPen(theme.color("severity.error"), theme.px("line.outline_held")))
    painter.drawRoundedRect(rect, radius, radius)
    if box.key == look.hovered and not (is_held or is_current):
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(with_alpha(theme.color("text.strong"), 0.05))
        painter.drawRoundedRect(rect, radius, radius)
    icon = theme.px("size.icon.row") * min(detail.enlarged, MOST_ENLARGED_ICON)
    draw_icon(painter, "chevron-right", QRectF(rect.left() + 6, rect.center().y() - icon / 2, icon, icon), ink or theme.color("text.secondary"))
    inner = rect.adjusted(theme.px("graph.node.text_x"), 0, -10, 0)
    used = 0.0
    if detail.has_badges:
        used = _paint_figure(painter, inner, figures, view.scene.options, theme) if heat is None else paint_heat_figure(painter, inner, heat, box.key, theme)
    _paint_title(painter, inner.adjusted(0, 0, -used - 8 if used else 0, 0), box, view, theme, look, detail, ink)
    if box.key in look.selected:
        paint_ring(painter, rect, theme, radius)


def paint_run(painter: QPainter, box: Box, view: GraphView, theme: Theme, look: "Look", detail: Detail) -> None:
    offset, radius = theme.px("graph.group.stack_offset"), theme.px("radius.node")
    if detail.has_text:
        set_box_colors(painter, theme, False, False, view.figures[box.key].done > 0)
        for sheet in range(SHEETS, 0, -1):
            painter.drawRoundedRect(
                QRectF(box.x, box.y, box.width, box.height).adjusted(sheet * offset, 2 * offset, -sheet * offset, sheet * offset), radius, radius
            )
    paint_closed_group(painter, box, view, theme, look, detail)


def run_title(box: Box) -> str:
    """``h.8 … h.11``: the members in the order of the forward pass."""
    first, last = box.groups[-1].name, box.groups[0].name
    return f"{first} … {last}" if first != last else first


def _paint_title(painter: QPainter, rect: QRectF, box: Box, view: GraphView, theme: Theme, look: "Look", detail: Detail, ink: QColor | None = None) -> float:
    """``ink``: of words on a coloured box. Returns the width taken."""
    group = box.groups[0]
    own = group.key.module if view.scene.options.has_full_names else group.name
    title = run_title(box) if len(box.groups) > 1 else own or group.class_name
    kind = f"{len(box.groups)} × {group.class_name}" if len(box.groups) > 1 else group.class_name if title != group.class_name else ""
    strong, light = enlarged(theme.font("body", "semibold"), detail.enlarged), enlarged(theme.font("body"), detail.enlarged)
    if box.kind is not BoxKind.OPEN and look.hits and any(member in look.hits for each in box.groups for member in each.members):
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(with_alpha(theme.color("accent.base"), HIT_WASH))
        painter.drawRoundedRect(QRectF(rect.left() - 1, rect.center().y() - 8, min(text_width(title, strong), rect.width()) + 2, 16), 2, 2)
    is_waiting = view.figures[box.key].done == 0
    used = draw_text(painter, rect, title, strong, ink or theme.color("text.secondary" if is_waiting else "text.strong"))
    gap = theme.px("space.icon_to_text")
    if kind and rect.width() - used - gap > 28:
        used += gap + draw_text(painter, rect.adjusted(used + gap, 0, 0, 0), kind, light, dimmed(ink) if ink is not None else theme.color("text.tertiary"))
    return used


def _paint_figure(painter: QPainter, rect: QRectF, figures: Figures, options: GraphOptions, theme: Theme) -> float:
    """Time of what has run, saved bytes of what has not; of a group whose node raised the word."""
    if figures.raised:
        draw_text(painter, rect, tr("raised"), theme.font("caption"), theme.color("severity.error"), Qt.AlignmentFlag.AlignRight)
        return text_width(tr("raised"), theme.font("caption"))
    if figures.backward_ns is not None and options.has_times:
        quantity = split_duration(figures.backward_ns)
        draw_quantity(painter, rect, quantity, theme, "caption", color=theme.color("text.secondary"))
        return quantity_width(quantity, theme, "caption")
    return paint_bytes(painter, rect, split_bytes(figures.kept_bytes), theme) if figures.kept_bytes and options.has_saved else 0.0


def _ground(box: Box, theme: Theme) -> QColor:
    """Each level a little nearer to the text's colour."""
    return mix(theme.color("surface.panel"), theme.color("text.strong"), 1 - (1 - NESTED_WASH[theme.is_dark]) ** box.depth)


def _far_ground(box: Box, view: GraphView, theme: Theme) -> QColor:
    """From far away an open group has one colour: the more of it is done, the nearer to that of a node that is."""
    figures = view.figures[box.key]
    return mix(theme.color("line.subtle"), theme.color("line.control"), figures.done / max(figures.nodes, 1))


def _holds(box: Box, view: GraphView, node: int) -> bool:
    return node >= 0 and view.scene.boxes[int(view.scene.shown_by[node])].key == box.key
