"""What the layout takes and gives. Lengths are in pixels at 100 %; y grows downwards; x and y of a level start at its content's corner."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple, overload

import numpy as np
from numpy.typing import NDArray

from tensorscope.errors import TensorScopeError

OUTSIDE: Final = -1  # an edge's end that lies beyond the level: it runs to an input or output port of the level

Point = tuple[float, float]


class LevelTooLarge(TensorScopeError):
    """One group holds more items than can be drawn."""

    def __init__(self, items: int) -> None:
        super().__init__(f"This group holds {items:,} nodes, too many for one picture: search for a node or choose a module inside it.")


class Item(NamedTuple):
    """A tuple, as edges are: thousands are made and hashed when a group opens."""

    width: float  # of an open group: its least width
    height: float
    axis: float  # from the left side to the upright line that its edges meet
    level: "Level | None" = None  # what an open group holds
    inset: float = 0.0  # from the upper and lower sides to where lines meet what is drawn


class Edge(NamedTuple):
    source: int  # item, or OUTSIDE: enters through input port ``source_port``
    target: int  # item, or OUTSIDE: leaves through output port ``target_port``
    source_port: int = 0  # output port of an open source group
    target_port: int = 0
    has_label: bool = False


@dataclass(frozen=True, slots=True)
class Level:
    items: tuple[Item, ...]
    edges: tuple[Edge, ...]
    inputs: int = 0  # ports on the upper side
    outputs: int = 0
    least_height: float = 0.0


@dataclass(frozen=True, slots=True)
class Style:
    rank_gap: float
    label_gap: float  # rank gap that has room for an edge's label
    column_gap: float
    header: float
    padding: float
    line_gap: float = 8.0  # between parallel lines
    is_sideways: bool = False  # the rows will stand beside one another: a group's header is then at a level's left, as its columns see it
    corner: float = 10.0  # kept free of lines at a box's corners


class Routes(Sequence[tuple[Point, ...]]):
    """The routes of a level's edges, their points in one array [points, 2]; edge ``e`` has those from ``starts[e]`` to ``starts[e + 1]``."""

    def __init__(self, points: NDArray[np.float64], starts: NDArray[np.int64]) -> None:
        self.points = points
        self.starts = starts

    def __len__(self) -> int:
        return len(self.starts) - 1

    @overload
    def __getitem__(self, index: int) -> tuple[Point, ...]: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[tuple[Point, ...], ...]: ...
    def __getitem__(self, index: int | slice) -> tuple[Point, ...] | tuple[tuple[Point, ...], ...]:
        if isinstance(index, slice):
            return tuple(self[edge] for edge in range(len(self))[index])
        edge = range(len(self))[index]
        return tuple([(x, y) for x, y in self.points[self.starts[edge] : self.starts[edge + 1]].tolist()])

    def __iter__(self) -> Iterator[tuple[Point, ...]]:
        return (self[edge] for edge in range(len(self)))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and tuple(self) == tuple(other)

    __hash__ = None  # type: ignore[assignment]


@dataclass(frozen=True, slots=True)
class PlacedLevel:
    width: float
    height: float
    axis: float
    boxes: tuple[tuple[float, float, float, float], ...]  # x, y, width, height of each item
    inner: tuple["PlacedLevel | None", ...]  # of each open group; its corner is the box's plus (padding, header)
    routes: Routes  # of each edge, from its source's lower or right side to its target's upper side
    inputs: tuple[float, ...]  # x of each port
    outputs: tuple[float, ...]
