"""A plot that is painted once into a picture and shown from it until it changes; what follows the pointer is painted over it."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QPoint, QRectF, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPixmap, QResizeEvent
from PySide6.QtWidgets import QWidget

from tensorscope.gui.panels.hover_card import HoverCard
from tensorscope.render.hover_card import Card
from tensorscope.render.theme import Theme


class Plot(QWidget):
    """Subclasses paint; ``redraw`` says that the picture is another one now."""

    def __init__(self, theme: Callable[[], Theme], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.theme = theme
        self._picture: QPixmap | None = None
        self._card = HoverCard(theme, self)
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMinimumSize(80, 60)

    def paint_picture(self, painter: QPainter, rect: QRectF) -> None:
        raise NotImplementedError

    def paint_overlay(self, painter: QPainter, rect: QRectF) -> None:
        """What follows the pointer; quick."""

    def redraw(self) -> None:
        self._picture = None
        self.update()

    def explain(self, card: Card | None, at: QPoint) -> None:
        """Show a hover card beside a position in this widget."""
        self._card.explain(card, self.mapToGlobal(at))

    @property
    def card(self) -> Card | None:
        return self._card.card

    def resizeEvent(self, event: QResizeEvent) -> None:
        self.redraw()

    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            scale = max(painter.deviceTransform().m11(), 0.1)  # also right when the window is painted into a picture of higher resolution
            if self._picture is None or self._picture.devicePixelRatio() != scale:
                self._picture = QPixmap(round(self.width() * scale), round(self.height() * scale))
                self._picture.setDevicePixelRatio(scale)
                with QPainter(self._picture) as inner:
                    self.paint_picture(inner, QRectF(self.rect()))
            painter.drawPixmap(0, 0, self._picture)
            self.paint_overlay(painter, QRectF(self.rect()))
