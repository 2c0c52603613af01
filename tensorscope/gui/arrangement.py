"""Which panels stand where, for wide and for narrow windows. Lengths come from the tokens' layouts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from tensorscope.render.theme import Theme

NARROW_BELOW: Final = 1500


@dataclass(frozen=True, slots=True)
class Row:
    """Sheets from left to right, each the keys of its tabs; ``widths`` as in the tokens, 0: what is left."""

    sheets: tuple[tuple[str, ...], ...]
    widths: tuple[float, ...]
    height: float


@dataclass(frozen=True, slots=True)
class Arrangement:
    name: str
    rows: tuple[Row, ...]


def arrangement_for(width: int, theme: Theme) -> Arrangement:
    return narrow(theme) if width < NARROW_BELOW else wide(theme)


def wide(theme: Theme) -> Arrangement:
    def px(name: str) -> float:
        return theme.px(f"layout_1600x900.{name}")

    top = Row((("events",), ("graph",), ("source",), ("inspector",)), (px("events"), px("graph"), px("source"), 0), px("top_row"))
    bottom = Row((("memory", "output"), ("gradients",), ("storages", "problems")), (px("memory"), px("gradients"), 0), px("bottom_row"))
    return Arrangement("wide", (top, bottom))


def narrow(theme: Theme) -> Arrangement:
    def px(name: str) -> float:
        return theme.px(f"layout_1280x720.{name}")

    top = Row((("events",), ("graph", "source"), ("inspector",)), (px("events"), 0, px("inspector")), 0)
    bottom = Row((("memory", "gradients", "storages", "problems", "output"),), (0,), px("bottom_row"))
    return Arrangement("narrow", (top, bottom))


def shares(lengths: tuple[float, ...], total: float) -> list[int]:
    """Pixels for each length out of ``total``; 0 takes what is left, and at least 160."""
    rest = max(total - sum(lengths), 160.0)
    return [round(length or rest) for length in lengths]
