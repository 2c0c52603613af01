"""A window of its own for one panel, such as for a second screen. Closing it gives the panel back."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from PySide6.QtCore import QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import QCloseEvent, QGuiApplication
from PySide6.QtWidgets import QVBoxLayout, QWidget

from tensorscope.gui.panel import Panel
from tensorscope.gui.sheet import Sheet
from tensorscope.gui.style import palette, style_sheet
from tensorscope.language import tr
from tensorscope.render.theme import Theme

LEAST_SEEN: Final = QSize(120, 40)  # of a window's upper edge: as much as is needed to take hold of it
SMALLEST: Final = QSize(320, 200)


class PanelWindow(QWidget):
    """Holds a sheet with one panel. Independent of the main window, so that either may be in front."""

    given_back = Signal(str)  # the panel's key

    def __init__(self, key: str, title: str, theme: Callable[[], Theme]) -> None:
        super().__init__()
        self.key = key
        self._theme = theme
        self._title = title
        self.sheet = Sheet(theme, self)
        self.sheet.maximize_clicked.connect(self.toggle_maximized)
        gap = round(theme().px("space.panel_gap"))
        layout = QVBoxLayout(self)
        layout.setContentsMargins(gap, gap, gap, gap)
        layout.addWidget(self.sheet)
        self.setObjectName("window")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setMinimumSize(SMALLEST)
        self.theme_changed()

    def take(self, panel: Panel, tools: QWidget | None) -> None:
        self.sheet.add(panel, tools)
        self.setWindowTitle(f"{tr(panel.title)} – {self._title}")
        self.setFocusProxy(panel)

    def theme_changed(self) -> None:
        theme = self._theme()
        self.setFont(theme.font("body"))
        self.setPalette(palette(theme))
        self.setStyleSheet(style_sheet(theme))

    def toggle_maximized(self) -> None:
        if self.isMaximized():
            self.showNormal()
        else:
            self.showMaximized()
        self.sheet.header.set_maximized(self.isMaximized())

    def place(self) -> QRect:
        """Where it stands when it is not maximized."""
        return self.normalGeometry() if self.isMaximized() else self.geometry()

    def closeEvent(self, event: QCloseEvent) -> None:
        super().closeEvent(event)
        self.given_back.emit(self.key)


def screens() -> list[QRect]:
    """What the desktop's screens leave to windows, the main one first."""
    main = QGuiApplication.primaryScreen()
    others = [screen for screen in QGuiApplication.screens() if screen is not main]
    return [screen.availableGeometry() for screen in ([main] if main is not None else []) + others]


def on_screen(place: QRect, available: Sequence[QRect]) -> QRect:
    """The same place if enough of its upper edge is on a screen to take hold of it; else moved, and no larger than, to the nearest screen."""
    edge = QRect(place.topLeft(), QSize(place.width(), LEAST_SEEN.height()))
    if not available or any(_is_enough(edge.intersected(screen)) for screen in available):
        return place
    nearest = min(available, key=lambda screen: _distance(place.center(), screen))
    size = place.size().boundedTo(nearest.size())
    left = min(max(place.left(), nearest.left()), nearest.left() + nearest.width() - size.width())
    top = min(max(place.top(), nearest.top()), nearest.top() + nearest.height() - size.height())
    return QRect(QPoint(left, top), size)


def _is_enough(seen: QRect) -> bool:
    return seen.width() >= LEAST_SEEN.width() and seen.height() >= LEAST_SEEN.height() // 2


def _distance(point: QPoint, screen: QRect) -> int:
    across = max(screen.left() - point.x(), 0, point.x() - screen.right())
    down = max(screen.top() - point.y(), 0, point.y() - screen.bottom())
    return across * across + down * down
