"""Moments that the user marked, to come back to. One list for the window; GUI thread only."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from tensorscope.language import tr
from tensorscope.units import format_time


@dataclass(frozen=True, slots=True, order=True)
class Bookmark:
    time_ns: int  # run time
    label: str  # what stood there, such as "Iteration 3"

    @property
    def text(self) -> str:
        return tr("{label} at {time}").format(label=self.label, time=format_time(self.time_ns)) if self.label else format_time(self.time_ns)


class Bookmarks:
    """In order of time. Observers are called after each change."""

    def __init__(self) -> None:
        self._marks: dict[int, Bookmark] = {}
        self._observers: list[Callable[[], None]] = []

    @property
    def marks(self) -> tuple[Bookmark, ...]:
        return tuple(sorted(self._marks.values()))

    @property
    def times_ns(self) -> frozenset[int]:
        return frozenset(self._marks)

    def begin_with(self, marks: Iterable[Bookmark]) -> None:
        """Those that were kept."""
        self._marks |= {mark.time_ns: mark for mark in marks}
        self._tell()

    def toggle(self, mark: Bookmark) -> bool:
        """Set it, or take away the one of the same moment; whether it is there now."""
        is_new = self._marks.pop(mark.time_ns, None) is None
        if is_new:
            self._marks[mark.time_ns] = mark
        self._tell()
        return is_new

    def clear(self) -> None:
        self._marks.clear()
        self._tell()

    def observe(self, observer: Callable[[], None]) -> None:
        self._observers.append(observer)

    def _tell(self) -> None:
        for observer in tuple(self._observers):
            observer()
