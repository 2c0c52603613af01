"""A field that a panel opens over its top right corner: to find, or to go somewhere. Esc closes it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from PySide6.QtCore import QEvent, QObject, QRectF, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QFrame, QLabel, QVBoxLayout, QWidget

from tensorscope.gui.panels.field import SearchField
from tensorscope.render.theme import Theme

WIDTH: Final = 280
MARGIN: Final = 8


class Prompt(QFrame):
    """``entered`` comes with Enter: the text, and whether Shift was held."""

    entered = Signal(str, bool)

    def __init__(self, hint: str, theme: Callable[[], Theme], over: QWidget) -> None:
        super().__init__(over)
        self._theme = theme
        self._over = over
        self.field = SearchField(hint, theme, self)
        self.field.setAccessibleName(hint)
        self.field.installEventFilter(self)
        self._words = QLabel(self)
        self._words.setWordWrap(True)
        self._words.hide()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(MARGIN, MARGIN, MARGIN, MARGIN)
        layout.setSpacing(4)
        layout.addWidget(self.field)
        layout.addWidget(self._words)
        over.installEventFilter(self)
        self.hide()

    def open(self) -> None:
        self.say("")
        self._place()
        self.show()
        self.raise_()
        self.field.selectAll()
        self.field.setFocus()

    def say(self, words: str) -> None:
        """A sentence under the field, "" for none."""
        self._words.setStyleSheet(f"color: {self._theme().color('severity.warning').name()}")
        self._words.setText(words)
        self._words.setVisible(bool(words))
        self._place()

    @property
    def said(self) -> str:
        return self._words.text()

    def leave(self) -> None:
        self.hide()
        self._over.setFocus()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is not self.field:
            if event.type() is QEvent.Type.Resize and self.isVisible():
                self._place()
            return False
        if isinstance(event, QKeyEvent) and event.type() is QEvent.Type.ShortcutOverride and event.key() == Qt.Key.Key_Escape:
            event.accept()  # else the window takes Esc for itself
            return True
        if isinstance(event, QKeyEvent) and event.type() is QEvent.Type.KeyPress:
            if event.key() == Qt.Key.Key_Escape:
                self.leave()
                return True
            if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
                self.entered.emit(self.field.text(), bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier))
                return True
        return False

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = self._theme()
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(QPen(theme.color("line.strong"), 1))
            painter.setBrush(theme.color("surface.raised"))
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), theme.px("radius.card"), theme.px("radius.card"))

    def _place(self) -> None:
        over = self._over
        width = min(WIDTH, over.width() - 16)
        self.setFixedWidth(width)
        self.layout().activate()  # type: ignore[union-attr]
        self.resize(width, self.layout().totalHeightForWidth(width) if self.layout().hasHeightForWidth() else self.sizeHint().height())  # type: ignore[union-attr]
        self.move(over.width() - width - 8, 4)
