"""What the probe knows of each of the script's threads."""

from _thread import get_ident
from typing import Any

from tensorscope.agent.python_probe.definitions import Definitions


class Thread:
    """``calls``: module calls and ``operators``: operators that run now, as the fields of their records, the innermost last."""

    __slots__ = ("backwards", "calls", "count", "id", "operators", "sequence_nr")

    def __init__(self, identity: int) -> None:
        self.id = identity
        self.count = 0
        self.sequence_nr = -1
        self.calls: list[Any] = []
        self.operators: list[Any] = []
        self.backwards: list[Any] = []

    def next_id(self) -> int:
        self.count += 1
        return self.id << 40 | self.count


class Threads:
    def __init__(self, definitions: Definitions) -> None:
        self._definitions = definitions
        self._known: dict[int, Thread] = {}

    def this(self) -> Thread:
        ident = get_ident()
        thread = self._known.get(ident)
        if thread is None:
            thread = self._known[ident] = Thread(self._definitions.thread())
        return thread
