"""The laid-out scene: what lies where when groups open and close."""

from typing import Any

import numpy as np
import pytest

from tensorscope.viewmodel.graph_levels import Metrics
from tensorscope.viewmodel.graph_motion import Motion, shift_between
from tensorscope.viewmodel.graph_open import OpenState
from tensorscope.viewmodel.graph_pick import pick
from tensorscope.viewmodel.graph_scene import BoxKey, BoxKind
from tensorscope.viewmodel.graph_tree import GroupKey, build_tree
from tests.graph.real_graphs import GPT, RESNET, chain, load
from tests.graph.scenes import METRICS, all_open, box_names, open_modules, overlapping, scene_of, states


@pytest.mark.parametrize("name", [GPT, RESNET])
def test_no_box_or_badge_overlaps_another(name: str) -> None:
    for which, _, scene in states(load(name)):
        assert not overlapping(scene), which


@pytest.mark.parametrize("name", [GPT, RESNET])
def test_children_lie_inside_their_group_below_its_header(name: str) -> None:
    for which, _, scene in states(load(name)):
        for box, (left, top, right, bottom) in zip(scene.boxes, scene.box_rects, strict=True):
            if box.parent < 0:
                continue
            around = scene.boxes[box.parent]
            assert around.kind is BoxKind.OPEN
            assert around.x + METRICS.style.padding <= left, which
            assert around.y + METRICS.style.header <= top, which
            assert right <= around.x + around.width, which
            assert bottom <= around.y + around.height, which


@pytest.mark.parametrize("name", [GPT, RESNET])
def test_every_link_can_be_followed_from_its_source_to_its_target(name: str) -> None:
    for which, tree, scene in states(load(name)):
        for number, link in enumerate(tree.folded.links):
            source, target = scene.box_of(link.source), scene.box_of(link.target)
            if source.key == target.key:
                continue
            pieces = [line for line in scene.lines if number in line.links]
            assert sum(line.source == source.key for line in pieces) == 1, which
            at = next(line for line in pieces if line.source == source.key)
            visited = [at]
            while at.target != target.key:
                end = at.points[-1]
                (at,) = [line for line in pieces if line.points[0] == pytest.approx(end) and line not in visited]
                visited.append(at)
            assert len(visited) == len(pieces), which


def test_the_outermost_module_stands_open_when_it_is_alone() -> None:
    tree = build_tree(load(GPT))
    names = box_names(tree, scene_of(tree))
    assert names == [
        "NllLossBackward0",
        "LogSoftmaxBackward0",
        "model",
        "MmBackward0",
        "NativeLayerNormBackward0",
        "h.1",
        "h.0",
        "AddBackward0",
        "EmbeddingBackward0",
        "EmbeddingBackward0",
    ]


def test_it_can_be_closed_all_the_same_and_opened_again() -> None:
    tree = build_tree(load(GPT))
    model = tree.groups[GroupKey("model", 0)]
    closed = OpenState().toggled(model)
    assert box_names(tree, scene_of(tree, closed)) == ["NllLossBackward0", "LogSoftmaxBackward0", "model"]
    assert closed.toggled(model).is_open(model)


def blocks(count: int) -> list[tuple[int, int, str, str]]:
    return [(number + 1, 0, f"h.{count - 1 - number}", "Block") for number in range(count)]


def test_three_or_more_equal_siblings_are_rolled_up() -> None:
    names = ["MulBackward0", "AddBackward0"]
    three = build_tree(chain("SumBackward0", *(names * 3), calls=blocks(3), of_call=[0, 1, 1, 2, 2, 3, 3]))
    assert box_names(three, scene_of(three)) == ["SumBackward0", "h.0 … h.2"]
    two = build_tree(chain("SumBackward0", *(names * 2), calls=blocks(2), of_call=[0, 1, 1, 2, 2]))
    assert box_names(two, scene_of(two)) == ["SumBackward0", "h.1", "h.0"]


def test_an_open_sibling_parts_the_run() -> None:
    tree = build_tree(chain(*(["MulBackward0", "AddBackward0"] * 7), calls=blocks(7), of_call=[1 + place // 2 for place in range(14)]))
    names = box_names(tree, scene_of(tree, open_modules(tree, "h.3")))
    assert names == ["h.4 … h.6", "h.3", "MulBackward0", "AddBackward0", "h.0 … h.2"]


def test_a_run_that_was_unrolled_shows_its_members() -> None:
    tree = build_tree(chain(*(["MulBackward0", "AddBackward0"] * 3), calls=blocks(3), of_call=[1, 1, 2, 2, 3, 3]))
    run = scene_of(tree).boxes[0]
    assert run.kind is BoxKind.RUN
    assert box_names(tree, scene_of(tree, OpenState().unrolling(run.groups))) == ["h.2", "h.1", "h.0"]


def test_different_siblings_are_not_rolled_up() -> None:
    names = ["MulBackward0", "AddBackward0", "MulBackward0", "AddBackward0", "MulBackward0", "SubBackward0"]
    tree = build_tree(chain(*names, calls=blocks(3), of_call=[1, 1, 2, 2, 3, 3]))
    assert box_names(tree, scene_of(tree)) == ["h.2", "h.1", "h.0"]


def test_revealing_a_node_opens_the_way_to_it_and_closes_the_last_one() -> None:
    graph = load(GPT)
    tree = build_tree(graph)
    gelus = [place for place, node in enumerate(graph.nodes) if node.name == "GeluBackward0"]
    first = OpenState().revealing(tree.path(gelus[0]))
    second = first.revealing(tree.path(gelus[1]))
    for state, shown, hidden in ((first, gelus[0], gelus[1]), (second, gelus[1], gelus[0])):
        scene = scene_of(tree, state)
        assert scene.box_of(shown).key == BoxKey(shown)
        assert scene.box_of(hidden).kind is BoxKind.GROUP


def test_what_the_user_opened_stays_open_when_something_else_is_revealed() -> None:
    graph = load(GPT)
    tree = build_tree(graph)
    mine = tree.groups[GroupKey("h.0", 0)]
    state = OpenState().toggled(mine).revealing(tree.path(next(place for place, node in enumerate(graph.nodes) if node.module == "h.1.mlp.gelu")))
    assert state.is_open(mine)


def test_a_group_that_opens_is_found_again_at_its_corner() -> None:
    tree = build_tree(load(GPT))
    key = BoxKey(-1, GroupKey("h.0", 0))
    closed, opened = scene_of(tree), scene_of(tree, open_modules(tree, "h.0"))
    shift = shift_between(closed, opened, key)
    assert shift is not None
    before, after = closed.boxes[closed.index[key]], opened.boxes[opened.index[key]]
    assert (before.x + shift[0], before.y + shift[1]) == (after.x, after.y)


def test_on_the_way_boxes_start_where_they_were_and_end_where_they_belong() -> None:
    tree = build_tree(load(GPT))
    closed, opened = scene_of(tree), scene_of(tree, open_modules(tree, "h.0"))
    motion, everything = Motion.between(closed, opened, (0.0, 0.0)), (0.0, 0.0, 9_999.0, 9_999.0)
    start, end = motion.at(0.0, everything), motion.at(1.0, everything)
    first = next(box for box in start.boxes if box.parent >= 0 and start.boxes[box.parent].key == BoxKey(-1, GroupKey("h.0", 0)))
    group = closed.boxes[closed.index[BoxKey(-1, GroupKey("h.0", 0))]]
    assert (first.x, first.y) == (group.x, group.y)
    assert list(end.boxes) == list(opened.boxes)
    np.testing.assert_allclose(end.box_rects, opened.box_rects)


def test_on_the_way_only_boxes_in_view_are_moved() -> None:
    tree = build_tree(load(GPT))
    closed, opened = scene_of(tree), scene_of(tree, open_modules(tree, "h.0"))
    motion = Motion.between(closed, opened, (0.0, 0.0))
    whole, part = motion.at(0.5, (0.0, 0.0, 9_999.0, 9_999.0)), motion.at(0.5, (0.0, 0.0, 400.0, 120.0))
    left, top, right, bottom = part.box_rects.T
    is_seen = (right >= 0) & (left <= 400) & (bottom >= 0) & (top <= 120)
    assert 0 < is_seen.sum() < len(is_seen)
    np.testing.assert_array_equal(whole.box_rects[is_seen], part.box_rects[is_seen])
    assert np.isinf(part.box_rects[~is_seen]).all()
    for index, box in enumerate(part.boxes):
        assert box == (whole.boxes[index] if is_seen[index] else opened.boxes[index])


def test_the_node_that_stands_out_gets_room_for_a_second_line() -> None:
    tree = build_tree(chain("MulBackward0", "AddBackward0"))
    plain, tall = scene_of(tree), scene_of(tree, tall_node=0)
    assert (plain.boxes[0].height, tall.boxes[0].height) == (26, 42)
    assert tall.boxes[1].y - plain.boxes[1].y == 16


def test_a_shape_stands_once_where_several_lines_bring_the_same_tensor() -> None:
    tree = build_tree(load(RESNET))
    scene = scene_of(tree, all_open(tree))
    seen = [(line.target, line.label) for line in scene.lines if line.label]
    assert seen
    assert len(seen) == len(set(seen))


def test_the_mouse_finds_nodes_badges_headers_and_lines() -> None:
    tree = build_tree(load(GPT))
    scene = scene_of(tree)
    box = scene.boxes[scene.index[BoxKey(-1, GroupKey("h.0", 0))]]
    opened = scene.boxes[scene.index[BoxKey(-1, GroupKey("model", 0))]]
    head = next(box for box in scene.boxes if box.badges)
    line = next(line for line in scene.lines if line.label)
    at_chevron = pick(scene, box.x + 5, box.y + 5, 1.0)
    assert at_chevron is not None
    assert at_chevron.box is box
    assert at_chevron.on_chevron
    in_header, inside = pick(scene, opened.x + 60, opened.y + 5, 1.0), pick(scene, opened.x + 3, opened.y + opened.height - 3, 1.0)
    assert in_header is not None
    assert in_header.box is opened
    assert inside is None
    badge = pick(scene, head.x - 60, head.y + 13, 1.0)
    assert badge is not None
    assert badge.badge == head.badges[0]
    on_line = pick(scene, line.points[0][0] + 2, line.points[0][1] + 8, 1.0)
    assert on_line is not None
    assert on_line.line is not None


def test_a_long_name_widens_its_box_within_the_limits() -> None:
    tree = build_tree(chain("MulBackward0", "ScaledDotProductFlashAttentionForCpuBackward0"))
    assert [box.width for box in scene_of(tree).boxes] == [METRICS.node_width, METRICS.node_width_max]


def test_measures_are_the_same_object_for_the_same_theme(qapp: Any) -> None:
    from tensorscope.render.graph_style import graph_metrics
    from tensorscope.render.theme import Theme

    metrics = graph_metrics(Theme.dark())
    assert isinstance(metrics, Metrics)
    assert metrics is graph_metrics(Theme.dark())
    assert (metrics.node_height, metrics.tall_height, metrics.badge_width, metrics.style.header) == (26, 42, 116, 24)
