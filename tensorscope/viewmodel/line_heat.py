"""By what the lines of a file are compared, and which are the hottest of all files."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Final

from tensorscope.language import tr_later
from tensorscope.viewmodel.line_costs import LineCost, LineCosts

MOST_HOT: Final = 50


class Heat(Enum):
    """The values are what is kept in the settings."""

    TIME = "time"
    LIVE = "live"
    OPERATORS = "operators"
    SAVED = "saved"


HEAT_WORDS: Final = {
    Heat.TIME: tr_later("time"),
    Heat.LIVE: tr_later("live bytes"),
    Heat.OPERATORS: tr_later("operators"),
    Heat.SAVED: tr_later("saved bytes"),
}


@dataclass(frozen=True, slots=True)
class HotLine:
    """``share`` is its part of what all lines have together."""

    file: str
    line: int
    amount: int
    share: float


def amount_of(cost: LineCost, heat: Heat) -> int:
    """Nanoseconds, bytes or a count."""
    match heat:
        case Heat.TIME:
            return cost.time_ns
        case Heat.LIVE:
            return cost.live_bytes
        case Heat.OPERATORS:
            return cost.operators
        case Heat.SAVED:
            return cost.saved_bytes


def heat_named(name: object) -> Heat:
    """What was kept; time where that is none of them."""
    return next((heat for heat in Heat if heat.value == name), Heat.TIME)


def hot_lines(costs: LineCosts, heat: Heat, most: int = MOST_HOT) -> tuple[HotLine, ...]:
    """Those with most of it, the hottest first; of equal ones the first in its file."""
    amounts = {place: amount_of(cost, heat) for place, cost in costs.by_place.items()}
    whole = sum(amounts.values())
    hottest = sorted((place for place, amount in amounts.items() if amount > 0), key=lambda place: (-amounts[place], place))
    return tuple(HotLine(file, line, amounts[file, line], amounts[file, line] / whole) for file, line in hottest[:most])
