"""Fits the gradient map to pixels: rows and columns joined where there are too many (the largest norm wins), labels where there is room."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from tensorscope.viewmodel.gradient_codes import CodeLevels, Codes, joined_rows

_LABEL_ROOM: Final = 14.0  # pixels a label needs
_GROUP_ROOM: Final = 2.0  # pixels a group needs; labels that then touch are left out


@dataclass(frozen=True, slots=True)
class CellGrid:
    """Joined cells [rows, columns]: each stands for ``row_step`` rows and ``column_step`` iterations, the first from ``first_row``, ``first_column`` on."""

    codes: Codes
    first_row: int
    first_column: int
    row_step: int
    column_step: int


@dataclass(frozen=True, slots=True)
class RowLabel:
    """Names the rows [first, last)."""

    text: str
    first: int
    last: int


Span = tuple[float, float]


def fit_cells(levels: CodeLevels, columns: Span, rows: Span, size: tuple[float, float], least: tuple[float, float]) -> CellGrid:
    """The cells of the columns and rows in sight, neighbours joined until a cell is at least ``least`` pixels wide and high in ``size`` pixels.

    Steps are powers of two and cells stand at their multiples, so that they do not change while the picture is panned.
    """
    count_rows, count_columns = levels.finest.shape
    column_step = _step((columns[1] - columns[0]) * least[0] / max(size[0], 1.0))
    row_step = _step((rows[1] - rows[0]) * least[1] / max(size[1], 1.0))
    first_column = max(int(columns[0]) // column_step * column_step, 0)
    first_row = max(int(rows[0]) // row_step * row_step, 0)
    last_column = min(int(columns[1]) + column_step, count_columns)
    last_row = min(int(rows[1]) + row_step, count_rows)
    codes = levels.window(first_column, last_column, column_step)
    return CellGrid(joined_rows(codes[first_row:last_row], row_step), first_row, first_column, row_step, column_step)


def row_labels(names: tuple[str, ...], height: float, rows: Span | None = None) -> tuple[RowLabel, ...]:
    """One label a row where there is room, else one a module, as deep in the tree as fits. ``rows`` are those in ``height`` pixels, all by default."""
    first, last = (0, len(names)) if rows is None else (max(int(rows[0]), 0), min(int(rows[1]) + 1, len(names)))
    if (last - first) * _LABEL_ROOM <= height:
        return tuple(RowLabel(names[index], index, index + 1) for index in range(first, last))
    best: tuple[RowLabel, ...] = ()
    for labels in _groups_by_depth(names):
        begin = max(bisect_right(labels, first, key=_first_of) - 1, 0)
        shown = labels[begin : bisect_left(labels, last, key=_first_of)]
        if best and len(shown) * _GROUP_ROOM > height:
            break
        best = shown
    return best


def short_name(name: str, fits: Callable[[str], bool]) -> str:
    """The name with as many of its first parts cut to their first letters as it takes to fit: ``class.1.weight``, ``c.1.weight``."""
    parts = name.split(".")
    for place in range(len(parts)):
        for letters in (5, 3, 1):
            if fits(".".join(parts)):
                return ".".join(parts)
            if place < len(parts) - 1:
                parts[place] = parts[place][:letters]
    return ".".join(parts)


def _step(least: float) -> int:
    step = 1
    while step < least:
        step *= 2
    return step


def _first_of(label: RowLabel) -> int:
    return label.first


@lru_cache(maxsize=4)
def _groups_by_depth(names: tuple[str, ...]) -> tuple[tuple[RowLabel, ...], ...]:
    """The modules of each depth, from the outermost on, as runs of rows."""
    return tuple(_groups(names, depth) for depth in range(1, max(max((name.count(".") for name in names), default=0), 1) + 1))


def _groups(names: Sequence[str], depth: int) -> tuple[RowLabel, ...]:
    """Runs of rows whose modules agree in their first ``depth`` parts."""
    labels: list[RowLabel] = []
    for index, name in enumerate(names):
        text = ".".join((name.split(".")[:-1] or [name])[:depth])
        if labels and labels[-1].text == text:
            labels[-1] = RowLabel(text, labels[-1].first, index + 1)
        else:
            labels.append(RowLabel(text, index, index + 1))
    return tuple(labels)
