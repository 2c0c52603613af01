"""A text field with an icon, a hint, a note at its right end (a key, a count), and a moment's patience before it tells."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from PySide6.QtCore import QEvent, QRectF, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QLineEdit, QWidget

from tensorscope.render.icons import draw_icon
from tensorscope.render.text import draw_text, text_width
from tensorscope.render.theme import Theme

PATIENCE_MS: Final = 120


class SearchField(QLineEdit):
    """``searched`` comes a moment after the last key; Esc empties the field."""

    searched = Signal(str)

    def __init__(self, hint: str, theme: Callable[[], Theme], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._note = ""
        self._timer = QTimer(self, singleShot=True, interval=PATIENCE_MS)
        self._timer.timeout.connect(lambda: self.searched.emit(self.text()))
        self.setPlaceholderText(hint)
        self.setFixedHeight(round(theme().px("size.field")))
        self.setTextMargins(16, 0, 0, 0)
        self.textEdited.connect(lambda _: self._timer.start())

    def show_note(self, note: str) -> None:
        self._note = note
        self.setTextMargins(16, 0, round(text_width(note, self._theme().font("caption"))) + 4 if note else 0, 0)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        theme = self._theme()
        with QPainter(self) as painter:
            draw_icon(painter, "search", QRectF(6, 0, 14, self.height()), theme.color("text.tertiary"), theme.px("size.icon.row"))
            if self._note:
                rect = QRectF(self.rect()).adjusted(0, 0, -8, 0)
                draw_text(painter, rect, self._note, theme.font("caption"), theme.color("text.tertiary"), Qt.AlignmentFlag.AlignRight)

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QKeyEvent) and event.type() is QEvent.Type.ShortcutOverride and event.key() == Qt.Key.Key_Escape and self.text():
            event.accept()  # else the window takes Esc for itself
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and self.text():
            self.clear()
            self.searched.emit("")
            return
        super().keyPressEvent(event)
