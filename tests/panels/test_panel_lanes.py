"""Lanes hold the spans of a range, never more than columns; ranges stay within the run."""

import numpy as np

from tensorscope.viewmodel.memory_lanes import LaneTable, lane_spans, span_at
from tensorscope.viewmodel.reduction import column_edges
from tensorscope.viewmodel.timeline_range import around, followed, panned, with_room, zoomed


def table(count: int) -> LaneTable:
    return LaneTable.of([(index * 10, index * 10 + 10, index, f"iteration {index}", "even" if index % 2 == 0 else "odd") for index in range(count)])


def test_a_range_has_the_spans_that_touch_it() -> None:
    spans = lane_spans(table(5), column_edges(15, 31, 16))
    assert [span.number for span in spans] == [1, 2, 3]


def test_more_spans_than_columns_become_one_run_a_column() -> None:
    spans = lane_spans(table(1000), column_edges(0, 10_000, 10))
    assert len(spans) <= 10
    assert spans[0].begin_ns == 0
    assert spans[-1].end_ns == 10_000
    assert all(span.label == "" for span in spans)


def test_runs_of_one_kind_are_joined() -> None:
    same = LaneTable.of([(index * 10, index * 10 + 10, index, "x", "forward") for index in range(1000)])
    assert [(span.begin_ns, span.end_ns) for span in lane_spans(same, column_edges(0, 10_000, 10))] == [(0, 10_000)]


def test_a_gap_between_spans_stays_a_gap() -> None:
    two = LaneTable.of([(0, 10, 0, "a", ""), (90, 100, 1, "b", "")])
    assert span_at(two, 9) == two.spans[0]
    assert span_at(two, 10) is None
    assert lane_spans(two, np.array([20, 50, 80], np.int64)) == ()


def test_zooming_keeps_the_moment_under_the_pointer() -> None:
    begin, end = zoomed((0, 1_000_000), 250_000, 0.5, (0, 1_000_000))
    assert (begin, end) == (125_000, 625_000)
    assert (250_000 - begin) / (end - begin) == 0.25


def test_zooming_out_stops_at_the_whole_run() -> None:
    assert zoomed((100_000, 900_000), 500_000, 8, (0, 1_000_000)) == (0, 1_000_000)


def test_zooming_in_stops_at_two_microseconds() -> None:
    assert zoomed((500_000, 502_000), 501_000, 0.1, (0, 1_000_000)) == (500_000, 502_000)


def test_panning_stops_at_the_ends() -> None:
    assert panned((100, 300), -500, (0, 1000)) == (0, 200)
    assert panned((100, 300), 5000, (0, 1000)) == (800, 1000)


def test_going_to_a_moment_in_sight_moves_nothing() -> None:
    assert around((0, 1000), 500, (0, 10_000)) == (0, 1000)
    assert around((0, 1000), 5000, (0, 10_000)) == (4500, 5500)


def test_a_live_run_is_shown_with_a_little_future() -> None:
    assert with_room(0, 1000, is_live=False) == (0, 1000)
    assert with_room(0, 1000, is_live=True) == (0, 1040)
    assert followed((0, 1000), 9000) == (8040, 9040)
