"""Fits the gradient map to pixels: rows and columns joined where there are too many (the largest norm wins), labels where there is room, curves."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from operator import itemgetter
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from tensorscope.analysis.results import Floats
from tensorscope.viewmodel.gradients import GradientMap

_MOST_CURVES: Final = 24
_LABEL_ROOM: Final = 14.0  # pixels a label needs
_GROUP_ROOM: Final = 6.0  # pixels a group needs; labels that then touch are left out


@dataclass(frozen=True, slots=True)
class CellGrid:
    """The map in [rows, columns] of joined cells: each stands for ``row_step`` parameters and ``column_step`` iterations."""

    norms: Floats
    cells: NDArray[np.uint8]
    row_step: int
    column_step: int


@dataclass(frozen=True, slots=True)
class RowLabel:
    """Names the parameters [first, last)."""

    text: str
    first: int
    last: int


@dataclass(frozen=True, slots=True)
class Curve:
    """Norm by iteration, nan where there is none."""

    name: str
    norms: Floats


def fit_cells(view: GradientMap, width: float, height: float, least_width: float, least_height: float) -> CellGrid:
    """Join neighbours until a cell is at least ``least_width`` × ``least_height`` pixels."""
    parameters, iterations = view.norms.shape
    row_step = max(1, int(np.ceil(parameters * least_height / max(height, 1))))
    column_step = max(1, int(np.ceil(iterations * least_width / max(width, 1))))
    norms = _joined(np.where(np.isfinite(view.norms), view.norms, -1.0), row_step, column_step)
    return CellGrid(np.where(norms < 0, np.nan, norms), _joined(view.cells, row_step, column_step), row_step, column_step)


def row_labels(names: Sequence[str], height: float) -> tuple[RowLabel, ...]:
    """One label a parameter where there is room, else one a module, as deep in the tree as fits."""
    if len(names) * _LABEL_ROOM <= height:
        return tuple(RowLabel(name, index, index + 1) for index, name in enumerate(names))
    best = _groups(names, 1)
    for depth in range(2, max((name.count(".") for name in names), default=0) + 1):
        labels = _groups(names, depth)
        if len(labels) * _GROUP_ROOM > height:
            break
        best = labels
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


def extremes_of(curves: Sequence[Curve]) -> tuple[Curve, ...]:
    """The curves that end highest and lowest, where there are more than two."""
    ends = [(float(known[-1]), curve) for curve in curves if len(known := curve.norms[np.isfinite(curve.norms) & (curve.norms > 0)])]
    if len(ends) < 3:
        return tuple(curve for _, curve in ends)
    return max(ends, key=itemgetter(0))[1], min(ends, key=itemgetter(0))[1]


def curves_of(view: GradientMap) -> tuple[Curve, ...]:
    """One a parameter; one a module (over its own parameters) where that is too many; the top modules where that still is."""
    if len(view.parameters) <= _MOST_CURVES:
        return tuple(Curve(name, norms) for name, norms in zip(view.parameters, view.norms, strict=True))
    groups = _groups_of_modules(view.table.modules, None)
    depth = max((module.count(".") for module in view.table.modules), default=0)
    while len(groups) > _MOST_CURVES and depth > 0:
        groups = _groups_of_modules(view.table.modules, depth)
        depth -= 1
    return tuple(Curve(name, _norm_over(view.norms[rows])) for name, rows in groups.items())


def curve_points(norms: Floats, columns: int) -> tuple[Floats, Floats]:
    """(position in iterations, norm) of a curve's points without gaps; with more than two points a column, its lowest and highest."""
    known = np.flatnonzero(np.isfinite(norms) & (norms > 0))
    if len(known) <= 2 * columns:
        return known.astype(np.float64) + 0.5, norms[known]
    kept: list[int] = []
    for part in np.array_split(known, columns):
        ends = {int(part[norms[part].argmin()]), int(part[norms[part].argmax()])}
        kept += sorted(ends)
    at = np.array(kept, np.intp)
    return at.astype(np.float64) + 0.5, norms[at]


def curve_range(curves: Sequence[Curve]) -> tuple[float, float]:
    """Lowest and highest positive norm over all curves, a decade apart at least."""
    known = [curve.norms[np.isfinite(curve.norms) & (curve.norms > 0)] for curve in curves]
    values = np.concatenate(known) if known else np.empty(0)
    if not len(values):
        return 1e-3, 1.0
    low, high = float(values.min()), float(values.max())
    return (low / 1.2, high * 1.2) if high >= low * 10 else (low / 3.2, high * 3.2)


def _joined(values: NDArray[Any], row_step: int, column_step: int) -> NDArray[Any]:
    if row_step > 1:
        values = np.maximum.reduceat(values, np.arange(0, values.shape[0], row_step), axis=0)
    if column_step > 1:
        values = np.maximum.reduceat(values, np.arange(0, values.shape[1], column_step), axis=1)
    return values


def _groups(names: Sequence[str], depth: int) -> tuple[RowLabel, ...]:
    """Runs of parameters whose modules agree in their first ``depth`` parts."""
    labels: list[RowLabel] = []
    for index, name in enumerate(names):
        text = ".".join((name.split(".")[:-1] or [name])[:depth])
        if labels and labels[-1].text == text:
            labels[-1] = RowLabel(text, labels[-1].first, index + 1)
        else:
            labels.append(RowLabel(text, index, index + 1))
    return tuple(labels)


def _groups_of_modules(modules: Sequence[str], depth: int | None) -> dict[str, list[int]]:
    groups: dict[str, list[int]] = {}
    for index, module in enumerate(modules):
        groups.setdefault(".".join(module.split(".")[:depth]), []).append(index)
    return groups


def _norm_over(norms: Floats) -> Floats:
    """Norm over several parameters together; nan where none has a value."""
    is_known = np.isfinite(norms)
    total = np.sqrt((np.where(is_known, norms, 0.0) ** 2).sum(axis=0))
    return np.where(is_known.any(axis=0), total, np.nan)
