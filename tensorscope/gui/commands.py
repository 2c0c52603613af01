"""What the window's actions do: run controls, files, pictures, looks."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, QPoint, QProcess, Qt
from PySide6.QtGui import QPixmap
from PySide6.QtWidgets import QFileDialog, QMenu, QWidget

from tensorscope.errors import TensorScopeError
from tensorscope.gui.command_palette import CommandPalette
from tensorscope.gui.keys import KeySheet
from tensorscope.gui.settings_page import SettingsPage
from tensorscope.language import tr, tr_later
from tensorscope.render.theme import Theme
from tensorscope.session.session import RunState
from tensorscope.viewmodel.bookmarks import Bookmark
from tensorscope.viewmodel.go_to import iteration_words
from tensorscope.viewmodel.node_walk import node_after, node_before
from tensorscope.viewmodel.workspace import NodeSelection

if TYPE_CHECKING:
    from tensorscope.gui.main_window import MainWindow
    from tensorscope.gui.sheet import Sheet

COMMAND_LINE: Final = "import sys; from tensorscope.cli.main import main; sys.exit(main())"
RECORDINGS: Final = tr_later("TensorScope recording (*.tscope)")
PICTURES: Final = tr_later("PNG picture (*.png)")


class Commands(QObject):
    """Connects every action to what it does. ``restart`` starts the same script in place of this session."""

    def __init__(self, window: MainWindow, restart: Callable[[], None] | None) -> None:
        super().__init__(window)
        self._window = window
        self._restart = restart
        session = window.session
        handlers: dict[str, Callable[[], object]] = {
            "continue": session.resume,
            "pause": session.pause,
            "stop": session.stop,
            "restart": self._start_again,
            "step_node": self.step_node,
            "step_module": lambda: session.step("module", window.workspace.rank),
            "step_out": lambda: session.step("out", window.workspace.rank),
            "step_iteration": lambda: session.step("iteration", window.workspace.rank),
            "step_back": self.step_back,
            "break_line": self.break_line,
            "bookmark": self.toggle_bookmark,
            "next_problem": lambda: self.go_to_problem(1),
            "previous_problem": lambda: self.go_to_problem(-1),
            "rank_after": lambda: self.walk_ranks(1),
            "rank_before": lambda: self.walk_ranks(-1),
            "open": self.open_recording,
            "save_as": self.save_as,
            "export_picture": self.export_panel,
            "export_window": self.export_window,
            "maximize": self.maximize,
            "undock": self.undock,
            "next_panel": lambda: window.deck.walk(1),
            "previous_panel": lambda: window.deck.walk(-1),
            "next_tab": lambda: self.walk_tabs(1),
            "previous_tab": lambda: self.walk_tabs(-1),
            "theme": self.change_theme,
            "settings": self.show_settings,
            "reset_layout": window.reset_layout,
            "follow": self.follow,
            "clear": self.clear,
            "palette": self.show_palette,
            "keys": self.show_keys,
            "close": window.close,
        }
        for name, handler in handlers.items():
            window.actions_by_name[name].triggered.connect(lambda _=False, handler=handler: self._do(handler))

    def walk_ranks(self, step: int) -> None:
        """Show the next rank, or the one before; after the last comes the first."""
        ranks = [info.rank for info in self._window.session.ranks()]
        shown = self._window.workspace.rank
        self._window.workspace.show_rank(ranks[(ranks.index(shown) + step) % len(ranks)] if shown in ranks else ranks[0])

    def open_recording(self, path: Path | None = None) -> None:
        """Open another recording in a window of its own, in a process of its own."""
        chosen = path or _ask_open(self._window)
        if chosen is not None:
            QProcess.startDetached(sys.executable, ["-c", COMMAND_LINE, "open", str(chosen)])

    def save_as(self, path: Path | None = None) -> None:
        chosen = path or _ask_save(self._window, tr("Save the recording"), self._suggestion(".tscope"), tr(RECORDINGS))
        if chosen is not None:
            session = self._window.session
            self._window.run_aside("save", lambda: session.save_as(chosen), tr("Saved {chosen}").format(chosen=chosen))

    def export_panel(self, path: Path | None = None) -> None:
        """A picture of the focused panel's sheet, or of the window when no panel has the focus."""
        panel = self._window.deck.focused
        self._export(self._window.deck.sheet_of(panel) if panel is not None else self._window, panel.key if panel is not None else "window", path)

    def export_window(self, path: Path | None = None) -> None:
        self._export(self._window, "window", path)

    def maximize(self) -> None:
        deck = self._window.deck
        if deck.is_maximized:
            deck.toggle_maximized(None)
        elif deck.focused is not None:
            deck.toggle_maximized(deck.sheet_of(deck.focused))

    def undock(self) -> None:
        """The focused panel into a window of its own, or back."""
        deck = self._window.deck
        if deck.focused is None:
            return
        key = deck.focused.key
        if any(window.key == key for window in deck.windows):
            deck.dock(key)
        else:
            deck.undock(key)

    def walk_tabs(self, step: int) -> None:
        """Show the next tab of the sheet that has the keys, or the one before; after the last comes the first."""
        panel = self._window.deck.focused
        if panel is not None:
            self._window.deck.sheet_of(panel).walk_tabs(step)

    def change_theme(self) -> None:
        self._window.set_theme(Theme.named("light" if self._window.theme().is_dark else "dark", self._window.settings.palette))

    def follow(self) -> None:
        self._window.workspace.return_to_rest()
        self._window.workspace.follow(True)

    def clear(self) -> None:
        workspace = self._window.workspace
        if workspace.is_looking_back:
            workspace.return_to_rest()
        else:
            workspace.select(None)

    def step_node(self) -> None:
        """Run the held node; while looking back, and in a recording, go to the next recorded one."""
        window = self._window
        at = window.workspace.cursor_ns
        if at is None or not (window.workspace.is_looking_back or window.status.state is RunState.REPLAY):
            window.session.step_node(window.workspace.rank)
        elif (following := node_after(window.snapshot, at)) is not None:
            self._look_at(*following)
        else:
            window.workspace.return_to_rest()

    def step_back(self) -> None:
        before = node_before(self._window.snapshot, self._window.workspace.cursor_ns)
        if before is not None:
            self._look_at(*before)
        else:
            self._window.notice(tr("No node ran before this moment: F10 goes to the next one, End to the end of what is recorded."))

    def _look_at(self, node: NodeSelection, begin_ns: int) -> None:
        self._window.workspace.move_cursor(begin_ns)
        self._window.workspace.select(node)

    def break_line(self) -> None:
        """At the line that Source shows as selected, else where the script stands."""
        from tensorscope.gui.panels.source import SourcePanel  # with its panel, not before the window is on screen

        panel = self._window.deck.panel("source")
        view = panel.view if isinstance(panel, SourcePanel) else None
        line = (view.selected_line or view.held_line) if view is not None else 0
        if view is None or not line:
            self._window.notice(tr("No line is selected: click one in Source first."))
        else:
            self._window.breakpoints.toggle_line(view.file, line)

    def toggle_bookmark(self) -> None:
        """At the row chosen in Events while the keys go there, else at the moment that is looked at."""
        from tensorscope.gui.panels.events import EventsPanel  # with its panel, not before the window is on screen

        window = self._window
        panel = window.deck.panel("events")
        row = panel.chosen_row if isinstance(panel, EventsPanel) and window.deck.focused is panel else None
        moment = window.workspace.cursor_ns if window.workspace.cursor_ns is not None else window.snapshot.end_ns
        mark = Bookmark(row.begin_ns, row.label) if row is not None else Bookmark(moment, iteration_words(window.snapshot, moment))
        is_set = window.bookmarks.toggle(mark)
        window.notice((tr("Bookmark set: {mark}") if is_set else tr("Bookmark taken away: {mark}")).format(mark=mark.text))

    def go_to_problem(self, step: int) -> None:
        from tensorscope.gui.panels.problems import ProblemsPanel  # with its panel, not before the window is on screen

        self._window.deck.show_panel("problems")
        panel = self._window.deck.panel("problems")
        if isinstance(panel, ProblemsPanel):
            panel.go(step)

    def show_settings(self) -> None:
        window = self._window
        page = SettingsPage(window.settings, window.breakpoints, window)
        page.looks_changed.connect(window.follow_theme)
        page.layout_reset.connect(window.reset_layout)
        page.show()

    def show_palette(self) -> None:
        """All actions of the window and of its panels, over the window that has the keys."""
        window = self._window
        own = [window, *window.deck.windows]
        over = next((one for one in own if one.isActiveWindow()), window)
        offered = [*window.actions(), *(action for panel in window.deck.panels for action in panel.actions())]
        CommandPalette([action for action in offered if action is not window.actions_by_name["palette"]], window.theme, over).open()

    def show_panel_menu(self, sheet: Sheet, at: QPoint) -> None:
        """What can be done with a sheet's panel."""
        window = self._window
        if sheet.current is not None:
            window.deck.set_focused(sheet.current)
        menu = QMenu(window)
        menu.addAction(window.actions_by_name["undock"])
        menu.addAction(window.actions_by_name["maximize"])
        menu.addAction(window.actions_by_name["export_picture"])
        menu.popup(at)
        menu.aboutToHide.connect(menu.deleteLater)

    def show_keys(self) -> None:
        self._window.key_sheet = KeySheet(self._window.theme(), self._window)
        self._window.key_sheet.show()

    def _do(self, handler: Callable[[], object]) -> None:
        try:
            handler()
        except TensorScopeError as error:
            self._window.notice(str(error), seconds=20)

    def _start_again(self) -> None:
        if self._restart is not None:
            self._restart()

    def _export(self, widget: QWidget, what: str, path: Path | None) -> None:
        picture = grab(widget)
        chosen = path or _ask_save(self._window, tr("Export picture"), self._suggestion(f"-{what}.png"), tr(PICTURES))
        if chosen is None:
            return
        if not picture.save(str(chosen)):
            raise TensorScopeError(tr("The picture could not be written to {chosen}: choose a folder that exists and can be written.").format(chosen=chosen))
        self._window.notice(tr("Saved {chosen}").format(chosen=chosen))

    def _suggestion(self, ending: str) -> str:
        return Path(self._window.session.title.split(" ")[0].strip("<>") or "run").stem + ending


def grab(widget: QWidget) -> QPixmap:
    """The widget as it looks, at the screen's scale."""
    return widget.grab()


def _ask_open(parent: QWidget) -> Path | None:
    name, _ = QFileDialog.getOpenFileName(parent, tr("Open a recording"), "", tr(RECORDINGS))
    return Path(name) if name else None


def _ask_save(parent: QWidget, title: str, suggestion: str, kinds: str) -> Path | None:
    dialog = QFileDialog(parent, title, suggestion, kinds)
    dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
    dialog.setWindowModality(Qt.WindowModality.WindowModal)
    dialog.setDefaultSuffix(suggestion.rpartition(".")[2])
    dialog.selectFile(suggestion)
    chosen = Path(dialog.selectedFiles()[0]) if dialog.exec() else None
    dialog.deleteLater()
    return chosen
