"""The gradient map of a few rows, worked out by hand: which cell says what, and how it is fitted to pixels."""

import math

import numpy as np
import pytest

from tensorscope.analysis.results import GradientTable, Iteration
from tensorscope.viewmodel.gradient_cards import cell_facts
from tensorscope.viewmodel.gradient_codes import NOT_FINITE, Cell, cell_of, norms_of
from tensorscope.viewmodel.gradient_curves import Curve, curve_points, curves_of
from tensorscope.viewmodel.gradient_picture import RowLabel, fit_cells, row_labels
from tensorscope.viewmodel.gradient_rows import fold_rows
from tensorscope.viewmodel.gradients import GradientMap, column_of_time, facts_of, gradient_map, norms_at, stages_of

ROWS = (  # iteration, backward, parameter, stage, norm, nonfinite
    (0, 0, 0, 1, 2.0, 0),
    (0, 1, 0, 1, 5.0, 0),  # a second backward of the same iteration: the one that counts
    (0, 1, 0, 3, 1.0, 0),
    (1, 2, 0, 1, math.nan, 4),
    (1, 2, 1, 1, 0.0, 0),
    (2, 3, 1, 1, math.nan, 0),  # not read
    (2, 3, 0, 1, math.inf, 1),
)


def table(rows: tuple[tuple[float, ...], ...] = ROWS, parameters: tuple[str, ...] = ("a.weight", "b.weight")) -> GradientTable:
    iteration, backward, parameter, stage, norm, nonfinite = (np.array(column) for column in zip(*rows, strict=True))
    whole = [column.astype(np.int64) for column in (iteration, backward, parameter, nonfinite)]
    unknown = np.full(len(rows), np.nan)
    modules = tuple(name.rpartition(".")[0] for name in parameters)
    count = np.full(len(rows), 12, np.int64)
    return GradientTable(
        parameters, modules, whole[0], whole[1], whole[2], stage.astype(np.uint8), whole[1] * 100, norm, norm / 2, whole[3], count, unknown, unknown
    )


def iterations(count: int, is_last_ended: bool = True) -> tuple[Iteration, ...]:
    return tuple(Iteration(i, i * 100, i * 100 + 100, i < count - 1 or is_last_ended, 0, 0, 0, None, None) for i in range(count))


@pytest.fixture
def view() -> GradientMap:
    return gradient_map(table(), iterations(4, is_last_ended=False), 1)


def cells(view: GradientMap) -> list[list[Cell]]:
    return [[cell_of(code) for code in row] for row in view.codes.finest.tolist()]


def test_a_cell_says_what_is_known_about_its_gradient(view: GradientMap) -> None:
    assert cells(view) == [
        [Cell.VALUE, Cell.NOT_FINITE, Cell.NOT_FINITE, Cell.NOT_RUN],
        [Cell.NO_GRADIENT, Cell.ALL_ZERO, Cell.UNKNOWN, Cell.NOT_RUN],
    ]


def test_the_last_backward_of_an_iteration_counts(view: GradientMap) -> None:
    assert norms_at(view, 0)[0][0] == 5.0
    assert norms_of(view.codes.finest)[0, 0] == pytest.approx(5.0, rel=0.002)
    assert [(fact.backward, fact.norm) for fact in facts_of(view, 0, 0)] == [(0, 2.0), (1, 5.0)]


def test_the_hover_card_lists_every_backward(view: GradientMap) -> None:
    facts = dict(cell_facts(view, 0, 0))
    assert facts["norm, raw"] == "5"
    assert (facts["backward 0"], facts["backward 1"]) == ("2.00", "5.00")


def test_the_hover_card_says_why_there_is_no_norm(view: GradientMap) -> None:
    assert cell_facts(view, 1, 0) == (("gradient", "none in this iteration"),)
    assert cell_facts(view, 1, 3) == (("gradient", "not computed yet"),)
    assert dict(cell_facts(view, 0, 1))["not finite"] == "4 of 12"
    assert dict(cell_facts(view, 1, 1))["elements"] == "all 12 are zero"
    assert dict(cell_facts(view, 1, 2))["norm"].endswith("not read on this device")


def test_where_the_backward_raised_a_parameter_without_a_row_was_not_run() -> None:
    view = gradient_map(table(), iterations(4), 1, frozenset({0, 3}))
    assert [row[0] for row in cells(view)] == [Cell.VALUE, Cell.NOT_RUN]
    assert [row[3] for row in cells(view)] == [Cell.NOT_RUN, Cell.NOT_RUN]
    assert cell_facts(view, 1, 0) == (("gradient", "none on record: the backward raised"),)


def test_only_stages_on_record_are_offered() -> None:
    assert stages_of(table()) == (1, 3)
    assert gradient_map(table(), iterations(3), 2).stage == 1
    assert norms_at(gradient_map(table(), iterations(3), 3), 0)[0][0] == 1.0


def test_a_run_without_gradients_is_an_empty_map() -> None:
    empty = table(ROWS[:1])
    nothing = GradientTable(
        (),
        (),
        *(column[:0] for column in (empty.iteration, empty.backward, empty.parameter, empty.stage, empty.time_ns, empty.norm)),
        *(column[:0] for column in (empty.max_abs, empty.nonfinite, empty.numel, empty.weight_norm, empty.update_norm)),
    )
    assert gradient_map(nothing, iterations(2), 1).is_empty


def test_joined_cells_keep_the_largest_norm_and_the_worst_news() -> None:
    rows = tuple((i, i, p, 1, float(10 * p + i), 3 if (i, p) == (5, 2) else 0) for i in range(8) for p in range(4))
    view = gradient_map(table(rows, ("a", "b", "c", "d")), (), 1)
    grid = fit_cells(view.codes, columns=(0, 8), rows=(0, 4), size=(8, 6), least=(2, 3))
    assert (grid.row_step, grid.column_step) == (2, 2)
    assert norms_of(grid.codes[0]).tolist() == pytest.approx([11, 13, 15, 17], rel=0.002)
    assert grid.codes[1, 2] == NOT_FINITE
    assert norms_of(grid.codes[1, [0, 1, 3]]).tolist() == pytest.approx([31, 33, 37], rel=0.002)


def test_rows_are_named_one_by_one_or_by_module() -> None:
    names = ("wte.weight", "h.0.ln.weight", "h.0.ln.bias", "h.1.ln.weight", "h.1.ln.bias", "w")
    assert [label.text for label in row_labels(names, 200)] == list(names)
    assert row_labels(names, 40) == (RowLabel("wte", 0, 1), RowLabel("h.0.ln", 1, 3), RowLabel("h.1.ln", 3, 5), RowLabel("w", 5, 6))
    assert row_labels(names, 7) == (RowLabel("wte", 0, 1), RowLabel("h", 1, 5), RowLabel("w", 5, 6))


def test_a_modules_curve_is_the_norm_over_its_parameters() -> None:
    names = tuple(f"m.{index}" for index in range(80))
    rows = tuple((0, 0, p, 1, 3.0 if p == 0 else 4.0 if p == 1 else 0.0, 0) for p in range(80))
    view = gradient_map(table(rows, names), (), 1)
    curves = curves_of(view, fold_rows(view, frozenset()))
    assert [(curve.name, curve.norms.tolist()) for curve in curves] == [("m", [pytest.approx(5.0, rel=0.002)])]


def test_a_long_curve_keeps_its_highest_and_lowest_points() -> None:
    norms = np.ones(10_000)
    norms[4321], norms[8765] = 50.0, 0.01
    _, kept = curve_points(Curve("w", norms), 0, 10_000, 100)
    assert len(kept) <= 400
    assert (kept.max(), kept.min()) == (50.0, 0.01)


def test_the_cursor_chooses_the_iteration_that_holds_then() -> None:
    assert column_of_time(iterations(4), 250) == 2
    assert column_of_time(iterations(4), None) == 3
    assert column_of_time((), 5) is None


def test_the_colour_scale_spans_at_least_a_decade() -> None:
    view = gradient_map(table(((0, 0, 0, 1, 2.0, 0), (1, 1, 0, 1, 2.1, 0))), (), 1)
    assert view.robust.high / view.robust.low == pytest.approx(10)
