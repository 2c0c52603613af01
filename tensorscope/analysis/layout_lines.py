"""Which line of a gap each level piece of a route runs on, so that no two lie on top of each other."""

from collections.abc import Iterable
from typing import Final, NamedTuple

TOUCHING: Final = 4.0  # lines nearer to each other look like one


class Piece(NamedTuple):
    """A level piece of a route in one gap."""

    gap: int
    begin: float
    end: float


def assign_lines(pieces: Iterable[Piece], gaps: int) -> tuple[dict[Piece, int], list[int]]:
    """The line of each piece within its gap, and the number of lines of each gap."""
    by_gap: dict[int, list[Piece]] = {}
    for piece in dict.fromkeys(pieces):
        by_gap.setdefault(piece.gap, []).append(piece)
    lines: dict[Piece, int] = {}
    counts = [0] * gaps
    for gap, members in by_gap.items():
        if len(members) == 1:
            lines[members[0]] = 0
            counts[gap] = 1
        elif len(members) == 2:
            counts[gap] = _assign_two(members[0], members[1], lines)
        else:
            counts[gap] = _assign(members, lines)
    return lines, counts


def _order(piece: Piece) -> tuple[bool, float, float]:
    """Pieces to the right: the rightmost start on the upper line; to the left: the leftmost first; so that those that nest do not cross."""
    return piece.begin > piece.end, -piece.begin if piece.begin < piece.end else piece.begin, piece.end


def _assign_two(one: Piece, other: Piece, lines: dict[Piece, int]) -> int:
    """The most frequent case, as ``_assign`` decides it."""
    if _order(other) < _order(one):
        one, other = other, one
    is_below, is_above = abs(other.begin - one.end) < TOUCHING, abs(one.begin - other.end) < TOUCHING
    if is_below and not is_above:
        one, other, is_above = other, one, True
    lines[one] = 0
    lows, highs = (min(one.begin, one.end), min(other.begin, other.end)), (max(one.begin, one.end), max(other.begin, other.end))
    is_clear = highs[1] < lows[0] - TOUCHING or lows[1] > highs[0] + TOUCHING
    lines[other] = 0 if is_clear and not is_above else 1
    return lines[other] + 1


def _assign(members: list[Piece], lines: dict[Piece, int]) -> int:
    """What starts where another ends lies above it, or their upright parts would run on top of each other. Returns the number of lines."""
    order = sorted(members, key=_order)
    above = {piece: [other for other in order if other is not piece and abs(other.begin - piece.end) < TOUCHING] for piece in order}
    taken: list[list[tuple[float, float]]] = []
    waiting = dict.fromkeys(order)
    while waiting:
        piece = next((piece for piece in waiting if not any(other in waiting for other in above[piece])), None) or next(iter(waiting))
        del waiting[piece]
        low, high = min(piece.begin, piece.end), max(piece.begin, piece.end)
        least = max((lines[other] + 1 for other in above[piece] if other in lines), default=0)
        line = max(len(taken), least)
        while line > least and all(high < other_low - TOUCHING or low > other_high + TOUCHING for other_low, other_high in taken[line - 1]):
            line -= 1
        taken.extend([] for _ in range(line + 1 - len(taken)))
        taken[line].append((low, high))
        lines[piece] = line
    return len(taken)
