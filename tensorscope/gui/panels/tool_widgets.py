"""Small widgets of tool rows, painted in the theme: a chooser with a chevron, a line of words."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QComboBox, QSizePolicy, QWidget

from tensorscope.render.icons import draw_icon
from tensorscope.render.text import draw_text, text_width
from tensorscope.render.theme import Theme

_PADDING = 8.0


class Chooser(QComboBox):
    """One of a few names; as wide as the chosen one needs."""

    def __init__(self, theme: Callable[[], Theme], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.setFont(theme().font("body"))
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.currentTextChanged.connect(lambda _: self.updateGeometry())

    def sizeHint(self) -> QSize:
        theme = self._theme()
        return QSize(round(text_width(self.currentText(), theme.font("body", "semibold")) + 2 * _PADDING + 20), round(theme.px("size.field")))

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = self._theme()
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            rect = QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5)
            painter.setPen(QPen(theme.color("accent.focus_ring" if self.hasFocus() else "line.strong"), 1))
            painter.setBrush(theme.color("surface.hover" if self.underMouse() else "surface.field"))
            painter.drawRoundedRect(rect, theme.px("radius.field"), theme.px("radius.field"))
            draw_text(painter, rect.adjusted(_PADDING, 0, -22, 0), self.currentText(), theme.font("body", "semibold"), theme.color("text.primary"))
            draw_icon(painter, "chevron-down", QRectF(rect.right() - 20, rect.top(), 14, rect.height()), theme.color("text.secondary"), 12)


class Words(QWidget):
    """One dim line; cut where there is no room."""

    def __init__(self, theme: Callable[[], Theme], parent: QWidget | None = None, align: Qt.AlignmentFlag = Qt.AlignmentFlag.AlignLeft) -> None:
        super().__init__(parent)
        self._theme = theme
        self._align = align
        self._text = ""
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def text(self) -> str:
        return self._text

    def set_text(self, text: str) -> None:
        if text != self._text:
            self._text = text
            self.setToolTip(text)
            self.update()

    def sizeHint(self) -> QSize:
        return QSize(60, round(self._theme().px("size.field")))

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = self._theme()
        with QPainter(self) as painter:
            draw_text(painter, QRectF(self.rect()), self._text, theme.font("body"), theme.color("text.secondary"), self._align)
