"""The sheets of the window between splitters: arranging panels on them, maximizing one, moving between them."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QByteArray, QPoint, QSize, Qt, Signal
from PySide6.QtWidgets import QSplitter, QVBoxLayout, QWidget

from tensorscope.gui.arrangement import Arrangement, shares
from tensorscope.gui.message import MessageView
from tensorscope.gui.panel import Panel
from tensorscope.gui.panels.catalog import PanelEntry
from tensorscope.gui.sheet import Sheet
from tensorscope.gui.sheet_header import Tab
from tensorscope.language import tr
from tensorscope.render.theme import Theme


class Deck(QWidget):
    """Owns the sheets; the panels are given to it as they come into being."""

    panel_shown = Signal(object)
    menu_clicked = Signal(object, QPoint)
    focused_changed = Signal(object)

    def __init__(self, catalog: tuple[PanelEntry, ...], theme: Callable[[], Theme], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._catalog = {entry.key: entry for entry in catalog}
        self._theme = theme
        self._panels: dict[str, Panel] = {}
        self._tools: dict[str, QWidget | None] = {}
        self._sheet_of: dict[str, Sheet] = {}
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

    def shown_panels(self) -> tuple[Panel, ...]:
        """Those whose tab is the current one on a visible sheet."""
        return tuple(panel for key, panel in self._panels.items() if self._sheet_of[key].current is panel and self._sheet_of[key].isVisibleTo(self))

    def fed_panels(self) -> tuple[Panel, ...]:
        """Those that follow the run: the shown ones, and hidden ones whose badge must be true."""
        shown = self.shown_panels()
        return (*shown, *(panel for panel in self.panels if panel.is_always_fed and panel not in shown))

    def panel(self, key: str) -> Panel | None:
        return self._panels.get(key)

    def sheet_of(self, panel: Panel) -> Sheet:
        return self._sheet_of[panel.key]

    def add(self, panel: Panel) -> None:
        """Put a new panel on the sheet where the arrangement wants it."""
        self._panels[panel.key] = panel
        self._tools[panel.key] = panel.tool_row()
        self._sheet_of[panel.key].add(panel, self._tools[panel.key])
        panel.front_wanted.connect(lambda: self.sheet_of(panel).show_panel(panel))

    def arrange(self, arrangement: Arrangement, size: QSize, *, anew: bool = False) -> None:
        """Build the sheets anew and move the panels onto them; a no-op for the arrangement that stands, but ``anew``."""
        if not anew and self._arrangement is not None and arrangement.name == self._arrangement.name:
            return
        self._arrangement = arrangement
        self._maximized = None
        current = {panel.key for panel in self.shown_panels()}
        for key, panel in self._panels.items():
            self._sheet_of[key].remove(panel)
        for old in self._rows:
            old.setParent(None)
            old.deleteLater()
        self._rows = [self._build_row(row.sheets) for row in arrangement.rows]
        for key, panel in self._panels.items():
            self._sheet_of[key].add(panel, self._tools[key])
        for key in current:
            self._sheet_of[key].show_panel(self._panels[key])
        gap = self._theme().px("space.panel_gap")
        for splitter, row in zip(self._rows, arrangement.rows, strict=True):
            splitter.setSizes(shares(row.widths, size.width() - gap * (len(row.sheets) - 1)))
        self._outer.setSizes(shares(tuple(row.height for row in arrangement.rows), size.height() - gap * (len(self._rows) - 1)))
        self._keep_proportions(arrangement)
        self._mark_focus()

    def show_panel(self, key: str) -> None:
        """Bring a panel to the front and give it the keys."""
        panel = self._panels.get(key)
        if panel is None:
            return
        sheet = self._sheet_of[key]
        if self._maximized not in (None, sheet):
            self.toggle_maximized(None)
        sheet.show_panel(panel)
        panel.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.set_focused(panel)

    def set_focused(self, panel: Panel | None) -> None:
        if panel is not self._focused:
            self._focused = panel
            self._mark_focus()
            self.focused_changed.emit(panel)

    def panel_holding(self, widget: QWidget | None) -> Panel | None:
        """The panel on whose sheet a widget lies."""
        while widget is not None and not isinstance(widget, Sheet):
            widget = widget.parentWidget()
        return widget.current if isinstance(widget, Sheet) and self.isAncestorOf(widget) else None

    def toggle_maximized(self, sheet: Sheet | None) -> None:
        """Give a sheet all the room, or (None, or the same again) bring the others back."""
        self._maximized = None if sheet is self._maximized else sheet
        for row in self._rows:
            sheets = [widget for index in range(row.count()) if isinstance(widget := row.widget(index), Sheet)]
            for one in sheets:
                one.setVisible(self._maximized in (None, one))
                one.header.set_maximized(one is self._maximized)
            row.setVisible(self._maximized is None or self._maximized in sheets)
        for panel in self.shown_panels():
            self.panel_shown.emit(panel)

    def show_failure(self, panel: Panel, message: MessageView | None) -> None:
        self._sheet_of[panel.key].show_failure(panel, message)

    def set_busy(self, panel: Panel, is_busy: bool) -> None:
        sheet = self._sheet_of[panel.key]
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
            sheet.current_changed.connect(self.panel_shown)
            splitter.addWidget(sheet)
            self._sheet_of.update(dict.fromkeys(keys, sheet))
        self._outer.addWidget(splitter)
        return splitter

    def _keep_proportions(self, arrangement: Arrangement) -> None:
        """What has no length in the arrangement takes the room that a larger window gives."""
        for splitter, row in zip(self._rows, arrangement.rows, strict=True):
            for index, width in enumerate(row.widths):
                splitter.setStretchFactor(index, 1 if width else 2)
        for index, row in enumerate(arrangement.rows):
            self._outer.setStretchFactor(index, 1 if row.height else 2)

    def _mark_focus(self) -> None:
        for sheet in set(self._sheet_of.values()):
            sheet.set_focused(self._focused is not None and sheet is self._sheet_of[self._focused.key])

    def _splitter(self, orientation: Qt.Orientation) -> QSplitter:
        splitter = QSplitter(orientation, self)
        splitter.setHandleWidth(round(self._theme().px("space.panel_gap")))
        splitter.setChildrenCollapsible(False)
        return splitter
