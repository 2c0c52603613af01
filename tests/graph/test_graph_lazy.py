"""Only what is looked at is made."""

import numpy as np
import pytest

from tensorscope.viewmodel.graph_lazy import Made, Replaced
from tensorscope.viewmodel.graph_motion import Motion
from tensorscope.viewmodel.graph_scene import BoxKey
from tensorscope.viewmodel.graph_tree import build_tree
from tests.graph.real_graphs import GPT, chain, load
from tests.graph.scenes import all_open, scene_of


def test_an_item_is_made_once_when_it_is_asked_for() -> None:
    asked: list[int] = []

    def make(index: int) -> str:
        asked.append(index)
        return f"item {index}"

    made = Made(5, make)
    assert len(made) == 5
    assert asked == []
    assert (made[3], made[-1], made[3]) == ("item 3", "item 4", "item 3")
    assert asked == [3, 4]
    assert made[1:3] == ("item 1", "item 2")
    assert list(made) == [f"item {index}" for index in range(5)]
    assert sorted(asked) == [0, 1, 2, 3, 4]
    with pytest.raises(IndexError):
        made[5]


def test_a_replaced_item_stands_in_for_the_old_one_only_there() -> None:
    moved = Replaced(("a", "b", "c"), {1: "B"})
    assert (list(moved), moved[-1], moved[0:2]) == (["a", "B", "c"], "c", ("a", "B"))


def test_the_index_finds_every_box_and_no_node_that_another_box_stands_for() -> None:
    tree = build_tree(load(GPT))
    for scene in (scene_of(tree), scene_of(tree, all_open(tree))):
        assert len(scene.index) == len(scene.boxes) == len(set(scene.index))
        for place, box in enumerate(scene.boxes):
            assert scene.index[box.key] == place
    closed = scene_of(tree)
    hidden = next(node for node in tree.folded.drawn if closed.nodes[closed.shown_by[node]] != node)
    assert BoxKey(hidden) not in closed.index
    assert BoxKey(-1) not in closed.index


def test_a_node_comes_out_of_the_group_that_stood_for_it() -> None:
    tree = build_tree(chain(*["MulBackward0"] * 6, calls=[(1, 0, "net", "Net"), (2, 1, "net.deep", "Deep")], of_call=[0, 1, 1, 2, 2, 2]))
    (deep,) = (group for key, group in tree.groups.items() if key.module == "net.deep")
    closed, opened = scene_of(tree), scene_of(tree, all_open(tree))
    motion = Motion.between(closed, opened, (0.0, 7.0))
    group = closed.boxes[closed.index[BoxKey(-1, deep.key)]]
    for node in (3, 4, 5):
        assert motion.starts[opened.index[BoxKey(node)]].tolist() == [group.x, group.y + 7.0, group.width, group.height]
    first = closed.boxes[closed.index[BoxKey(0)]]
    assert motion.starts[opened.index[BoxKey(0)]].tolist() == [first.x, first.y + 7.0, first.width, first.height]


def test_of_thousands_that_come_out_of_a_group_only_those_that_will_be_in_view_are_moved() -> None:
    tree = build_tree(chain(*["MulBackward0"] * 2_002, calls=[(1, 0, "net", "Net"), (2, 1, "net.deep", "Deep")], of_call=[0, 1, *[2] * 2_000]))
    closed, opened = scene_of(tree), scene_of(tree, all_open(tree))
    motion, area = Motion.between(closed, opened, (0.0, 0.0)), (0.0, 0.0, 600.0, 400.0)
    for amount in (0.0, 0.5, 1.0):
        scene = motion.at(amount, area)
        shown = np.flatnonzero(scene.box_rects[:, 0] <= area[2]).tolist()
        assert 8 <= len(shown) <= 14
        goals = opened.box_rects[shown]
        assert (goals[:, 1] <= area[3]).all()
    whole = motion.at(1.0, (-1e6, -1e6, 1e6, 1e6))
    assert whole.box_rects.tolist() == opened.box_rects.tolist()
