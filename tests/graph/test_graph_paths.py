"""Paths on graphs worked out by hand, and on real autograd graphs against a brute-force walk."""

import json
import subprocess
import sys
from itertools import product
from pathlib import Path

import pytest

from tensorscope.analysis.graph_compare import compare_graphs
from tensorscope.analysis.graph_paths import MOST_COUNTED, paths_between
from tensorscope.analysis.results import BackwardGraph
from tensorscope.viewmodel.graph_path import path_view
from tensorscope.viewmodel.graph_scene import BoxKey
from tensorscope.viewmodel.graph_tree import GroupKey, build_tree
from tests.graph.real_graphs import GPT, chain, graph_of, load


@pytest.fixture(scope="module")
def real() -> dict[str, BackwardGraph]:
    child = subprocess.run([sys.executable, str(Path(__file__).with_name("autograd_child.py"))], capture_output=True, timeout=240, check=True)
    return {name: graph_of(raw) for name, raw in json.loads(child.stdout).items()}


def hand(count: int, *edges: tuple[int, int]) -> BackwardGraph:
    return graph_of({"nodes": [[f"N{place}", -1, 0, "", [1], []] for place in range(count)], "edges": [[a, b, 0, 0] for a, b in edges], "calls": []})


DIAMOND = hand(6, (0, 1), (0, 2), (1, 3), (2, 4), (4, 3), (3, 5))


def test_the_shortest_way_its_length_and_all_that_lies_on_any() -> None:
    found = paths_between(DIAMOND, [0], [5])
    assert found is not None
    assert (found.shortest, found.length, found.nodes, found.count) == ((0, 1, 3, 5), 3, frozenset(range(6)), 2)


def test_it_runs_as_gradients_do_whichever_end_is_named_first() -> None:
    assert paths_between(DIAMOND, [5], [0]) == paths_between(DIAMOND, [0], [5])
    assert paths_between(DIAMOND, [1], [2]) is None


def test_of_several_nodes_the_nearest_two_count() -> None:
    found = paths_between(DIAMOND, [0, 4], [3, 5])
    assert found is not None
    assert found.shortest == (4, 3)


def test_parallel_edges_are_ways_of_their_own_and_nobody_counts_millions() -> None:
    twice = hand(3, (0, 1), (0, 1), (1, 2))
    found = paths_between(twice, [0], [2])
    assert found is not None
    assert found.count == 2
    ladder = hand(61, *[(step, step + 1) for step in range(60)], *[(step, step + 1) for step in range(60)])
    many = paths_between(ladder, [0], [60])
    assert many is not None
    assert many.count == MOST_COUNTED + 1


@pytest.mark.parametrize("name", ["plain", "skip", "double", "roots"])
def test_on_autograds_own_graphs_it_agrees_with_walking_every_way(real: dict[str, BackwardGraph], name: str) -> None:
    graph = real[name]
    following: dict[int, list[int]] = {}
    for edge in graph.edges:
        following.setdefault(edge.source, []).append(edge.target)

    def ways(node: int, goal: int) -> list[tuple[int, ...]]:
        if node == goal:
            return [(node,)]
        return [(node, *rest) for target in following.get(node, ()) for rest in ways(target, goal)]

    ends = [node.id for node in graph.nodes]
    seen = 0
    for first, last in product(graph.roots, ends[::3]):
        every = ways(first, last) if first != last else []
        found = paths_between(graph, [first], [last])
        if not every:
            assert found is None or found.source == last
            continue
        assert found is not None
        assert found.count == len(every)
        assert found.length == min(len(way) - 1 for way in every)
        assert found.shortest in every
        assert found.nodes == {node for way in every for node in way}
        seen += 1
    assert seen > 5


def test_a_path_between_two_boxes_says_names_length_and_ways(real: dict[str, BackwardGraph]) -> None:
    graph = real["plain"]
    last = next(place for place, node in enumerate(graph.nodes) if node.parameter == "0.weight")
    shown = path_view(graph, build_tree(graph), (BoxKey(last), BoxKey(0)))
    assert shown is not None
    # mean, pow, then relu and addmm of four layers, the weight's transposition and its accumulator
    assert shown.words == "MeanBackward0 to 0.weight: the only way, 11 edges"
    assert [graph.nodes[place].name for place in shown.way][:4] == ["MeanBackward0", "PowBackward0", "ReluBackward0", "AddmmBackward0"]
    assert shown.links == shown.way_links


def test_where_no_gradient_runs_it_says_so() -> None:
    graph = load(GPT)
    tree = build_tree(graph)
    first, second = [place for place, node in enumerate(graph.nodes) if node.name == "EmbeddingBackward0"]
    shown = path_view(graph, tree, (BoxKey(first), BoxKey(second)))
    assert shown is not None
    assert shown.words == "No gradient runs between EmbeddingBackward0 and EmbeddingBackward0."
    assert not shown.nodes
    assert path_view(graph, tree, (BoxKey(0), BoxKey(99_999))) is None


def test_a_module_is_an_end_too() -> None:
    graph = load(GPT)
    tree = build_tree(graph)
    shown = path_view(graph, tree, (BoxKey(0), BoxKey(-1, GroupKey("h.0", 0))))
    assert shown is not None
    assert graph.nodes[shown.way[0]].name == "NllLossBackward0"
    assert graph.nodes[shown.way[-1]].module.startswith("h.0")
    assert sum(graph.nodes[place].module.startswith("h.0") for place in shown.way) == 1


def test_equal_graphs_are_said_to_be_equal(real: dict[str, BackwardGraph]) -> None:
    for one, other in ((real["plain"], real["again"]), (load(GPT), load(GPT)), (real["double"], real["double"])):
        change = compare_graphs(one, other)
        assert change.is_equal
        assert change.partner == {node.id: node.id for node in one.nodes}


def test_a_layer_more_is_what_is_new(real: dict[str, BackwardGraph]) -> None:
    change = compare_graphs(real["deeper"], real["plain"])
    names = sorted(real["deeper"].nodes[node].parameter or real["deeper"].nodes[node].name for node in change.added)
    assert names == ["4.bias", "4.weight", "AddmmBackward0", "ReluBackward0", "TBackward0"]
    assert change.removed == ()
    back = compare_graphs(real["plain"], real["deeper"])
    assert len(back.removed) == 5
    assert back.added == ()


def test_another_batch_changes_shapes_and_nothing_else(real: dict[str, BackwardGraph]) -> None:
    graph = real["wider batch"]
    change = compare_graphs(graph, real["plain"])
    assert (change.added, change.removed, change.rewired) == ((), (), ())
    # parameters, their transpositions and the mean's scalar keep their shape
    assert {graph.nodes[node].name for node in change.reshaped} == {"PowBackward0", "ReluBackward0", "AddmmBackward0"}


def test_skips_are_new_nodes_and_other_edges(real: dict[str, BackwardGraph]) -> None:
    change = compare_graphs(real["skip"], real["plain"])
    assert [real["skip"].nodes[node].name for node in change.added] == ["AddBackward0"] * 4
    assert change.removed == ()
    assert not change.is_equal


def test_nodes_in_the_middle_are_found_where_they_came_in() -> None:
    before, after = chain("A", "B", "B", "C"), chain("A", "B", "X", "B", "C")
    change = compare_graphs(after, before)
    assert [after.nodes[node].name for node in change.added] == ["X"]
    assert change.rewired == (1,)  # it sent to the second B, and sends to X now
