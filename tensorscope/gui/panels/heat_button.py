"""The button over the code: by what the lines are compared, and a menu with the choices and the hottest lines of all files."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QAction, QActionGroup, QPainter, QPaintEvent
from PySide6.QtWidgets import QMenu, QToolButton, QWidget

from tensorscope.language import tr
from tensorscope.render.icons import draw_icon
from tensorscope.render.text import draw_text, text_width
from tensorscope.render.theme import Theme
from tensorscope.units import format_bytes, format_count, format_duration, format_place, format_share
from tensorscope.viewmodel.line_heat import HEAT_WORDS, Heat, HotLine
from tensorscope.viewmodel.source_view import SourceView

MOST_LISTED: Final = 12
ROOM: Final = 18  # of the chevron


class HeatButton(QToolButton):
    heat_chosen = Signal(object)  # Heat
    line_chosen = Signal(object)  # HotLine

    def __init__(self, theme: Callable[[], Theme], parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self._view: SourceView | None = None
        self._menu = QMenu(self)
        self._menu.aboutToShow.connect(self._fill)
        self.setMenu(self._menu)
        self.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setToolTip(tr("By what lines are compared, and the hottest lines (H, Shift+H)"))

    def show_view(self, view: SourceView) -> None:
        self._view = view
        self.setAccessibleName(tr("Heat: {heat}").format(heat=self._words()))
        self.setFixedSize(self.sizeHint())
        self.update()

    def menu_shown(self) -> QMenu:
        """As a click would show it."""
        self._fill()
        return self._menu

    def sizeHint(self) -> QSize:
        return QSize(round(text_width(self._words(), self._theme().font("caption", "medium"))) + ROOM + 12, round(self._theme().px("size.table_header")) - 1)

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = self._theme()
        color = theme.color("text.strong" if self.underMouse() or self.hasFocus() else "text.secondary")
        with QPainter(self) as painter:
            rect = QRectF(self.rect())
            draw_text(painter, rect.adjusted(4, 0, -ROOM - 4, 0), self._words(), theme.font("caption", "medium"), color, Qt.AlignmentFlag.AlignRight)
            draw_icon(painter, "chevron-down", QRectF(rect.right() - ROOM, rect.top(), 12, rect.height()), color, 11)

    def _words(self) -> str:
        return tr("{heat}, {when}").format(heat=tr(HEAT_WORDS[self._view.heat]), when=self._view.when) if self._view is not None else ""

    def _fill(self) -> None:
        self._menu.clear()
        if self._view is None:
            return
        group = QActionGroup(self._menu)
        for heat in Heat:
            action = QAction(tr(HEAT_WORDS[heat]), self._menu, checkable=True, checked=heat is self._view.heat)
            action.triggered.connect(lambda _=False, heat=heat: self.heat_chosen.emit(heat))
            group.addAction(action)
            self._menu.addAction(action)
        self._menu.addSection(tr("Hottest lines"))
        for line in self._view.hot[:MOST_LISTED]:
            action = self._menu.addAction(hot_words(line, self._view.heat))
            action.triggered.connect(lambda _=False, line=line: self.line_chosen.emit(line))


def hot_words(line: HotLine, heat: Heat) -> str:
    """``model.py:44	4.73 ms, 22 %``: the place, and its amount where menus show keys."""
    amount = format_duration(line.amount) if heat is Heat.TIME else format_count(line.amount) if heat is Heat.OPERATORS else format_bytes(line.amount)
    return f"{format_place(line.file, line.line)}\t{amount}, {format_share(line.share)}"
