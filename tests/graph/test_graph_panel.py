"""The panel under mouse and keys, on the hand-made training run."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QPoint, QPointF, QRectF, Qt
from PySide6.QtGui import QImage, QPainter, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from tensorscope.gui.panel import Panel, PanelContext
from tensorscope.gui.panels.graph import GraphPanel
from tensorscope.render.graph import Look, Viewport, fitting, paint_graph
from tensorscope.render.graph_lines import views_by_line
from tensorscope.render.graph_minimap import Corner, emptiest_corner, minimap_rect
from tensorscope.render.theme import Theme
from tensorscope.session.session import RunState, Status
from tensorscope.trace.snapshot import Snapshot
from tensorscope.viewmodel.graph import GraphDocument
from tensorscope.viewmodel.graph_heat import Measure
from tensorscope.viewmodel.graph_progress import RAISED
from tensorscope.viewmodel.graph_scene import BoxKey, BoxKind
from tensorscope.viewmodel.graph_tree import GroupKey
from tensorscope.viewmodel.links import selection_of_hold
from tensorscope.viewmodel.workspace import ModuleSelection, NodeSelection, ParameterSelection, SourceSelection, Workspace
from tests.graph.real_graphs import GPT, load
from tests.graph.scenes import METRICS, all_open
from tests.support.demo_trace import demo_snapshot
from tests.support.fake_session import FakeSession

BLOCK = BoxKey(-1, GroupKey("h.2", 0))


class Desk:
    """A panel with its surroundings; what it asks for is computed at once."""

    def __init__(self, snapshot: Snapshot) -> None:
        self.session = FakeSession(snapshot)
        self.workspace = Workspace()
        self.computed = 0
        context = PanelContext(self.workspace, self.session, Theme.dark, self._submit, lambda: snapshot)
        self.panel = GraphPanel(context)
        self.tools = self.panel.tool_row()
        self.workspace.observe(self.panel.workspace_changed)
        self.panel.resize(538, 386)
        self.panel.show()
        self.panel.refresh()

    def _submit(self, panel: Panel, compute: Callable[[], Any]) -> None:
        self.computed += 1
        panel.show_result(compute())

    def close(self) -> None:
        for widget in (self.panel, self.tools):
            assert widget is not None
            widget.close()
            widget.deleteLater()
        QTest.qWait(1)

    def box(self, key: BoxKey) -> Any:
        assert self.panel.view is not None
        return self.panel.view.scene.boxes[self.panel.view.scene.index[key]]

    def at(self, key: BoxKey, dx: float = 60, dy: float = 10) -> QPoint:
        box = self.box(key)
        return self.panel.canvas.camera.viewport.from_scene(QPointF(box.x + dx, box.y + dy)).toPoint()

    def settle(self) -> None:
        for _ in range(100):
            if not self.panel.canvas.camera.is_moving:
                return
            QTest.qWait(10)
        raise AssertionError("the camera never came to rest")


@pytest.fixture
def desk(qapp: QApplication) -> Iterator[Desk]:
    made = Desk(demo_snapshot())
    yield made
    made.close()


def unroll(desk: Desk) -> None:
    assert desk.panel.view is not None
    run = next(box.key for box in desk.panel.view.scene.boxes if box.kind is BoxKind.RUN)
    desk.panel.canvas.go_to(run)
    desk.settle()
    QTest.mouseDClick(desk.panel.canvas, Qt.MouseButton.LeftButton, pos=desk.at(run))
    desk.settle()


def test_it_shows_the_backward_that_is_held(desk: Desk) -> None:
    assert desk.panel.view is not None
    held = desk.session.status.held
    assert held is not None
    assert desk.panel.view.graph.backward == held["backward"] - 1
    assert desk.panel.view.graph.nodes[desk.panel.view.progress.held].id == held["node_index"]


def test_a_double_click_opens_a_group_that_stays_where_it_is(desk: Desk) -> None:
    unroll(desk)
    desk.panel.canvas.go_to(BLOCK)
    desk.settle()
    before = desk.at(BLOCK)
    QTest.mouseDClick(desk.panel.canvas, Qt.MouseButton.LeftButton, pos=before)
    desk.settle()
    assert desk.box(BLOCK).kind is BoxKind.OPEN
    assert (desk.at(BLOCK) - before).manhattanLength() <= 1
    QTest.mouseDClick(desk.panel.canvas, Qt.MouseButton.LeftButton, pos=before)
    desk.settle()
    assert desk.box(BLOCK).kind is BoxKind.GROUP
    assert (desk.at(BLOCK) - before).manhattanLength() <= 1


def test_a_click_on_the_chevron_opens_and_a_click_elsewhere_selects(desk: Desk) -> None:
    unroll(desk)
    desk.panel.canvas.go_to(BLOCK)
    desk.settle()
    QTest.mouseClick(desk.panel.canvas, Qt.MouseButton.LeftButton, pos=desk.at(BLOCK, dx=100))
    assert desk.workspace.selection == ModuleSelection("h.2", 7)
    assert desk.panel.canvas.look.selected == {BLOCK}
    QTest.mouseClick(desk.panel.canvas, Qt.MouseButton.LeftButton, pos=desk.at(BLOCK, dx=8))
    desk.settle()
    assert desk.box(BLOCK).kind is BoxKind.OPEN


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


def test_the_wheel_zooms_at_the_pointer(desk: Desk) -> None:
    canvas = desk.panel.canvas
    at = QPointF(200, 150)
    under = canvas.camera.viewport.to_scene(at)
    wheel = QWheelEvent(
        at, canvas.mapToGlobal(at), QPoint(), QPoint(0, 240), Qt.MouseButton.NoButton, Qt.KeyboardModifier.NoModifier, Qt.ScrollPhase.NoScrollPhase, False
    )
    zoom = canvas.camera.viewport.zoom
    QApplication.sendEvent(canvas, wheel)
    assert canvas.camera.viewport.zoom > zoom * 1.2
    after = canvas.camera.viewport.to_scene(at)
    assert (after - under).manhattanLength() < 1e-6


def test_dragging_pans_and_selects_nothing(desk: Desk) -> None:
    canvas = desk.panel.canvas
    x, zoom = canvas.camera.viewport.x, canvas.camera.viewport.zoom
    QTest.mousePress(canvas, Qt.MouseButton.LeftButton, pos=QPoint(100, 200))
    QTest.mouseMove(canvas, QPoint(160, 200))
    QTest.mouseRelease(canvas, Qt.MouseButton.LeftButton, pos=QPoint(160, 200))
    assert canvas.camera.viewport.x == pytest.approx(x - 60 / zoom)
    assert desk.workspace.selection is None


def test_f_brings_the_whole_graph_into_view(desk: Desk) -> None:
    held = desk.session.status.held
    assert held is not None
    desk.workspace.select(selection_of_hold(held))
    desk.settle()
    QTest.keyClick(desk.panel.canvas, Qt.Key.Key_F)
    desk.settle()
    assert desk.panel.view is not None
    scene, part = desk.panel.view.scene, desk.panel.canvas.camera.viewport.scene_rect
    assert part.contains(0, 0)
    assert part.contains(scene.width, scene.height)


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


def test_moving_the_cursor_shows_that_moment(desk: Desk) -> None:
    view = desk.panel.view
    assert view is not None
    first = next(node for node in view.graph.nodes if node.begin_ns is not None and node.name == "LogSoftmaxBackward0")
    assert first.begin_ns is not None
    desk.workspace.move_cursor(first.begin_ns)
    after = desk.panel.view
    assert after is not None
    assert after.graph.nodes[after.progress.current].name == "LogSoftmaxBackward0"
    assert after.progress.is_looking_back
    assert after.tree is view.tree


def test_one_may_go_to_the_backward_before_and_follow_again(desk: Desk) -> None:
    desk.panel.tools.stepped.emit(-1)
    assert desk.panel.view is not None
    assert desk.panel.view.graph.backward == 6
    desk.panel.tools.follow_clicked.emit()
    assert desk.panel.view.graph.backward == 7


def test_nothing_is_computed_again_for_the_same_snapshot_and_state(desk: Desk) -> None:
    before = desk.computed
    desk.panel.refresh()
    assert desk.computed == before


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


def test_hovering_explains_the_node_with_its_line(desk: Desk) -> None:
    view = desk.panel.view
    assert view is not None
    box = next(box for box in view.scene.boxes if box.kind is BoxKind.NODE and view.graph.nodes[box.key.node].name == "LogSoftmaxBackward0")
    desk.panel.canvas.go_to(box.key)
    desk.settle()
    QTest.mouseMove(desk.panel.canvas, desk.at(box.key))
    card = desk.panel.canvas.card
    assert card is not None
    assert card.title == "LogSoftmaxBackward0"
    assert any(label.startswith("train.py:") for label, _ in card.facts)
    desk.panel.canvas.explain(None, QPointF())


def test_without_a_backward_it_says_what_to_do(qapp: QApplication) -> None:
    empty = replace(demo_snapshot(), backwards={}, graphs={}, graph_details={}, holds=())
    desk = Desk(empty)
    desk.session.status = Status(RunState.RUNNING, "Running")
    assert desk.panel.canvas.isHidden()
    assert desk.panel.view is None
    desk.close()


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


def test_the_panel_exports_what_it_shows_and_leaves_graphviz_to_a_worker(desk: Desk, tmp_path: Path) -> None:
    wanted: list[Callable[[], None]] = []
    desk.panel.work_wanted.connect(lambda key, work, done: wanted.append(work))
    assert "Export graph…" in [action.text() for action in desk.panel.actions()]
    for name in ("g.png", "g.svg", "g.dot"):
        desk.panel.export(tmp_path / name)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["g.png", "g.svg"]
    (work,) = wanted
    work()
    assert "AccumulateGrad" in (tmp_path / "g.dot").read_text(encoding="utf-8")


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
