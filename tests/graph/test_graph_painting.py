"""What the panel and its minimap paint, at every zoom."""

from collections.abc import Callable
from dataclasses import replace

import pytest
from PySide6.QtCore import QRectF
from PySide6.QtGui import QImage, QPainter
from PySide6.QtWidgets import QApplication

from tensorscope.render.graph import Look, Viewport, fitting, paint_graph
from tensorscope.render.graph_lines import views_by_line
from tensorscope.render.graph_minimap import Corner, emptiest_corner, minimap_rect
from tensorscope.render.theme import Theme
from tensorscope.viewmodel.graph import GraphDocument
from tensorscope.viewmodel.graph_heat import Measure
from tensorscope.viewmodel.graph_options import Flow, GraphOptions
from tensorscope.viewmodel.graph_progress import RAISED
from tensorscope.viewmodel.graph_scene import BoxKind
from tests.graph.desk import Desk
from tests.graph.real_graphs import GPT, load
from tests.graph.scenes import METRICS, all_open


@pytest.mark.parametrize("theme", [Theme.dark, Theme.light])
def test_the_painter_paints_every_level_of_detail_and_nothing_outside(desk: Desk, theme: Callable[[], Theme]) -> None:
    view = desk.panel.view
    assert view is not None
    first = view.scene.boxes[0]
    for zoom in (2.0, 1.0, 0.5, 0.2, 0.06):
        image = QImage(300, 200, QImage.Format.Format_RGB32)
        image.fill(0)
        painter = QPainter(image)
        paint_graph(painter, view, Viewport(first.x - 10, first.y - 10, zoom, 250, 150), theme())
        painter.end()
        colors = {image.pixel(x, y) for x in range(0, 250, 3) for y in range(0, 150, 3)}
        assert len(colors) > 3, zoom
        assert {image.pixel(x, y) & 0xFFFFFF for x in range(251, 300, 7) for y in range(0, 200, 7)} == {0}


def test_a_node_that_raised_has_the_colour_of_errors_at_every_level_of_detail(desk: Desk) -> None:
    view = desk.panel.view
    assert view is not None
    box = next(box for box in view.scene.boxes if box.kind is BoxKind.NODE and box.key.node != view.progress.current)
    state = view.progress.state.copy()
    state[box.key.node] = RAISED
    raised, theme = replace(view, progress=replace(view.progress, state=state)), Theme.dark()
    for zoom in (1.0, 0.2):
        found = []
        for shown in (view, raised):
            image = QImage(300, 100, QImage.Format.Format_RGB32)
            image.fill(0)
            painter = QPainter(image)
            paint_graph(painter, shown, Viewport(box.x - 10, box.y - 10, zoom, 300, 100), theme)
            painter.end()
            found.append(sum(image.pixelColor(x, y) == theme.color("severity.error") for x in range(300) for y in range(100)))
        assert found[0] == 0 < found[1], (zoom, found)


def test_the_whole_graph_fits_when_asked(desk: Desk) -> None:
    view = desk.panel.view
    assert view is not None
    viewport = fitting(view.scene, 400, 200, Theme.dark())
    assert viewport.scene_rect.contains(0, 0)
    assert viewport.scene_rect.contains(view.scene.width, view.scene.height)


def test_at_first_the_spine_stands_whole_in_the_panel_with_its_badges_and_its_groups_sides(desk: Desk) -> None:
    for width in (538, 420):
        desk.panel.resize(width, 386)
        desk.settle()
        view, viewport = desk.panel.view, desk.panel.canvas.camera.viewport
        assert view is not None
        assert 0.7 <= viewport.zoom <= 1.0
        part = viewport.scene_rect
        held = view.scene.box_of(view.progress.held)
        left, top, right, bottom = (float(side) for side in view.scene.box_rects[view.scene.index[held.key]])
        assert part.contains(QRectF(left, top, right - left, bottom - top))
        around = view.scene.boxes[held.parent] if held.parent >= 0 else held
        assert part.left() <= around.x


def test_the_minimap_lies_where_the_graph_runs_to_the_right(desk: Desk) -> None:
    shapes = []
    for flow in Flow:
        desk.panel.choices.show_options(GraphOptions(flow))
        rect = desk.panel.canvas._map_rect()
        shapes.append((rect.width(), rect.height()))
        assert rect.right() <= desk.panel.canvas.width()
    assert shapes == [(84, 126), (126, 84)]


def test_the_minimap_stands_where_it_covers_the_least(desk: Desk) -> None:
    view = desk.panel.view
    assert view is not None
    theme, header = Theme.dark(), next(box for box in view.scene.boxes if box.kind is BoxKind.OPEN)
    right_top = Viewport(header.x + header.width - 520, header.y - 20, 1.0, 538, 362)
    corner = emptiest_corner(view, right_top, theme, Corner.RIGHT_TOP)
    covered = minimap_rect(right_top, theme, corner).translated(right_top.x, right_top.y)
    assert not covered.intersects(QRectF(header.x, header.y, header.width, 24))
    nothing = Viewport(-9_000, -9_000, 1.0, 538, 362)
    assert emptiest_corner(view, nothing, theme, Corner.LEFT_TOP) is Corner.LEFT_TOP


def test_a_held_view_stands_on_one_piece_of_its_gradients_way(qapp: QApplication) -> None:
    graph = load(GPT, ran=0)
    document = GraphDocument()
    view = document.view(graph, all_open(document.tree(graph, {})), METRICS)
    seen = 0
    for node in {node for link in view.tree.folded.links for node in link.views}:
        links = {number for number, link in enumerate(view.tree.folded.links) if node in link.views}
        pieces = [line for line in view.scene.lines if line.target is not None and links & set(line.links)]
        held = replace(view, progress=replace(view.progress, held=node))
        assert list(views_by_line(view.scene.lines, held, Look()).values()) == [node]
        seen += len(pieces) > 1
    assert seen


def test_the_chooser_colours_the_nodes_by_a_number(desk: Desk) -> None:
    desk.panel.tools.colour.setCurrentIndex(list(Measure).index(Measure.GRADIENT))
    assert desk.panel.view is not None
    assert desk.panel.view.heat is not None
    assert desk.panel.view.heat.high == 0  # the backward that is held has not told its gradients yet
    desk.panel.tools.stepped.emit(-1)
    assert desk.panel.view.heat is not None
    assert desk.panel.view.heat.high > 0
    desk.panel.tools.colour.setCurrentIndex(0)
    assert desk.panel.view.heat is None
