"""A small rounded button that is on or off, such as Follow."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QAbstractButton, QWidget

from tensorscope.render.text import draw_text, text_width
from tensorscope.render.theme import Theme


class PillButton(QAbstractButton):
    def __init__(self, text: str, theme: Callable[[], Theme], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._is_on = False
        self.setText(text)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.setFixedSize(self.sizeHint())

    def set_on(self, is_on: bool) -> None:
        if is_on != self._is_on:
            self._is_on = is_on
            self.update()

    def sizeHint(self) -> QSize:
        return QSize(round(text_width(self.text(), self._theme().font("body", "semibold"))) + 36, 22)

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = self._theme()
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            ring = "accent.focus_ring" if self.hasFocus() else "accent.base" if self._is_on else "line.strong"
            painter.setPen(QPen(theme.color(ring), 1))
            painter.setBrush(theme.color("surface.selected" if self._is_on else "surface.hover" if self.underMouse() else "surface.panel"))
            rect = QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5)
            painter.drawRoundedRect(rect, rect.height() / 2, rect.height() / 2)
            color = theme.color("text.link" if self._is_on else "text.primary")
            draw_text(painter, rect, self.text(), theme.font("body", "semibold"), color, Qt.AlignmentFlag.AlignHCenter)
