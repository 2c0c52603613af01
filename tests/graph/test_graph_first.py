"""Where a graph is looked at from at first, and that its names can be read there."""

from dataclasses import replace

import pytest
from PySide6.QtGui import QGuiApplication

from tensorscope.render.graph_first import first_viewport
from tensorscope.render.graph_style import detail_at
from tensorscope.render.theme import Theme
from tensorscope.viewmodel.graph_scene import Scene
from tensorscope.viewmodel.graph_tree import build_tree
from tests.graph.real_graphs import chain
from tests.graph.scenes import scene_of

MINIMAP = 108.0


def column(count: int) -> Scene:
    """Nodes one below the other: 196 px wide and 26 px high, 14 or more px apart."""
    return scene_of(build_tree(chain(*["MulBackward0"] * count)))


@pytest.mark.parametrize("share", [1.0, 0.75, 0.56])
def test_a_graph_that_fits_at_more_than_half_its_size_is_shown_whole(qapp: QGuiApplication, share: float) -> None:
    scene = column(8)
    height = scene.height * share + 32  # margins of 16
    viewport = first_viewport(scene, 600, height, MINIMAP, -1, Theme.dark())
    assert viewport.zoom == pytest.approx(share)
    assert viewport.scene_rect.contains(0, 0)
    assert viewport.scene_rect.contains(scene.width, scene.height)


def test_a_larger_one_opens_at_its_loss_or_at_the_node_that_is_held_in_full_size(qapp: QGuiApplication) -> None:
    scene = column(60)
    top, held = (first_viewport(scene, 600, 360, MINIMAP, place, Theme.dark()) for place in (-1, 30))
    for viewport, place in ((top, 0), (held, 30)):
        box = scene.box_of(place)
        assert viewport.zoom == 1.0
        assert viewport.scene_rect.contains(box.x, box.y)
        assert viewport.scene_rect.contains(box.x + box.width, box.y + box.height)
    middle = scene.box_of(30).y + 13
    assert held.scene_rect.center().y() == pytest.approx(middle)


def test_names_keep_a_readable_size_on_the_screen_while_boxes_shrink(qapp: QGuiApplication) -> None:
    theme = Theme.dark()
    pixels = theme.font("body").pixelSize()
    for zoom in (1.0, 0.7):
        assert detail_at(zoom, theme).enlarged == 1.0
    for zoom in (0.68, 0.6, 0.56):
        assert pixels * zoom * detail_at(zoom, theme).enlarged == pytest.approx(10.0, abs=0.1)
    assert detail_at(0.36, theme).enlarged * pixels < theme.px("graph.node.height")  # never out of their box


def test_an_empty_scene_needs_no_room(qapp: QGuiApplication) -> None:
    scene = replace(column(1), boxes=(), width=0.0, height=0.0)
    assert first_viewport(scene, 600, 360, MINIMAP, -1, Theme.dark()).zoom == 1.0
