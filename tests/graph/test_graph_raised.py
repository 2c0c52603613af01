"""A node that raised is seen wherever it hides: in a closed group, behind a badge, in the legend."""

from dataclasses import replace

import pytest
from PySide6.QtCore import QRectF
from PySide6.QtGui import QImage, QPainter
from PySide6.QtWidgets import QApplication

from tensorscope.render.graph import Viewport, paint_graph
from tensorscope.render.graph_legend import paint_legend
from tensorscope.render.graph_style import graph_metrics
from tensorscope.render.theme import Theme
from tensorscope.viewmodel.graph import GraphDocument, GraphView
from tensorscope.viewmodel.graph_cards import badge_card, box_card
from tensorscope.viewmodel.graph_open import OpenState
from tensorscope.viewmodel.graph_scene import BoxKind
from tests.graph.real_graphs import GPT, load, with_times

THEME = Theme.dark()


def view_where(place: int) -> GraphView:
    """The GPT of two blocks, closed, of which one node raised."""
    graph = load(GPT)
    nodes = tuple(replace(node, has_raised=index == place) for index, node in enumerate(graph.nodes))
    return GraphDocument().view(with_times(replace(graph, nodes=nodes)), OpenState(), graph_metrics(THEME))


def has_error_color(view: GraphView, viewport: Viewport) -> bool:
    image = QImage(round(viewport.width), round(viewport.height), QImage.Format.Format_RGB32)
    with QPainter(image) as painter:
        paint_graph(painter, view, viewport, THEME)
    return any(image.pixelColor(x, y) == THEME.color("severity.error") for x in range(image.width()) for y in range(image.height()))


@pytest.mark.parametrize("zoom", [1.0, 0.2])
def test_a_closed_group_shows_that_a_node_in_it_raised(qapp: QApplication, zoom: float) -> None:
    closed = load(GPT)
    inside = next(place for place, node in enumerate(closed.nodes) if node.name == "GeluBackward0" and node.module.startswith("h.1"))
    found = []
    for place in (-1, inside):
        view = view_where(place)
        box = view.scene.box_of(inside)
        assert box.kind is BoxKind.GROUP
        found.append(has_error_color(view, Viewport(box.x - 4, box.y - 4, zoom, (box.width + 8) * zoom, (box.height + 8) * zoom)))
    assert found == [False, True]
    assert ("raised", "1 node") in box_card(view_where(inside), view_where(inside).scene.box_of(inside)).facts


def test_the_badge_of_an_accumulator_that_raised_is_outlined_in_the_colour_of_errors(qapp: QApplication) -> None:
    box = next(box for box in view_where(-1).scene.boxes if box.badges)
    accumulator = box.badges[0].accumulator
    area = Viewport(box.x - 140, box.y - 20, 1.0, 130, 60)
    assert not has_error_color(view_where(-1), area)
    assert has_error_color(view_where(accumulator), area)
    assert badge_card(view_where(accumulator), box.badges[0]).footer == "raised"


def test_the_legend_says_raised_only_where_something_did(qapp: QApplication) -> None:
    found = []
    for place in (-1, 0):
        image = QImage(600, 22, QImage.Format.Format_RGB32)
        with QPainter(image) as painter:
            paint_legend(painter, QRectF(0, 0, 600, 22), THEME, 1.0, view_where(place))
        found.append(any(image.pixelColor(x, y) == THEME.color("severity.error") for x in range(600) for y in range(22)))
    assert found == [False, True]
