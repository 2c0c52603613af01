"""Blocks listed as one row: those of one line, one module, or each by itself; and what became more and less between two moments."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from tensorscope.analysis.results import Source
from tensorscope.language import tr
from tensorscope.viewmodel.memory_names import BlockRow, stem

Grouping = Literal["block", "line", "module"]
GROUPINGS: Final[tuple[Grouping, ...]] = ("block", "line", "module")


@dataclass(frozen=True, slots=True)
class BlockGroup:
    """``blocks`` in the order given, never empty. ``size_bytes`` is negative where more was freed than came."""

    name: str
    category: str  # that of most of its bytes
    source: Source | None  # None where the blocks have several
    size_bytes: int
    blocks: tuple[BlockRow, ...]

    @property
    def first(self) -> BlockRow:
        return self.blocks[0]

    @property
    def is_named(self) -> bool:
        """By tensors on it, not only by what made it."""
        return bool(self.first.names)


def grouped(blocks: Sequence[BlockRow], by: Grouping, gone: Sequence[BlockRow] = ()) -> tuple[BlockGroup, ...]:
    """Largest first, in bytes; those of ``gone`` count as less, so that a group of changes may be below zero."""
    groups: dict[Hashable, tuple[list[BlockRow], list[BlockRow]]] = {}
    for place, rows in enumerate((blocks, gone)):
        for row in rows:
            groups.setdefault(_key(row, by), ([], []))[place].append(row)
    made = (_group(came, went, by) for came, went in groups.values())
    return tuple(sorted(made, key=lambda group: (-abs(group.size_bytes), group.first.row)))


def _key(row: BlockRow, by: Grouping) -> Hashable:
    """By line also category and operator: a line that computes in steps is told apart."""
    if by == "module":
        return row.module
    if by == "line" and row.source is not None:
        return row.source, row.category, row.operator
    return row.row


def _group(came: list[BlockRow], went: list[BlockRow], by: Grouping) -> BlockGroup:
    rows = (*came, *went)
    sums: dict[str, int] = {}
    for row in rows:
        sums[row.category] = sums.get(row.category, 0) + row.size_bytes
    places = {row.source for row in rows}
    size = sum(row.size_bytes for row in came) - sum(row.size_bytes for row in went)
    name = (rows[0].module or tr("no module")) if by == "module" else _name(rows)
    return BlockGroup(name, max(sums, key=lambda category: sums[category]), places.pop() if len(places) == 1 else None, size, rows)


def _name(rows: tuple[BlockRow, ...]) -> str:
    """``12 × linear`` for many of one line."""
    if len(rows) == 1:
        return rows[0].name
    if len({row.name for row in rows}) == 1:
        return f"{len(rows)} × {stem(rows[0].name)}"
    stems = {stem(row.names[0]) if row.names else "" for row in rows}
    common = stems.pop() if len(stems) == 1 else ""
    return f"{len(rows)} × {common or stem(rows[0].operator) or rows[0].category}"
