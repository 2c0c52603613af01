"""Scenes of graphs with measures that need no font, and questions that tests ask of them."""

from collections.abc import Iterator
from itertools import combinations

from tensorscope.analysis.layout import LayoutCache, Style
from tensorscope.analysis.results import BackwardGraph
from tensorscope.viewmodel.graph_build import build_scene
from tensorscope.viewmodel.graph_levels import Metrics
from tensorscope.viewmodel.graph_open import OpenState
from tensorscope.viewmodel.graph_scene import Box, BoxKey, BoxKind, Scene
from tensorscope.viewmodel.graph_tree import GraphTree, build_tree


def seven_px_a_letter(text: str) -> float:
    return 7.0 * len(text)


STYLE = Style(rank_gap=14, label_gap=22, column_gap=24, header=24, padding=8)
CLOSED = OpenState()
METRICS = Metrics(STYLE, 26, 42, 196, 280, 22, 62, 238, 116, 20, 2, 12, seven_px_a_letter)


def scene_of(tree: GraphTree, state: OpenState = CLOSED, tall_node: int = -1) -> Scene:
    return build_scene(tree, state, METRICS, tall_node, LayoutCache())


def all_open(tree: GraphTree) -> OpenState:
    return OpenState(opened=frozenset(tree.groups), unrolled=frozenset(tree.groups))


def open_modules(tree: GraphTree, *modules: str) -> OpenState:
    return OpenState(opened=frozenset(key for key in tree.groups if key.module in modules))


def states(graph: BackwardGraph) -> Iterator[tuple[str, GraphTree, Scene]]:
    """The graph closed, with each group alone open, and all open."""
    tree = build_tree(graph)
    yield "closed", tree, scene_of(tree)
    for key in tree.groups:
        group = tree.groups[key]
        yield f"{key.module} open", tree, scene_of(tree, OpenState(opened=frozenset({key, *(each.key for each in tree.around(group))})))
    yield "all open", tree, scene_of(tree, all_open(tree))


def overlapping(scene: Scene) -> list[tuple[BoxKey, BoxKey]]:
    """Pairs of boxes of the same group, badges included, that share area."""
    pairs = []
    for first, second in combinations(range(len(scene.boxes)), 2):
        if scene.boxes[first].parent != scene.boxes[second].parent:
            continue
        a, b = scene.box_rects[first], scene.box_rects[second]
        if a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]:
            pairs.append((scene.boxes[first].key, scene.boxes[second].key))
    return pairs


def box_names(tree: GraphTree, scene: Scene) -> list[str]:
    """What is drawn, top to bottom: node names, group names, ``first … last`` for a run."""
    return [_name(tree, box) for box in sorted(scene.boxes, key=lambda box: (box.y, box.x))]


def _name(tree: GraphTree, box: Box) -> str:
    if box.kind is BoxKind.NODE:
        return tree.graph.nodes[box.key.node].name
    if box.kind is BoxKind.RUN:
        return f"{box.groups[-1].name} … {box.groups[0].name}"
    return box.groups[0].name
