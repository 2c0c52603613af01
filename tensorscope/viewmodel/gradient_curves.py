"""The curves below the gradient map: which ones, pinned, alone or left out; their scale; their points, reduced without losing an extreme."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from operator import itemgetter
from typing import Final

import numpy as np
from numpy.typing import NDArray

from tensorscope.analysis.results import Floats
from tensorscope.viewmodel.gradient_codes import norms_of
from tensorscope.viewmodel.gradient_rows import MapRows, folds_at, norm_over, rows_of
from tensorscope.viewmodel.gradients import GradientMap

MOST_CURVES: Final = 60
_ROBUST: Final = (0.01, 0.99)
_FEW: Final = 50  # values among which none is an outlier


@dataclass(frozen=True, slots=True)
class CurveChoice:
    """What the user made of the curves, by name."""

    pinned: tuple[str, ...] = ()  # always there, and named
    muted: frozenset[str] = frozenset()  # left out
    solo: str = ""  # the only one, with those pinned

    def pin(self, name: str) -> CurveChoice:
        """Pinned, or no more so."""
        pinned = tuple(one for one in self.pinned if one != name) if name in self.pinned else (*self.pinned, name)
        return replace(self, pinned=pinned, muted=self.muted - {name})

    def mute(self, name: str) -> CurveChoice:
        return replace(self, muted=self.muted ^ {name}, pinned=tuple(one for one in self.pinned if one != name), solo="" if self.solo == name else self.solo)

    def alone(self, name: str) -> CurveChoice:
        return replace(self, solo="" if self.solo == name else name, muted=self.muted - {name})


@dataclass(frozen=True, slots=True, eq=False)
class Curve:
    """A value by iteration, nan where there is none. ``parameters`` are those it stands for. Only a curve itself equals it."""

    name: str
    norms: Floats
    parameters: tuple[int, ...] = ()
    is_pinned: bool = False
    _extremes: dict[int, tuple[Floats, Floats]] = field(default_factory=dict, repr=False)
    _ends: dict[bool, tuple[float, float]] = field(default_factory=dict, repr=False)

    @property
    def last(self) -> float:
        """The last positive value, nan where there is none."""
        for end in (min(_FEW, len(self.norms)), len(self.norms)):
            known = self.norms[len(self.norms) - end :]
            known = known[np.isfinite(known) & (known > 0)]
            if len(known):
                return float(known[-1])
        return float("nan")

    def extremes(self, step: int) -> tuple[Floats, Floats]:
        """Lowest and highest positive value of every ``step`` (a power of two) iterations [ceil(n / step)]; inf and -inf where there is none. Kept."""
        if step not in self._extremes:
            if step == 1:
                is_known = np.isfinite(self.norms) & (self.norms > 0)
                self._extremes[1] = (np.where(is_known, self.norms, np.inf), np.where(is_known, self.norms, -np.inf))
            else:
                low, high = self.extremes(step // 2)
                self._extremes[step] = (_paired(low, np.minimum), _paired(high, np.maximum))
        return self._extremes[step]

    def ends(self, *, is_robust: bool) -> tuple[float, float]:
        """Lowest and highest positive value, robust without the outermost 1 % on each side; nan where there is none. Kept."""
        if is_robust not in self._ends:
            known = self.norms[np.isfinite(self.norms) & (self.norms > 0)]
            if not len(known):
                self._ends[is_robust] = (np.nan, np.nan)
            elif is_robust and len(known) >= _FEW:
                low, high = np.quantile(known, _ROBUST, method="inverted_cdf").tolist()
                self._ends[is_robust] = (low, high)
            else:
                self._ends[is_robust] = (float(known.min()), float(known.max()))
        return self._ends[is_robust]

    def prepare(self) -> None:
        """Work out off the GUI thread what painting will ask for."""
        self.ends(is_robust=True)
        step = 2
        while step < len(self.norms):
            self.extremes(step)
            step *= 2


@dataclass(frozen=True, slots=True, eq=False)
class Band:
    """Between which values several curves lie, by iteration; nan where there is none."""

    low: Floats
    high: Floats


@dataclass(frozen=True, slots=True)
class CurveScale:
    low: float
    high: float
    is_log: bool = True

    def shares(self, values: Floats) -> Floats:
        """Where values lie between the ends, 0 to 1; outside for outliers."""
        with np.errstate(divide="ignore", invalid="ignore"):
            if self.is_log:
                return np.asarray(np.log(values / self.low) / np.log(self.high / self.low), np.float64)
            return np.asarray((values - self.low) / (self.high - self.low), np.float64)

    def share_of(self, value: float) -> float:
        return float(self.shares(np.array([value]))[0])

    def value_at(self, share: float) -> float:
        """The value at a share of the way from the low to the high end."""
        return float(self.low * (self.high / self.low) ** share) if self.is_log else self.low + share * (self.high - self.low)


def curves_of(view: GradientMap, rows: MapRows, choice: CurveChoice = CurveChoice()) -> tuple[Curve, ...]:
    """One a row; where that is too many one a module, the top modules where that still is. Pinned ones come last and are always there. Off the GUI thread."""
    choice = choice or CurveChoice()
    shown = _few_enough(view, rows)
    if choice.solo:
        shown = [curve for curve in shown if curve.name == choice.solo] or _named(view, rows, (choice.solo,)) or shown
    kept = [curve for curve in shown if curve.name not in choice.muted and curve.name not in choice.pinned]
    return (*kept, *(replace(curve, is_pinned=True) for curve in _named(view, rows, choice.pinned)))


def curve_of_row(rows: MapRows, row: int | None) -> Curve | None:
    return None if row is None else Curve(rows.rows[row].name, norms_of(rows.codes.finest[row]), rows.rows[row].members)


def extremes_of(curves: Sequence[Curve]) -> tuple[Curve, ...]:
    """The curves that end highest and lowest, where there are more than two."""
    ends = [(curve.last, curve) for curve in curves if not np.isnan(curve.last)]
    if len(ends) < 3:
        return tuple(curve for _, curve in ends)
    return max(ends, key=itemgetter(0))[1], min(ends, key=itemgetter(0))[1]


def curve_points(curve: Curve, first: int, last: int, columns: int) -> tuple[Floats, Floats]:
    """(iteration from the curve's first, value) of the points within [first, last), without gaps; with more than two points a column its lowest and highest.

    Columns stand at whole multiples of a power of two, so that they do not move while the picture is panned.
    """
    step = 1
    while (last - first) > 2 * columns * step:
        step *= 2
    if step == 1:
        known = np.flatnonzero(np.isfinite(curve.norms[first:last]) & (curve.norms[first:last] > 0)) + first
        return known.astype(np.float64), curve.norms[known]
    low, high = (side[first // step : -(-last // step)] for side in curve.extremes(step))
    at = (np.arange(len(low)) + first // step) * step
    is_known = np.isfinite(low)
    positions = np.stack([at + step * 0.25, at + step * 0.75], axis=1)[is_known]
    values = np.stack([low, high], axis=1)[is_known]
    return positions.ravel(), values.ravel()


def curve_scale(curves: Sequence[Curve], *, is_robust: bool = True, is_log: bool = True) -> CurveScale:
    """From the lowest to the highest value over all curves, robust without the outliers of each; on a log axis at least a decade, else from 0."""
    ends = np.array([curve.ends(is_robust=is_robust) for curve in curves]).reshape(-1, 2)
    ends = ends[np.isfinite(ends[:, 0])]
    if not len(ends):
        return CurveScale(1e-3, 1.0) if is_log else CurveScale(0.0, 1.0, is_log=False)
    low, high = float(ends[:, 0].min()), float(ends[:, 1].max())
    if not is_log:
        return CurveScale(0.0, high * 1.05, is_log=False)
    room = 1.2 if high >= low * 10 else 3.2
    return CurveScale(low / room, high * room)


def _paired(values: Floats, join: np.ufunc) -> Floats:
    """Of every two neighbours one."""
    joined = values[::2].copy()
    odd = values[1::2]
    join(joined[: len(odd)], odd, out=joined[: len(odd)])
    return joined


def _few_enough(view: GradientMap, rows: MapRows) -> list[Curve]:
    if len(rows.rows) <= MOST_CURVES:
        return [curve for place in range(len(rows.rows)) if (curve := curve_of_row(rows, place)) is not None]
    deepest = max((module.count(".") + 1 for module in view.table.modules if module), default=0)
    for depth in (-1, *range(deepest - 1, -1, -1)):
        groups = rows_of(view.table, folds_at(view.table.modules, depth))
        if len(groups) <= MOST_CURVES or depth == 0:
            break
    return [Curve(group.name, norms_of(norm_over(view.codes.finest, group.members)), group.members) for group in groups]


def _named(view: GradientMap, rows: MapRows, names: Sequence[str]) -> list[Curve]:
    """Curves of rows, parameters or modules by name; those that are not on record are left out."""
    found: list[Curve] = []
    for name in names:
        place = rows.row_named(name)
        if place is not None:
            found += [Curve(name, norms_of(rows.codes.finest[place]), rows.rows[place].members)]
            continue
        members = members_of(view, name)
        if members:
            found.append(Curve(name, norms_of(norm_over(view.codes.finest, members)), members))
    return found


def members_of(view: GradientMap, name: str) -> tuple[int, ...]:
    """A parameter by its name, else all parameters in a module."""
    if name in view.parameters:
        return (view.parameters.index(name),)
    return tuple(place for place, module in enumerate(view.table.modules) if module == name or module.startswith(f"{name}."))


def is_outlier(scale: CurveScale, values: Floats) -> NDArray[np.int8]:
    """-1 below the scale, 1 above it, 0 within."""
    return np.sign((values > scale.high).astype(np.int8) - (values < scale.low).astype(np.int8)).astype(np.int8)
