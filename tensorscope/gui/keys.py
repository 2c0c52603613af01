"""The sheet of all keys, shown by ``?``; any key or click takes it away."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from tensorscope.gui.actions import ACTIONS, ActionSpec
from tensorscope.gui.panels.catalog import CATALOG
from tensorscope.language import tr, tr_later
from tensorscope.render.text import draw_text
from tensorscope.render.theme import Theme

ROW: Final = 22.0  # less where the window is low
WIDTH: Final = 620
PANEL_KEYS: Final = (
    ("Ctrl+F", tr_later("Events, Graph: find")),
    ("Ctrl+G", tr_later("Events: go to an iteration or a time")),
    ("F3  Shift+F3", tr_later("Graph: next and previous find (also N, Shift+N)")),
    ("Shift+click  Z", tr_later("Graph: way from the selection, zoom to it")),
    ("[  ]", tr_later("Graph: the backward before and after")),
    ("+  −  0", tr_later("Graph: zoom in and out, 100 %")),
    ("Enter", tr_later("Graph: open or fold the chosen group")),
    (tr_later("Arrows"), tr_later("Walk over rows, nodes and cells; in Events ← and → fold and open")),
    ("L  Shift+L", tr_later("Source: next and previous line that belongs to the selection")),
    ("H  Shift+H", tr_later("Source: the hottest line, the next hottest, and back")),
    ("W  S", tr_later("Memory timeline: zoom in and out at the pointer")),
    ("A  D", tr_later("Memory timeline: move along time")),
    ("P", tr_later("Memory timeline: go to the peak")),
    ("Shift+click  M", tr_later("Memory timeline: compare the cursor with this moment, Esc ends it")),
    ("F", tr_later("Show all, or the selection")),
    (tr_later("Wheel, drag"), tr_later("Zoom, move")),
)


def _words(spec: ActionSpec) -> str:
    hint = tr(spec.hint)
    return tr("{action}: {hint}").format(action=tr(spec.text).rstrip("…"), hint=hint[0].lower() + hint[1:])


class KeySheet(QWidget):
    """Over the window until the next key or click."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self._rows = [(spec.key, _words(spec)) for spec in ACTIONS]
        self._rows += [(f"Alt+{number}", tr("Go to {panel}").format(panel=tr(entry.title))) for number, entry in enumerate(CATALOG, 1)]
        self._rows += [(tr(keys), tr(words)) for keys, words in PANEL_KEYS]
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setGeometry(parent.rect())
        self.setFocus()

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = self._theme
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            columns = 1 if ROW * len(self._rows) + 64 <= self.height() else 2
            lines = -(-len(self._rows) // columns)
            pitch = min(ROW, (self.height() - 64) / lines)
            height, width = 48 + pitch * lines, min(WIDTH * columns, self.width() - 16)
            card = QRectF((self.width() - width) / 2, max((self.height() - height) / 2, 8), width, height)
            painter.setPen(QPen(theme.color("line.strong"), 1))
            painter.setBrush(theme.color("surface.raised"))
            painter.drawRoundedRect(card, theme.px("radius.card"), theme.px("radius.card"))
            draw_text(painter, QRectF(card.left() + 20, card.top() + 10, 200, 24), tr("Keys"), theme.font("title"), theme.color("text.strong"))
            for number, (key, words) in enumerate(self._rows):
                left = card.left() + 20 + (number // lines) * (card.width() - 20) / columns
                row = QRectF(left, card.top() + 38 + (number % lines) * pitch, (card.width() - 20) / columns - 20, pitch)
                draw_text(painter, QRectF(row.left(), row.top(), 110, pitch), key, theme.font("body", "semibold"), theme.color("text.primary"))
                draw_text(painter, row.adjusted(120, 0, 0, 0), words, theme.font("body"), theme.color("text.secondary"))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        self.close()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self.close()
