"""What the gradients panel shows across ranks: the band of the chosen row, a curve a rank, a mark at what differs."""

import math

from tensorscope.viewmodel.gradient_ranks import band_of, differs_words
from tensorscope.viewmodel.gradient_series import SeriesKind
from tensorscope.viewmodel.gradient_state import GradientRequest, compute_gradients
from tests.analysis.test_rank_gradients import rank

SHOWN = rank({"a": 3, "b": 4}, {"b": 1})
OTHER = rank({"a": 3, "b": 2}, {"b": 5})


def test_the_band_of_a_row_reaches_from_the_lowest_to_the_highest_rank() -> None:
    state = compute_gradients(SHOWN, GradientRequest(), None, {0: SHOWN, 1: OTHER})
    band = band_of(state, state.rows.row_named("b"))
    assert band is not None
    assert (band.low.tolist(), band.high.tolist()) == ([2, 1], [4, 5])
    alone = band_of(state, state.rows.row_named("a"))
    assert alone is not None
    assert alone.low[0] == alone.high[0] == 3
    assert math.isnan(alone.low[1])
    assert band_of(state, None) is None


def test_a_curve_a_rank_is_shown_of_the_chosen_row() -> None:
    state = compute_gradients(SHOWN, GradientRequest(kind=SeriesKind.RANKS, chosen="b"), None, {0: SHOWN, 1: OTHER})
    assert [(curve.name, curve.norms.tolist()) for curve in state.series.curves] == [("rank 0", [4, 1]), ("rank 1", [2, 5])]
    single = compute_gradients(SHOWN, GradientRequest(kind=SeriesKind.RANKS, chosen="b"), None, {0: SHOWN})
    assert single.series.note == "There is one rank: nothing to compare."


def test_parameters_that_differ_though_they_are_reduced_are_told() -> None:
    state = compute_gradients(SHOWN, GradientRequest(), None, {0: SHOWN, 1: OTHER})
    assert list(state.differing) == ["b"]
    assert differs_words(state.differing["b"]) == "ranks differ since iteration 0 though they reduce it: rank 0 4, rank 1 2"
