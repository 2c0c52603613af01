"""A flat sheet of the window: a header with tabs, the current panel's tool row, its content; and what stands there when a panel failed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from PySide6.QtCore import QPoint, QRectF, Qt, QTimer, Signal
from PySide6.QtGui import QPainter, QPainterPath, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QStackedWidget, QVBoxLayout, QWidget

from tensorscope.gui.message import MessageView
from tensorscope.gui.panel import Panel
from tensorscope.gui.sheet_header import SheetHeader, Tab
from tensorscope.render.theme import Theme

SLOW_MS: Final = 150


class Sheet(QWidget):
    """Holds one panel or several as tabs. The window gives and takes panels."""

    current_changed = Signal(object)
    maximize_clicked = Signal()
    menu_clicked = Signal(object, QPoint)
    torn_off = Signal(str, QPoint)  # the key of a panel whose tab was dragged out, and where to

    def __init__(self, theme: Callable[[], Theme], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.header = SheetHeader(theme, self)
        self._tools = _ToolRows(theme, self)
        self._content = QStackedWidget(self)
        self._panels: list[Panel] = []
        self._failures: dict[Panel, MessageView] = {}
        self._is_slow = False
        self._slow_timer = QTimer(self, singleShot=True, interval=SLOW_MS)
        self._slow_timer.timeout.connect(lambda: self._set_slow(True))
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.header)
        layout.addWidget(self._tools)
        layout.addWidget(self._content, 1)
        self._corners = _Corners(theme, self)
        self.header.tab_chosen.connect(self._choose)
        self.header.maximize_clicked.connect(self.maximize_clicked)
        self.header.menu_clicked.connect(lambda at: self.menu_clicked.emit(self, at))
        self.header.torn_off.connect(self.torn_off)
        self.setMinimumSize(120, 80)

    @property
    def panels(self) -> tuple[Panel, ...]:
        return tuple(self._panels)

    @property
    def current(self) -> Panel | None:
        index = self._content.currentIndex()
        return self._panels[index] if 0 <= index < len(self._panels) else None

    def add(self, panel: Panel, tools: QWidget | None, place: int | None = None) -> None:
        """Take a panel as the tab at a place, by default the last; ``tools`` is its tool row's widget."""
        at = len(self._panels) if place is None else place
        self._panels.insert(at, panel)
        self._content.insertWidget(at, panel)
        self._tools.add(tools, at)
        panel.header_changed.connect(self._show_tabs)
        self._show_current()

    def remove(self, panel: Panel) -> QWidget | None:
        """Give a panel away; returns its tool row's widget, both without a parent."""
        self.show_failure(panel, None)
        index = self._panels.index(panel)
        panel.header_changed.disconnect(self._show_tabs)
        self._panels.remove(panel)
        self._content.removeWidget(panel)
        panel.setParent(None)
        tools = self._tools.take(index)
        self._show_current()
        return tools

    def show_panel(self, panel: Panel) -> None:
        """Make it the current tab."""
        if panel is not self.current:
            self._content.setCurrentIndex(self._panels.index(panel))
            self._show_current()
            self.current_changed.emit(panel)

    def walk_tabs(self, step: int) -> None:
        """Choose the tab ``step`` after the current one, round and round."""
        tabs, at = self.header.tabs
        if len(tabs) > 1:
            tab = tabs[(at + step) % len(tabs)]
            self._choose(tab.key, tab.page)

    def set_focused(self, is_focused: bool) -> None:
        self.header.set_focused(is_focused)

    def set_busy(self, is_busy: bool) -> None:
        """A line under the header when the current panel's content takes longer than ``SLOW_MS``."""
        if is_busy and not self._slow_timer.isActive() and not self._is_slow:
            self._slow_timer.start()
        elif not is_busy:
            self._slow_timer.stop()
            self._set_slow(False)

    def show_failure(self, panel: Panel, message: MessageView | None) -> None:
        """Put a message in a panel's place, or the panel back (None)."""
        index = self._panels.index(panel)
        was_current = self.current is panel
        old = self._failures.pop(panel, None)
        if old is not None:
            self._content.removeWidget(old)
            old.deleteLater()
            self._content.insertWidget(index, panel)
        if message is not None:
            self._content.removeWidget(panel)
            self._content.insertWidget(index, message)
            self._failures[panel] = message
        if was_current:
            self._content.setCurrentIndex(index)
            (message or panel).show()
            self._show_current()

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = self._theme()
        radius = theme.px("radius.panel")
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            shape = QPainterPath()
            shape.addRoundedRect(QRectF(self.rect()), radius, radius)
            painter.fillPath(shape, theme.color("surface.panel"))
            painter.setClipRect(QRectF(0, 0, self.width(), self.header.height()))
            painter.fillPath(shape, theme.color("surface.header"))

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._corners.setGeometry(0, self.height() - self._corners.height(), self.width(), self._corners.height())
        self._corners.raise_()

    def _choose(self, key: str, page: int) -> None:
        panel = next(panel for panel in self._panels if panel.key == key)
        self.show_panel(panel)
        panel.choose_tab(page)
        panel.setFocus(Qt.FocusReason.MouseFocusReason)

    def _show_current(self) -> None:
        self._tools.show_row(self._content.currentIndex() if self.current not in self._failures else -1)
        self._show_tabs()
        self._corners.raise_()

    def _show_tabs(self) -> None:
        tabs: list[Tab] = []
        current = 0
        for panel in self._panels:
            titles = panel.tabs()
            if panel is self.current:
                current = len(tabs) + panel.current_tab()
            tabs += [Tab(panel.key, page, title, panel.badge_of(page)) for page, title in enumerate(titles)]
        self.header.set_tabs(tuple(tabs), current)

    def _set_slow(self, is_slow: bool) -> None:
        self._is_slow = is_slow
        self.header.set_slow(is_slow)


class _ToolRows(QWidget):
    """The tool rows of a sheet's panels, one shown; no height for a panel without one."""

    def __init__(self, theme: Callable[[], Theme], parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self._rows: list[QWidget | None] = []
        self._layout = QVBoxLayout(self)
        self._layout.setContentsMargins(0, 0, 0, 1)
        self.setVisible(False)

    def add(self, row: QWidget | None, place: int) -> None:
        self._rows.insert(place, row)
        if row is not None:
            row.setFixedHeight(round(self._theme().px("size.panel_tool_row")) - 1)
            row.hide()
            self._layout.addWidget(row)

    def take(self, index: int) -> QWidget | None:
        row = self._rows.pop(index)
        if row is not None:
            self._layout.removeWidget(row)
            row.setParent(None)
        return row

    def show_row(self, index: int) -> None:
        shown = self._rows[index] if 0 <= index < len(self._rows) else None
        for row in self._rows:
            if row is not None:
                row.setVisible(row is shown)
        self.setVisible(shown is not None)

    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            painter.fillRect(0, self.height() - 1, self.width(), 1, self._theme().color("line.subtle"))


class _Corners(QWidget):
    """Rounds the lower corners over whatever the panel painted."""

    def __init__(self, theme: Callable[[], Theme], parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setFixedHeight(round(theme().px("radius.panel")))

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = self._theme()
        radius = theme.px("radius.panel")
        outside, inside = QPainterPath(), QPainterPath()
        outside.addRect(QRectF(self.rect()))
        inside.addRoundedRect(QRectF(0, -2 * radius, self.width(), self.height() + 2 * radius), radius, radius)
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.fillPath(outside.subtracted(inside), theme.color("surface.window"))
