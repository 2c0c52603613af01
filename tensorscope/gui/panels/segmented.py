"""A segmented control: a few words in one field, one of them chosen."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from tensorscope.render.text import draw_text, text_width
from tensorscope.render.theme import Theme

_PADDING: Final = 10.0


class Segmented(QWidget):
    """Emits the index that a click or an arrow key chose. Words that are not enabled cannot be chosen."""

    chosen = Signal(int)

    def __init__(self, words: tuple[str, ...], theme: Callable[[], Theme], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._words = words
        self._theme = theme
        self._current = 0
        self._enabled = frozenset(range(len(words)))
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setFixedSize(self.sizeHint())

    @property
    def current(self) -> int:
        return self._current

    def set_current(self, index: int) -> None:
        if index != self._current:
            self._current = index
            self.update()

    def set_enabled_words(self, enabled: frozenset[int]) -> None:
        if enabled != self._enabled:
            self._enabled = enabled
            self.update()

    def sizeHint(self) -> QSize:
        return QSize(round(sum(self._widths())) + 2, round(self._theme().px("size.segmented")))

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = self._theme()
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            radius = theme.px("radius.field")
            painter.setPen(QPen(theme.color("accent.focus_ring" if self.hasFocus() else "line.strong"), 1))
            painter.setBrush(theme.color("surface.field"))
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), radius, radius)
            for index, (word, rect) in enumerate(zip(self._words, self._rects(), strict=True)):
                is_current = index == self._current
                if is_current:
                    painter.setPen(Qt.PenStyle.NoPen)
                    painter.setBrush(theme.color("surface.raised" if theme.is_dark else "line.subtle"))
                    painter.drawRoundedRect(rect.adjusted(1, 1, -1, -1), radius - 1, radius - 1)
                role = "text.disabled" if index not in self._enabled else "text.strong" if is_current else "text.secondary"
                draw_text(painter, rect, word, theme.font("body", "semibold" if is_current else "medium"), theme.color(role), Qt.AlignmentFlag.AlignHCenter)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        index = next((index for index, rect in enumerate(self._rects()) if rect.contains(event.position())), None)
        if index is not None:
            self._choose(index)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        step = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}.get(Qt.Key(event.key()))
        if step is None:
            super().keyPressEvent(event)
            return
        self._choose(next((i for i in range(self._current + step, len(self._words) if step > 0 else -1, step) if i in self._enabled), self._current))

    def _choose(self, index: int) -> None:
        if index in self._enabled and index != self._current:
            self.set_current(index)
            self.chosen.emit(index)

    def _widths(self) -> list[float]:
        font = self._theme().font("body", "semibold")
        return [text_width(word, font) + 2 * _PADDING for word in self._words]

    def _rects(self) -> list[QRectF]:
        x, rects = 1.0, []
        for width in self._widths():
            rects.append(QRectF(x, 0, width, self.height()))
            x += width
        return rects
