"""Results that several panels want of the same snapshot, each made once."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import Lock
from typing import Generic, TypeVar

from tensorscope.trace.snapshot import Snapshot

Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")


class SnapshotCache(Generic[Key, Value]):
    """Keeps the newest few values of a function of a snapshot and a key. Any thread; one that asks for a value in the making waits for it."""

    def __init__(self, compute: Callable[[Snapshot, Key], Value], kept: int = 4) -> None:
        self._compute = compute
        self._kept = kept
        self._lock = Lock()
        self._values: OrderedDict[tuple[int, Key], tuple[Snapshot, Value]] = OrderedDict()

    def get(self, snapshot: Snapshot, key: Key) -> Value:
        with self._lock:
            name = (id(snapshot), key)  # the snapshot is kept beside its value, so its id is not used again meanwhile
            if name not in self._values:
                self._values[name] = (snapshot, self._compute(snapshot, key))
                while len(self._values) > self._kept:
                    self._values.popitem(last=False)
            self._values.move_to_end(name)
            return self._values[name][1]

    def clear(self) -> None:
        """Let go of every snapshot."""
        with self._lock:
            self._values.clear()
