"""Windows of several processes open at the same kept place: each further one stands a little lower and to the right."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QLockFile, QPoint, QRect

from tensorscope.gui.settings import Settings

STEP: Final = 32  # pixels, so that the title and the tabs of the window below can be seen
MOST: Final = 8  # windows told apart


class WindowNumber:
    """Which of the windows that share a settings file this one is, 0 for the first: the lowest number that no living process has. GUI thread."""

    def __init__(self, settings: Settings) -> None:
        self._lock: QLockFile | None = None
        self.value = 0
        for number in range(MOST):
            lock = settings.lock(f"window{number}")
            if lock is None:
                return
            lock.setStaleLockTime(0)  # held for hours; that of a process that is gone does not count
            if lock.tryLock(0) or lock.error() is not QLockFile.LockError.LockFailedError:
                self._lock, self.value = lock, number
                return

    def release(self) -> None:
        """For the next window. Idempotent."""
        if self._lock is not None:
            self._lock.unlock()
            self._lock = None


def cascaded(kept: QRect, number: int, screen: QRect) -> QPoint:
    """Top left of window ``number``, for the one kept at ``kept``: within the screen, where there is room."""
    wanted = kept.topLeft() + QPoint(STEP, STEP) * number
    furthest = QPoint(max(screen.right() + 1 - kept.width(), screen.left()), max(screen.bottom() + 1 - kept.height(), screen.top()))
    if wanted.x() > furthest.x() or wanted.y() > furthest.y():  # no room there: from the screen's corner on
        wanted = screen.topLeft() + QPoint(STEP, STEP) * (number - 1)
    return QPoint(min(wanted.x(), furthest.x()), min(wanted.y(), furthest.y()))
