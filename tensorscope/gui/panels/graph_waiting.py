"""A layout under way, as the user sees it: nothing for a moment, then how far it has come, until it is there or not wanted any more."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from PySide6.QtCore import QObject, QTimer

from tensorscope.viewmodel.graph_work import GraphWork

PATIENCE_MS: Final = 150
TICK_MS: Final = 60


class Waiting(QObject):
    """``show`` gets the share that is done, None once nobody waits."""

    def __init__(self, show: Callable[[float | None], None], parent: QObject) -> None:
        super().__init__(parent)
        self.work: GraphWork | None = None
        self._show = show
        self._ticker = QTimer(self, interval=TICK_MS)
        self._ticker.timeout.connect(self._tick)
        self._patience = QTimer(self, singleShot=True, interval=PATIENCE_MS)
        self._patience.timeout.connect(self._ticker.start)

    def begin(self, nodes: int) -> GraphWork:
        self.work = GraphWork(nodes)
        self._patience.start()
        return self.work

    def cancel(self) -> None:
        """The worker stops at its next check."""
        if self.work is not None:
            self.work.cancel()

    def end(self) -> None:
        self.work = None
        self._patience.stop()
        self._ticker.stop()
        self._show(None)

    def _tick(self) -> None:
        self._show(self.work.share if self.work is not None else None)
