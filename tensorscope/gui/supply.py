"""Keeps the panels and the scrubber fed: loads the panels, takes snapshots, has what they show computed off the GUI thread, each at its own pace."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from functools import partial
from time import monotonic
from typing import Any, Final

from PySide6.QtCore import QObject, QTimer, Signal

from tensorscope.errors import TensorScopeError
from tensorscope.gui.accessible_names import name_all_in
from tensorscope.gui.deck import Deck
from tensorscope.gui.message import Message, MessageView
from tensorscope.gui.pace import Pace, timed
from tensorscope.gui.panel import Panel
from tensorscope.gui.panels.catalog import PanelEntry
from tensorscope.gui.worker import WorkerPool
from tensorscope.language import tr
from tensorscope.render.theme import Theme
from tensorscope.session.session import Session
from tensorscope.trace.snapshot import Snapshot
from tensorscope.viewmodel.lag import Lag
from tensorscope.viewmodel.rank_lanes import run_strip
from tensorscope.viewmodel.ranks import snapshots
from tensorscope.viewmodel.workspace import Workspace

REFRESH_MS: Final = 33
SNAPSHOT, SCRUBBER = "snapshot", "scrubber"


class Supply(QObject):
    """``taken`` comes with every newer snapshot, before the panels are told; ``said`` carries a sentence and for how many seconds it stands.

    Made and closed on the GUI thread.
    """

    taken = Signal()
    panel_loaded = Signal(object, str)  # its class and key
    panels_ready = Signal()
    scrubber_ready = Signal(object)  # its view and the ranks' lanes
    said = Signal(str, float)

    def __init__(
        self, session: Session, workspace: Workspace, deck: Deck, catalog: tuple[PanelEntry, ...], theme: Callable[[], Theme], parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._session = session
        self._workspace = workspace
        self._deck = deck
        self._theme = theme
        self._waiting_panels = list(catalog)
        self.failures: list[tuple[object, Exception]] = []
        self.snapshot: Snapshot = session.snapshot(workspace.rank)
        self.ranks: Mapping[int, Snapshot] = {workspace.rank: self.snapshot}
        self._shown_rank = workspace.rank
        self._is_closed = False
        self._is_by_itself = False  # panels follow the run: nobody waits for them
        self.followers: dict[Hashable, Callable[[], None]] = {}  # told of newer snapshots as panels are; ``compute`` with their key sets their pace
        self._pace = Pace(monotonic)
        self.lag = Lag(monotonic)
        self._pool = WorkerPool(self)
        self._pool.failed.connect(self.fail)
        self._pool.idle.connect(self._nothing_runs)
        self._timer = QTimer(self, singleShot=True, interval=REFRESH_MS)
        self._timer.timeout.connect(self.take)

    @property
    def is_idle(self) -> bool:
        """All panels are there and nothing is being computed."""
        return not self._waiting_panels and not self._pool.is_busy and not self._timer.isActive()

    def close(self) -> None:
        """Join the workers; nothing is shown any more."""
        self._is_closed = True
        self._timer.stop()
        self._pool.close()

    # panels come into being

    def load_next_panel(self) -> None:
        """Import one panel after the other off the GUI thread, so that the window paints and answers meanwhile."""
        if self._waiting_panels and not self._is_closed:
            entry = self._waiting_panels[0]
            self._pool.submit(entry, entry.load, self._take_panel)

    def _take_panel(self, kind: type[Panel]) -> None:
        entry = self._waiting_panels.pop(0)
        self.panel_loaded.emit(kind, entry.key)
        if self._waiting_panels:
            QTimer.singleShot(0, self, self.load_next_panel)
            return
        self.refresh_soon()
        self.panels_ready.emit()

    def import_late(self, panels: tuple[Panel, ...]) -> None:
        """What panels want imported once all of them are there."""
        for waiting in panels:
            if (late := waiting.late_import()) is not None:
                self._pool.submit(("late", waiting.key), late, partial(_take_import, waiting))

    # snapshots

    def mark_stale(self) -> None:
        """There is something newer for everyone."""
        self._pace.mark_stale()

    def refresh_soon(self) -> None:
        if not self._timer.isActive() and not self._is_closed:
            self._timer.start()

    def take(self) -> None:
        """Take a newer snapshot; the panels follow when it is there."""
        rank, newest = self._workspace.rank, self._pace.newest
        self.lag.take()
        self._pool.submit(SNAPSHOT, lambda: (rank, newest, snapshots(self._session, rank)), self._show)

    def _show(self, taken: tuple[int, int, Mapping[int, Snapshot]]) -> None:
        rank, newest, ranks = taken
        if rank != self._workspace.rank:  # the newer request is under way
            return
        self.snapshot, self.ranks = ranks[rank], ranks
        self._pace.take(newest)
        self.lag.show()
        is_other_rank, self._shown_rank = rank != self._shown_rank, rank
        self.taken.emit()
        self._is_by_itself = not is_other_rank
        for panel in self._deck.fed_panels():
            if is_other_rank or self._pace.is_due(panel):
                self._pace.see(panel)
                panel.refresh()
        self._is_by_itself = False
        for key, look in self.followers.items():
            if is_other_rank or self._pace.is_due(key):
                self._pace.see(key)
                look()
        if self._pace.is_due(SCRUBBER):
            self._pace.begin(SCRUBBER)
            infos = self._session.ranks()
            self._pool.submit(SCRUBBER, timed(lambda: run_strip(ranks, infos, rank)), self._show_scrubber)
        if self._pace.has_stale((*self._deck.fed_panels(), *self.followers, SCRUBBER)):
            self.refresh_soon()

    def _show_scrubber(self, result: tuple[object, float]) -> None:
        made, spent_s = result
        self._pace.end(SCRUBBER, spent_s)
        self.scrubber_ready.emit(made)

    def _nothing_runs(self) -> None:
        if self._pace.has_stale((*self._deck.fed_panels(), *self.followers, SCRUBBER)):
            self.refresh_soon()

    # work

    def run_aside(self, key: str, work: Callable[[], None], done: str) -> None:
        """Do something slow off the GUI thread and say so when it is done; trouble is said in its place."""
        self._pool.submit(key, work, lambda _: self.said.emit(done, 8))

    def compute(self, key: Hashable, work: Callable[[], Any], show: Callable[[Any], None]) -> None:
        """Compute something off the GUI thread that belongs to no panel."""

        def show_at_pace(result: tuple[Any, float]) -> None:
            value, spent_s = result
            self._pace.end(key, spent_s)
            show(value)

        self._pace.begin(key)
        self._pool.submit(key, timed(work), show_at_pace)

    def submit(self, panel: Panel, compute: Callable[[], Any]) -> None:
        """Compute what a panel shows off the GUI thread, then hand it over."""

        def show(result: tuple[Any, float]) -> None:
            value, spent_s = result
            self._pace.end(panel, spent_s)
            self._deck.set_busy(panel, False)
            self._deck.show_failure(panel, None)
            panel.show_result(value)
            (panel.focusProxy() or panel).setAccessibleDescription(panel.summary())

        self._pace.begin(panel)
        if not self._is_by_itself:
            self._deck.set_busy(panel, True)
        self._pool.submit(panel, timed(compute), show)

    def fail(self, key: object, error: Exception) -> None:
        """Say, where its content was, that something could not be computed."""
        self._pace.end(key)
        if isinstance(error, TensorScopeError) and not isinstance(key, Panel):
            self.said.emit(str(error), 20)
            return
        self.failures.append((key, error))
        if isinstance(key, Panel):
            self._deck.set_busy(key, False)
            message = Message(
                tr("{title} could not be made: {error}").format(title=tr(key.title), error=error),
                tr("The other panels still work."),
                "octagon-x",
                is_error=True,
                details=repr(error),
            )
            self._deck.show_failure(key, MessageView(message, self._theme))
        else:
            self.said.emit(f"{error}", 8)


def _take_import(panel: Panel, value: Any) -> None:
    panel.take_import(value)
    name_all_in(panel, tr(panel.title))
