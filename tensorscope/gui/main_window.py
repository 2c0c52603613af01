"""The window: toolbar, sheets, scrubber and status bar over one session; keeps them in step."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from PySide6.QtCore import QSize, Qt, QTimer, Signal
from PySide6.QtGui import QAction, QCloseEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QApplication, QMainWindow, QVBoxLayout, QWidget

from tensorscope.gui.actions import make_actions, panel_actions
from tensorscope.gui.arrangement import arrangement_for
from tensorscope.gui.bookmark_keeper import BookmarkKeeper
from tensorscope.gui.breakpoint_keeper import BreakpointKeeper
from tensorscope.gui.choice_keeper import ChoiceKeeper
from tensorscope.gui.commands import Commands
from tensorscope.gui.deck import Deck
from tensorscope.gui.feed import Feed
from tensorscope.gui.keys import KeySheet
from tensorscope.gui.linker import LINKS, Linker
from tensorscope.gui.panel import Panel, PanelContext
from tensorscope.gui.panels.catalog import CATALOG
from tensorscope.gui.problem_keeper import ProblemKeeper
from tensorscope.gui.run_display import RunDisplay
from tensorscope.gui.scrubber import Scrubber
from tensorscope.gui.settings import Settings
from tensorscope.gui.status_bar import StatusBar
from tensorscope.gui.style import palette, style_sheet, system_theme
from tensorscope.gui.supply import Supply
from tensorscope.gui.toolbar import Toolbar
from tensorscope.render.theme import Theme
from tensorscope.session.session import Changed, RunState, Session, Status
from tensorscope.trace.snapshot import Snapshot
from tensorscope.viewmodel.bookmarks import Bookmarks
from tensorscope.viewmodel.breakpoints import Breakpoints
from tensorscope.viewmodel.caches import clear_caches
from tensorscope.viewmodel.found_problems import FoundProblems
from tensorscope.viewmodel.links import resting_moment, selection_of_hold
from tensorscope.viewmodel.rank_lanes import RankLane
from tensorscope.viewmodel.ranks import rank_that_stopped
from tensorscope.viewmodel.scrubber import ScrubberView
from tensorscope.viewmodel.workspace import Aspect, Workspace

OVER: Final = (RunState.ENDED, RunState.CRASHED, RunState.REPLAY, RunState.GONE)


class MainWindow(QMainWindow):
    """Watches one session from its first paint to ``close``; closing the window closes the session (a live script runs on)."""

    panels_ready = Signal()
    status_changed = Signal(object)
    closed = Signal()

    def __init__(self, session: Session, theme: Theme, settings: Settings, *, restart: Callable[[], None] | None = None) -> None:
        super().__init__()
        self.setObjectName("window")
        self.session = session
        self.workspace = Workspace()
        self.breakpoints = Breakpoints()
        self.bookmarks = Bookmarks()
        self.problems = FoundProblems()
        self.key_sheet: KeySheet | None = None
        self._theme, self.settings = theme, settings
        self._can_restart = restart is not None
        self.workspace.show_rank(session.ranks()[0].rank)
        self._infos = session.ranks()
        self._status = session.status
        self._changed: Changed | None = None
        self._hold: dict[str, Any] | None = None
        self._feed = Feed(session, self)
        self._has_rested = self._is_closed = False
        self.keeps_place = True
        self.actions_by_name: dict[str, QAction] = make_actions(self)
        self._build()
        self.commands = Commands(self, restart)
        self._linker = Linker(self.workspace, lambda: self.snapshot, self.supply.compute)
        self._keepers = (
            BreakpointKeeper(self.breakpoints, session, settings),
            BookmarkKeeper(self.bookmarks, session, settings),
            ProblemKeeper(self.problems, session, self.workspace),
        )
        self._connect()
        self._apply_theme()
        self._show_run()

    # what others ask

    @property
    def snapshot(self) -> Snapshot:
        return self.supply.snapshot

    @property
    def status(self) -> Status:
        return self._status

    @property
    def is_ready(self) -> bool:
        """All panels are there and nothing is being computed."""
        return self.supply.is_idle

    @property
    def failures(self) -> list[tuple[object, Exception]]:
        """What could not be computed, with its reason."""
        return self.supply.failures

    def theme(self) -> Theme:
        return self._theme

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self.settings.theme = theme.name
        self._apply_theme()

    def follow_theme(self, name: str) -> None:
        """Show the theme that is set, and (``name`` is "") that of the system, which may change while the window is open."""
        self._theme = Theme.named(name or system_theme(), self.settings.palette)
        self._apply_theme()

    def reset_layout(self) -> None:
        """Every panel at its first place and size."""
        for window in self.deck.windows:
            self.deck.dock(window.key)
        self.settings.forget_sizes()
        self.deck.arrange(arrangement_for(self.width(), self._theme), self._deck_size(), anew=True)
        self.supply.refresh_soon()

    def notice(self, text: str, seconds: float = 8) -> None:
        """A sentence in the status bar."""
        self.status_bar.show_notice(text)
        QTimer.singleShot(round(seconds * 1000), self.status_bar, lambda: self.status_bar.show_notice(""))

    def run_aside(self, key: str, work: Callable[[], None], done: str) -> None:
        """Do something slow off the GUI thread and say so when it is done; trouble is said in its place."""
        self.supply.run_aside(key, work, done)

    def fail(self, key: object, error: Exception) -> None:
        """Say, where its content was, that something could not be computed."""
        self.supply.fail(key, error)

    # Qt's events

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        QTimer.singleShot(0, self, self.supply.load_next_panel)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        arrangement = arrangement_for(self.width(), self._theme)
        if self.deck.arrangement is None or self.deck.arrangement.name != arrangement.name:
            self._keep_sizes()
            self.deck.arrange(arrangement, self._deck_size())
            self.deck.restore_sizes(self.settings.sizes(arrangement.name))
            self.supply.refresh_soon()

    def closeEvent(self, event: QCloseEvent) -> None:
        self.shut_down()
        super().closeEvent(event)

    def shut_down(self) -> None:
        """Keep the layout, stop listening, join the workers, close the session. Idempotent."""
        if self._is_closed:
            return
        self._is_closed = True
        self._keep_sizes()
        self.settings.keep_undocked([(window.key, window.place()) for window in self.deck.windows])
        if self.keeps_place:
            self.settings.geometry = self.saveGeometry()
        self._feed.close()
        self.supply.close()
        self.deck.close_windows()
        self.session.close()
        clear_caches()
        self.closed.emit()

    # building

    def _build(self) -> None:
        self.toolbar = Toolbar(self.actions_by_name, self.breakpoints, self.theme, self)
        self.deck = Deck(CATALOG, self.theme, self)
        self.scrubber = Scrubber(self.workspace, self.bookmarks, self.problems, self.theme, self)
        self.status_bar = StatusBar(self.theme, self)
        self.supply = Supply(self.session, self.workspace, self.deck, CATALOG, self.theme, self)
        body = QWidget(self)
        body.setObjectName("window")
        layout = QVBoxLayout(body)
        gap = round(self._theme.px("space.panel_gap"))
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.toolbar)
        middle = QVBoxLayout()
        middle.setContentsMargins(gap, gap, gap, gap)
        middle.setSpacing(gap)
        middle.addWidget(self.deck, 1)
        middle.addWidget(self.scrubber)
        layout.addLayout(middle, 1)
        layout.addWidget(self.status_bar)
        self.setCentralWidget(body)
        self._display = RunDisplay(self.toolbar, self.status_bar, self.actions_by_name, self.session.title, can_restart=self._can_restart)
        self.setMinimumSize(QSize(*self._theme.value("size.window_min")).boundedTo(self.screen().availableSize()))  # smaller than that at 200 %
        self.addActions(panel_actions([(entry.key, entry.title) for entry in CATALOG], self.deck.show_panel, self))

    def _connect(self) -> None:
        self._feed.changed.connect(self._take_change)
        self.supply.taken.connect(self._snapshot_taken)
        self.supply.followers[LINKS] = self._linker.look_again
        self.supply.panel_loaded.connect(self._add_panel)
        self.supply.panels_ready.connect(self._all_panels_there)
        self.supply.scrubber_ready.connect(self._show_scrubber)
        self.supply.said.connect(self.notice)
        self.workspace.observe(self._workspace_changed)
        self.problems.on_choice(lambda _: self.deck.show_panel("problems"))
        self.deck.panel_shown.connect(lambda panel: panel.refresh())
        self.deck.window_made.connect(lambda made: made.addActions(self.actions()))
        self.deck.menu_clicked.connect(self.commands.show_panel_menu)
        self.toolbar.chip_clicked.connect(self._chip_clicked)
        self.toolbar.ranks.chosen.connect(self.workspace.show_rank)
        self.scrubber.lanes.chosen.connect(self.workspace.show_rank)
        QApplication.instance().focusChanged.connect(self._focus_moved)  # type: ignore[union-attr]

    def _add_panel(self, kind: type[Panel], key: str) -> None:
        context = PanelContext(
            self.workspace,
            self.session,
            self.theme,
            self.supply.submit,
            lambda: self.snapshot,
            self.breakpoints,
            self.bookmarks,
            ChoiceKeeper(self.session, self.settings),
            lambda: self.supply.ranks,
            self.problems,
        )
        panel = kind(context)
        panel.key = panel.key or key
        panel.work_wanted.connect(self.run_aside)
        self.deck.add(panel)
        place = next((place for kept, place in self.settings.undocked if kept == panel.key), None)
        if place is not None:
            self.deck.undock(panel.key, place)
        if panel in self.deck.shown_panels():
            panel.refresh()

    def _all_panels_there(self) -> None:
        if self.deck.windows or self.deck.focused is None:
            self.deck.show_panel(CATALOG[0].key)
        if not self.testAttribute(Qt.WidgetAttribute.WA_DontShowOnScreen):
            self.supply.import_late(self.deck.panels)
        self.panels_ready.emit()

    # what the session tells

    def _take_change(self, changed: Changed) -> None:
        has_other_status = changed.status != self._status
        before, self._infos = self._infos, self.session.ranks()
        self._changed, self._status = changed, changed.status
        self.supply.lag.hear(changed.events)
        self.workspace.show_rank(rank_that_stopped(before, self._infos, self.workspace.rank))
        if self._infos and self.workspace.rank not in [info.rank for info in self._infos]:
            self.workspace.show_rank(self._infos[0].rank)
        self._show_run()
        if has_other_status:
            self.status_changed.emit(self._status)
        if changed.has_new_events or changed.status.state not in (RunState.RUNNING, RunState.PAUSING):
            self.supply.mark_stale()
            self.supply.refresh_soon()

    def _snapshot_taken(self) -> None:
        self._show_run()
        self._follow_hold()
        self._rest_at_end()

    def _show_scrubber(self, made: tuple[ScrubberView, tuple[RankLane, ...]]) -> None:
        view, lanes = made
        self.scrubber.show_lanes(lanes, self.workspace.rank)
        self.scrubber.show_view(view, self.snapshot.end_ns, self._status.state is RunState.HELD)

    def _follow_hold(self) -> None:
        """At a new stop look at the node that waits."""
        status = next((info.status for info in self._infos if info.rank == self.workspace.rank), self._status) if len(self._infos) > 1 else self._status
        held = status.held if status.state is RunState.HELD else None
        if held is not None and held != self._hold:
            self.workspace.move_cursor(None)
            self.workspace.select(selection_of_hold(held))
        self._hold = held

    def _rest_at_end(self) -> None:
        """When the run is over, look at the last moment at which there was something to see, once."""
        if self._status.state not in OVER:
            self._has_rested = False
        elif not self._has_rested and self.snapshot.exit is not None:
            self._has_rested = True
            if self.workspace.cursor_ns is None:
                self.workspace.rest_at(resting_moment(self.snapshot))

    def _show_run(self) -> None:
        past = self.workspace.cursor_ns if self.workspace.is_looking_back else None
        self._display.show(self._status, self._changed, self.snapshot, past, self._infos, self.workspace.rank, self.supply.lag.item())
        self.scrubber.follow_button.setVisible(self._status.state not in OVER)
        self.setWindowTitle(f"{self.session.title} – TensorScope")

    # panels

    def _workspace_changed(self, aspect: Aspect) -> None:
        if aspect is Aspect.RANK:  # panels show the rank's snapshot once it is there
            self.supply.mark_stale()
            self.supply.take()
            return
        for panel in self.deck.shown_panels():
            panel.workspace_changed(aspect)
        self.scrubber.workspace_changed()
        if aspect is Aspect.CURSOR:
            self.session.look_at(self.workspace.cursor_ns, self.workspace.rank)
            self._show_run()

    def _focus_moved(self, _: QWidget | None, now: QWidget | None) -> None:
        panel = self.deck.panel_holding(now)
        if panel is not None:
            self.deck.set_focused(panel)

    def _chip_clicked(self, number: int) -> None:
        ranks = self.toolbar.ranks.view
        if ranks is not None and ranks.troubled_rank is not None and self.toolbar.chips[number].view == ranks.trouble:
            self.workspace.show_rank(ranks.troubled_rank)
        elif number == 1:
            self.workspace.return_to_rest()
        elif self._status.held is not None:
            self.workspace.select(selection_of_hold(self._status.held))

    # looks

    def _apply_theme(self) -> None:
        QApplication.setFont(self._theme.font("body"))
        self.setFont(self._theme.font("body"))
        self.setPalette(palette(self._theme))
        self.setStyleSheet(style_sheet(self._theme))
        self.toolbar.theme_changed()
        self.scrubber.theme_changed()
        self.deck.theme_changed()
        self.update()

    def _deck_size(self) -> QSize:
        """What the layout will give the deck."""
        px, gap = self._theme.px, self._theme.px("space.panel_gap")
        bars = px("size.toolbar") + self.scrubber.height() + px("size.status_bar")
        return QSize(round(self.width() - 2 * gap), round(self.height() - bars - 3 * gap))

    def _keep_sizes(self) -> None:
        if self.deck.arrangement is not None and not self.deck.is_maximized:
            self.settings.keep_sizes(self.deck.arrangement.name, self.deck.save_sizes())
