"""The layout of one level, on graphs small enough to know the answer."""

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tensorscope.analysis.layout import Edge, Item, LayoutCache, Level, LevelTooLarge, PlacedLevel, lay_out
from tensorscope.analysis.layout_types import OUTSIDE
from tests.graph.scenes import STYLE

BOX = Item(100, 26, 50)


def place(level: Level) -> PlacedLevel:
    return lay_out(level, STYLE, LayoutCache())


def level_of(count: int, *edges: tuple[int, int], inputs: int = 0, outputs: int = 0) -> Level:
    return Level((BOX,) * count, tuple(Edge(source, target) for source, target in edges), inputs, outputs)


def test_a_chain_stands_straight_with_the_gap_of_the_style() -> None:
    placed = place(level_of(3, (0, 1), (1, 2)))
    assert placed.boxes == ((0, 0, 100, 26), (0, 40, 100, 26), (0, 80, 100, 26))
    assert placed.routes == (((50, 26), (50, 40)), ((50, 66), (50, 80)))
    assert (placed.width, placed.height, placed.axis) == (100, 106, 50)


def test_a_label_makes_its_gap_wider() -> None:
    placed = place(Level((BOX, BOX), (Edge(0, 1, has_label=True),)))
    assert placed.boxes[1][1] == 26 + STYLE.label_gap


def test_a_skipping_edge_leaves_at_the_side_and_passes_right_of_what_it_skips() -> None:
    placed = place(level_of(3, (0, 1), (1, 2), (0, 2)))
    assert [box[0] for box in placed.boxes] == [0, 0, 0]
    route = placed.routes[2]
    assert route[0] == (100, 13)
    assert route[1][0] > 100
    assert route[1][0] == route[2][0]
    assert route[-1][1] == placed.boxes[2][1]


def test_the_longest_path_is_the_spine_and_branches_stand_right_of_it() -> None:
    placed = place(level_of(5, (0, 4), (0, 1), (1, 2), (2, 3), (4, 3)))
    assert [placed.boxes[item][0] for item in (0, 1, 2, 3)] == [0, 0, 0, 0]
    assert placed.boxes[4][0] >= 100 + STYLE.column_gap


def test_many_gradients_to_one_node_share_a_lane() -> None:
    edges = [(step, step + 1) for step in range(9)] + [(step, 9) for step in range(5)]
    placed = place(level_of(10, *edges))
    rightmost = {max(x for x, _ in route) for route in placed.routes[9:]}
    assert len(rightmost) == 1


def test_gradients_from_outside_enter_at_the_top_and_leave_at_the_bottom() -> None:
    level = Level((BOX,), (Edge(OUTSIDE, 0), Edge(0, OUTSIDE)), 1, 1)
    placed = place(level)
    assert placed.routes == (((50, 0), (50, 14)), ((50, 40), (50, 54)))
    assert placed.inputs == (50,)
    assert placed.outputs == (50,)


def test_the_spine_runs_straight_through_an_open_group() -> None:
    inside = Level((BOX, BOX), (Edge(OUTSIDE, 0), Edge(0, 1), Edge(1, OUTSIDE)), 1, 1)
    placed = place(Level((BOX, Item(0, 0, 0, inside), BOX), (Edge(0, 1), Edge(1, 2))))
    group, inner = placed.boxes[1], placed.inner[1]
    assert inner is not None
    assert group[2:] == (inner.width + 2 * STYLE.padding, inner.height + STYLE.header + STYLE.padding)
    assert {x for route in placed.routes for x, _ in route} == {group[0] + STYLE.padding + inner.inputs[0]}


def test_lines_meet_what_is_drawn_where_badges_make_an_item_taller() -> None:
    tall = Item(200, 42, 150, None, 8)
    placed = place(Level((tall, tall), (Edge(0, 1),)))
    assert placed.routes == (((150, 34), (150, 64)),)


def test_a_level_that_feeds_itself_is_drawn_all_the_same() -> None:
    placed = place(level_of(3, (0, 1), (1, 2), (2, 0)))
    assert len({box[1] for box in placed.boxes}) == 3
    assert all(len(route) >= 2 for route in placed.routes)


def test_a_group_with_too_many_nodes_is_refused_with_a_sentence() -> None:
    with pytest.raises(LevelTooLarge, match="20,001 nodes, too many for one picture"):
        place(Level((BOX,) * 20_001, ()))


def test_a_layout_ends_when_it_is_told_to() -> None:
    class Cancelled(Exception):
        pass

    def cancel() -> None:
        raise Cancelled

    with pytest.raises(Cancelled):
        lay_out(level_of(3, (0, 1), (1, 2)), STYLE, LayoutCache(), cancel)


def test_equal_levels_are_laid_out_once() -> None:
    block = Level((BOX, BOX), (Edge(0, 1),))
    placed = place(Level((Item(0, 0, 0, block), Item(0, 0, 0, block)), ()))
    assert placed.inner[0] is placed.inner[1]


def test_the_cache_forgets_the_oldest_level() -> None:
    cache = LayoutCache(limit=2)
    for count in (1, 2, 3):
        lay_out(level_of(count), STYLE, cache)
    assert [len(key.level.items) for key in cache.levels] == [2, 3]


@st.composite
def levels(draw: st.DrawFn, may_feed_itself: bool = True) -> Level:
    count = draw(st.integers(1, 12))
    heights, axes = st.sampled_from([26.0, 42.0, 300.0]), st.sampled_from([50.0, 20.0])
    items = tuple(Item(100.0, draw(heights), draw(axes)) for _ in range(count))
    inputs, outputs = draw(st.integers(0, 2)), draw(st.integers(0, 2))
    pairs = draw(st.lists(st.tuples(st.integers(0, count - 1), st.integers(0, count - 1)), max_size=30, unique=True))
    edges = [Edge(source, target) for source, target in pairs if source < target or (may_feed_itself and source > target and draw(st.integers(0, 9)) == 0)]
    edges += [Edge(OUTSIDE, draw(st.integers(0, count - 1)), port) for port in range(inputs)]
    edges += [Edge(draw(st.integers(0, count - 1)), OUTSIDE, 0, port) for port in range(outputs)]
    return Level(items, tuple(edges), inputs, outputs)


@given(levels())
@settings(max_examples=120, deadline=None, derandomize=True)
def test_boxes_never_overlap_and_routes_never_cross_a_box(level: Level) -> None:
    placed = place(level)
    for number, (x, y, width, height) in enumerate(placed.boxes):
        assert all(x + width <= x2 or x2 + width2 <= x or y + height <= y2 or y2 + height2 <= y for x2, y2, width2, height2 in placed.boxes[number + 1 :])
    for edge, route in zip(level.edges, placed.routes, strict=True):
        for (x0, y0), (x1, y1) in pairwise(route):
            assert x0 == x1 or y0 == y1, "a slanted piece"
            for x, y, width, height in placed.boxes:
                assert not (min(x0, x1) < x + width and max(x0, x1) > x and min(y0, y1) < y + height and max(y0, y1) > y), (edge, route)


@given(levels())
@settings(max_examples=120, deadline=None, derandomize=True)
def test_every_route_runs_from_its_source_to_its_target(level: Level) -> None:
    placed = place(level)
    for edge, route in zip(level.edges, placed.routes, strict=True):
        begin, end = route[0], route[-1]
        if edge.source == OUTSIDE:
            assert begin == (placed.inputs[edge.source_port], 0)
        else:
            x, y, width, height = placed.boxes[edge.source]
            assert (x <= begin[0] <= x + width and begin[1] == y + height) or begin == (x + width, y + height / 2)
        if edge.target == OUTSIDE:
            assert end == (placed.outputs[edge.target_port], placed.height)
        else:
            x, y, width, height = placed.boxes[edge.target]
            assert x <= end[0] <= x + width
            assert end[1] == y


@given(levels())
@settings(max_examples=50, deadline=None, derandomize=True)
def test_the_same_level_is_always_placed_the_same(level: Level) -> None:
    assert place(level) == place(level)


@given(levels(may_feed_itself=False))
@settings(max_examples=120, deadline=None, derandomize=True)
def test_lines_of_different_gradients_never_run_on_top_of_each_other(level: Level) -> None:
    placed = place(level)
    pieces = [
        (edge, begin, end)
        for edge, route in zip(level.edges, placed.routes, strict=True)
        if OUTSIDE not in (edge.source, edge.target)
        for begin, end in pairwise(route)
    ]
    for number, (edge, (x0, y0), (x1, y1)) in enumerate(pieces):
        for other, (x2, y2), (x3, y3) in pieces[number + 1 :]:
            if other.source == edge.source or other.target == edge.target:
                continue
            shared_x = min(max(x0, x1), max(x2, x3)) - max(min(x0, x1), min(x2, x3))
            shared_y = min(max(y0, y1), max(y2, y3)) - max(min(y0, y1), min(y2, y3))
            assert not (x0 == x1 == x2 == x3 and shared_y > 0), (edge, other)
            assert not (y0 == y1 == y2 == y3 and shared_x > 0), (edge, other)
