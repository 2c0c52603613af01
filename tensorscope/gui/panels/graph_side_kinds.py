"""The switches above a search's hits: one a kind with its count, wrapped into lines."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from tensorscope.language import tr
from tensorscope.render.text import draw_text, text_width
from tensorscope.render.theme import Theme
from tensorscope.units import format_count
from tensorscope.viewmodel.graph_find import Kind

HEIGHT: Final = 20.0
GAP: Final = 4.0
PADDING: Final = 7.0

Switch = tuple[Kind, int, bool]


class KindSwitches(QWidget):
    toggled = Signal(object)  # Kind

    def __init__(self, theme: Callable[[], Theme], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._switches: tuple[Switch, ...] = ()
        self._focused = 0
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setAccessibleName(tr("Kinds of hits"))

    @property
    def switches(self) -> tuple[Switch, ...]:
        return self._switches

    def show_switches(self, switches: tuple[Switch, ...]) -> None:
        if switches != self._switches:
            self._switches = switches
            self.updateGeometry()
            self.update()

    def sizeHint(self) -> QSize:
        places = self._places()
        return QSize(160, round(places[-1][1].bottom() + GAP) if places else 0)

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def hasHeightForWidth(self) -> bool:
        return False

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = self._theme()
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            for number, ((_, count, is_on), rect, words) in enumerate(self._places()):
                is_focused = self.hasFocus() and number == self._focused
                painter.setPen(QPen(theme.color("accent.focus_ring" if is_focused else "accent.base" if is_on and count else "line.strong"), 1))
                painter.setBrush(theme.color("surface.selected" if is_on and count else "surface.field"))
                painter.drawRoundedRect(rect.adjusted(0.5, 0.5, -0.5, -0.5), theme.px("radius.badge"), theme.px("radius.badge"))
                role = "text.primary" if is_on and count else "text.tertiary"
                draw_text(painter, rect, words, theme.font("caption"), theme.color(role), Qt.AlignmentFlag.AlignHCenter)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        for (kind, _, _), rect, _ in self._places():
            if rect.contains(event.position()):
                self.toggled.emit(kind)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Left, Qt.Key.Key_Right) and self._switches:
            self._focused = (self._focused + (1 if event.key() == Qt.Key.Key_Right else -1)) % len(self._switches)
            self.update()
        elif event.key() == Qt.Key.Key_Space and self._switches:
            self.toggled.emit(self._switches[self._focused][0])
        else:
            super().keyPressEvent(event)

    def _places(self) -> list[tuple[Switch, QRectF, str]]:
        font, width = self._theme().font("caption"), float(max(self.width(), 160))
        x = y = 0.0
        places = []
        for switch in self._switches:
            words = f"{tr(switch[0].value)} {format_count(switch[1])}"
            own = text_width(words, font) + 2 * PADDING
            if x and x + own > width:
                x, y = 0.0, y + HEIGHT + GAP
            places.append((switch, QRectF(x, y, own, HEIGHT), words))
            x += own + GAP
        return places
