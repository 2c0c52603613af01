"""Brings what a session tells, on its own threads, to the GUI thread: the newest word only, at most 30 times a second."""

from __future__ import annotations

from dataclasses import replace
from threading import Lock

from PySide6.QtCore import QObject, Qt, Signal

from tensorscope.session.session import Changed, Session


class Feed(QObject):
    """Listens to one session. Made and closed on the GUI thread; ``changed`` is emitted there."""

    changed = Signal(object)
    _told = Signal()

    def __init__(self, session: Session, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._lock = Lock()
        self._newest: Changed | None = None
        self._has_new_events = False
        self._told.connect(self._pass_on, Qt.ConnectionType.QueuedConnection)
        self._stop = session.listen(self._hear)

    def close(self) -> None:
        """Stop listening. Idempotent."""
        self._stop()
        self._stop = _nothing
        with self._lock:
            self._newest = None

    def _hear(self, change: Changed) -> None:
        """On a thread of the session."""
        with self._lock:
            is_waiting = self._newest is not None
            self._newest = change
            self._has_new_events |= change.has_new_events
        if not is_waiting:
            self._told.emit()

    def _pass_on(self) -> None:
        with self._lock:
            change, self._newest = self._newest, None
            has_new_events, self._has_new_events = self._has_new_events, False
        if change is not None:
            if has_new_events and not change.has_new_events:
                change = replace(change, has_new_events=True)
            self.changed.emit(change)


def _nothing() -> None:
    """Instead of an unregistration that was done."""
