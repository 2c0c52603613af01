"""Shows the state of the run where the window shows it: chips, controls, status bar."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from PySide6.QtGui import QAction

from tensorscope.gui.status_bar import StatusBar
from tensorscope.gui.toolbar import Toolbar
from tensorscope.session.session import Changed, RankInfo, RunState, Status
from tensorscope.trace.snapshot import Snapshot
from tensorscope.viewmodel.ranks import RanksView, ranks_view, status_of
from tensorscope.viewmodel.run_advice import advice
from tensorscope.viewmodel.run_state import ChipView, StatusItem, controls, cost_chip, state_chips, status_items


class RunDisplay:
    """Keeps nothing but where to show; cheap enough for every change."""

    def __init__(self, toolbar: Toolbar, status_bar: StatusBar, actions: Mapping[str, QAction], title: str, *, can_restart: bool) -> None:
        self._toolbar = toolbar
        self._status_bar = status_bar
        self._actions = actions
        self._can_restart = can_restart
        toolbar.target.show_title(title)

    def show(
        self,
        status: Status,
        changed: Changed | None,
        snapshot: Snapshot,
        cursor_ns: int | None,
        infos: Sequence[RankInfo] = (),
        rank: int = 0,
        lag: StatusItem | None = None,
    ) -> None:
        """``status`` is the session's; of several ranks the shown one's stands in the chip, and is stepped."""
        ranks = ranks_view(infos, rank)
        chosen = next((info for info in infos if info.rank == rank), None)
        shown = controls(status, can_restart=self._can_restart)
        if ranks is not None and chosen is not None:
            shown = replace(shown, can_step=chosen.status.state is RunState.HELD)
            status = status_of(chosen, infos)
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
        self._toolbar.ranks.show_view(ranks)
        says = advice(status, changed, snapshot, is_looking_back=cursor_ns is not None, can_restart=self._can_restart)
        self._toolbar.show_chips(self._chips(status, cursor_ns, snapshot, ranks, says), cost_chip(changed, snapshot))
        left, right = status_items(status, changed, snapshot, len(infos))
        self._status_bar.show_items((*left, *([lag] if lag is not None else [])), right, says)

    @staticmethod
    def _chips(status: Status, cursor_ns: int | None, snapshot: Snapshot, ranks: RanksView | None, says: str) -> tuple[ChipView, ...]:
        first, *others = state_chips(status, cursor_ns, snapshot.end_ns)
        chips = (replace(first, hint=f"{first.hint}\n{says}"), *others)
        is_said = ranks is None or ranks.trouble is None or any(row.is_shown and row.rank == ranks.troubled_rank and status.exit_code for row in ranks.rows)
        return chips if is_said or ranks is None or ranks.trouble is None else (*chips, ranks.trouble)
