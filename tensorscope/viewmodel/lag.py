"""How far what the window shows is behind what has come from the script."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from tensorscope.language import tr
from tensorscope.units import format_count
from tensorscope.viewmodel.run_state import StatusItem

TOLD_FROM_S: Final = 1.0  # less is the usual pace of the panels


class Lag:
    """Told what is heard and what is shown; one thread. ``clock`` gives seconds."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._heard = self._taken = self._shown = 0
        self._taken_at = clock()
        self._since: float | None = None  # from when on something that has come is not shown

    def hear(self, events: int) -> None:
        """So many events have come in all."""
        self._heard = events
        if events > self._shown and self._since is None:
            self._since = self._clock()

    def take(self) -> None:
        """What has come by now is taken, to be shown once it is worked out."""
        self._taken, self._taken_at = self._heard, self._clock()

    def show(self) -> None:
        """What was taken is shown."""
        self._shown = self._taken
        self._since = self._taken_at if self._heard > self._shown else None

    def item(self) -> StatusItem | None:
        """For the status bar; None while the window keeps up."""
        seconds = self._clock() - self._since if self._since is not None else 0.0
        if seconds < TOLD_FROM_S:
            return None
        words = tr("{seconds} s behind the script: {events} events").format(seconds=f"{seconds:.1f}", events=format_count(self._heard - self._shown))
        return StatusItem(words, tr("This machine shows later what the script does now; nothing is lost, and the window catches up."), "severity.warning")
