"""Step curves keep every column's true minimum and maximum, however many steps fall into it."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from tensorscope.viewmodel.reduction import StepCurve, column_edges


def curve(*steps: tuple[int, int]) -> StepCurve:
    return StepCurve(np.array([time for time, _ in steps], np.int64), np.array([value for _, value in steps], np.int64))


def test_a_column_counts_the_value_carried_into_it() -> None:
    found = curve((0, 5), (25, 9), (28, 2)).extremes(np.array([0, 10, 20, 30, 40], np.int64))
    assert found.high.tolist() == [5, 5, 9, 2]
    assert found.low.tolist() == [5, 5, 2, 2]
    assert found.high_row.tolist() == [0, 0, 1, 2]


def test_before_the_first_step_everything_is_zero() -> None:
    found = curve((15, 7)).extremes(np.array([0, 10, 20], np.int64))
    assert (found.high.tolist(), found.low.tolist(), found.high_row.tolist()) == ([0, 7], [0, 0], [-1, 0])


def test_of_equal_maxima_the_first_row_counts() -> None:
    assert curve((0, 1), (2, 8), (4, 3), (6, 8)).extremes(np.array([0, 10], np.int64)).high_row.tolist() == [1]


def test_a_peak_of_one_nanosecond_among_a_million_steps_is_there_at_every_zoom() -> None:
    times = np.arange(1_000_000, dtype=np.int64) * 3
    values = np.tile(np.array([1, 5], np.int64), 500_000)
    values[777_777] = 99
    steps = StepCurve(times, values)
    for columns in (1, 7, 640, 1913):
        found = steps.extremes(column_edges(0, 3_000_000, columns))
        assert found.high.max() == 99
        assert found.high_row[found.high.argmax()] == 777_777
        assert found.low.min() == 1


def test_an_empty_curve_is_zero_everywhere() -> None:
    found = curve().extremes(np.array([0, 10, 20], np.int64))
    assert (found.high.tolist(), found.low.tolist()) == ([0, 0], [0, 0])


@settings(max_examples=150, deadline=None)
@given(
    st.lists(st.tuples(st.integers(0, 900), st.integers(0, 40)), max_size=400, unique_by=lambda step: step[0]),
    st.integers(-50, 900),
    st.integers(1, 1200),
    st.integers(1, 40),
)
def test_columns_equal_a_plain_loop(steps: list[tuple[int, int]], begin: int, length: int, columns: int) -> None:
    steps.sort()
    edges = column_edges(begin, begin + length, columns)
    found = curve(*steps).extremes(edges)
    for column in range(columns):
        left, right = int(edges[column]), int(edges[column + 1])
        carried = [value for time, value in steps if time <= left][-1:] or [0]
        values = carried + [value for time, value in steps if left <= time < right]
        assert (int(found.high[column]), int(found.low[column])) == (max(values), min(values))
