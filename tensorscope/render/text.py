"""Text as the window writes it: elided, names with a dim ``Backward0``, digits with a dim unit. Sizes are device-independent pixels."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPaintEngine, QPainter

from tensorscope.render.theme import FontRole, Theme
from tensorscope.units import Quantity

ELLIPSIS: Final = "…"
_BACKWARD: Final = re.compile(r"^(.+?)(Backward\d*)$")
_SUFFIX: Final = re.compile(r"(\w)Backward\d*\b")


@dataclass(frozen=True, slots=True)
class Run:
    """A stretch of text in one font and colour."""

    text: str
    font: QFont
    color: QColor


def split_name(name: str) -> tuple[str, str]:
    """``("Addmm", "Backward0")`` for ``AddmmBackward0``; the second is "" for other names."""
    match = _BACKWARD.match(name)
    return (match[1], match[2]) if match else (name, "")


def without_suffix(name: str, font: QFont, width: float) -> str:
    """The name, where it does not fit without its ``Backward0``s: ``7 × Addmm`` for ``7 × AddmmBackward0``."""
    return name if text_width(name, font) <= width else _SUFFIX.sub(r"\1", name)


def text_width(text: str, font: QFont) -> float:
    return QFontMetricsF(font).horizontalAdvance(text)


@lru_cache(64)
def _enlarged(key: str, factor: float) -> QFont:
    font = QFont()
    font.fromString(key)
    font.setPixelSize(round(font.pixelSize() * factor))
    return font


def enlarged(font: QFont, factor: float) -> QFont:
    """The font at another size, in whole pixels."""
    return font if factor == 1.0 else _enlarged(font.toString(), factor)


def elide(text: str, font: QFont, width: float, mode: Qt.TextElideMode = Qt.TextElideMode.ElideRight) -> str:
    """The text cut with an ellipsis to fit ``width``."""
    return QFontMetricsF(font).elidedText(text, mode, width)


def elide_place(place: str, font: QFont, width: float) -> str:
    """``small_g…:75`` for ``small_gpt.py:75``: the line stays."""
    file, colon, line = place.rpartition(":")
    return (
        place
        if not line.isdecimal() or not colon or text_width(place, font) <= width
        else elide(file, font, width - text_width(colon + line, font)) + colon + line
    )


def draw_text(
    painter: QPainter,
    rect: QRectF,
    text: str,
    font: QFont,
    color: QColor,
    align: Qt.AlignmentFlag = Qt.AlignmentFlag.AlignLeft,
    mode: Qt.TextElideMode = Qt.TextElideMode.ElideRight,
) -> float:
    """One line, vertically centred in ``rect``, cut to its width. Returns the width that was painted."""
    return draw_runs(painter, rect, (Run(elide(text, font, rect.width(), mode), font, color),), align)


def draw_runs(painter: QPainter, rect: QRectF, runs: Sequence[Run], align: Qt.AlignmentFlag = Qt.AlignmentFlag.AlignLeft) -> float:
    """Several runs on one baseline, not cut. Returns their width."""
    widths = [text_width(run.text, run.font) for run in runs]
    total = sum(widths)
    x = rect.left()
    if align & Qt.AlignmentFlag.AlignRight:
        x = rect.right() - total
    elif align & Qt.AlignmentFlag.AlignHCenter:
        x = rect.center().x() - total / 2
    y = baseline(rect, runs[0].font) if runs else 0.0
    is_pdf = _is_pdf(painter)
    for run, width in zip(runs, widths, strict=True):
        painter.setFont(_without_features(run.font) if is_pdf else run.font)
        painter.setPen(run.color)
        painter.drawText(QPointF(x, y), run.text)
        x += width
    return total


def _is_pdf(painter: QPainter) -> bool:
    engine = painter.paintEngine()
    return engine is not None and engine.type() is QPaintEngine.Type.Pdf


def _without_features(font: QFont) -> QFont:
    """WORKAROUND until Qt maps them: glyphs that a feature (digits of one width) puts in place of others cannot be searched and copied in a PDF."""
    plain = QFont(font)
    plain.clearFeatures()
    plain.setFeature(QFont.Tag("calt"), 0)  # Inter has it on by itself
    return plain


def baseline(rect: QRectF, font: QFont) -> float:
    """The y at which text of ``font`` looks centred in ``rect``: its capitals are."""
    metrics = QFontMetricsF(font)
    return float(round(rect.center().y() + metrics.capHeight() / 2))


def draw_name(
    painter: QPainter,
    rect: QRectF,
    name: str,
    theme: Theme,
    role: FontRole = "body",
    weight: str = "semibold",
    color: QColor | None = None,
    dim: QColor | None = None,
) -> float:
    """A node's name with its ``Backward0`` dim; when room is short the dim part goes first, then an ellipsis appears. Returns the painted width."""
    strong, suffix = split_name(name)
    font, light = theme.font(role, weight), theme.font(role, "regular")
    runs = [Run(strong, font, color or theme.color("text.primary")), Run(suffix, light, dim or theme.color("text.tertiary"))]
    if suffix and text_width(strong, font) + text_width(suffix, light) <= rect.width():
        return draw_runs(painter, rect, runs)
    return draw_text(painter, rect, strong if suffix else name, font, runs[0].color)


def quantity_width(quantity: Quantity, theme: Theme, role: FontRole = "body", weight: str | None = None) -> float:
    """Width that ``draw_quantity`` needs."""
    width = text_width(quantity.digits, theme.font(role, weight))
    return width + (theme.px("space.number_to_unit") + text_width(quantity.unit, theme.font(role, "regular")) if quantity.unit else 0.0)


def draw_quantity(
    painter: QPainter,
    rect: QRectF,
    quantity: Quantity,
    theme: Theme,
    role: FontRole = "body",
    weight: str | None = None,
    color: QColor | None = None,
    unit_color: QColor | None = None,
    align: Qt.AlignmentFlag = Qt.AlignmentFlag.AlignRight,
) -> float:
    """Digits and a dimmer unit on one baseline. Returns the painted width."""
    width = quantity_width(quantity, theme, role, weight)
    left = rect.left() if align & Qt.AlignmentFlag.AlignLeft else rect.right() - width
    digits = Run(quantity.digits, theme.font(role, weight), color or theme.color("text.primary"))
    used = draw_runs(painter, QRectF(left, rect.top(), width, rect.height()), (digits,))
    if quantity.unit:
        gap = 0.0 if quantity.unit == "×" else theme.px("space.number_to_unit")
        unit = Run(quantity.unit, theme.font(role, "regular"), unit_color or theme.color("text.tertiary"))
        draw_runs(painter, QRectF(left + used + gap, rect.top(), width, rect.height()), (unit,))
    return width
