"""Paints a node: name, state, time or saved bytes, and its parameters as badges left of it."""

from functools import lru_cache
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QPainter, QPainterPath, QPen

from tensorscope.language import tr
from tensorscope.render.graph_heat import dimmed, heat_brush, heat_color, heat_quantity, ink_on
from tensorscope.render.graph_style import MOST_ENLARGED_ICON, Detail
from tensorscope.render.icons import draw_icon
from tensorscope.render.text import draw_quantity, draw_text, enlarged, quantity_width, split_name, text_width
from tensorscope.render.theme import Theme, with_alpha
from tensorscope.units import Quantity, format_bytes, format_shape, split_bytes, split_duration
from tensorscope.viewmodel.graph import GraphView
from tensorscope.viewmodel.graph_attributes import attribute_words
from tensorscope.viewmodel.graph_badges import badge_rects
from tensorscope.viewmodel.graph_fold import Badge
from tensorscope.viewmodel.graph_heat import Heat
from tensorscope.viewmodel.graph_levels import Metrics
from tensorscope.viewmodel.graph_progress import WAITING
from tensorscope.viewmodel.graph_scene import Box, BoxKey

if TYPE_CHECKING:
    from tensorscope.render.graph import Look

HIT_WASH: Final = 0.32
INSET: Final = 8.0
STOP_WASH: Final = 0.16
JOINT_X: Final = 14.0


def paint_node(painter: QPainter, box: Box, view: GraphView, theme: Theme, look: "Look", detail: Detail) -> None:
    node, progress = box.key.node, view.progress
    rect = QRectF(box.x, box.y, box.width, box.height)
    if detail.has_badges:
        _paint_badges(painter, rect, box, view, theme, look)
    is_current, is_held = node == progress.current, node == progress.held
    radius = theme.px("radius.node")
    if not detail.has_text:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(far_brush(box, view, theme, is_current, is_held, progress.is_done(node)))
        if progress.has_raised(node):
            painter.setBrush(theme.color("severity.error"))
        painter.drawRoundedRect(rect, radius, radius)
        if node in look.hits:
            painter.setBrush(with_alpha(theme.color("accent.base"), HIT_WASH))
            painter.drawRoundedRect(rect, radius, radius)
        return
    set_box_colors(painter, theme, is_current and progress.is_looking_back, is_held, progress.state[node] != WAITING)
    if view.heat is not None and not stands_out(view, node):
        set_heat_colors(painter, box.key, view.heat, theme)
    if progress.has_raised(node):
        painter.setPen(QPen(theme.color("severity.error"), theme.px("line.outline_held")))
    painter.drawRoundedRect(rect, radius, radius)
    if box.key == look.hovered and not (is_current or is_held):
        painter.fillPath(_rounded(rect, radius), with_alpha(theme.color("text.strong"), 0.05))
    _paint_face(painter, rect, box.key, view, theme, look, detail)
    if box.key in look.selected:
        paint_ring(painter, rect, theme, radius)


def set_box_colors(painter: QPainter, theme: Theme, is_at_cursor: bool, is_held: bool, is_done: bool) -> None:
    """Pen and brush of a node or closed group."""
    if is_at_cursor:
        painter.setPen(QPen(theme.color("accent.base"), theme.px("line.outline_held")))
        painter.setBrush(theme.color("surface.selected"))
    elif is_held:
        painter.setPen(QPen(theme.color("exec.border"), theme.px("line.outline_held")))
        painter.setBrush(theme.color("exec.soft"))
    elif is_done:
        painter.setPen(QPen(theme.color("line.strong" if theme.is_dark else "line.control"), theme.px("line.outline_node")))
        painter.setBrush(theme.color("surface.raised"))
    else:
        painter.setPen(theme.pen("line.control", theme.px("line.waiting.width"), tuple(theme.value("line.waiting.dash"))))
        painter.setBrush(theme.color("surface.panel"))


def set_heat_colors(painter: QPainter, key: BoxKey, heat: Heat, theme: Theme) -> None:
    painter.setPen(QPen(theme.color("line.strong" if theme.is_dark else "line.control"), theme.px("line.outline_node")))
    painter.setBrush(heat_brush(heat, key, theme))


def stands_out(view: GraphView, node: int) -> bool:
    """It is held, or at the cursor: it keeps that colour whatever the others show."""
    return node == view.progress.held or (node == view.progress.current and view.progress.is_looking_back)


def far_brush(box: Box, view: GraphView, theme: Theme, is_current: bool, is_held: bool, is_done: bool) -> QBrush:
    """The one colour of a box that is too small for more."""
    is_looking_back = view.progress.is_looking_back
    if view.heat is not None and not is_held and not (is_current and is_looking_back):
        return heat_brush(view.heat, box.key, theme)
    return QBrush(flat_color(theme, is_current, is_held, is_done, is_looking_back))


def flat_color(theme: Theme, is_current: bool, is_held: bool, is_done: bool, is_looking_back: bool) -> QColor:
    """What a state looks like from far away."""
    if is_current and is_looking_back:
        return theme.color("accent.base")
    if is_held:
        return theme.color("exec.base")
    return theme.color("line.control" if is_done else "line.strong")


def paint_ring(painter: QPainter, rect: QRectF, theme: Theme, radius: float) -> None:
    """The azure outline of what is selected."""
    offset = theme.px("line.selection_offset") - theme.px("line.selection") / 2
    painter.setPen(QPen(theme.color("accent.base"), theme.px("line.selection")))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawRoundedRect(rect.adjusted(-offset, -offset, offset, offset), radius + offset, radius + offset)


def _paint_face(painter: QPainter, rect: QRectF, key: BoxKey, view: GraphView, theme: Theme, look: "Look", detail: Detail) -> None:
    node = key.node
    progress, known = view.progress, view.graph.nodes[node]
    is_held, is_at_cursor = node == progress.held, node == progress.current and progress.is_looking_back
    is_out = is_held or is_at_cursor
    heat = view.heat if not is_out else None
    ink = ink_on(heat_color(heat, key, theme), theme) if heat is not None else None
    has_second = rect.height() > theme.px("graph.node.height") and (is_out or detail.has_badges)
    row = rect.adjusted(0, 0, 0, -rect.height() / 2 + 1) if has_second else rect
    icon = theme.px("size.icon.row") * min(detail.enlarged, MOST_ENLARGED_ICON)
    spot = QRectF(row.left() + 5, row.center().y() - icon / 2, icon, icon)
    if is_at_cursor:
        _paint_dot(painter, spot, theme.color("accent.base"), is_filled=True)
    elif is_held:
        draw_icon(painter, "play", spot, theme.color("exec.border"), is_filled=True)
    elif progress.has_raised(node):
        draw_icon(painter, "octagon-x", spot, theme.color("severity.error"))
    elif progress.is_done(node):
        draw_icon(painter, "check", spot, ink or theme.color("text.secondary"))
    else:
        _paint_dot(painter, spot, ink or theme.color("text.secondary"), is_filled=False)
    inner = row.adjusted(theme.px("graph.node.text_x"), 0, -INSET, 0)
    used = 0.0
    if detail.has_badges:
        used = _paint_figure(painter, inner, node, view, theme) if heat is None else paint_heat_figure(painter, inner, heat, key, theme)
    name = inner.adjusted(0, 0, -used, 0)
    head, tail = split_name(known.name)
    if node in look.hits:
        _paint_wash(painter, name, head, theme, node == look.hit)
    color = theme.color("text.strong") if is_out else theme.color("text.primary" if progress.state[node] != WAITING else "text.secondary")
    if view.scene.options.has_full_names:
        head, tail = known.name, ""
    _paint_name(painter, name, head, tail, ink or color, dimmed(ink) if ink is not None else theme.color("text.tertiary"), theme, detail.enlarged)
    second = QRectF(inner.left(), row.bottom() - 1, inner.width(), rect.bottom() - row.bottom() - 3)
    if has_second and not is_out:
        draw_text(painter, second, attribute_words(known), theme.font("caption", code=True), dimmed(ink) if ink is not None else theme.color("text.secondary"))
    elif has_second:
        words = "cursor" if is_at_cursor else tr("held here")
        if known.saved_bytes:
            words += tr(" · {saved_bytes} saved").format(saved_bytes=format_bytes(known.saved_bytes))
        draw_text(painter, second, words, theme.font("caption"), theme.color("accent.hover" if is_at_cursor else "exec.text"))


def paint_heat_figure(painter: QPainter, rect: QRectF, heat: Heat, key: BoxKey, theme: Theme) -> float:
    """The number that gives a box its colour. Returns the width taken."""
    ink, quantity = ink_on(heat_color(heat, key, theme), theme), heat_quantity(heat, key)
    return draw_quantity(painter, rect, quantity, theme, "caption", color=ink, unit_color=dimmed(ink)) + 6


def _paint_name(painter: QPainter, rect: QRectF, head: str, tail: str, color: QColor, dim: QColor, theme: Theme, factor: float) -> None:
    strong, light = enlarged(theme.font("body", "semibold"), factor), enlarged(theme.font("body"), factor)
    width = draw_text(painter, rect, head, strong, color)
    if tail and width + text_width(tail, light) <= rect.width():
        draw_text(painter, rect.adjusted(width, 0, 1, 0), tail, light, dim)


def _paint_figure(painter: QPainter, rect: QRectF, node: int, view: GraphView, theme: Theme) -> float:
    """Time where the node ran (with a hollow swatch for what it freed), saved bytes where it waits. Returns the width taken."""
    known, options = view.graph.nodes[node], view.scene.options
    saved = (known.saved_bytes or 0) if options.has_saved else 0
    if view.progress.has_raised(node):
        draw_text(painter, rect, tr("raised"), theme.font("caption"), theme.color("severity.error"), Qt.AlignmentFlag.AlignRight)
        return text_width(tr("raised"), theme.font("caption")) + 6
    if view.progress.is_done(node) and known.backward_ns is not None and options.has_times:
        quantity = split_duration(known.backward_ns)
        width = draw_quantity(painter, rect, quantity, theme, "caption", color=theme.color("text.secondary"))
        room = rect.width() - width - text_width(split_name(known.name)[0], theme.font("body", "semibold"))
        if saved and room >= theme.px("category.swatch.size") + 12:
            paint_swatch(painter, QPointF(rect.right() - width - 6, rect.center().y()), theme, is_freed=True)
            width += theme.px("category.swatch.size") + 6
        return width + 6
    return paint_bytes(painter, rect, split_bytes(saved), theme, is_freed=view.progress.is_done(node)) + 6 if saved else 0.0


def paint_bytes(painter: QPainter, rect: QRectF, quantity: Quantity, theme: Theme, *, is_freed: bool = False) -> float:
    """Bytes with their swatch, at the right. Returns the width taken."""
    width = quantity_width(quantity, theme, "caption")
    draw_quantity(painter, rect, quantity, theme, "caption", color=theme.color("text.secondary"))
    paint_swatch(painter, QPointF(rect.right() - width - 5, rect.center().y()), theme, is_freed=is_freed)
    return width + 5 + theme.px("category.swatch.size")


def paint_swatch(painter: QPainter, right: QPointF, theme: Theme, *, is_freed: bool) -> None:
    """Saved bytes: filled while kept, hollow once freed. ``right`` is the middle of its right side."""
    size, line = theme.px("category.swatch.size"), 1.5
    rect = QRectF(round(right.x() - size), round(right.y() - size / 2), size, size)
    color = theme.category("activation")
    painter.setPen(QPen(color, line) if is_freed else Qt.PenStyle.NoPen)
    painter.setBrush(Qt.BrushStyle.NoBrush if is_freed else color)
    shrink = line / 2 if is_freed else 0.0
    painter.drawRoundedRect(rect.adjusted(shrink, shrink, -shrink, -shrink), theme.px("radius.swatch"), theme.px("radius.swatch"))


def _paint_wash(painter: QPainter, rect: QRectF, head: str, theme: Theme, is_gone_to: bool) -> None:
    width = min(text_width(head, theme.font("body", "semibold")), rect.width())
    wash = QRectF(rect.left() - 1, rect.center().y() - 8, width + 2, 16)
    painter.setPen(QPen(theme.color("accent.base"), 1) if is_gone_to else Qt.PenStyle.NoPen)
    painter.setBrush(with_alpha(theme.color("accent.base"), HIT_WASH))
    painter.drawRoundedRect(wash, 2, 2)


def _paint_dot(painter: QPainter, rect: QRectF, color: QColor, *, is_filled: bool) -> None:
    painter.setPen(Qt.PenStyle.NoPen if is_filled else QPen(color, 1.25))
    painter.setBrush(color if is_filled else Qt.BrushStyle.NoBrush)
    painter.drawEllipse(rect.center(), 4.0 if is_filled else 3.5, 4.0 if is_filled else 3.5)


def _paint_badges(painter: QPainter, rect: QRectF, box: Box, view: GraphView, theme: Theme, look: "Look") -> None:
    if not box.badges:
        return
    metrics = view.scene.metrics
    boxes = [QRectF(*sides) for sides in badge_rects(box, metrics)]
    _paint_joints(painter, rect, boxes, metrics, theme)
    for place, badge in zip(boxes, box.badges, strict=True):
        paint_badge(painter, place, badge, theme, is_written=view.progress.is_done(badge.accumulator))
        behind = (badge.accumulator, *badge.views)
        if view.progress.current in behind:
            _paint_stop(painter, place, theme, theme.px("radius.badge"), is_looking_back=view.progress.is_looking_back)
        elif any(view.progress.has_raised(node) for node in behind):
            painter.setPen(QPen(theme.color("severity.error"), theme.px("line.outline_held")))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(place.adjusted(0.5, 0.5, -0.5, -0.5), theme.px("radius.badge"), theme.px("radius.badge"))
        if look.folded in behind:
            paint_ring(painter, place.adjusted(2, 2, -2, -2), theme, theme.px("radius.badge") - 2)


def _paint_joints(painter: QPainter, rect: QRectF, badges: list[QRectF], metrics: Metrics, theme: Theme) -> None:
    """What ties badges to their node."""
    painter.setPen(QPen(theme.color("line.control"), 1))
    if metrics.options.is_sideways:
        x = round(rect.left() + JOINT_X) + 0.5
        painter.drawLine(QPointF(x, badges[0].bottom()), QPointF(x, rect.top()))
        return
    joint, middle = rect.left() - metrics.badge_line / 2, round(rect.center().y()) + 0.5
    middles = [round(badge.center().y()) + 0.5 for badge in badges]
    for badge, height in zip(badges, middles, strict=True):
        painter.drawLine(QPointF(badge.right(), height), QPointF(joint, height))
    painter.drawLine(QPointF(joint, min(*middles, middle)), QPointF(joint, max(*middles, middle)))
    painter.drawLine(QPointF(joint, middle), QPointF(rect.left(), middle))


def paint_badge(painter: QPainter, box: QRectF, badge: Badge, theme: Theme, *, is_written: bool) -> None:
    radius, stripe = theme.px("radius.badge"), theme.px("graph.badge.stripe")
    painter.setPen(QPen(theme.color("line.strong"), 1))
    painter.setBrush(theme.color("surface.header" if theme.is_dark else "surface.raised"))
    painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), radius, radius)
    painter.fillPath(_stripe(box.width(), box.height(), stripe, radius).translated(box.topLeft()), theme.category("parameter"))
    dot = QPointF(box.right() - 9, box.center().y())
    painter.setPen(QPen(theme.category("gradient"), 1.5))
    painter.setBrush(theme.category("gradient") if is_written else Qt.BrushStyle.NoBrush)
    painter.drawEllipse(dot, 3.0, 3.0)
    inner = box.adjusted(stripe + 6, 0, -17, 0)
    width = draw_text(painter, inner, badge.name, theme.font("caption", "semibold"), theme.color("text.primary"))
    if badge.shape is not None:
        draw_text(painter, inner.adjusted(width + 6, 0, 0, 0), format_shape(badge.shape), theme.font("caption", code=True), theme.color("text.secondary"))


def _paint_stop(painter: QPainter, rect: QRectF, theme: Theme, radius: float, *, is_looking_back: bool) -> None:
    """The outline of a badge whose accumulator (or view) is held or at the cursor."""
    painter.setPen(QPen(theme.color("accent.base" if is_looking_back else "exec.border"), theme.px("line.outline_held")))
    painter.setBrush(with_alpha(theme.color("accent.base" if is_looking_back else "exec.base"), STOP_WASH))
    painter.drawRoundedRect(rect.adjusted(0.5, 0.5, -0.5, -0.5), radius, radius)


@lru_cache(16)
def _stripe(width: float, height: float, stripe: float, radius: float) -> QPainterPath:
    """The left end of a badge, as a shape of its own: what is clipped on the screen would be whole in an SVG."""
    part = QPainterPath()
    part.addRect(QRectF(0, 0, stripe, height))
    return _rounded(QRectF(0, 0, width, height), radius).intersected(part)


def _rounded(rect: QRectF, radius: float) -> QPainterPath:
    path = QPainterPath()
    path.addRoundedRect(rect, radius, radius)
    return path
