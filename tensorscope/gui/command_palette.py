"""The palette of all actions: type a few letters, Enter does the first."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from PySide6.QtCore import QEvent, QObject, QRectF, Qt
from PySide6.QtGui import QAction, QKeyEvent, QKeySequence, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QVBoxLayout, QWidget

from tensorscope.gui.panels.field import SearchField
from tensorscope.language import tr
from tensorscope.render.text import draw_text, text_width
from tensorscope.render.theme import Theme
from tensorscope.viewmodel.palette_search import Offer, matching

WIDTH: Final = 560
ROW: Final = 26
MOST_ROWS: Final = 14
MARGIN: Final = 10


class CommandPalette(QWidget):
    """Over the window until an action is chosen, Esc is pressed or something else is clicked."""

    def __init__(self, actions: Sequence[QAction], theme: Callable[[], Theme], parent: QWidget) -> None:
        super().__init__(parent)
        self._actions = tuple(action for action in actions if action.text())
        self._theme = theme
        offers = tuple(_offer(action) for action in self._actions)
        self.field = SearchField(tr("Find an action"), theme, self)
        self.rows = _Rows(offers, theme, self)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(MARGIN, MARGIN, MARGIN, MARGIN)
        layout.addWidget(self.field)
        layout.addWidget(self.rows)
        self.field.textEdited.connect(self.rows.search)
        self.field.installEventFilter(self)
        self.rows.chosen = self._do
        height = 3 * MARGIN + self.field.height() + ROW * min(len(offers), MOST_ROWS)
        width = min(WIDTH, parent.width() - 2 * MARGIN)
        self.setGeometry((parent.width() - width) // 2, 44, width, min(height, parent.height() - 60))
        self.setFocusProxy(self.field)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)

    def open(self) -> None:
        self.show()
        self.raise_()
        self.field.setFocus()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() is QEvent.Type.FocusOut:
            self.close()
        elif isinstance(event, QKeyEvent) and event.type() in (QEvent.Type.KeyPress, QEvent.Type.ShortcutOverride):
            if event.type() is QEvent.Type.ShortcutOverride:
                event.accept()  # while the palette is open, keys are the palette's
                return True
            return self._take_key(Qt.Key(event.key()))
        return super().eventFilter(watched, event)

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = self._theme()
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(QPen(theme.color("line.strong"), 1))
            painter.setBrush(theme.color("surface.raised"))
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), theme.px("radius.card"), theme.px("radius.card"))

    def _take_key(self, key: Qt.Key) -> bool:
        match key:
            case Qt.Key.Key_Escape:
                self.close()
            case Qt.Key.Key_Return | Qt.Key.Key_Enter:
                self.rows.choose()
            case Qt.Key.Key_Down:
                self.rows.move(1)
            case Qt.Key.Key_Up:
                self.rows.move(-1)
            case _:
                return False
        return True

    def _do(self, place: int) -> None:
        action = self._actions[place]
        self.close()
        action.trigger()


class _Rows(QWidget):
    """The actions found; the current one is filled."""

    def __init__(self, offers: tuple[Offer, ...], theme: Callable[[], Theme], parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self._offers = offers
        self.found = matching(offers, "")
        self.current = 0
        self.chosen: Callable[[int], None] = lambda place: None
        self.setMouseTracking(True)

    def search(self, typed: str) -> None:
        self.found, self.current = matching(self._offers, typed), 0
        self.update()

    def move(self, step: int) -> None:  # type: ignore[override]
        self.current = min(max(self.current + step, 0), max(len(self.found) - 1, 0))
        self.update()

    def choose(self) -> None:
        if self.current < len(self.found) and self._offers[self.found[self.current]].is_enabled:
            self.chosen(self.found[self.current])

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        place = self._first() + int(event.position().y() // ROW)
        if place < len(self.found):
            self.current = place
            self.update()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self.mouseMoveEvent(event)
        self.choose()

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = self._theme()
        with QPainter(self) as painter:
            if not self.found:
                draw_text(painter, QRectF(8, 0, self.width() - 16, ROW), tr("No action has these words."), theme.font("body"), theme.color("text.tertiary"))
            for level, place in enumerate(self.found[self._first() : self._first() + self._room()]):
                rect = QRectF(0, level * ROW, self.width(), ROW)
                if self._first() + level == self.current:
                    painter.fillRect(rect, theme.color("surface.selected"))
                _paint_offer(painter, rect.adjusted(8, 0, -8, 0), self._offers[place], theme)

    def _room(self) -> int:
        return max(self.height() // ROW, 1)

    def _first(self) -> int:
        return max(self.current - self._room() + 1, 0)


def _offer(action: QAction) -> Offer:
    hint = action.toolTip().partition("  (")[0]
    key = action.shortcut().toString(QKeySequence.SequenceFormat.NativeText)
    return Offer(action.text().rstrip("…"), "" if hint == action.text() else hint, key, action.isEnabled())


def _paint_offer(painter: QPainter, rect: QRectF, offer: Offer, theme: Theme) -> None:
    strong, font = theme.font("body", "semibold"), theme.font("body")
    key = text_width(offer.key, font)
    draw_text(painter, rect, offer.key, font, theme.color("text.secondary"), Qt.AlignmentFlag.AlignRight)
    used = draw_text(painter, rect.adjusted(0, 0, -key - 12, 0), offer.text, strong, theme.color("text.primary" if offer.is_enabled else "text.disabled"))
    draw_text(painter, rect.adjusted(used + 12, 0, -key - 12, 0), offer.hint, font, theme.color("text.tertiary"))
