"""The gradient map: parameter × iteration, one stage at a time, with what each cell can and cannot say."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from tensorscope.analysis.results import Floats, GradientTable, Ints, Iteration
from tensorscope.viewmodel.gradient_codes import FIRST_VALUE, NOT_FINITE, Cell, CodeFacts, CodeLevels, cell_of, decoded, encode

STAGES: Final = {1: "raw", 2: "unscaled", 3: "clipped"}
_ROBUST: Final = (0.005, 0.995)


@dataclass(frozen=True, slots=True)
class NormRange:
    """The ends of a log scale."""

    low: float
    high: float


@dataclass(frozen=True, slots=True)
class GradientMap:
    """Iteration ``first_iteration + j`` stands in column j of ``codes`` [parameters, iterations]. The last row of an iteration counts."""

    table: GradientTable
    stage: int
    stages: tuple[int, ...]  # those on record
    first_iteration: int
    codes: CodeLevels
    robust: NormRange  # all norms but the outermost 0.5 %
    full: NormRange
    raised: frozenset[int] = frozenset()  # iterations whose backward raised

    @property
    def parameters(self) -> tuple[str, ...]:
        return self.table.parameters

    @property
    def iterations(self) -> int:
        return int(self.codes.finest.shape[1])

    @property
    def is_empty(self) -> bool:
        return not self.codes.finest.size

    @property
    def last_iteration(self) -> int:
        return self.first_iteration + self.iterations - 1

    def cell(self, parameter: int, iteration: int) -> Cell:
        return cell_of(int(self.codes.finest[parameter, iteration - self.first_iteration]))


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
    time_ns: int
    weight_norm: float
    update_norm: float


def stages_of(table: GradientTable) -> tuple[int, ...]:
    return tuple(int(stage) for stage in np.flatnonzero(np.bincount(table.stage, minlength=1)))


def gradient_map(table: GradientTable, iterations: tuple[Iteration, ...], stage: int, raised: frozenset[int] = frozenset()) -> GradientMap:
    """The map of a stage; of the first stage on record where that one is not. Iterations without a gradient stand as empty columns."""
    stages = stages_of(table)
    if stage not in stages and stages:
        stage = stages[0]
    rows = np.flatnonzero(table.stage == stage)
    numbers = [iteration.index for iteration in iterations]
    first = min([int(table.iteration.min()), *numbers]) if len(table.iteration) else 0
    last = max([int(table.iteration.max()), *numbers]) if len(table.iteration) else -1
    codes = np.zeros((len(table.parameters), last - first + 1), np.uint16)
    for iteration in iterations:
        if (not iteration.is_ended or iteration.index in raised) and codes.shape[1]:
            codes[:, iteration.index - first] = Cell.NOT_RUN
    # rows ascend by backward: of several that fall on one cell the last one stays
    codes[table.parameter[rows], table.iteration[rows] - first] = encode(table.norm[rows], table.nonfinite[rows])
    levels = CodeLevels.of(codes)
    return GradientMap(table, stage, stages, first, levels, *ranges_of(levels.facts), raised)


def ranges_of(facts: CodeFacts) -> tuple[NormRange, NormRange]:
    """The robust and the full range of the norms in a map, right to the step of a code and at least a decade wide."""
    if not facts.highest:
        return NormRange(1e-3, 1.0), NormRange(1e-3, 1.0)
    norms, counts = decoded(), facts.counts.copy()
    counts[:FIRST_VALUE] = counts[NOT_FINITE] = 0
    total = np.cumsum(counts)
    full = at_least_a_decade(float(norms[facts.lowest]), float(norms[facts.highest]))
    if not total[-1]:
        return full, full
    low, high = np.searchsorted(total, [max(total[-1] * _ROBUST[0], 1), total[-1] * _ROBUST[1]])
    return at_least_a_decade(float(norms[low]), float(norms[high])), full


def at_least_a_decade(low: float, high: float) -> NormRange:
    if high >= low * 10:
        return NormRange(low, high)
    middle = float(np.sqrt(low) * np.sqrt(high))
    return NormRange(middle / 10**0.5, middle * 10**0.5)


def facts_of(view: GradientMap, parameter: int, iteration: int, stage: int | None = None) -> tuple[GradientFact, ...]:
    """Every gradient of a parameter in an iteration, one a backward (or a clip call), in order; of the map's stage unless another is given."""
    rows = rows_of_iteration(view.table, iteration)
    wanted = (view.table.parameter[rows] == parameter) & (view.table.stage[rows] == (view.stage if stage is None else stage))
    return tuple(_fact(view.table, int(row)) for row in rows[wanted])


def rows_of_iteration(table: GradientTable, iteration: int) -> NDArray[np.intp]:
    """Rows of an iteration, ascending. Rows stand by backward, and a backward is of no later iteration than the next one, so they are neighbours."""
    begin, end = np.searchsorted(table.iteration, (iteration, iteration + 1))
    return np.arange(begin, end)


def norms_at(view: GradientMap, iteration: int, stage: int | None = None) -> tuple[Floats, Ints]:
    """Per parameter the exact norm in an iteration (its last row) and how many elements are not finite; nan and -1 where there is no row."""
    norms, nonfinite = np.full(len(view.parameters), np.nan), np.full(len(view.parameters), -1, np.int64)
    rows = rows_of_iteration(view.table, iteration)
    rows = rows[view.table.stage[rows] == (view.stage if stage is None else stage)]
    norms[view.table.parameter[rows]] = view.table.norm[rows]
    nonfinite[view.table.parameter[rows]] = view.table.nonfinite[rows]
    return norms, nonfinite


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
        time_ns=int(table.time_ns[row]),
        weight_norm=float(table.weight_norm[row]),
        update_norm=float(table.update_norm[row]),
    )
