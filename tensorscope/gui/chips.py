"""Rounded chips of the toolbar: where the script stands, what watching costs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from tensorscope.render.icons import draw_icon
from tensorscope.render.text import Run, draw_runs, draw_text, text_width
from tensorscope.render.theme import Theme
from tensorscope.viewmodel.run_state import ChipView

_FILLED_ICONS: Final = frozenset({"pause", "play", "square"})
_PADDING: Final = 12.0
_ICON_WIDTH: Final = 18.0


class Chip(QWidget):
    """Paints a ``ChipView``; hidden while there is none."""

    clicked = Signal()

    def __init__(self, theme: Callable[[], Theme], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._view: ChipView | None = None
        self.setFixedHeight(round(theme().px("size.chip")))
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.hide()

    @property
    def view(self) -> ChipView | None:
        return self._view

    def show_view(self, view: ChipView | None) -> None:
        if view != self._view:
            self._view = view
            self.setVisible(view is not None)
            self.setToolTip(view.hint if view is not None else "")
            self.updateGeometry()
            self.update()

    def sizeHint(self) -> QSize:
        if self._view is None:
            return QSize(0, self.height())
        theme = self._theme()
        words = text_width(self._view.strong, theme.font("body", "semibold")) + text_width(f" {self._view.rest}", theme.font("body", "medium"))
        return QSize(round(_PADDING * 2 + _ICON_WIDTH + words) + 2, self.height())

    def minimumSizeHint(self) -> QSize:
        return QSize(min(self.sizeHint().width(), 60), self.height())

    def paintEvent(self, event: QPaintEvent) -> None:
        if self._view is None:
            return
        theme, view = self._theme(), self._view
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            rect = QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5)
            painter.setPen(QPen(theme.color(view.color), 1))
            painter.setBrush(theme.color(view.fill))
            painter.drawRoundedRect(rect, rect.height() / 2, rect.height() / 2)
            icon_color = theme.color("text.secondary" if view.color == "line.strong" else view.color)
            draw_icon(painter, view.icon, QRectF(_PADDING - 3, 0, 16, self.height()), icon_color, 14, is_filled=view.icon in _FILLED_ICONS)
            inner = QRectF(_PADDING - 3 + _ICON_WIDTH + 1, 0, self.width() - _PADDING * 2 - _ICON_WIDTH + 4, self.height())
            strong, rest = theme.font("body", "semibold"), theme.font("body", "medium")
            room = inner.width() - text_width(view.strong, strong)
            if text_width(f" {view.rest}", rest) <= room + 1:
                rest_color = theme.color(view.text if view.color != "line.strong" else "text.secondary")
                draw_runs(painter, inner, (Run(view.strong, strong, theme.color(view.text)), Run(f" {view.rest}", rest, rest_color)))
            else:
                draw_text(painter, inner, f"{view.strong} {view.rest}", strong, theme.color(view.text))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() is Qt.MouseButton.LeftButton and self.rect().contains(event.position().toPoint()):
            self.clicked.emit()
