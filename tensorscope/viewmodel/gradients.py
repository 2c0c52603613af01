"""The gradient map: parameter × iteration, one stage at a time, with what each cell can and cannot say."""

from dataclasses import dataclass
from enum import IntEnum
from typing import Final

import numpy as np
from numpy.typing import NDArray

from tensorscope.analysis.results import Floats, GradientTable, Iteration

STAGES: Final = {1: "raw", 2: "unscaled", 3: "clipped"}


class Cell(IntEnum):
    """What a cell of the map says. In a cell that stands for several, the highest wins."""

    NO_GRADIENT = 0  # no row: the parameter had no ``.grad``
    NOT_RUN = 1  # its iteration is not over yet, or its backward raised before gradients were read
    UNKNOWN = 2  # a gradient that was not read
    ALL_ZERO = 3
    VALUE = 4
    NOT_FINITE = 5


@dataclass(frozen=True, slots=True)
class GradientMap:
    """``norms`` and ``cells`` are [parameters, iterations]; iteration ``first_iteration + j`` stands in column j. The last row of an iteration counts."""

    table: GradientTable
    stage: int
    stages: tuple[int, ...]  # those on record
    first_iteration: int
    norms: Floats  # nan where the cell has no value
    cells: NDArray[np.uint8]  # Cell
    rows: NDArray[np.int64]  # row of the table, -1: none
    low: float  # ends of the colour scale
    high: float
    raised: frozenset[int] = frozenset()  # iterations whose backward raised

    @property
    def parameters(self) -> tuple[str, ...]:
        return self.table.parameters

    @property
    def is_empty(self) -> bool:
        return not self.norms.size

    @property
    def last_iteration(self) -> int:
        return self.first_iteration + int(self.norms.shape[1]) - 1


@dataclass(frozen=True, slots=True)
class GradientFact:
    """One gradient of a parameter in an iteration."""

    parameter: str
    iteration: int
    backward: int
    norm: float
    max_abs: float
    nonfinite: int
    numel: int
    is_read: bool


def stages_of(table: GradientTable) -> tuple[int, ...]:
    return tuple(int(stage) for stage in np.unique(table.stage))


def gradient_map(table: GradientTable, iterations: tuple[Iteration, ...], stage: int, raised: frozenset[int] = frozenset()) -> GradientMap:
    """The map of a stage; of the first stage on record where that one is not. Iterations without a gradient stand as empty columns."""
    stages = stages_of(table)
    if stage not in stages and stages:
        stage = stages[0]
    rows = np.flatnonzero(table.stage == stage)
    numbers = [iteration.index for iteration in iterations]
    first = min([int(table.iteration.min()), *numbers]) if len(table.iteration) else 0
    last = max([int(table.iteration.max()), *numbers]) if len(table.iteration) else -1
    shape = (len(table.parameters), last - first + 1)
    norms, cells, found = np.full(shape, np.nan), np.zeros(shape, np.uint8), np.full(shape, -1, np.int64)
    for iteration in iterations:
        if (not iteration.is_ended or iteration.index in raised) and shape[1]:
            cells[:, iteration.index - first] = Cell.NOT_RUN
    place = (table.parameter[rows], table.iteration[rows] - first)
    found[place] = rows  # rows ascend by backward: the last one stays
    is_there = found >= 0
    chosen = found[is_there]
    norms[is_there] = table.norm[chosen]
    cells[is_there] = _cells_of(table.norm[chosen], table.nonfinite[chosen])
    return GradientMap(table, stage, stages, first, norms, cells, found, *_scale(norms), raised)


def facts_of(view: GradientMap, parameter: int, iteration: int) -> tuple[GradientFact, ...]:
    """Every gradient of a parameter in an iteration, one a backward (or a clip call), in order."""
    table = view.table
    rows = np.flatnonzero((table.parameter == parameter) & (table.iteration == iteration) & (table.stage == view.stage))
    return tuple(_fact(table, int(row)) for row in rows)


def column_of_time(iterations: tuple[Iteration, ...], time_ns: int | None) -> int | None:
    """The iteration that holds at a moment, the nearest before it otherwise; the last for None."""
    if not iterations:
        return None
    if time_ns is None:
        return iterations[-1].index
    before = [iteration.index for iteration in iterations if iteration.begin_ns <= time_ns]
    return before[-1] if before else iterations[0].index


def _fact(table: GradientTable, row: int) -> GradientFact:
    norm, nonfinite = float(table.norm[row]), int(table.nonfinite[row])
    return GradientFact(
        parameter=table.parameters[int(table.parameter[row])],
        iteration=int(table.iteration[row]),
        backward=int(table.backward[row]),
        norm=norm,
        max_abs=float(table.max_abs[row]),
        nonfinite=nonfinite,
        numel=int(table.numel[row]),
        is_read=not (np.isnan(norm) and not nonfinite),
    )


def _cells_of(norm: Floats, nonfinite: NDArray[np.int64]) -> NDArray[np.uint8]:
    is_bad = (nonfinite > 0) | np.isinf(norm)
    return np.select([is_bad, np.isnan(norm), norm == 0], [Cell.NOT_FINITE, Cell.UNKNOWN, Cell.ALL_ZERO], Cell.VALUE).astype(np.uint8)


def _scale(norms: Floats) -> tuple[float, float]:
    """From the lowest to the highest norm but the outermost 0.5 %, at least a decade apart."""
    known = norms[np.isfinite(norms) & (norms > 0)]
    if not len(known):
        return 1e-3, 1.0
    low, high = np.quantile(known, (0.005, 0.995)).tolist()
    if high < low * 10:
        middle = np.sqrt(low * high)
        low, high = middle / np.sqrt(10), middle * np.sqrt(10)
    return float(low), float(high)
