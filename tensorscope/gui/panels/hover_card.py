"""The card that explains what is under the pointer: after a moment, at once while one is open, beside the pointer and never over it."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QPoint, QRect, QRectF, Qt, QTimer
from PySide6.QtGui import QGuiApplication, QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from tensorscope.render.hover_card import Card, card_size, paint_card
from tensorscope.render.theme import Theme


class HoverCard(QWidget):
    """A window of its own, owned by the widget it explains, so that it may reach over the panel's edge."""

    def __init__(self, theme: Callable[[], Theme], owner: QWidget) -> None:
        super().__init__(owner, Qt.WindowType.ToolTip | Qt.WindowType.FramelessWindowHint)
        self.setAttribute(Qt.WidgetAttribute.WA_TranslucentBackground)
        self.setAttribute(Qt.WidgetAttribute.WA_ShowWithoutActivating)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._theme = theme
        self._card: Card | None = None
        self._at = QPoint()
        self._delay = QTimer(self, singleShot=True, interval=round(theme().px("hover_card.delay")))
        self._delay.timeout.connect(self._open)
        owner.installEventFilter(self)

    @property
    def card(self) -> Card | None:
        """What is or will be shown."""
        return self._card

    def explain(self, card: Card | None, at: QPoint) -> None:
        """Show ``card`` beside a global position; None closes."""
        if card is None:
            self._card = None
            self._delay.stop()
            self.hide()
            return
        self._card, self._at = card, at
        if self.isVisible():
            self._open()
        elif not self._delay.isActive():
            self._delay.start()

    def eventFilter(self, watched: object, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.Leave, QEvent.Type.Hide, QEvent.Type.MouseButtonPress, QEvent.Type.Wheel):
            self.explain(None, QPoint())
        return False

    def paintEvent(self, event: QPaintEvent) -> None:
        if self._card is not None:
            with QPainter(self) as painter:
                paint_card(painter, QRectF(self.rect()), self._card, self._theme())

    def _open(self) -> None:
        if self._card is None:
            return
        size = card_size(self._card, self._theme()).toSize()
        offset = round(self._theme().px("hover_card.offset")) + 6
        screen = QGuiApplication.screenAt(self._at) or QGuiApplication.primaryScreen()
        rect = QRect(self._at + QPoint(offset, offset), size)
        room = screen.availableGeometry()
        if rect.right() > room.right():
            rect.moveRight(self._at.x() - offset)
        if rect.bottom() > room.bottom():
            rect.moveBottom(self._at.y() - offset)
        self.setGeometry(rect)
        self.show()
        self.update()
