"""The sheets of the window between splitters: arranging panels on them, maximizing one, moving between them, and into windows of their own."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QByteArray, QPoint, QRect, QSize, Qt, Signal
from PySide6.QtWidgets import QSplitter, QVBoxLayout, QWidget

from tensorscope.gui.accessible_names import name_panel
from tensorscope.gui.arrangement import Arrangement, shares
from tensorscope.gui.message import MessageView
from tensorscope.gui.panel import Panel
from tensorscope.gui.panel_window import PanelWindow, on_screen, screens
from tensorscope.gui.panels.catalog import PanelEntry
from tensorscope.gui.sheet import Sheet
from tensorscope.gui.sheet_header import Tab
from tensorscope.language import tr
from tensorscope.render.theme import Theme


class Deck(QWidget):
    """Owns the sheets and the panels' windows; the panels are given to it as they come into being."""

    panel_shown = Signal(object)
    menu_clicked = Signal(object, QPoint)
    focused_changed = Signal(object)
    window_made = Signal(object)  # PanelWindow, before it is shown
    undocked_changed = Signal()

    def __init__(self, catalog: tuple[PanelEntry, ...], theme: Callable[[], Theme], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._catalog = {entry.key: entry for entry in catalog}
        self._theme = theme
        self._panels: dict[str, Panel] = {}
        self._tools: dict[str, QWidget | None] = {}
        self._home: dict[str, Sheet] = {}  # where the arrangement wants each panel
        self._windows: dict[str, PanelWindow] = {}
        self._arrangement: Arrangement | None = None
        self._rows: list[QSplitter] = []
        self._outer = self._splitter(Qt.Orientation.Vertical)
        self._focused: Panel | None = None
        self._maximized: Sheet | None = None
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self._outer)

    @property
    def panels(self) -> tuple[Panel, ...]:
        return tuple(self._panels.values())

    @property
    def arrangement(self) -> Arrangement | None:
        return self._arrangement

    @property
    def focused(self) -> Panel | None:
        return self._focused

    @property
    def is_maximized(self) -> bool:
        return self._maximized is not None

    @property
    def windows(self) -> tuple[PanelWindow, ...]:
        """Those of panels that are undocked."""
        return tuple(self._windows.values())

    def shown_panels(self) -> tuple[Panel, ...]:
        """Those whose tab is the current one on a visible sheet."""
        sheets = ((panel, self.sheet_of(panel)) for panel in self.panels)
        return tuple(panel for panel, sheet in sheets if sheet.current is panel and sheet.isVisibleTo(self))

    def fed_panels(self) -> tuple[Panel, ...]:
        """Those that follow the run: the shown ones, and hidden ones whose badge must be true."""
        shown = self.shown_panels()
        return (*shown, *(panel for panel in self.panels if panel.is_always_fed and panel not in shown))

    def panel(self, key: str) -> Panel | None:
        return self._panels.get(key)

    def sheet_of(self, panel: Panel) -> Sheet:
        return self._windows[panel.key].sheet if panel.key in self._windows else self._home[panel.key]

    def add(self, panel: Panel) -> None:
        """Put a new panel on the sheet where the arrangement wants it."""
        self._panels[panel.key] = panel
        self._tools[panel.key] = panel.tool_row()
        self._home[panel.key].add(panel, self._tools[panel.key])
        name_panel(panel, self._tools[panel.key])
        panel.front_wanted.connect(lambda: self.sheet_of(panel).show_panel(panel))

    def arrange(self, arrangement: Arrangement, size: QSize, *, anew: bool = False) -> None:
        """Build the sheets anew and move the panels onto them; a no-op for the arrangement that stands, but ``anew``."""
        if not anew and self._arrangement is not None and arrangement.name == self._arrangement.name:
            return
        self._arrangement = arrangement
        self._maximized = None
        current = {panel.key for panel in self.shown_panels()}
        docked = {key: panel for key, panel in self._panels.items() if key not in self._windows}
        for key, panel in docked.items():
            self._home[key].remove(panel)
        for old in self._rows:
            old.setParent(None)
            old.deleteLater()
        self._rows = [self._build_row(row.sheets) for row in arrangement.rows]
        for key, panel in docked.items():
            self._home[key].add(panel, self._tools[key])
        for key in current & docked.keys():
            self._home[key].show_panel(self._panels[key])
        gap = self._theme().px("space.panel_gap")
        for splitter, row in zip(self._rows, arrangement.rows, strict=True):
            splitter.setSizes(shares(row.widths, size.width() - gap * (len(row.sheets) - 1)))
        self._outer.setSizes(shares(tuple(row.height for row in arrangement.rows), size.height() - gap * (len(self._rows) - 1)))
        self._keep_proportions(arrangement)
        self._show_sheets()
        self._mark_focus()

    def show_panel(self, key: str) -> None:
        """Bring a panel to the front and give it the keys."""
        panel = self._panels.get(key)
        if panel is None:
            return
        sheet = self.sheet_of(panel)
        if key not in self._windows and self._maximized not in (None, sheet):
            self.toggle_maximized(None)
        sheet.show_panel(panel)
        if self._windows and not sheet.isActiveWindow():
            sheet.activateWindow()
        panel.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.set_focused(panel)

    def walk(self, step: int) -> None:
        """Give the keys to the next of the panels that are shown, or (−1) to the one before."""
        shown = self.shown_panels()
        if shown:
            at = shown.index(self._focused) if self._focused in shown else -1 if step > 0 else 0
            self.show_panel(shown[(at + step) % len(shown)].key)

    def set_focused(self, panel: Panel | None) -> None:
        if panel is not self._focused:
            self._focused = panel
            self._mark_focus()
            self.focused_changed.emit(panel)

    def panel_holding(self, widget: QWidget | None) -> Panel | None:
        """The panel on whose sheet a widget lies."""
        while widget is not None and not isinstance(widget, Sheet):
            widget = widget.parentWidget()
        return widget.current if isinstance(widget, Sheet) and widget in self._sheets() else None

    def toggle_maximized(self, sheet: Sheet | None) -> None:
        """Give a sheet all the room, or (None, or the same again) bring the others back; one in a window of its own takes the whole screen."""
        window = next((window for window in self.windows if window.sheet is sheet), None)
        if window is not None:
            window.toggle_maximized()
            return
        self._maximized = None if sheet is self._maximized else sheet
        self._show_sheets()
        for panel in self.shown_panels():
            self.panel_shown.emit(panel)

    # windows of their own

    def undock(self, key: str, place: QRect | None = None, *, at: QPoint | None = None) -> None:
        """Move a panel into a window of its own: to a place it had before, else of the size it has now, its upper left corner ``at``."""
        panel = self._panels.get(key)
        if panel is None or key in self._windows:
            return
        home = self._home[key]
        now = QRect(at or home.mapToGlobal(QPoint(24, 24)), home.size())
        if self._maximized is home:
            self.toggle_maximized(None)
        window = PanelWindow(key, self.window().windowTitle(), self._theme)
        window.given_back.connect(self.dock)
        window.sheet.menu_clicked.connect(self.menu_clicked)
        window.sheet.current_changed.connect(self.panel_shown)
        home.remove(panel)
        self._windows[key] = window
        window.take(panel, self._tools[key])
        window.setGeometry(on_screen(place or now, screens()))
        self.window_made.emit(window)
        self._show_sheets()
        window.show()
        self._moved(panel)

    def dock(self, key: str) -> None:
        """Put a panel back into the main window, where it was."""
        window = self._windows.pop(key, None)
        if window is None:
            return
        panel = self._panels[key]
        window.sheet.remove(panel)
        home = self._home[key]
        order = list(self._catalog)
        before = sum(order.index(other.key) < order.index(key) for other in home.panels)
        home.add(panel, self._tools[key], before)
        home.show_panel(panel)
        window.hide()
        window.deleteLater()
        self._show_sheets()
        self._moved(panel)

    def close_windows(self) -> None:
        """With the main window, their panels with them."""
        if self._focused is not None and self._focused.key in self._windows:
            self.set_focused(None)
        for key, window in self._windows.items():
            del self._panels[key]
            window.given_back.disconnect(self.dock)
            window.close()
            window.deleteLater()
        self._windows.clear()

    def _moved(self, panel: Panel) -> None:
        self.undocked_changed.emit()
        for shown in self.shown_panels():
            self.panel_shown.emit(shown)
        self.show_panel(panel.key)

    # what panels show

    def show_failure(self, panel: Panel, message: MessageView | None) -> None:
        self.sheet_of(panel).show_failure(panel, message)

    def set_busy(self, panel: Panel, is_busy: bool) -> None:
        sheet = self.sheet_of(panel)
        if sheet.current is panel:
            sheet.set_busy(is_busy)

    @property
    def splitters(self) -> tuple[QSplitter, ...]:
        """That between the rows, then those within each row."""
        return (self._outer, *self._rows)

    def save_sizes(self) -> list[QByteArray]:
        return [splitter.saveState() for splitter in self.splitters]

    def restore_sizes(self, states: list[QByteArray]) -> None:
        if len(states) == len(self.splitters):
            for splitter, state in zip(self.splitters, states, strict=True):
                splitter.restoreState(state)

    def theme_changed(self) -> None:
        for window in self.windows:
            window.theme_changed()
        for panel in self._panels.values():
            panel.theme_changed()
        self.update()

    def _build_row(self, sheets: tuple[tuple[str, ...], ...]) -> QSplitter:
        splitter = self._splitter(Qt.Orientation.Horizontal)
        for keys in sheets:
            sheet = Sheet(self._theme, splitter)
            sheet.header.set_tabs(tuple(Tab(key, 0, tr(self._catalog[key].title)) for key in keys if key in self._catalog), 0)
            sheet.maximize_clicked.connect(lambda sheet=sheet: self.toggle_maximized(sheet))
            sheet.menu_clicked.connect(self.menu_clicked)
            sheet.torn_off.connect(lambda key, at: self.undock(key, at=at))
            sheet.current_changed.connect(self.panel_shown)
            splitter.addWidget(sheet)
            self._home.update(dict.fromkeys(keys, sheet))
        self._outer.addWidget(splitter)
        return splitter

    def _show_sheets(self) -> None:
        """Those that have a panel, or the maximized one alone."""
        kept = {sheet for key, sheet in self._home.items() if key not in self._windows}
        for row in self._rows:
            sheets = [widget for index in range(row.count()) if isinstance(widget := row.widget(index), Sheet)]
            for sheet in sheets:
                sheet.setVisible(sheet in kept and self._maximized in (None, sheet))
                sheet.header.set_maximized(sheet is self._maximized)
            row.setVisible(any(not sheet.isHidden() for sheet in sheets))

    def _keep_proportions(self, arrangement: Arrangement) -> None:
        """What has no length in the arrangement takes the room that a larger window gives."""
        for splitter, row in zip(self._rows, arrangement.rows, strict=True):
            for index, width in enumerate(row.widths):
                splitter.setStretchFactor(index, 1 if width else 2)
        for index, row in enumerate(arrangement.rows):
            self._outer.setStretchFactor(index, 1 if row.height else 2)

    def _sheets(self) -> set[Sheet]:
        return {*self._home.values(), *(window.sheet for window in self.windows)}

    def _mark_focus(self) -> None:
        for sheet in self._sheets():
            sheet.set_focused(self._focused is not None and sheet is self.sheet_of(self._focused))

    def _splitter(self, orientation: Qt.Orientation) -> QSplitter:
        splitter = QSplitter(orientation, self)
        splitter.setHandleWidth(round(self._theme().px("space.panel_gap")))
        splitter.setChildrenCollapsible(False)
        return splitter
