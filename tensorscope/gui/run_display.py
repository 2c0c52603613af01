"""Shows the state of the run where the window shows it: chips, controls, status bar."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtGui import QAction

from tensorscope.gui.status_bar import StatusBar
from tensorscope.gui.toolbar import Toolbar
from tensorscope.session.session import Changed, Status
from tensorscope.trace.snapshot import Snapshot
from tensorscope.viewmodel.run_state import controls, cost_chip, state_chips, status_items


class RunDisplay:
    """Keeps nothing but where to show; cheap enough for every change."""

    def __init__(self, toolbar: Toolbar, status_bar: StatusBar, actions: Mapping[str, QAction], title: str, *, can_restart: bool) -> None:
        self._toolbar = toolbar
        self._status_bar = status_bar
        self._actions = actions
        self._can_restart = can_restart
        toolbar.target.show_title(title)

    def show(self, status: Status, changed: Changed | None, snapshot: Snapshot, cursor_ns: int | None) -> None:
        shown = controls(status, can_restart=self._can_restart)
        self._actions["continue"].setEnabled(shown.can_primary and shown.primary == "continue")
        self._actions["pause"].setEnabled(shown.can_primary and shown.primary == "pause")
        self._actions["stop"].setEnabled(shown.can_stop)
        self._actions["restart"].setEnabled(self._can_restart and shown.has_run)
        has_nodes = bool(snapshot.backwards)
        for name in ("step_module", "step_out", "step_iteration"):
            self._actions[name].setEnabled(shown.can_step)
        self._actions["step_node"].setEnabled(shown.can_step or (has_nodes and cursor_ns is not None) or (has_nodes and shown.can_walk))
        self._actions["step_back"].setEnabled(has_nodes)
        self._toolbar.show_controls(shown)
        self._toolbar.show_chips(state_chips(status, cursor_ns, snapshot.end_ns), cost_chip(changed, snapshot))
        self._status_bar.show_items(*status_items(status, changed, snapshot))
