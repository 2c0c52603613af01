"""What the gradients panel says across ranks: the band of a row, one curve a rank, and the words about those that differ."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from tensorscope.analysis.rank_gradients import Desynchronised, RankNorms
from tensorscope.analysis.results import Floats, Ints
from tensorscope.language import tr
from tensorscope.viewmodel.gradient_curves import Band, Curve
from tensorscope.viewmodel.gradients import GradientMap

if TYPE_CHECKING:
    from tensorscope.viewmodel.gradient_state import GradientState


def rank_curves(across: RankNorms, view: GradientMap, members: Sequence[int]) -> tuple[Curve, ...]:
    """The norm over some parameters together, one curve a rank; none where not all ranks have them."""
    iterations, norms = across.together([view.parameters[member] for member in members])
    if not len(iterations):
        return ()
    return tuple(
        Curve(tr("rank {rank}").format(rank=rank), _placed(view, iterations, values), tuple(members), is_pinned=True)
        for rank, values in zip(across.ranks, norms, strict=True)
    )


def band_of(state: GradientState, row: int | None) -> Band | None:
    """The lowest and the highest of all ranks for a row of the map."""
    if state.across is None or row is None or not row < len(state.rows.rows):
        return None
    view = state.map
    iterations, norms = state.across.together([view.parameters[member] for member in state.rows.rows[row].members])
    if not len(iterations):
        return None
    return Band(_placed(view, iterations, norms.min(axis=0)), _placed(view, iterations, norms.max(axis=0)))


def differs_words(one: Desynchronised) -> str:
    """That ranks differ, since when, and by how much."""
    norms = ", ".join(f"{tr('rank {rank}').format(rank=rank)} {norm:.6g}" for rank, norm in one.norms.items())
    return tr("ranks differ since iteration {iteration} though they reduce it: {norms}").format(iteration=f"{one.iteration:,}", norms=norms)


def _placed(view: GradientMap, iterations: Ints, values: Floats) -> Floats:
    """By the map's iterations."""
    line = np.full(view.iterations, np.nan)
    at = iterations - view.first_iteration
    is_inside = (at >= 0) & (at < view.iterations)
    line[at[is_inside]] = values[is_inside]
    return line
