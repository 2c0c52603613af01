"""What is selected, here or in another panel, is opened, brought into view and marked."""

from PySide6.QtCore import QPointF, Qt
from PySide6.QtTest import QTest

from tensorscope.render.graph_lines import views_by_line
from tensorscope.viewmodel.graph_scene import BoxKey, BoxKind
from tensorscope.viewmodel.links import selection_of_hold
from tensorscope.viewmodel.workspace import NodeSelection, ParameterSelection, SourceSelection
from tests.graph.desk import Desk


def test_a_selection_made_elsewhere_is_opened_and_brought_into_view(desk: Desk) -> None:
    held = desk.session.status.held
    assert held is not None
    desk.workspace.select(selection_of_hold(held))
    desk.settle()
    key = BoxKey(desk.panel.view.progress.held) if desk.panel.view is not None else BoxKey(-1)
    box = desk.box(key)
    part = desk.panel.canvas.camera.viewport.scene_rect
    assert part.contains(box.x, box.y)
    assert part.contains(box.x + box.width, box.y + box.height)
    assert desk.panel.canvas.look.selected == {key}
    assert [crumb.text for crumb in desk.panel.tools.crumbs.crumbs] == ["backward 7", "h.2", "mlp"]


def test_a_node_selected_in_an_earlier_backward_keeps_it_on_show_until_the_cursor_moves(desk: Desk) -> None:
    desk.workspace.select(NodeSelection(3, 0))
    desk.panel.theme_changed()
    desk.panel.refresh()
    view = desk.panel.view
    assert view is not None
    assert view.graph.backward == 3
    desk.workspace.move_cursor(0)
    desk.workspace.move_cursor(None)
    assert desk.panel.view is not None
    assert desk.panel.view.graph.backward == 7


def test_search_counts_and_enter_goes_from_hit_to_hit(desk: Desk) -> None:
    field = desk.panel.tools.search
    field.setText("gelu")
    field.searched.emit("gelu")
    assert len(desk.panel.canvas.look.hits) == 4
    seen = []
    for _ in range(5):
        field.returnPressed.emit()
        desk.settle()
        selection = desk.workspace.selection
        assert isinstance(selection, NodeSelection)
        seen.append(selection.node)
        assert desk.box(BoxKey(desk.panel.canvas.look.hit)).kind is BoxKind.NODE
    assert len(set(seen[:4])) == 4
    assert seen[4] == seen[0]


def test_what_was_gone_to_stays_in_view_when_a_list_opens_beside_the_graph(desk: Desk) -> None:
    view = desk.panel.view
    assert view is not None
    last = next(node.id for node in view.graph.nodes if node.name == "EmbeddingBackward0")
    desk.workspace.select(NodeSelection(7, last))
    desk.settle()
    desk.panel.search("gelu")
    desk.settle()
    box = desk.box(BoxKey(last))
    assert desk.panel.side.isVisible()
    assert desk.panel.canvas.camera.viewport.scene_rect.contains(box.x + box.width / 2, box.y + box.height / 2)


def test_arrow_keys_move_the_selection_along_the_edges(desk: Desk) -> None:
    view = desk.panel.view
    assert view is not None
    loss = next(node.id for node in view.graph.nodes if node.name == "NllLossBackward0")
    desk.workspace.select(NodeSelection(7, loss))
    QTest.keyClick(desk.panel.canvas, Qt.Key.Key_Down)
    selection = desk.workspace.selection
    assert isinstance(selection, NodeSelection)
    assert view.graph.nodes[selection.node].name == "LogSoftmaxBackward0"


def test_a_click_on_a_badge_selects_the_parameter(desk: Desk) -> None:
    view = desk.panel.view
    assert view is not None
    box = next(box for box in view.scene.boxes if box.badges)
    desk.panel.canvas.go_to(box.key)
    desk.settle()
    QTest.mouseClick(desk.panel.canvas, Qt.MouseButton.LeftButton, pos=desk.at(box.key, dx=-60, dy=13))
    assert desk.workspace.selection == ParameterSelection(box.badges[0].parameter, 7, 7)
    assert desk.panel.canvas.look.folded == box.badges[0].accumulator


def test_a_parameter_selected_elsewhere_is_brought_into_view_at_its_badge(desk: Desk) -> None:
    desk.workspace.select(ParameterSelection("h.1.mlp.c_fc.weight"))
    desk.settle()
    view = desk.panel.view
    assert view is not None
    place = desk.panel.canvas.look.folded
    assert view.graph.nodes[place].parameter == "h.1.mlp.c_fc.weight"
    box = view.scene.box_of(place)
    assert box.kind is BoxKind.NODE
    assert desk.panel.canvas.camera.viewport.scene_rect.contains(box.x, box.y)


def test_the_nodes_of_a_line_selected_elsewhere_stand_out(desk: Desk) -> None:
    view = desk.panel.view
    assert view is not None
    hidden = next(node for node in view.graph.nodes if node.source is not None and node.name == "GeluBackward0" and not node.module.startswith("h.2"))
    assert hidden.source is not None
    desk.workspace.select(SourceSelection(hidden.source.file, hidden.source.line))
    desk.settle()
    view = desk.panel.view
    assert view is not None
    keys = desk.panel.canvas.look.selected
    assert keys
    assert {view.graph.nodes[key.node].source for key in keys} == {hidden.source}
    desk.workspace.select(SourceSelection(hidden.source.file, 99_999))
    assert not desk.panel.canvas.look.selected


def test_a_view_that_is_selected_elsewhere_is_brought_into_view_on_its_line(desk: Desk) -> None:
    view = desk.panel.view
    assert view is not None
    node = next(node for link in view.tree.folded.links for node in link.views)
    desk.workspace.select(NodeSelection(7, view.graph.nodes[node].id))
    desk.settle()
    desk.panel.canvas.camera.pan(0, 5_000)
    desk.workspace.select(None)
    desk.workspace.select(NodeSelection(7, view.graph.nodes[node].id))
    desk.settle()
    assert desk.panel.view is not None
    (line,) = (line for line, named in views_by_line(desk.panel.view.scene.lines, desk.panel.view, desk.panel.canvas.look).items() if named == node)
    assert desk.panel.canvas.camera.viewport.scene_rect.contains(QPointF(*line.points[-1]))
