"""The panel under mouse and keys, on the hand-made training run."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from threading import Thread

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from tensorscope.errors import TensorScopeError
from tensorscope.session.session import RunState, Status
from tensorscope.viewmodel.graph_scene import BoxKey, BoxKind
from tensorscope.viewmodel.graph_tree import GroupKey
from tensorscope.viewmodel.links import selection_of_hold
from tensorscope.viewmodel.workspace import ModuleSelection
from tests.graph.desk import Desk, unroll
from tests.support.demo_trace import demo_snapshot

BLOCK = BoxKey(-1, GroupKey("h.2", 0))


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


def test_the_panel_exports_what_it_shows_off_the_windows_thread(desk: Desk, tmp_path: Path) -> None:
    wanted: list[Callable[[], None]] = []
    desk.panel.work_wanted.connect(lambda key, work, done: wanted.append(work))
    assert "Export graph…" in [action.text() for action in desk.panel.actions()]
    names = ["g.dot", "g.pdf", "g.png", "g.svg"]
    for name in names:
        desk.panel.export(tmp_path / name)
    assert not list(tmp_path.iterdir())
    worker = Thread(target=lambda: [work() for work in wanted])  # as the window does it
    worker.start()
    worker.join()
    assert sorted(path.name for path in tmp_path.iterdir()) == names
    assert "AccumulateGrad" in (tmp_path / "g.dot").read_text(encoding="utf-8")
    wanted.clear()
    desk.panel.export(tmp_path / "g.gif")
    with pytest.raises(TensorScopeError, match=r"^Name the file \.png, \.svg, \.pdf or \.dot: g\.gif is none of them\.$"):
        wanted[0]()
