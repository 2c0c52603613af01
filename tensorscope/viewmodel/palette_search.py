"""Which actions the palette offers for what was typed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Offer:
    """An action: its words, what it does, its key, whether it does something now."""

    text: str
    hint: str
    key: str
    is_enabled: bool


def matching(offers: Sequence[Offer], typed: str) -> tuple[int, ...]:
    """Places of the offers that hold every word typed, in their text, hint or key; those whose text begins with it first, what is off last."""
    words = typed.casefold().split()

    def rank(place: int) -> tuple[bool, bool, bool, int]:
        text = offers[place].text.casefold()
        return not offers[place].is_enabled, not text.startswith(typed.casefold().strip()), not all(word in text for word in words), place

    found = [place for place, one in enumerate(offers) if all(word in f"{one.text} {one.hint} {one.key}".casefold() for word in words)]
    return tuple(sorted(found, key=rank))
