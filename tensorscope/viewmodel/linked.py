"""Everything that one selection means, so that every panel can show its part of it. Plain data; ``linking`` finds it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from tensorscope.analysis.results import Source

FOR_EVER: Final = 1 << 62


@dataclass(frozen=True, slots=True)
class Life:
    """A storage by what it truly is: its address and the time during which the address was its own, in ns of run time. -1: from before the record."""

    data: int
    begin_ns: int = -1
    end_ns: int = FOR_EVER

    def has(self, data: int, seen_ns: int) -> bool:
        """Whether what lay at an address at a moment is this storage."""
        return data == self.data and self.begin_ns <= seen_ns < self.end_ns

    def is_among(self, seen: Iterable[tuple[int, int]]) -> bool:
        """Whether it is one of these, given by address and when seen."""
        return any(self.has(data, seen_ns) for data, seen_ns in seen)


@dataclass(frozen=True, slots=True)
class Linked:
    """Lines nearest first, lives in order of begin, parameters nearest the input first. Empty where nothing of a kind belongs to the selection."""

    lines: tuple[Source, ...] = ()
    nodes: frozenset[tuple[int, int]] = frozenset()  # (backward, id in its graph)
    operators: frozenset[int] = frozenset()  # ids of operators, and of the runs of nodes
    storages: tuple[Life, ...] = ()
    parameters: tuple[str, ...] = ()

    def lines_of(self, file: str) -> frozenset[int]:
        return frozenset(line.line for line in self.lines if line.file == file)

    def count_by_file(self) -> dict[str, int]:
        """How many lines lie in each file, the nearest file first."""
        counts: dict[str, int] = {}
        for line in self.lines:
            counts[line.file] = counts.get(line.file, 0) + 1
        return counts

    def nodes_of(self, backward: int) -> frozenset[int]:
        return frozenset(node for number, node in self.nodes if number == backward)

    def has_storage(self, data: int, seen_ns: int) -> bool:
        return any(life.has(data, seen_ns) for life in self.storages)

    def among(self, storages: Iterable[tuple[int, int]]) -> tuple[int, ...]:
        """Places of those (address, when seen) that belong to the selection."""
        known = {life.data for life in self.storages}
        return tuple(place for place, (data, seen_ns) in enumerate(storages) if data in known and self.has_storage(data, seen_ns))


NOTHING: Final = Linked()
