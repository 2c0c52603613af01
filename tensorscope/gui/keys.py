"""The sheet of all keys, shown by ``?``; any key or click takes it away."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from tensorscope.gui.actions import ACTIONS
from tensorscope.gui.panels.catalog import CATALOG
from tensorscope.render.text import draw_text
from tensorscope.render.theme import Theme

ROW: Final = 22.0  # less where the window is low
WIDTH: Final = 620
PANEL_KEYS: Final = (
    ("Ctrl+F", "Events, Graph: find"),
    ("F3  Shift+F3", "Graph: next and previous find (also N, Shift+N)"),
    ("Shift+click  Z", "Graph: way from the selection, zoom to it"),
    ("[  ]", "Graph: the backward before and after"),
    ("+  −  0", "Graph: zoom in and out, 100 %"),
    ("Enter", "Graph: open or fold the chosen group"),
    ("Arrows", "Walk over rows, nodes and cells; in Events ← and → fold and open"),
    ("W  S", "Memory timeline: zoom in and out at the pointer"),
    ("A  D", "Memory timeline: move along time"),
    ("P", "Memory timeline: go to the peak"),
    ("F", "Show all, or the selection"),
    ("Wheel, drag", "Zoom, move"),
)


class KeySheet(QWidget):
    """Over the window until the next key or click."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self._rows = [(spec.key, f"{spec.text.rstrip('…')}: {spec.hint[0].lower()}{spec.hint[1:]}") for spec in ACTIONS]
        self._rows += [(f"Alt+{number}", f"Go to {entry.title}") for number, entry in enumerate(CATALOG, 1)]
        self._rows += list(PANEL_KEYS)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setGeometry(parent.rect())
        self.setFocus()

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = self._theme
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            pitch = min(ROW, (self.height() - 64) / len(self._rows))
            height = 48 + pitch * len(self._rows)
            card = QRectF((self.width() - WIDTH) / 2, max((self.height() - height) / 2, 8), WIDTH, height)
            painter.setPen(QPen(theme.color("line.strong"), 1))
            painter.setBrush(theme.color("surface.raised"))
            painter.drawRoundedRect(card, theme.px("radius.card"), theme.px("radius.card"))
            draw_text(painter, QRectF(card.left() + 20, card.top() + 10, 200, 24), "Keys", theme.font("title"), theme.color("text.strong"))
            for number, (key, words) in enumerate(self._rows):
                row = QRectF(card.left() + 20, card.top() + 38 + number * pitch, card.width() - 40, pitch)
                draw_text(painter, QRectF(row.left(), row.top(), 110, pitch), key, theme.font("body", "semibold"), theme.color("text.primary"))
                draw_text(painter, row.adjusted(120, 0, 0, 0), words, theme.font("body"), theme.color("text.secondary"))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        self.close()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self.close()
