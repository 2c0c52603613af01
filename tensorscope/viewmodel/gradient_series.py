"""What the lower half of the gradients panel can show of one row instead of everyone's norms: its stages together, or its weight and update."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Final

import numpy as np

from tensorscope.analysis.gradient_histograms import gradient_histograms
from tensorscope.analysis.rank_gradients import RankNorms
from tensorscope.analysis.results import Floats
from tensorscope.analysis.training_marks import TrainingMarks
from tensorscope.language import tr, tr_later
from tensorscope.trace.snapshot import Snapshot
from tensorscope.viewmodel.gradient_curves import Curve, members_of
from tensorscope.viewmodel.gradient_lanes import carried
from tensorscope.viewmodel.gradient_ranks import rank_curves
from tensorscope.viewmodel.gradient_rows import WHOLE_MODEL, MapRows
from tensorscope.viewmodel.gradient_spread import Spread, spread_of
from tensorscope.viewmodel.gradients import STAGES, GradientMap
from tensorscope.viewmodel.words import word_of

RAW: Final = 1


class SeriesKind(Enum):
    """What the lower half shows."""

    NORMS = tr_later("norms")  # of every row, in the map's stage
    STAGES = tr_later("stages")  # of the chosen row: raw, unscaled, clipped
    WEIGHT = tr_later("weight and update")  # of the chosen row
    SPREAD = tr_later("histograms")  # of the chosen row, whenever there was a sample
    RANKS = tr_later("ranks")  # of the chosen row, one curve a rank


@dataclass(frozen=True, slots=True)
class Series:
    kind: SeriesKind = SeriesKind.NORMS
    name: str = ""  # of the row
    curves: tuple[Curve, ...] = ()
    spread: Spread = field(default_factory=Spread)
    note: str = ""  # why there is nothing

    @property
    def is_empty(self) -> bool:
        return not self.curves and self.spread.is_empty


def series_of(
    snapshot: Snapshot, view: GradientMap, rows: MapRows, told: TrainingMarks, kind: SeriesKind, name: str, across: RankNorms | None = None
) -> Series:
    """Off the GUI thread: reads every row of the table once. Without a row the note says to choose one."""
    if kind is SeriesKind.NORMS:
        return Series()
    if kind is SeriesKind.RANKS and across is None:
        return Series(kind, note=tr("There is one rank: nothing to compare."))
    place = rows.row_named(name)
    members = rows.rows[place].members if place is not None else members_of(view, name) if name and name != WHOLE_MODEL else ()
    if not members:
        return Series(kind, note=tr("Choose a row of the map."))
    if kind is SeriesKind.SPREAD:
        spread = spread_of(gradient_histograms(snapshot, {view.parameters[member] for member in members}, view.stage))
        return Series(kind, name, spread=spread, note=tr("No histogram of it was taken yet.") if spread.is_empty else "")
    if kind is SeriesKind.RANKS and across is not None:
        of_ranks = rank_curves(across, view, members)
        return Series(kind, name, of_ranks, note="" if of_ranks else tr("Nothing of this is on record."))
    curves = _stages(view, members) if kind is SeriesKind.STAGES else _weight_and_update(view, told, members)
    note = "" if curves else tr("Nothing of this is on record.")
    return Series(kind, name, tuple(curve for curve in curves if np.isfinite(curve.norms).any()), note=note)


def _stages(view: GradientMap, members: Sequence[int]) -> list[Curve]:
    return [Curve(word_of(STAGES[stage]), _together(view, members, stage, view.table.norm), tuple(members), is_pinned=True) for stage in view.stages]


def _weight_and_update(view: GradientMap, told: TrainingMarks, members: Sequence[int]) -> list[Curve]:
    weight = _together(view, members, RAW, view.table.weight_norm, is_carried=True)  # weights of large models are read in turn
    update = _together(view, members, RAW, view.table.update_norm)
    if np.isfinite(update).any():
        ratio = Curve(tr("update ÷ weight"), _divided(update, weight), tuple(members), is_pinned=True)
    else:
        ratio = Curve(tr("≈ lr × grad ÷ weight"), _divided(_rates(view, told, members) * _as_stepped(view, members), weight), tuple(members), is_pinned=True)
    return [Curve(tr("weight"), weight, tuple(members), is_pinned=True), Curve(tr("update"), update, tuple(members), is_pinned=True), ratio]


def _together(view: GradientMap, members: Sequence[int], stage: int, column: Floats, *, is_carried: bool = False) -> Floats:
    """The root of the sum of squares of a column over several parameters, [iterations], each with its last row; nan where none has one.

    ``is_carried``: one that was not read counts as it was last read, and before that makes all unknown.
    """
    table = view.table
    place = np.full(len(table.parameters), -1, np.int64)
    place[list(members)] = np.arange(len(members))
    rows = np.flatnonzero((table.stage == stage) & (place[table.parameter] >= 0))
    values = np.full((len(members), view.iterations), np.nan)
    values[place[table.parameter[rows]], table.iteration[rows] - view.first_iteration] = column[rows]
    if is_carried:
        values = np.stack([carried(line) for line in values])
        values[:, np.isnan(values).any(axis=0)] = np.nan
    is_known = ~np.isnan(values)
    together = np.sqrt((np.where(is_known, values, 0.0) ** 2).sum(axis=0))
    return np.where(is_known.any(axis=0), together, np.nan)


def _as_stepped(view: GradientMap, members: Sequence[int]) -> Floats:
    """The norm of what the optimizer was given: clipped where there was clipping, else unscaled, else raw."""
    norms = np.full(view.iterations, np.nan)
    for stage in sorted(view.stages):
        found = _together(view, members, stage, view.table.norm)
        norms = np.where(np.isnan(found), norms, found)
    return norms


def _rates(view: GradientMap, told: TrainingMarks, members: Sequence[int]) -> Floats:
    """The learning rate that the first of the parameters was stepped with, [iterations]."""
    rates = np.full(view.iterations, np.nan)
    name = view.parameters[members[0]]
    held = next((one for one in told.learning_rates if name in one.parameters), None)
    if held is not None:
        shift = told.first_iteration - view.first_iteration
        carried_rates = carried(held.rates)
        end = min(shift + len(carried_rates), view.iterations)
        rates[shift:end] = carried_rates[: end - shift]
    return rates


def _divided(values: Floats, by: Floats) -> Floats:
    return np.where(by > 0, values / np.where(by > 0, by, 1.0), np.nan)
