"""Rows of modules, what is in sight, the choice of curves, lanes, the series of one row and the clipboard, from a few rows worked out by hand."""

import math
from dataclasses import replace

import numpy as np
import pytest

from tensorscope.analysis.gradient_histograms import POWERS
from tensorscope.analysis.training_marks import training_marks
from tensorscope.protocol.records import GradientStage, MarkKind
from tensorscope.viewmodel.gradient_cards import loop_facts, module_facts
from tensorscope.viewmodel.gradient_codes import FIRST_VALUE, NOT_FINITE, Cell, CodeLevels, cell_of, encode, norms_of
from tensorscope.viewmodel.gradient_copy import row_text, sheet_text
from tensorscope.viewmodel.gradient_curves import Curve, CurveChoice, curve_points, curve_scale, curves_of
from tensorscope.viewmodel.gradient_lanes import StepMark, gradient_lanes
from tensorscope.viewmodel.gradient_rows import exact_norm, fold_rows, folds_at, refolded
from tensorscope.viewmodel.gradient_series import SeriesKind
from tensorscope.viewmodel.gradient_state import GradientRequest, GradientState, compute_gradients
from tensorscope.viewmodel.gradient_view import MapSight
from tensorscope.viewmodel.gradients import ranges_of
from tests.support.trace_builder import TraceBuilder

NAMES = ("h.0.a.weight", "h.0.a.bias", "h.1.b.weight", "scale")
MODULES = {1: "h.0.a", 2: "h.1.b", 3: ""}
OWNER = (1, 1, 2, 3)


def run() -> TraceBuilder:
    """Four iterations: two backwards each but in the last; clipped in 1, skipped in 2; the first parameter is 3, 6, nan, 0; the second always 4."""
    builder = TraceBuilder()
    for identity, fqn in MODULES.items():
        builder.message({"type": "module", "id": identity, "fqn": fqn, "class": "Linear", "parent": 0, "root": 0, "source": ""})
    for place, fqn in enumerate(NAMES):
        builder.message({"type": "parameter", "id": place + 1, "fqn": fqn, "module": OWNER[place]})
    builder.message({"type": "optimizer", "id": 1, "class": "SGD", "name": "opt", "parameters": [1, 2, 3], "state_bytes": 0})
    builder.graph(1, ["MmBackward0"], [])
    first = (3.0, 6.0, math.nan, 0.0)
    for index in range(4):
        begin = 100 * index + 10
        builder.mark(MarkKind.ZERO_GRAD, begin=begin, a=1)
        for turn in range(1 if index == 3 else 2):
            at = begin + 20 * turn
            builder.backward(1, begin=at + 1, addresses=[1]).mark(MarkKind.BACKWARD, begin=at + 1, end=at + 9, a=builder.last_backward, b=1)
            bad = 2 if index == 2 else 0
            builder.gradient(1, backward=builder.last_backward, norm=0.0 if bad else first[index], time=at + 9, nonfinite=bad, max_abs=math.nan if bad else 1.0,
                             numel=8, weight_norm=2.0)  # fmt: skip
            builder.gradient(2, backward=builder.last_backward, norm=4.0, time=at + 9, numel=8, weight_norm=2.0 if index == 0 else math.nan)
            builder.gradient(4, backward=builder.last_backward, norm=1.0, time=at + 9)
        builder.mark(MarkKind.UNSCALE, begin=begin + 50, a=1, x=1024.0 if index < 3 else 512.0)
        if index == 1:
            builder.mark(MarkKind.CLIP, begin=begin + 60, a=builder.last_backward, x=5.0, y=7.5)
            builder.gradient(1, backward=builder.last_backward, norm=3.0, time=begin + 62, stage=GradientStage.CLIPPED)
        if index == 0:
            builder.mark(MarkKind.CLIP, begin=begin + 60, a=builder.last_backward, x=5.0, y=5.0)
        if index == 2:
            builder.mark(MarkKind.SCALER_SKIP, begin=begin + 70, a=1)
        else:
            builder.mark(MarkKind.OPTIMIZER_STEP, begin=begin + 70, end=begin + 75, a=1, x=0.5 if index < 2 else 0.25)
        builder.message({"type": "iteration", "index": index, "time_ns": begin + 80, "learning_rate": 0.5, "optimizers": [1]})
    return builder


@pytest.fixture
def state() -> GradientState:
    return compute_gradients(run().snapshot(), GradientRequest(), None)


def test_a_code_keeps_a_norm_to_a_sixth_of_a_percent_and_ranks_what_is_worse_higher() -> None:
    norms = np.array([1e-30, 3.7e-5, 1.0, 9.9e20])
    assert norms_of(encode(norms, np.zeros(4, np.int64))) == pytest.approx(norms, rel=0.0015)
    special = encode(np.array([np.nan, 0.0, 2.0, np.nan, np.inf]), np.array([0, 0, 0, 1, 0]))
    assert [cell_of(code) for code in special.tolist()] == [Cell.UNKNOWN, Cell.ALL_ZERO, Cell.VALUE, Cell.NOT_FINITE, Cell.NOT_FINITE]
    assert special[0] < special[1] < FIRST_VALUE <= special[2] < special[3] == NOT_FINITE


@pytest.mark.parametrize("step", [1, 2, 4, 8, 64])
def test_coarser_columns_hold_the_largest_code_of_theirs(step: int) -> None:
    codes = np.random.default_rng(0).integers(0, 60_000, (3, 1001), np.uint16)
    codes[1, 777] = NOT_FINITE
    levels = CodeLevels.of(codes)
    first, last = 64, 1001
    expected = [codes[:, begin : begin + step].max(axis=1).tolist() for begin in range(first, last, step)]
    assert levels.window(first, last, step).T.tolist() == expected
    assert (levels.window(0, 1001, step)[1] == NOT_FINITE).sum() == 1


def test_what_occurs_among_codes_is_known_without_a_second_look() -> None:
    codes = encode(np.array([2.0, 8.0, 0.0, np.nan, np.inf, 4.0]), np.zeros(6, np.int64)).reshape(2, 3)
    facts = CodeLevels.of(codes).facts
    assert facts.kinds == {Cell.VALUE, Cell.ALL_ZERO, Cell.UNKNOWN, Cell.NOT_FINITE}
    assert norms_of(np.array([facts.lowest, facts.highest], np.uint16)).tolist() == pytest.approx([2.0, 8.0], rel=0.002)
    assert facts.counts.sum() == 6
    nothing = CodeLevels.of(np.zeros((2, 3), np.uint16)).facts
    assert (nothing.kinds, nothing.lowest, nothing.highest) == ({Cell.NO_GRADIENT}, 0, 0)
    assert CodeLevels.of(np.zeros((0, 0), np.uint16)).facts.kinds == frozenset()


def test_a_lone_extreme_of_a_very_large_map_is_in_its_full_range_and_not_in_the_robust_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tensorscope.viewmodel.gradient_codes._COUNTED", 500)  # so that only a sample is counted
    norms = np.tile(np.geomspace(1.0, 2.0, 1000), 4)
    norms[1234] = 1e6
    facts = CodeLevels.of(encode(norms, np.zeros(4000, np.int64)).reshape(4, 1000)).facts
    assert facts.counts.sum() == 4 * 125
    robust, full = ranges_of(facts)
    assert full.high == pytest.approx(1e6, rel=0.002)
    assert robust.high < 5.0


def test_where_the_lone_curve_of_an_earlier_run_is_not_on_record_all_are_shown(state: GradientState) -> None:
    names = [curve.name for curve in curves_of(state.map, state.rows, CurveChoice(solo="gone.weight"))]
    assert names == [curve.name for curve in curves_of(state.map, state.rows)]
    assert len(names) == len(NAMES)


def test_a_folded_module_has_the_root_of_its_parameters_squares(state: GradientState) -> None:
    rows = fold_rows(state.map, folds_at(state.table.modules, -1))
    assert [(row.name, row.members, row.is_module) for row in rows.rows] == [("h.0.a", (0, 1), True), ("h.1.b", (2,), True), ("scale", (3,), False)]
    assert norms_of(rows.codes.finest[0, :2]) == pytest.approx([5.0, 52**0.5], rel=0.004)
    assert rows.codes.finest[0, 2] == NOT_FINITE
    assert exact_norm(state.map, (0, 1), 1) == (52**0.5, 2, 0)
    assert dict(module_facts(state.map, (0, 1), 1)) == {"norm, raw": "7.211103", "parameters": "2", "largest": "h.0.a.weight"}


def test_modules_fold_by_depth_and_one_by_one(state: GradientState) -> None:
    modules = ("h.0.a", "h.0.b", "h.1.a", "")
    assert folds_at(modules, None) == frozenset()
    assert folds_at(modules, 0) == {""}
    assert folds_at(modules, 2) == {"h.0", "h.1"}
    assert folds_at(modules, -1) == {"h.0.a", "h.0.b", "h.1.a"}  # the root's own parameters stay rows
    folds = refolded(frozenset(), state.table, state.rows.rows[1])
    assert folds == {"h.0.a"}
    assert refolded(folds, state.table, fold_rows(state.map, folds).rows[0]) == frozenset()
    assert [row.name for row in fold_rows(state.map, frozenset({""})).rows] == ["the model"]


def test_accumulated_clipped_and_skipped_steps_are_told_apart(state: GradientState) -> None:
    lanes = gradient_lanes(state.told)
    both = StepMark.ACCUMULATED | StepMark.CLIPPED
    assert lanes.marks.tolist() == [StepMark.ACCUMULATED, both, StepMark.ACCUMULATED | StepMark.SKIPPED, 0]
    assert lanes.window(0, 4, 2).tolist() == [both, StepMark.ACCUMULATED | StepMark.SKIPPED]
    assert [(line.title, line.values.tolist()) for line in lanes.lines] == [("lr", [0.5, 0.5, 0.5, 0.25]), ("loss scale", [1024, 1024, 1024, 512])]
    assert dict(loop_facts(state.told, 1))["clipped"] == "7.5 to 5"
    assert dict(loop_facts(state.told, 0))["not clipped"] == "5 ≤ 5"
    assert dict(loop_facts(state.told, 2))["step"] == "skipped by GradScaler"
    assert dict(loop_facts(state.told, 2))["accumulated"] == "2 backwards"


def test_backwards_with_a_zero_grad_between_them_do_not_accumulate() -> None:
    builder = TraceBuilder().graph(1, ["MmBackward0"], [])
    for begin in (10, 30):
        builder.backward(1, begin=begin, addresses=[1]).mark(MarkKind.BACKWARD, begin=begin, end=begin + 5, a=builder.last_backward, b=1)
        builder.mark(MarkKind.ZERO_GRAD, begin=begin + 7, a=1)
    builder.message({"type": "iteration", "index": 0, "time_ns": 80, "optimizers": []})
    told = training_marks(builder.snapshot(), ((0, 0, 80, True),))
    assert told.accumulated.tolist() == [1]


def test_the_stages_of_one_row_stand_together() -> None:
    state = compute_gradients(run().snapshot(), GradientRequest(kind=SeriesKind.STAGES, chosen="h.0.a.weight"), None)
    raw, clipped = state.series.curves
    assert (raw.name, raw.norms[:2].tolist()) == ("raw", [3, 6])
    assert clipped.name == "clipped"
    assert clipped.norms[1] == 3
    assert np.isnan(clipped.norms[[0, 2, 3]]).all()


def test_the_approximate_ratio_is_called_so_and_is_lr_times_what_was_stepped_over_the_weight() -> None:
    state = compute_gradients(run().snapshot(), GradientRequest(kind=SeriesKind.WEIGHT, chosen="h.0.a.weight"), None)
    weight, ratio = state.series.curves
    assert (weight.name, weight.norms.tolist()) == ("weight", [2, 2, 2, 2])
    assert ratio.name == "≈ lr × grad ÷ weight"
    assert ratio.norms[:2].tolist() == [0.5 * 3 / 2, 0.5 * 3 / 2]  # the second one clipped from 6 to 3


def test_a_weight_that_was_not_read_counts_as_it_was_last_read() -> None:
    state = compute_gradients(run().snapshot(), GradientRequest(kind=SeriesKind.WEIGHT, chosen="h.0.a.bias"), None)
    assert state.series.curves[0].norms.tolist() == [2, 2, 2, 2]


def test_histograms_of_a_row_keep_only_the_powers_that_occur() -> None:
    one = POWERS + 32  # the bin of 1.0
    builder = run().histogram(1, backward=3, time=131, counts={one: 2, one + 1: 1, POWERS - 1 - 32 - 2: 1}, zeros=4, sampled=8)
    state = compute_gradients(builder.snapshot(), GradientRequest(kind=SeriesKind.SPREAD, chosen="h.0.a.weight"), None)
    spread = state.series.spread
    assert (spread.iterations.tolist(), spread.low_power, spread.high_power) == ([1], -1, 3)
    assert (spread.shares[:, 0] * 8).tolist() == [0, 0, 1, 2, 0, 4, 0, 0, 0, 1, 0]  # 8 to 16, 4 to 8, 2 to 4, 1 to 2, … zero … -4 to -8
    assert (spread.row_of(1.0), spread.row_of(0), spread.row_of(-4.0)) == (4.0, 5.5, 9.0)
    newest, is_inside = spread.samples_at(np.array([0.0, 1.0, 2.0]), 1.0)
    assert (newest.tolist(), is_inside.tolist()) == ([-1, 0, 0], [False, True, False])
    assert compute_gradients(run().snapshot(), GradientRequest(kind=SeriesKind.SPREAD, chosen="scale"), None).series.note == "No histogram of it was taken yet."


def test_curves_are_pinned_muted_and_alone(state: GradientState) -> None:
    def names(choice: CurveChoice) -> list[tuple[str, bool]]:
        return [(curve.name, curve.is_pinned) for curve in curves_of(state.map, state.rows, choice)]

    weight, bias, never, scale = state.rows.names
    assert names(CurveChoice()) == [(weight, False), (bias, False), (never, False), (scale, False)]
    assert names(CurveChoice().mute(never).pin(weight)) == [(bias, False), (scale, False), (weight, True)]
    assert names(CurveChoice().mute(never).mute(bias)) == [(weight, False), (scale, False)]
    assert names(CurveChoice().pin("h.0").alone(scale)) == [(scale, False), ("h.0", True)]  # a module without a row of its own
    assert CurveChoice().pin(weight).pin(weight) == CurveChoice()
    assert CurveChoice().mute(weight).pin(weight).muted == frozenset()
    assert CurveChoice().alone(weight).alone(weight) == CurveChoice()


def test_the_robust_scale_leaves_outliers_out() -> None:
    norms = np.linspace(1, 20, 1000)
    norms[500], norms[501] = 1e9, 1e-9
    robust, full = curve_scale([Curve("w", norms)]), curve_scale([Curve("w", norms)], is_robust=False)
    assert 0.5 < robust.low < 2
    assert 19 < robust.high < 30
    assert full.low < 1e-9 < 1e9 < full.high
    linear = curve_scale([Curve("w", norms)], is_log=False)
    assert (linear.low, linear.share_of(linear.value_at(0.25))) == (0.0, pytest.approx(0.25))


def test_columns_of_a_long_curve_stand_still_while_it_is_panned() -> None:
    norms = np.random.default_rng(1).random(4096) + 0.5
    curve = Curve("w", norms)
    at, values = curve_points(curve, 0, 4096, 100)
    other_at, other_values = curve_points(curve, 64, 4096, 100)
    assert values[-len(other_values) :].tolist() == other_values.tolist()
    assert at[-len(other_at) :].tolist() == other_at.tolist()
    assert (values.max(), values.min()) == (norms.max(), norms.min())


def test_zoom_and_pan_stay_within_the_map() -> None:
    sight = MapSight((0.0, 1000.0), (0.0, 50.0))
    zoomed = sight.zoomed_iterations(250, 0.5)
    assert zoomed.iterations == (125.0, 625.0)
    assert zoomed.panned(iterations=-1000).iterations == (0.0, 500.0)
    assert zoomed.panned(iterations=1000).iterations == (500.0, 1000.0)
    assert zoomed.zoomed_iterations(250, 10).is_whole
    assert sight.zoomed_iterations(10, 1e-9).iterations == pytest.approx((8.0, 12.0))
    assert sight.zoomed_rows(25, 0.5).revealing(row=49).rows == (25.0, 50.0)
    assert zoomed.of_map((0.0, 1010.0), (0.0, 50.0)).iterations == (125.0, 625.0)


def test_the_clipboard_has_every_digit(state: GradientState) -> None:
    lines = [line.split("\t") for line in row_text(state.map, state.rows.rows[0], (0.0, 4.0)).splitlines()]
    assert lines[0][:5] == ["iteration", "backward", "parameter", "stage", "norm"]
    assert [(line[0], line[3], line[4]) for line in lines[1:]] == [
        ("0", "raw", "3.0"), ("0", "raw", "3.0"), ("1", "raw", "6.0"), ("1", "raw", "6.0"), ("1", "clipped", "3.0"),
        ("2", "raw", "nan"), ("2", "raw", "nan"), ("3", "raw", "0.0"),
    ]  # fmt: skip
    sheet = sheet_text(state.map, state.rows.rows, (1.0, 3.0)).splitlines()
    assert [line.split("\t") for line in sheet] == [
        ["row", "1", "2"], ["h.0.a.weight", "6.0", "nan"], ["h.0.a.bias", "4.0", "4.0"], ["h.1.b.weight", "", ""], ["scale", "1.0", "1.0"],
    ]  # fmt: skip
    module = fold_rows(state.map, frozenset({"h.0.a"})).rows[0]
    assert row_text(state.map, module, (1.0, 2.0)).splitlines()[1] == f"1\th.0.a\traw\t{52**0.5!r}\t2\t0"


def test_a_parameter_that_no_optimizer_holds_is_named(state: GradientState) -> None:
    assert state.unoptimized == {"scale"}


def test_a_leaf_of_no_module_may_be_an_input_and_is_not_named() -> None:
    snapshot = run().snapshot()
    bare = {identity: {**told, "module": 0} if told["fqn"] == "scale" else told for identity, told in snapshot.parameters.items()}
    assert compute_gradients(replace(snapshot, parameters=bare), GradientRequest(), None).unoptimized == frozenset()
