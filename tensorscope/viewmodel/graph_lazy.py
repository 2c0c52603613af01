"""Sequences of many small things of which few are looked at: each is made when it is asked for."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Generic, TypeVar, overload

T = TypeVar("T")


class Made(Sequence[T], Generic[T]):
    """``make(index)`` makes an item, once. Any thread: making one twice at the same time does no harm."""

    def __init__(self, count: int, make: Callable[[int], T]) -> None:
        self._made: list[T | None] = [None] * count
        self._make = make

    def __len__(self) -> int:
        return len(self._made)

    @overload
    def __getitem__(self, index: int) -> T: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[T, ...]: ...
    def __getitem__(self, index: int | slice) -> T | tuple[T, ...]:
        if isinstance(index, slice):
            return tuple(self[place] for place in range(len(self))[index])
        item = self._made[index]
        if item is None:
            item = self._made[index] = self._make(index % len(self._made))
        return item

    def __iter__(self) -> Iterator[T]:
        return (self[place] for place in range(len(self)))


class Replaced(Sequence[T], Generic[T]):
    """A sequence with some of its items in another version."""

    def __init__(self, items: Sequence[T], others: Mapping[int, T]) -> None:
        self._items = items
        self._others = others

    def __len__(self) -> int:
        return len(self._items)

    @overload
    def __getitem__(self, index: int) -> T: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[T, ...]: ...
    def __getitem__(self, index: int | slice) -> T | tuple[T, ...]:
        if isinstance(index, slice):
            return tuple(self[place] for place in range(len(self))[index])
        place = range(len(self))[index]
        return self._others[place] if place in self._others else self._items[place]
