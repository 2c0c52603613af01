"""How often a panel is computed anew while the script runs: never so often that watching takes the machine from the script."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from time import thread_time
from typing import Final, TypeVar

Value = TypeVar("Value")
REST: Final = 6.0  # after a computation of 10 ms, 60 ms pass before the next: seven panels together take one core at most
SHORTEST_S: Final = 1 / 30


class Pace:
    """Keeps, for each key, when it was computed, how long that took, and whether something newer is there."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._begun: dict[Hashable, float] = {}
        self._next: dict[Hashable, float] = {}
        self._generation = 0
        self._taken = 0
        self._seen: dict[Hashable, int] = {}

    def mark_stale(self) -> None:
        """There is something newer for everyone."""
        self._generation += 1

    @property
    def newest(self) -> int:
        """Stands for what is there now; to be asked before it is taken."""
        return self._generation

    def take(self, newest: int) -> None:
        """What is offered from now on is what was there when ``newest`` was asked for; more may have come since."""
        self._taken = newest

    def is_due(self, key: Hashable) -> bool:
        """Something newer is there, the last computation has ended and it has rested."""
        return self._seen.get(key, -1) != self._generation and key not in self._begun and self._clock() >= self._next.get(key, 0.0)

    def has_stale(self, keys: Iterable[Hashable]) -> bool:
        return any(self._seen.get(key, -1) != self._generation for key in keys)

    def see(self, key: Hashable) -> None:
        """It was offered what was taken; whether it has anything to compute is its own affair."""
        self._seen[key] = self._taken

    def begin(self, key: Hashable) -> None:
        self._begun.setdefault(key, self._clock())
        self.see(key)

    def end(self, key: Hashable, spent_s: float | None = None) -> None:
        """``spent_s``: processor time it took, where that is known; else all time since ``begin`` counts, waiting included."""
        begun = self._begun.pop(key, None)
        if begun is not None:
            now = self._clock()
            self._next[key] = now + max(REST * (now - begun if spent_s is None else spent_s), SHORTEST_S)


def timed(compute: Callable[[], Value]) -> Callable[[], tuple[Value, float]]:
    """The same with the processor time of its thread in seconds."""

    def run() -> tuple[Value, float]:
        begin = thread_time()
        value = compute()
        return value, thread_time() - begin

    return run
