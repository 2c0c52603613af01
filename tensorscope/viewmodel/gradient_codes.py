"""One number a cell of the gradient map: two bytes that rank what a gradient was, so that the largest of any cells together is what must be seen of them.

A map of 2,000 parameters and 100,000 iterations takes 400 MB this way, and a third of that again for its coarser levels.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import IntEnum
from functools import cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from tensorscope.analysis.results import Floats

Codes = NDArray[np.uint16]
FIRST_VALUE: Final = 8
LAST_VALUE: Final = 65_534
PER_OCTAVE: Final = 240  # steps of 0.29 %
_LEAST_LOG: Final = -136.0
_JOINED: Final = 4  # columns of one level in a column of the next
_NARROWEST: Final = 64  # columns that need no coarser level
_BLOCK: Final = 1 << 20  # codes looked at together
_COUNTED: Final = 1 << 22  # codes that say enough about how all are spread


class Cell(IntEnum):
    """What a cell of the map says. In a cell that stands for several, the highest wins."""

    NO_GRADIENT = 0  # no row: the parameter had no ``.grad``
    NOT_RUN = 1  # its iteration is not over yet, or its backward raised before gradients were read
    UNKNOWN = 2  # a gradient that was not read
    ALL_ZERO = 3
    VALUE = 4
    NOT_FINITE = 5


NOT_FINITE: Final = 65_535


def encode(norms: Floats, nonfinite: NDArray[np.int64]) -> Codes:
    """Codes of gradients that are there [n]: nan and no element that is not finite means that it was not read."""
    with np.errstate(divide="ignore", invalid="ignore"):
        steps = np.rint((np.log2(norms) - _LEAST_LOG) * PER_OCTAVE) + FIRST_VALUE
    codes: Codes = np.clip(np.nan_to_num(steps, nan=0.0, posinf=LAST_VALUE, neginf=0.0), FIRST_VALUE, LAST_VALUE).astype(np.uint16)
    codes[norms == 0] = Cell.ALL_ZERO
    codes[np.isnan(norms)] = Cell.UNKNOWN
    codes[(nonfinite > 0) | np.isinf(norms)] = NOT_FINITE
    return codes


@cache
def decoded() -> Floats:
    """[65,536] the norm of every code, right to 0.15 %; nan where a code is not a norm, 0 for all zero."""
    codes = np.arange(65_536)
    norms = 2.0 ** ((codes - FIRST_VALUE) / PER_OCTAVE + _LEAST_LOG)
    norms[:FIRST_VALUE] = np.nan
    norms[NOT_FINITE] = np.nan
    norms[Cell.ALL_ZERO] = 0.0
    norms.flags.writeable = False
    return norms


@cache
def squared() -> Floats:
    """[65,536] the square of the norm of every code, 0 where a code is not a norm."""
    squares: Floats = np.nan_to_num(decoded()) ** 2
    squares.flags.writeable = False
    return squares


def norms_of(codes: Codes) -> Floats:
    return np.take(decoded(), codes)


def cell_of(code: int) -> Cell:
    if code == NOT_FINITE:
        return Cell.NOT_FINITE
    return Cell.VALUE if code >= FIRST_VALUE else Cell(min(code, Cell.ALL_ZERO))


@dataclass(frozen=True, slots=True)
class CodeFacts:
    """What occurs among codes."""

    counts: NDArray[np.int64]  # [65,536] of every code; of a sample of evenly spread columns where there are very many
    lowest: int  # code of a norm, 0: there is none
    highest: int
    kinds: frozenset[Cell]

    @classmethod
    def of(cls, codes: Codes) -> CodeFacts:
        counts, specials = np.zeros(NOT_FINITE + 1, np.int64), np.zeros(NOT_FINITE + 1, np.int64)
        lowest, highest = NOT_FINITE, 0
        step = max(codes.size // _COUNTED, 1)
        for block in _blocks(codes):
            counts += np.bincount(block[:, ::step].ravel(), minlength=NOT_FINITE + 1)
            shifted = block - np.uint16(FIRST_VALUE)  # what is no norm becomes the largest: the few below wrap round
            lowest = min(lowest, int(shifted.min()) + FIRST_VALUE)
            highest = max(highest, int((block + np.uint16(1)).max()) - 1)  # what is not finite becomes 0
            is_special = shifted > LAST_VALUE - FIRST_VALUE
            if is_special.any():
                specials += np.bincount(block[is_special], minlength=NOT_FINITE + 1)
        has_norms = highest >= FIRST_VALUE
        kinds = {cell_of(code) for code in np.flatnonzero(specials).tolist()} | ({Cell.VALUE} if has_norms else set())
        return cls(counts, lowest if has_norms else 0, highest if has_norms else 0, frozenset(kinds))


@dataclass(frozen=True, slots=True)
class CodeLevels:
    """Codes [rows, columns] and ever coarser ones, each column the largest of four before it: zoomed out, a picture reads few of them and misses none."""

    levels: tuple[Codes, ...]
    facts: CodeFacts

    @classmethod
    def of(cls, codes: Codes) -> CodeLevels:
        """Off the GUI thread: takes as long as reading all codes once."""
        levels = [codes]
        while levels[-1].shape[1] > _NARROWEST:
            levels.append(_quartered(levels[-1]))
        return cls(tuple(levels), CodeFacts.of(codes))

    @property
    def finest(self) -> Codes:
        return self.levels[0]

    def window(self, first: int, last: int, column_step: int) -> Codes:
        """Columns [first, last) in steps of ``column_step`` (a power of two, ``first`` a multiple of it): the largest code of each step."""
        level, step = 0, 1
        while level + 1 < len(self.levels) and step * _JOINED <= column_step:
            level, step = level + 1, step * _JOINED
        codes = self.levels[level][:, first // step : -(-last // step)]
        while step < column_step:
            codes, step = _halved(codes), step * 2
        return codes


def joined_rows(codes: Codes, row_step: int) -> Codes:
    """The largest of every ``row_step`` rows."""
    return codes if row_step <= 1 or not codes.size else np.maximum.reduceat(codes, np.arange(0, codes.shape[0], row_step), axis=0)


def _blocks(codes: Codes) -> Iterator[Codes]:
    """Some rows at a time, few enough to stay in a processor's cache."""
    rows = max(_BLOCK // max(codes.shape[1], 1), 1)
    for begin in range(0, codes.shape[0] if codes.size else 0, rows):
        yield codes[begin : begin + rows]


def _quartered(codes: Codes) -> Codes:
    """The largest of every four columns."""
    quartered = codes[:, ::_JOINED].copy()
    begin = 0
    for block in _blocks(codes):
        joined = quartered[begin : begin + len(block)]
        for column in range(1, _JOINED):
            others = block[:, column::_JOINED]
            np.maximum(joined[:, : others.shape[1]], others, out=joined[:, : others.shape[1]])
        begin += len(block)
    return quartered


def _halved(codes: Codes) -> Codes:
    """The larger of every two columns."""
    halved = codes[:, ::2].copy()
    odd = codes[:, 1::2]
    np.maximum(halved[:, : odd.shape[1]], odd, out=halved[:, : odd.shape[1]])
    return halved
