"""The colours of a graph's boxes by a number, the inks that are read on them, and the legend of their ramp."""

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QLinearGradient, QPainter, QPen

from tensorscope.language import tr
from tensorscope.render.text import draw_quantity, draw_text, text_width
from tensorscope.render.theme import Theme, mix, with_alpha
from tensorscope.units import UNKNOWN, Quantity, format_count, split_bytes, split_duration, split_norm, split_ratio
from tensorscope.viewmodel.graph_heat import Heat, Measure
from tensorscope.viewmodel.graph_scene import BoxKey

FAINTEST: Final = 0.08
BRIGHTEST: Final = 0.88
RAMP_WIDTH: Final = 108.0
RAMP_STEPS: Final = 12
DIM: Final = 0.8
GAP: Final = 7.0


def heat_color(heat: Heat, key: BoxKey, theme: Theme) -> QColor | None:
    """None: the number is not known."""
    if heat.is_bad(key):
        return theme.color("severity.error")
    share = heat.share(key)
    return None if share is None else ramp_color(heat.measure, share, theme)


def ramp_color(measure: Measure, share: float, theme: Theme) -> QColor:
    """Gradients are orange and saved bytes have their category's colour everywhere; time is grey, as its bars are."""
    amount = FAINTEST + (BRIGHTEST - FAINTEST) * share
    match measure:
        case Measure.GRADIENT:
            return theme.ramp_color("gradient_norm", share)
        case Measure.SAVED:
            return mix(theme.color("surface.panel"), theme.category("activation"), share * (1 - FAINTEST) + FAINTEST)
        case Measure.NONFINITE:
            return theme.color("surface.raised")
        case Measure.CHANGE:
            return theme.ramp_color("signed_value", share)
        case _:
            return mix(theme.color("surface.panel"), theme.color("text.strong"), amount)


def heat_brush(heat: Heat, key: BoxKey, theme: Theme) -> QBrush:
    color = heat_color(heat, key, theme)
    return QBrush(color) if color is not None else theme.hatch(theme.color("line.subtle"), theme.color("surface.panel"))


def ink_on(color: QColor | None, theme: Theme) -> QColor:
    """The colour of words on a box, whatever its own."""
    if color is None:
        return theme.color("text.secondary")
    dark, light = Theme.light().color("text.strong"), Theme.dark().color("text.strong")
    return max((dark, light), key=lambda ink: _contrast(ink, color))


def dimmed(ink: QColor) -> QColor:
    return with_alpha(ink, DIM)


def heat_quantity(heat: Heat, key: BoxKey) -> Quantity:
    return _quantity(heat.measure, heat.values.get(key))


def paint_heat_legend(painter: QPainter, rect: QRectF, heat: Heat, theme: Theme, outlines: Sequence[tuple[str, QColor]] = ()) -> None:
    """What the colours mean: the ramp between its least and greatest value, the hatch of what is not known, ``outlines`` with their words."""
    font, color = theme.font("caption"), theme.color("text.secondary")
    x = rect.left()
    if heat.measure is Measure.NONFINITE:
        for word, brush in ((tr("none"), QBrush(ramp_color(heat.measure, 0, theme))), (tr("not finite"), QBrush(theme.color("severity.error")))):
            x = _sign(painter, rect, x, word, brush, theme)
    elif heat.high > 0:
        for quantity in (_quantity(heat.measure, heat.low), _quantity(heat.measure, heat.high)):
            is_low = x == rect.left()
            x += (
                draw_quantity(painter, rect.adjusted(x - rect.left(), 0, 0, 0), quantity, theme, "caption", color=color, align=Qt.AlignmentFlag.AlignLeft) + GAP
            )
            if is_low:
                _ramp(painter, QRectF(x, rect.center().y() - 5, RAMP_WIDTH, 10), heat.measure, theme)
                x += RAMP_WIDTH + GAP
        x += GAP
    else:
        x += draw_text(painter, rect, tr("no {measure} known").format(measure=tr(heat.measure.value)), font, color) + 2 * GAP
    x = _sign(painter, rect, x, tr("not known"), theme.hatch(theme.color("line.control"), theme.color("surface.panel")), theme)
    for word, color in outlines:
        x = _sign(painter, rect, x, word, QBrush(Qt.BrushStyle.NoBrush), theme, color)
    if heat.measure is Measure.GRADIENT:
        if any(heat.is_bad(key) for key in heat.values):
            x = _sign(painter, rect, x, tr("not finite"), QBrush(theme.color("severity.error")), theme)
        draw_text(painter, rect.adjusted(x - rect.left(), 0, 0, 0), tr("of parameters' .grad"), font, theme.color("text.tertiary"))


def _sign(painter: QPainter, rect: QRectF, x: float, word: str, brush: QBrush, theme: Theme, outline: QColor | None = None) -> float:
    width = 17 + text_width(word, theme.font("caption"))
    if x + width > rect.right():
        return rect.right()
    painter.setPen(QPen(outline or theme.color("line.control"), 1 if outline is None else 1.5))
    painter.setBrush(brush)
    painter.drawRoundedRect(QRectF(round(x) + 0.5, rect.center().y() - 4.5, 12, 9), 2, 2)
    draw_text(painter, QRectF(x + 17, rect.top(), width, rect.height()), word, theme.font("caption"), theme.color("text.secondary"))
    return x + width + 2 * GAP


def _ramp(painter: QPainter, rect: QRectF, measure: Measure, theme: Theme) -> None:
    colors = QLinearGradient(QPointF(rect.left(), 0), QPointF(rect.right(), 0))
    for step in range(RAMP_STEPS + 1):
        colors.setColorAt(step / RAMP_STEPS, ramp_color(measure, step / RAMP_STEPS, theme))
    painter.setPen(QPen(theme.color("line.strong"), 1))
    painter.setBrush(QBrush(colors))
    painter.drawRoundedRect(rect.adjusted(0.5, 0.5, -0.5, -0.5), 2, 2)


def _quantity(measure: Measure, value: float | None) -> Quantity:
    if value is None:
        return Quantity(UNKNOWN, "")
    match measure:
        case Measure.TIME:
            return split_duration(value)
        case Measure.SAVED:
            return split_bytes(int(value))
        case Measure.NONFINITE:
            return Quantity(format_count(int(value)), "")
        case Measure.CHANGE:
            return split_ratio(value)
        case _:
            return split_norm(value)


def _contrast(first: QColor, second: QColor) -> float:
    """WCAG 2's ratio."""
    upper, lower = sorted((_luminance(first), _luminance(second)), reverse=True)
    return (upper + 0.05) / (lower + 0.05)


def _luminance(color: QColor) -> float:
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in (color.redF(), color.greenF(), color.blueF())]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
