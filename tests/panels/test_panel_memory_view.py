"""The memory timeline's view of six blocks, worked out by hand."""

from dataclasses import replace

import numpy as np
import pytest

from tensorscope.analysis.results import CATEGORIES, Iteration, MemoryTimeline
from tensorscope.viewmodel.memory import MemoryModel, busy_range, category_bytes_at, hide_categories, peak_moment, prepare_memory, view_memory
from tensorscope.viewmodel.memory_blocks import block_at, block_strips, largest_rows, live_rows, row_of_block, strip_of
from tensorscope.viewmodel.memory_side import category_rows, solo, toggle_hidden
from tests.support.believable_run import NEVER, freeze_blocks, timeline_of

PARAMETER, GRADIENT, ACTIVATION, TEMPORARY = (CATEGORIES.index(name) for name in ("parameter", "gradient", "activation", "temporary"))
BLOCKS = (  # size, begin, end, category
    (100, 0, NEVER, PARAMETER),  # 0
    (40, 10_000, 50_000, ACTIVATION),  # 1
    (60, 20_000, 70_000, ACTIVATION),  # 2
    (200, 30_000, 31_000, TEMPORARY),  # 3: the peak of 400 bytes
    (20, 60_000, NEVER, ACTIVATION),  # 4
    (30, 65_000, 80_000, GRADIENT),  # 5
)
END_NS = 100_000


@pytest.fixture
def timeline() -> MemoryTimeline:
    size, begin, end, category = (np.array(column, np.int64) for column in zip(*BLOCKS, strict=True))
    return timeline_of(freeze_blocks(size, begin, end, category, END_NS), "cpu")


@pytest.fixture
def model(timeline: MemoryTimeline) -> MemoryModel:
    return prepare_memory(timeline, (), (), END_NS)


def test_columns_hold_the_stack_at_their_highest_moment(model: MemoryModel) -> None:
    view = view_memory(model, None, 10, 100)  # columns of 10 µs
    assert view.high_bytes.tolist() == [100, 140, 200, 400, 200, 160, 210, 150, 120, 120]
    assert view.low_bytes.tolist() == [100, 140, 200, 200, 200, 160, 180, 150, 120, 120]
    assert view.category_bytes[:, 3].tolist() == [100, 0, 0, 0, 0, 100, 200, 0]
    assert view.moments_ns[3] == 30_000
    assert view.category_bytes.sum(axis=0).tolist() == view.high_bytes.tolist()


def test_the_peak_is_the_first_maximum_of_allocated_bytes(model: MemoryModel) -> None:
    peak = peak_moment(model)
    assert peak is not None
    assert (peak.time_ns, peak.bytes) == (30_000, 400)


def test_the_peak_stays_in_sight_in_a_single_column(model: MemoryModel) -> None:
    assert view_memory(model, None, 1, 100).high_bytes.tolist() == [400]


def test_a_peak_at_the_newest_moment_is_in_sight() -> None:
    size, begin, end, category = np.array([[10, 90], [5, 100_000], [NEVER, NEVER], [PARAMETER, ACTIVATION]], np.int64)
    late = prepare_memory(timeline_of(freeze_blocks(size, begin, end, category, 100_000)), (), (), 100_000)
    assert view_memory(late, None, 8, 100).high_bytes.tolist() == [10] * 7 + [100]


def test_hidden_categories_leave_the_stack_and_the_scale(model: MemoryModel) -> None:
    view = view_memory(hide_categories(model, frozenset({TEMPORARY})), None, 10, 100)
    assert view.high_bytes.tolist() == [100, 140, 200, 200, 200, 160, 210, 150, 120, 120]
    assert view.allocated_bytes is None
    assert view.top_bytes < 400


def test_beyond_the_newest_moment_nothing_is_claimed(model: MemoryModel) -> None:
    view = view_memory(model, (80_000, 120_000), 4, 100)
    assert view.high_bytes.tolist() == [120, 120, 120, 0]
    assert view.known_until_ns == END_NS


def test_a_capacity_near_the_curve_sets_the_scale_and_a_far_one_is_named(timeline: MemoryTimeline) -> None:
    near = view_memory(prepare_memory(replace(timeline, capacity_bytes=500), (), (), END_NS), None, 10, 100)
    assert (near.capacity_bytes, near.top_bytes) == (500, pytest.approx(530))
    far = view_memory(prepare_memory(replace(timeline, capacity_bytes=64 * 2**30), (), (), END_NS), None, 10, 100)
    assert (far.capacity_bytes, far.named_capacity_bytes) == (None, 64 * 2**30)
    assert far.top_bytes < 1000


def test_a_long_start_up_is_left_out(timeline: MemoryTimeline) -> None:
    late = replace(timeline, times_ns=timeline.times_ns + 900_000)
    assert prepare_memory(late, (), (), 1_000_000).begin_ns == 900_000
    assert prepare_memory(timeline, (), (), END_NS).begin_ns == 0


def test_an_idle_end_is_not_fitted_into_the_picture(timeline: MemoryTimeline) -> None:
    """The last change is at 80 µs."""
    assert busy_range(prepare_memory(timeline, (), (), 110_000)) == (0, 110_000)
    assert busy_range(prepare_memory(timeline, (), (), 1_000_000)) == (0, 84_000)


def test_a_long_stretch_before_the_first_iteration_is_not_fitted_into_the_picture(timeline: MemoryTimeline) -> None:
    """A little of it is shown: 4 % of the 75 µs from the iteration to the end. Not where the peak, at 30 µs, would be left out."""

    def fitted(begin_ns: int) -> tuple[int, int]:
        return busy_range(prepare_memory(timeline, (Iteration(0, begin_ns, 90_000, True, 0, 0, 0, None, None),), (), END_NS))

    assert fitted(25_000) == (22_000, END_NS)
    assert fitted(10_000) == (0, END_NS)
    assert fitted(40_000) == (0, END_NS)


def test_live_blocks_begin_at_or_before_a_moment_and_end_after_it(timeline: MemoryTimeline) -> None:
    assert live_rows(timeline.blocks, 9_999).tolist() == [0]
    assert live_rows(timeline.blocks, 10_000).tolist() == [0, 1]
    assert live_rows(timeline.blocks, 50_000).tolist() == [0, 2]
    assert live_rows(timeline.blocks, END_NS).tolist() == [0, 4]


def test_the_largest_come_first_without_hidden_ones(timeline: MemoryTimeline) -> None:
    assert largest_rows(timeline.blocks, 30_000, 3) == [3, 0, 2]
    assert largest_rows(timeline.blocks, 30_000, 3, [TEMPORARY]) == [0, 2, 1]


def test_a_block_is_found_by_address_and_time(timeline: MemoryTimeline) -> None:
    blocks = timeline.blocks
    assert row_of_block(blocks, int(blocks.address[4]), 60_000) == 4
    assert row_of_block(blocks, int(blocks.address[4]), 60_001) is None


def test_the_block_under_the_pointer_is_the_one_that_is_drawn_there(model: MemoryModel) -> None:
    """At 30 µs, from the axis up: parameter 0 to 100, activations 100 to 140 and 140 to 200, temporary 200 to 400."""
    heights = {0: 0, 99: 0, 100: 1, 139: 1, 140: 2, 199: 2, 200: 3, 399: 3, 400: None}
    assert {height: block_at(model.blocks, 30_000, height) for height in heights} == heights
    assert block_at(model.blocks, 30_000, 150, frozenset({PARAMETER})) == 3


def test_a_block_sinks_when_an_older_one_of_its_category_is_freed(model: MemoryModel) -> None:
    view = view_memory(model, None, 10, 100)
    strips, _ = block_strips(model.blocks, view.moments_ns, view.category_bytes, 1.0, (), frozenset())
    second = next(strip for strip in strips if strip.row == 2)
    assert second.first == 2
    assert second.bottoms.tolist() == [140, 140, 140, 100, 130]


def test_a_live_block_ends_where_knowledge_ends(model: MemoryModel) -> None:
    view = view_memory(model, (60_000, 140_000), 8, 100, selected_rows=(4,))  # columns of 10 µs; known up to 100 µs
    assert view.known_columns == 5
    assert (view.selected[0].first, len(view.selected[0].bottoms)) == (0, 5)


def test_a_single_strip_equals_the_one_of_all(model: MemoryModel) -> None:
    view = view_memory(model, None, 100, 100)
    strips, _ = block_strips(model.blocks, view.moments_ns, view.category_bytes, 0.1, (), frozenset())
    assert {strip.row for strip in strips} == {0, 1, 2, 4, 5}
    for strip in strips:
        alone = strip_of(model.blocks, view.moments_ns, view.category_bytes, strip.row)
        assert alone is not None
        assert (alone.first, alone.bottoms.tolist(), alone.size) == (strip.first, strip.bottoms.tolist(), strip.size)


def test_the_category_table_goes_from_the_top_of_the_stack_to_its_bottom(model: MemoryModel) -> None:
    rows = category_rows(model, 66_000)
    assert [row.number for row in rows] == [7, 6, 5, 4, 3, 2, 1, 0, None]
    assert [row.at_cursor_bytes for row in rows] == [0, 0, 80, 30, 0, 0, 0, 100, 210]
    assert [row.at_peak_bytes for row in rows] == [0, 200, 100, 0, 0, 0, 0, 100, 400]


def test_bytes_by_category_before_the_first_allocation_are_zero(timeline: MemoryTimeline) -> None:
    assert category_bytes_at(timeline, -1).tolist() == [0] * 8


def test_hiding_keeps_the_last_category_and_solo_comes_back() -> None:
    assert toggle_hidden(frozenset(), 3) == {3}
    assert toggle_hidden(frozenset({3}), 3) == frozenset()
    others = frozenset(range(8)) - {5}
    assert toggle_hidden(others, 5) == others
    assert solo(frozenset(), 5) == others
    assert solo(others, 5) == frozenset()
