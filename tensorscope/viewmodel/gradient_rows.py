"""The rows of the gradient map: parameters, or modules that stand for all of theirs with the norm over them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np

from tensorscope.analysis.results import GradientTable
from tensorscope.viewmodel.gradient_codes import FIRST_VALUE, NOT_FINITE, Cell, CodeLevels, Codes, encode, squared
from tensorscope.viewmodel.gradients import GradientMap, NormRange, norms_at, ranges_of

WHOLE_MODEL = "the model"


@dataclass(frozen=True, slots=True)
class MapRow:
    """A parameter, or a folded module with its parameters."""

    name: str  # FQN
    members: tuple[int, ...]  # numbers of parameters
    is_module: bool = False


@dataclass(frozen=True, slots=True)
class MapRows:
    """``codes`` [rows, iterations]."""

    rows: tuple[MapRow, ...]
    codes: CodeLevels
    robust: NormRange
    full: NormRange
    names: tuple[str, ...] = field(init=False)
    longest: str = field(init=False)  # name
    has_modules: bool = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "names", tuple(row.name for row in self.rows))
        object.__setattr__(self, "longest", max(self.names, key=len, default=""))
        object.__setattr__(self, "has_modules", any(row.is_module for row in self.rows))

    def row_of_parameter(self, parameter: int) -> int | None:
        return next((place for place, row in enumerate(self.rows) if parameter in row.members), None)

    def row_named(self, name: str) -> int | None:
        return self.names.index(name) if name in self.names else None


def fold_rows(view: GradientMap, folds: frozenset[str]) -> MapRows:
    """One row a parameter, but one for all parameters of each module in ``folds`` ("" is the whole model). Off the GUI thread."""
    rows = rows_of(view.table, folds)
    if len(rows) == len(view.parameters) and not any(row.is_module for row in rows):
        return MapRows(rows, view.codes, view.robust, view.full)
    codes = np.stack([norm_over(view.codes.finest, row.members) for row in rows]) if rows else view.codes.finest
    levels = CodeLevels.of(codes)
    return MapRows(rows, levels, *ranges_of(levels.facts))


def rows_of(table: GradientTable, folds: frozenset[str]) -> tuple[MapRow, ...]:
    """In depth order; a folded module stands where its first parameter would."""
    members: dict[tuple[str, bool], list[int]] = {}
    for place, (name, module) in enumerate(zip(table.parameters, table.modules, strict=True)):
        fold = next((prefix for prefix in prefixes_of(module) if prefix in folds), None)
        members.setdefault((name, False) if fold is None else (fold or WHOLE_MODEL, True), []).append(place)
    return tuple(MapRow(name, tuple(places), is_module) for (name, is_module), places in members.items())


def norm_over(codes: Codes, members: Sequence[int]) -> Codes:
    """The norm over several parameters together, [iterations]: the root of the sum of squares. One that is not finite makes all so, one not read unknown."""
    if len(members) == 1:
        alone: Codes = codes[members[0]]
        return alone
    sums, squares = np.zeros(codes.shape[1]), squared()
    highest, has_unknown = np.zeros(codes.shape[1], np.uint16), np.zeros(codes.shape[1], np.bool_)
    for member in members:
        line = codes[member]
        sums += squares[line]
        np.maximum(highest, line, out=highest)
        has_unknown |= line == Cell.UNKNOWN
    is_norm = (highest >= FIRST_VALUE) & (highest < NOT_FINITE)
    together: Codes = np.where(is_norm, encode(np.sqrt(sums), np.zeros(len(sums), np.int64)), highest)
    together[has_unknown & (highest != NOT_FINITE)] = Cell.UNKNOWN
    return together


def exact_norm(view: GradientMap, members: Iterable[int], iteration: int) -> tuple[float, int, int]:
    """(norm over several parameters, how many of them have a gradient, elements not finite) in an iteration, from the table's doubles."""
    norms, nonfinite = norms_at(view, iteration)
    chosen = [member for member in members if nonfinite[member] >= 0]
    bad = int(sum(nonfinite[member] for member in chosen))
    return float(np.sqrt((norms[chosen] ** 2).sum())) if chosen else float("nan"), len(chosen), bad


def folds_at(modules: Iterable[str], depth: int | None) -> frozenset[str]:
    """The modules to fold for rows of a depth: None folds nothing, 0 the whole model, 1 its children; -1 each module that owns a parameter."""
    if depth is None:
        return frozenset()
    if depth == 0:
        return frozenset({""})
    owners = {module for module in modules if module}  # parameters of the root itself stay rows of their own
    return frozenset(owners if depth < 0 else {".".join(module.split(".")[:depth]) for module in owners})


def prefixes_of(module: str) -> tuple[str, ...]:
    """The whole model, then from the outermost to the module itself: ``("", "h", "h.0")``."""
    parts = module.split(".") if module else []
    return ("", *(".".join(parts[:length]) for length in range(1, len(parts) + 1)))


def refolded(folds: frozenset[str], table: GradientTable, row: MapRow) -> frozenset[str]:
    """With a row opened if it is a folded module, else with the module that owns it folded."""
    if row.is_module:
        return folds - {"" if row.name == WHOLE_MODEL else row.name}
    module = table.modules[row.members[0]]
    return folds | {module} if module else folds
