"""The strip under the gradients panel that says what cells without a norm and the marks of steps mean; only those that occur."""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum, auto
from typing import Final

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPolygonF

from tensorscope.language import tr
from tensorscope.render.gradients_lanes import paint_mark
from tensorscope.render.gradients_map import zero_color
from tensorscope.render.text import draw_text, text_width
from tensorscope.render.theme import Theme
from tensorscope.viewmodel.gradient_codes import Cell
from tensorscope.viewmodel.gradient_lanes import StepMark

_GAP: Final = 14.0
_SIGN: Final = 11.0


class Sign(Enum):
    NORM = auto()
    MISSING = auto()
    ZERO = auto()
    NOT_FINITE = auto()
    NOT_RUN = auto()
    ACCUMULATED = auto()
    CLIPPED = auto()
    SKIPPED = auto()


_MARKS: Final = {Sign.ACCUMULATED: StepMark.ACCUMULATED, Sign.CLIPPED: StepMark.CLIPPED, Sign.SKIPPED: StepMark.SKIPPED}


def signs_of(cells: frozenset[Cell], marks: StepMark) -> tuple[Sign, ...]:
    """What is to be explained, the most telling first. ``cells``: the kinds that occur in the map."""
    kinds = {
        Sign.NOT_FINITE: {Cell.NOT_FINITE},
        Sign.ZERO: {Cell.ALL_ZERO},
        Sign.MISSING: {Cell.NO_GRADIENT},
        Sign.NOT_RUN: {Cell.NOT_RUN, Cell.UNKNOWN},
    }
    return (*(sign for sign, meant in kinds.items() if cells & meant), *(sign for sign, kind in _MARKS.items() if kind in marks))


def words_of(sign: Sign) -> str:
    match sign:
        case Sign.NORM:
            return tr("norm")
        case Sign.MISSING:
            return tr("no gradient")
        case Sign.ZERO:
            return tr("all zero")
        case Sign.NOT_FINITE:
            return tr("NaN or Inf")
        case Sign.NOT_RUN:
            return tr("not run or not read")
        case Sign.ACCUMULATED:
            return tr("accumulated")
        case Sign.CLIPPED:
            return tr("clipped")
        case Sign.SKIPPED:
            return tr("step skipped")


def paint_legend(painter: QPainter, rect: QRectF, signs: Iterable[Sign], theme: Theme) -> None:
    """What does not fit is left out from the right."""
    if rect.isEmpty():
        return
    font, color = theme.font("caption"), theme.color("text.secondary")
    painter.fillRect(QRectF(rect.left() - 12, rect.top(), rect.width() + 24, 1), theme.color("line.subtle"))
    x = rect.left()
    for sign in (Sign.NORM, *signs):
        words = words_of(sign)
        width = _SIGN + 5 + text_width(words, font)
        if x + width > rect.right():
            return
        _paint_sign(painter, sign, QRectF(x, rect.center().y() - _SIGN / 2 + 0.5, _SIGN, _SIGN), theme)
        draw_text(painter, QRectF(x + _SIGN + 5, rect.top() + 1, width, rect.height()), words, font, color)
        x += width + _GAP


def _paint_sign(painter: QPainter, sign: Sign, rect: QRectF, theme: Theme) -> None:
    painter.setPen(Qt.PenStyle.NoPen)
    middle = rect.center()
    match sign:
        case Sign.ACCUMULATED | Sign.CLIPPED | Sign.SKIPPED:
            paint_mark(painter, _MARKS[sign], rect.adjusted(3, 0.5, -3, -0.5), theme)
        case Sign.NORM:
            for place, share in enumerate(np.linspace(0.25, 0.9, 4)):
                painter.fillRect(QRectF(rect.left() + place * _SIGN / 4, rect.top(), _SIGN / 4, _SIGN), theme.ramp_color("gradient_norm", float(share)))
        case Sign.NOT_FINITE:
            painter.setBrush(theme.color("severity.error"))
            painter.drawRect(rect)
            painter.setBrush(theme.color("surface.panel"))
            painter.drawEllipse(middle, 2.2, 2.2)
            painter.setBrush(theme.color("severity.error"))
        case Sign.ZERO:
            painter.fillRect(rect, zero_color(theme))
            painter.fillRect(QRectF(middle.x() - 3.5, middle.y() - 0.75, 7, 1.5), theme.color("surface.panel"))
        case Sign.NOT_RUN:
            painter.setBrushOrigin(rect.topLeft())
            painter.fillRect(rect, theme.hatch(theme.color("line.control")))
            painter.setPen(theme.pen("line.strong"))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(rect)
        case Sign.MISSING:
            painter.setPen(theme.pen("line.strong"))
            painter.setBrush(theme.color("surface.field"))
            painter.drawPolygon(QPolygonF([rect.topLeft(), rect.topRight(), rect.bottomRight(), QPointF(rect.left(), rect.bottom())]))
