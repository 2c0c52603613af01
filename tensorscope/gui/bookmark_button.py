"""The button in Events whose menu lists the bookmarks; choosing one goes there."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QPoint
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QWidget

from tensorscope.gui.buttons import ToolbarButton
from tensorscope.language import tr
from tensorscope.render.theme import Theme
from tensorscope.viewmodel.bookmarks import Bookmarks


class BookmarkButton(ToolbarButton):
    """``go`` is called with the run time (ns) of the one chosen."""

    def __init__(self, bookmarks: Bookmarks, go: Callable[[int], object], theme: Callable[[], Theme], parent: QWidget | None = None) -> None:
        self._shown = QAction(tr("Bookmarks"), parent)
        self._shown.setProperty("icon_name", "bookmark")
        self._shown.setToolTip(tr("Bookmarks: Ctrl+B sets one at the chosen row, or at the moment that is looked at"))
        super().__init__(self._shown, theme, parent=parent)
        self.setAccessibleName(tr("Bookmarks"))
        self._bookmarks = bookmarks
        self._go = go
        self.menu = QMenu(self)
        self.menu.aboutToShow.connect(self.fill)
        self._shown.triggered.connect(lambda: self.menu.popup(self.mapToGlobal(QPoint(0, self.height() + 2))))

    def fill(self) -> None:
        self.menu.clear()
        marks = self._bookmarks.marks
        for mark in marks:
            action = self.menu.addAction(mark.text)
            action.triggered.connect(lambda _=False, time_ns=mark.time_ns: self._go(time_ns))
        if not marks:
            self.menu.addAction(tr("None yet: Ctrl+B sets one")).setEnabled(False)
            return
        self.menu.addSeparator()
        self.menu.addAction(tr("Forget all bookmarks")).triggered.connect(self._bookmarks.clear)
