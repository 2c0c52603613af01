"""Top to bottom or left to right, along the gradients or along the data: the same graph, whole, in all four."""

from dataclasses import replace
from itertools import product

import pytest
from PySide6.QtWidgets import QApplication

from tensorscope.analysis.layout import LayoutCache
from tensorscope.render.graph_ends import has_arrow, in_reading_order
from tensorscope.render.graph_style import graph_metrics
from tensorscope.render.theme import Theme
from tensorscope.viewmodel.graph_badges import badge_rects
from tensorscope.viewmodel.graph_build import build_scene
from tensorscope.viewmodel.graph_open import OpenState
from tensorscope.viewmodel.graph_options import Flow, GraphOptions, Reading
from tensorscope.viewmodel.graph_pick import pick
from tensorscope.viewmodel.graph_scene import BoxKey, BoxKind, Scene
from tensorscope.viewmodel.graph_tree import GraphTree, build_tree
from tests.graph.real_graphs import GPT, RESNET, chain, load
from tests.graph.scenes import CLOSED, METRICS, all_open, overlapping

DIRECTIONS = [GraphOptions(flow=flow, reading=reading) for flow, reading in product(Flow, Reading)]
THREE = chain("SumBackward0", "MulBackward0", "AddBackward0")


def scene_with(tree: GraphTree, options: GraphOptions, state: OpenState = CLOSED) -> Scene:
    style = replace(METRICS.style, is_sideways=options.is_sideways)
    return build_scene(tree, state, replace(METRICS, options=options, style=style), -1, LayoutCache())


def corner(scene: Scene, node: int) -> tuple[float, float]:
    box = scene.box_of(node)
    return box.x, box.y


def test_rows_follow_one_another_the_way_the_arrows_point() -> None:
    tree = build_tree(THREE)
    for options in DIRECTIONS:
        scene = scene_with(tree, options)
        places = [corner(scene, node) for node in (0, 1, 2)]
        along, across = [place[not options.is_sideways] for place in places], {place[options.is_sideways] for place in places}
        assert len(across) == 1
        assert along == sorted(along, reverse=options.reading is Reading.DATA)
        for line in scene.lines:
            way = in_reading_order(line, scene.metrics)
            assert way[0][not options.is_sideways] < way[-1][not options.is_sideways]
            assert has_arrow(line, scene.metrics)


@pytest.mark.parametrize("name", [GPT, RESNET])
@pytest.mark.parametrize("options", DIRECTIONS, ids=lambda options: f"{options.flow.name} {options.reading.name}")
def test_no_direction_lays_boxes_over_one_another_or_lets_a_line_end_in_the_void(name: str, options: GraphOptions) -> None:
    tree = build_tree(load(name))
    for state in (CLOSED, all_open(tree)):
        scene = scene_with(tree, options, state)
        assert not overlapping(scene)
        for (left, top, right, bottom), box in zip(scene.box_rects.tolist(), scene.boxes, strict=True):
            assert min(left, top, scene.width - right, scene.height - bottom) >= -0.01, box.key
            if box.parent >= 0:
                around = scene.boxes[box.parent]
                assert around.x + METRICS.style.padding <= left + 0.01
                assert around.y + METRICS.style.header <= top + 0.01
        for line in scene.lines:
            for key, (x, y) in ((line.source, line.points[0]), (line.target, line.points[-1])):
                if key is not None:
                    assert touches(scene, key, x, y), (options, key, line.points)


def touches(scene: Scene, key: BoxKey, x: float, y: float) -> bool:
    box = scene.boxes[scene.index[key]]
    on_side = min(abs(x - box.x), abs(x - box.x - box.width), abs(y - box.y), abs(y - box.y - box.height)) < 0.01
    return on_side and box.x - 0.01 <= x <= box.x + box.width + 0.01 and box.y - 0.01 <= y <= box.y + box.height + 0.01


def test_every_badge_is_found_under_its_own_rectangle() -> None:
    tree = build_tree(load(GPT))
    for options in DIRECTIONS:
        scene = scene_with(tree, options, all_open(tree))
        seen = 0
        for box in scene.boxes:
            for badge, (x, y, width, height) in zip(box.badges, badge_rects(box, scene.metrics), strict=bool(box.badges)):
                picked = pick(scene, x + width / 2, y + height / 2, 1.0)
                assert picked is not None
                assert picked.badge == badge
                seen += 1
        assert seen > 20


def test_without_parameters_no_room_is_left_for_them() -> None:
    tree = build_tree(load(GPT))
    bare = scene_with(tree, GraphOptions(has_parameters=False))
    assert all(not box.badges for box in bare.boxes)
    assert bare.width < scene_with(tree, GraphOptions()).width


def test_labels_say_shapes_and_element_types_as_far_as_asked() -> None:
    graph = replace(THREE, nodes=tuple(replace(node, output_dtype="float32") for node in THREE.nodes))
    labels = {
        (has_shapes, has_dtypes): {line.label for line in scene_with(build_tree(graph), GraphOptions(has_shapes=has_shapes, has_dtypes=has_dtypes)).lines}
        for has_shapes, has_dtypes in product((True, False), repeat=2)
    }
    assert labels == {(True, False): {"[4]"}, (True, True): {"[4] f32"}, (False, True): {""}, (False, False): {""}}


def test_full_names_widen_the_nodes_that_need_it(qapp: QApplication) -> None:
    tree = build_tree(chain("BinaryCrossEntropyWithLogitsBackward0"))
    metrics = [graph_metrics(Theme.dark(), GraphOptions(has_full_names=full)) for full in (False, True)]
    widths = [build_scene(tree, CLOSED, each, -1, LayoutCache()).boxes[0].width for each in metrics]
    assert widths[0] < widths[1]
    assert {box.kind for box in scene_with(tree, GraphOptions()).boxes} == {BoxKind.NODE}
