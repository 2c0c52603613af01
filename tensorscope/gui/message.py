"""What stands in a panel that has nothing to show: an icon, one line on why, one on what to do. No illustration."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from tensorscope.language import tr
from tensorscope.render.message import paint_message
from tensorscope.render.theme import Theme


@dataclass(frozen=True, slots=True)
class Message:
    """``title`` says why, ``advice`` what to do or what still works."""

    title: str
    advice: str = ""
    icon: str = "info"
    is_error: bool = False
    details: str = ""  # copied by Ctrl+C


class MessageView(QWidget):
    def __init__(self, message: Message, theme: Callable[[], Theme], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.message = message
        self._theme = theme
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setToolTip(message.details)
        self.setAccessibleName(tr(message.title))

    def paintEvent(self, event: QPaintEvent) -> None:
        shown = self.message
        with QPainter(self) as painter:
            paint_message(painter, QRectF(self.rect()), self._theme(), tr(shown.title), tr(shown.advice), shown.icon, is_error=shown.is_error)
