"""What nodes keep of their operators' calls, as a second line in the node and in its card."""

from dataclasses import replace

from PySide6.QtCore import QPointF
from PySide6.QtWidgets import QApplication

from tensorscope.analysis.layout import LayoutCache
from tensorscope.analysis.results import BackwardGraph, GraphNode
from tensorscope.viewmodel.graph import GraphDocument
from tensorscope.viewmodel.graph_attributes import attribute_words
from tensorscope.viewmodel.graph_build import build_scene
from tensorscope.viewmodel.graph_cards import box_card
from tensorscope.viewmodel.graph_open import OpenState
from tensorscope.viewmodel.graph_options import GraphOptions
from tensorscope.viewmodel.graph_tree import build_tree
from tensorscope.viewmodel.workspace import NodeSelection
from tests.graph.desk import Desk
from tests.graph.real_graphs import chain
from tests.graph.scenes import METRICS


def keeping(node: GraphNode, **values: str) -> GraphNode:
    return replace(node, attributes=tuple(values.items()))


def two() -> BackwardGraph:
    graph = chain("SumBackward1", "ExpBackward0", "MulBackward0")
    first, second, third = graph.nodes
    return replace(graph, nodes=(keeping(first, keepdim="true", self_sym_sizes="[3, 4]", dim="[0, 1]"), keeping(second, self_sym_sizes="[12]"), third))


def test_shapes_are_left_out_and_what_is_asked_for_most_stands_first() -> None:
    assert [attribute_words(node) for node in two().nodes] == ["dim=[0,1], keepdim=True", "", ""]


def test_a_node_with_attributes_is_higher_where_they_are_shown() -> None:
    tree = build_tree(two())
    heights = []
    for has_attributes in (False, True):
        metrics = replace(METRICS, options=GraphOptions(has_attributes=has_attributes))
        heights.append([box.height for box in build_scene(tree, OpenState(), metrics, -1, LayoutCache()).boxes])
    assert heights == [[26, 26, 26], [42, 26, 26]]


def test_the_card_of_a_node_names_them() -> None:
    view = GraphDocument().view(two(), OpenState(), METRICS)
    cards = [dict(box_card(view, box).facts) for box in view.scene.boxes]
    assert [card.get("attributes") for card in cards] == ["dim=[0,1], keepdim=True", None, None]


def test_going_to_a_node_from_the_first_look_at_everything_shows_it_in_full_size(desk: Desk, qapp: QApplication) -> None:
    canvas = desk.panel.canvas
    canvas.resize(538, 250)
    canvas._has_looked = False
    assert desk.panel.view is not None
    canvas.camera.set(replace(canvas.camera.viewport, zoom=0.56, y=-5_000.0))
    node = next(node for node in desk.panel.view.graph.nodes if node.name == "EmbeddingBackward0")
    desk.workspace.select(NodeSelection(7, node.id))
    desk.settle()
    assert canvas.camera.viewport.zoom == 1.0
    canvas.zoom_by(0.6)
    canvas.camera.pan(0, 3_000)
    desk.workspace.select(None)
    desk.workspace.select(NodeSelection(7, node.id))
    desk.settle()
    assert canvas.camera.viewport.zoom == 0.6  # the user's own stays
    box = desk.box(desk.panel.view.scene.box_of(node.id).key)
    assert canvas.camera.viewport.scene_rect.contains(QPointF(box.x, box.y))
