"""The gradient norms of every rank of a job side by side, and the parameters whose gradients should be equal and are not."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from tensorscope.analysis.gradients import gradient_table
from tensorscope.analysis.rank_times import Ranks
from tensorscope.analysis.results import Floats, GradientTable, Ints
from tensorscope.protocol.records import GradientStage
from tensorscope.trace.snapshot import Snapshot

TOLERANCE: Final = 1e-6  # relative: all-reduced gradients are equal to the bit, and our sums of squares run in one order
COLLECTIVES: Final = ("all_reduce", "allreduce")
SHARDING: Final = ("reduce_scatter",)  # then each rank has the gradients of its own part


@dataclass(frozen=True, slots=True)
class Desynchronised:
    """A parameter whose gradients, though reduced over all ranks, differ between them."""

    parameter: str
    iteration: int  # the first one
    norms: Mapping[int, float]  # by rank


@dataclass(frozen=True, slots=True)
class RankNorms:
    """The norms of one stage that every rank has on record, one column an iteration and parameter [k], by iteration; of several in one iteration the last."""

    ranks: tuple[int, ...]
    parameters: tuple[str, ...]
    iteration: Ints
    parameter: Ints  # index into ``parameters``
    norms: Floats  # [ranks, k]

    def together(self, names: Sequence[str]) -> tuple[Ints, Floats]:
        """The norm over several parameters: iterations [n] in which all of them are on record, and norms [ranks, n]."""
        places = [self.parameters.index(name) for name in names if name in self.parameters]
        columns = np.flatnonzero(np.isin(self.parameter, places))
        iterations, group, counts = np.unique(self.iteration[columns], return_inverse=True, return_counts=True)
        squares = np.stack([np.bincount(group, weights=row, minlength=len(iterations)) for row in self.norms[:, columns] ** 2])
        is_whole = counts == len(places)
        return iterations[is_whole], np.sqrt(squares[:, is_whole])


def rank_norms(ranks: Ranks, stage: int = GradientStage.RAW) -> RankNorms | None:
    """None where there are not several ranks with gradients. Reads every gradient row of every rank."""
    tables = {rank: gradient_table(snapshot) for rank, snapshot in ranks.items()}
    names = tuple(dict.fromkeys(name for table in tables.values() for name in table.parameters))
    if len(tables) < 2 or not names:
        return None
    found = [_last_rows(table, stage, names) for table in tables.values()]
    common = found[0][0]
    for keys, _ in found[1:]:
        common = np.intersect1d(common, keys, assume_unique=True)
    norms = np.stack([values[np.searchsorted(keys, common)] for keys, values in found])
    return RankNorms(tuple(tables), names, common // len(names), common % len(names), norms)


def reduces_gradients(snapshot: Snapshot) -> bool:
    """Whether the rank reduces whole gradients over all ranks, as data-parallel training does."""
    names = snapshot.strings.values()
    return any(word in name for name in names for word in COLLECTIVES) and not any(word in name for name in names for word in SHARDING)


def desynchronised(ranks: Ranks, norms: RankNorms | None = None) -> tuple[Desynchronised, ...]:
    """The parameters whose gradients differ between ranks that reduce them, each with the first iteration at which they do.

    ``norms``: the raw ones, where they are known already.
    """
    if len(ranks) < 2 or not all(reduces_gradients(snapshot) for snapshot in ranks.values()):
        return ()
    across = norms or rank_norms(ranks)
    if across is None:
        return ()
    low, high = across.norms.min(axis=0, initial=np.inf), across.norms.max(axis=0, initial=-np.inf)
    columns = np.flatnonzero(high - low > TOLERANCE * np.maximum(high, 1e-300))
    parameters, first = np.unique(across.parameter[columns], return_index=True)
    return tuple(
        Desynchronised(across.parameters[parameter], int(across.iteration[column]), dict(zip(across.ranks, across.norms[:, column].tolist(), strict=True)))
        for parameter, column in sorted(zip(parameters.tolist(), columns[first].tolist(), strict=True), key=lambda pair: pair[1])
    )


def _last_rows(table: GradientTable, stage: int, names: tuple[str, ...]) -> tuple[Ints, Floats]:
    """Keys (iteration × parameters + parameter), ascending, and the norm of each one's last row: where gradients accumulate, that backward reduces."""
    place = {name: number for number, name in enumerate(names)}
    numbers = np.array([place[name] for name in table.parameters], np.int64)
    rows = np.flatnonzero((table.stage == stage) & np.isfinite(table.norm))
    rows = rows[np.argsort(table.backward[rows], kind="stable")][::-1]
    keys, first = np.unique(table.iteration[rows] * len(names) + numbers[table.parameter[rows]], return_index=True)
    return keys, table.norm[rows][first]
