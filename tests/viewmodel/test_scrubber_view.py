"""The scrubber's axis goes both ways, cuts a long start-up, and shows the run's memory and phases."""

from dataclasses import replace

import pytest

from tensorscope.analysis.results import Finding
from tensorscope.viewmodel.scrubber import COLUMNS, ScrubberAxis, problem_marks, scrubber_view, zoomed
from tests.support.demo_trace import demo_snapshot


@pytest.mark.parametrize("axis", [ScrubberAxis(2000), ScrubberAxis(2000, 1500, 0.1)])
def test_positions_lead_back_to_their_times(axis: ScrubberAxis) -> None:
    for time in (0, 700, 1500, 1800, 2000):
        assert axis.time_ns(axis.position(time)) == pytest.approx(time, abs=1)
    assert axis.position(2000) == 1.0
    assert axis.position(9999) == 1.0


def test_a_long_start_up_takes_a_tenth_of_the_strip() -> None:
    view = scrubber_view(demo_snapshot())
    begin = view.iteration_begins_ns[0]
    assert view.axis.cut_ns == begin
    assert view.axis.position(begin) == pytest.approx(0.1)
    assert view.start_up == "1.40 s"


def test_the_silhouette_reaches_its_top_once_and_iterations_are_marked() -> None:
    view = scrubber_view(demo_snapshot())
    assert view.heights.shape == (COLUMNS,)
    assert view.heights.max() == pytest.approx(1.0)
    assert [mark.index for mark in view.iterations] == list(range(8))
    assert view.iterations[0].label == "0"
    kinds = [strip.kind for strip in view.strips]
    assert {"forward", "backward", "optimizer", "other"} == set(kinds)
    assert view.strips[0].begin == 0.0
    assert view.strips[-1].end == 1.0


def test_a_row_that_stands_for_several_iterations_is_marked_with_the_first_of_them() -> None:
    whole = demo_snapshot()
    rows = (whole.iterations[0], {**whole.iterations[4], "first_index": 1}, *whole.iterations[5:])
    view = scrubber_view(replace(whole, iterations=rows))
    assert [mark.index for mark in view.iterations] == [0, 1, 5, 6, 7]
    assert view.iteration_begins_ns[1] == scrubber_view(whole).iteration_begins_ns[1]


def test_the_peak_is_marked_where_the_silhouette_is_highest() -> None:
    view = scrubber_view(demo_snapshot())
    (peak,) = [mark for mark in view.moments if mark.kind == "peak"]
    column = int(view.axis.position(peak.time_ns) * COLUMNS + 0.5)
    assert view.heights[column] == view.heights.max()


def test_zooming_keeps_the_moment_at_its_place_and_ends_at_the_whole_run() -> None:
    assert zoomed((0, 100_000), 100_000, 25_000, 0.5) == (12_500, 62_500)
    assert zoomed((12_500, 62_500), 100_000, 25_000, 2.0) is None
    assert zoomed((0, 50_000), 100_000, 50_000, 1.25) == (0, 50_000)


def test_problems_are_marked_where_their_iteration_begins_the_gravest_on_top() -> None:
    view = scrubber_view(demo_snapshot())
    early = Finding("early", "error", "It began in iteration 3.", None, iteration=3, time_ns=1)
    moment = Finding("moment", "warning", "It is tied to a moment.", None, time_ns=77)
    nowhere = Finding("nowhere", "info", "It is of the whole run.", None)
    assert [(mark.time_ns, mark.kind, mark.finding) for mark in problem_marks(view, (early, moment, nowhere))] == [
        (77, "warning", moment),
        (view.iteration_begins_ns[3], "error", early),
    ]
