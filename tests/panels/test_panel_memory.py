"""The memory panel on a believable run: wheel, keys, clicks and choices do to the workspace what they say."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QGuiApplication, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog

from tensorscope.analysis.memory import memory_timeline
from tensorscope.analysis.results import CATEGORIES
from tensorscope.gui.panels.memory import MemoryPanel
from tensorscope.session.session import RunState
from tensorscope.viewmodel.memory_blocks import largest_rows
from tensorscope.viewmodel.workspace import BlockSelection, ModuleSelection, SourceSelection
from tests.support.demo_trace import demo_snapshot
from tests.support.panel_stage import Stage, hover, settle, staged
from tests.support.trace_builder import TraceBuilder


@pytest.fixture
def stage(qapp: object) -> Iterator[Stage]:
    with staged(MemoryPanel, demo_snapshot("cuda", is_held=False), (900, 320)) as made:
        yield made


def wheel(stage: Stage, at: QPointF, notches: int, modifiers: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
    plot = stage.panel.plot
    event = QWheelEvent(at, plot.mapToGlobal(at), QPoint(), QPoint(0, 120 * notches), Qt.MouseButton.NoButton, modifiers, Qt.ScrollPhase.NoScrollPhase, False)
    QApplication.sendEvent(plot, event)
    settle()


def click(stage: Stage, at: QPointF) -> None:
    QTest.mouseClick(stage.panel.plot, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, at.toPoint())
    settle()


def peak_of(stage: Stage) -> int:
    timeline = memory_timeline(stage.snapshot, "cuda:0")
    return int(timeline.times_ns[timeline.peak_index])


def test_the_wheel_zooms_at_the_pointer(stage: Stage) -> None:
    plot = stage.panel.plot
    at = QPointF(400, 200)
    before = plot.geometry_of_view().ns_of(at.x())
    whole = plot.range_ns
    wheel(stage, at, 3)
    begin, end = stage.workspace.range_ns
    assert (end - begin) == pytest.approx((whole[1] - whole[0]) / 1.25**3, rel=1e-6)
    assert plot.geometry_of_view().ns_of(at.x()) == pytest.approx(before, abs=(end - begin) / 300)


def test_keys_zoom_pan_fit_and_go_to_the_peak(stage: Stage) -> None:
    plot = stage.panel.plot
    plot.setFocus()
    whole = plot.range_ns
    for key in (Qt.Key.Key_W, Qt.Key.Key_W):
        QTest.keyClick(plot, key)
    zoomed = stage.workspace.range_ns
    assert zoomed[1] - zoomed[0] < whole[1] - whole[0]
    QTest.keyClick(plot, Qt.Key.Key_D)
    assert stage.workspace.range_ns[0] > zoomed[0]
    QTest.keyClick(plot, Qt.Key.Key_A)
    assert stage.workspace.range_ns[0] == pytest.approx(zoomed[0], abs=2)
    QTest.keyClick(plot, Qt.Key.Key_P)
    assert stage.workspace.cursor_ns == peak_of(stage)
    begin, end = stage.workspace.range_ns
    assert begin <= peak_of(stage) <= end
    QTest.keyClick(plot, Qt.Key.Key_F)
    assert stage.workspace.range_ns is None
    assert plot.range_ns == whole


def test_dragging_pans_and_does_not_move_the_cursor(stage: Stage) -> None:
    plot = stage.panel.plot
    wheel(stage, QPointF(300, 200), 5)
    begin, _ = stage.workspace.range_ns
    QTest.mousePress(plot, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, QPoint(300, 200))
    QTest.mouseMove(plot, QPoint(250, 200))
    QTest.mouseRelease(plot, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, QPoint(250, 200))
    assert stage.workspace.range_ns[0] > begin
    assert stage.workspace.cursor_ns is None


def test_a_click_moves_the_cursor_there(stage: Stage) -> None:
    at = QPointF(333, 120)
    expected = stage.panel.plot.geometry_of_view().ns_of(333)
    click(stage, at)
    assert stage.workspace.cursor_ns == expected


def test_a_click_on_a_block_selects_it(stage: Stage) -> None:
    plot = stage.panel.plot
    timeline = memory_timeline(stage.snapshot, "cuda:0")
    row = largest_rows(timeline.blocks, peak_of(stage), 1)[0]
    stage.workspace.show_range((int(timeline.blocks.begin_ns[row]) - 200_000, int(timeline.blocks.end_ns[row]) + 200_000))
    settle()
    plot.grab()
    stage.workspace.select(BlockSelection(int(timeline.blocks.address[row]), int(timeline.blocks.begin_ns[row]), "cuda:0"))
    settle()
    plot.grab()
    strip, geometry = plot.view.selected[0], plot.geometry_of_view()
    assert strip.row == row
    middle = len(strip.bottoms) // 2
    x = geometry.xs_of(plot.view.edges_ns)[strip.first + middle]
    at = QPointF(float(x) + 0.5, geometry.y_of(int(strip.bottoms[middle]) + strip.size / 2))
    stage.workspace.select(None)
    click(stage, at)
    assert stage.workspace.selection == BlockSelection(int(timeline.blocks.address[row]), int(timeline.blocks.begin_ns[row]), "cuda:0")


def test_a_category_click_hides_it_and_alt_click_leaves_it_alone(stage: Stage) -> None:
    side = stage.panel.side
    activation = CATEGORIES.index("activation")
    side.category_clicked.emit(activation, False)
    stage.picture()
    assert not stage.panel.plot.view.category_bytes[activation].any()
    side.category_clicked.emit(activation, True)
    stage.picture()
    shown = [number for number in range(len(CATEGORIES)) if stage.panel.plot.view.category_bytes[number].any()]
    assert shown == [activation]


def test_a_click_on_a_rows_line_opens_its_source(stage: Stage) -> None:
    side = stage.panel.side
    placed = next(placed for placed in side._visible_rows() if getattr(placed.row, "source", None) is not None)
    QTest.mouseClick(side, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, QPoint(round(placed.rect.right()) - 80, round(placed.rect.center().y())))
    assert stage.workspace.selection == SourceSelection(placed.row.source.file, placed.row.source.line)
    QTest.mouseClick(side, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, QPoint(round(placed.rect.left()) + 30, round(placed.rect.center().y())))
    assert stage.workspace.selection == BlockSelection(placed.row.first.address, placed.row.first.begin_ns, "cuda:0")


def test_a_selected_module_has_its_lane(stage: Stage) -> None:
    stage.workspace.select(ModuleSelection("h.1"))
    stage.picture()
    view = stage.panel.plot.view
    assert view.module == "h.1"
    assert {span.label for span in view.module_lane if span.kind == "selected"} == {"h.1"}
    assert {span.label for span in view.module_lane} == {"h.0", "h.1", "h.2", "h.3"}


def test_the_table_shows_exact_bytes_to_the_clipboard(stage: Stage) -> None:
    stage.panel.side.setFocus()
    QTest.keyClick(stage.panel.side, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    timeline = memory_timeline(stage.snapshot, "cuda:0")
    assert f"allocated\t{timeline.allocated_bytes[-1]} B\t{timeline.allocated_bytes.max()} B" in QGuiApplication.clipboard().text()


def test_hovering_explains_the_block_or_the_moment(stage: Stage) -> None:
    plot = stage.panel.plot
    geometry = plot.geometry_of_view()
    column = geometry.column_at(geometry.plot.center().x(), len(plot.view.high_bytes))
    hover(plot, QPointF(geometry.plot.center().x(), geometry.y_of(int(plot.view.high_bytes[column]) / 2)))
    assert dict(plot.card.facts).keys() >= {"size", "life", "made by"}
    hover(plot, QPointF(geometry.plot.center().x(), geometry.plot.top() + 3))
    assert "allocated" in dict(plot.card.facts)
    plot.explain(None, QPoint())


def test_nothing_is_computed_twice(stage: Stage) -> None:
    submitted = stage.submitted
    stage.panel.refresh()
    stage.workspace.show_range((stage.snapshot.end_ns // 2, stage.snapshot.end_ns))
    assert stage.submitted == submitted
    stage.workspace.move_cursor(stage.snapshot.end_ns // 2)
    assert stage.submitted == submitted + 1


def test_while_held_the_amber_cursor_stands_where_the_script_does(qapp: object) -> None:
    with staged(MemoryPanel, demo_snapshot("cuda", is_held=True), state=RunState.HELD) as stage:
        stage.picture()
        view = stage.panel.plot.view
        assert view.stands_ns == stage.snapshot.holds[-1]["time_ns"]
        assert not view.is_looking_back
        stage.workspace.move_cursor(1_500_000_000)
        stage.picture()
        assert stage.panel.plot.view.is_looking_back


def test_without_allocations_it_says_what_to_do(qapp: object) -> None:
    with staged(MemoryPanel, TraceBuilder().snapshot(), state=RunState.RUNNING) as stage:
        assert stage.panel.plot.isHidden()
        assert stage.panel.side.isHidden()
        stage.picture()


def test_another_device_can_be_chosen(qapp: object) -> None:
    builder = TraceBuilder()
    for device_type, device_index, size in ((0, -1, 1000), (1, 0, 5000), (1, 1, 3000)):
        builder.alloc(address=0x1000, size=size, time=1000, device_type=device_type, device_index=device_index)
        builder.alloc(address=0x9000, size=size, time=90_000, device_type=device_type, device_index=device_index)
    with staged(MemoryPanel, builder.snapshot()) as stage:
        chooser = stage.panel._tools.devices
        assert [chooser.itemText(index) for index in range(chooser.count())] == ["cpu", "cuda:0", "cuda:1"]
        assert chooser.currentText() == "cuda:0"  # the highest peak
        chooser.setCurrentIndex(2)
        chooser.activated.emit(2)
        stage.picture()
        assert stage.panel.plot.view.device == "cuda:1"
        assert int(stage.panel.plot.view.high_bytes.max()) == 6000
        stage.workspace.move_cursor(50_000)
        assert stage.panel.plot.view.device == "cuda:1"


def test_dropped_events_are_told_on_the_curve(qapp: object) -> None:
    snapshot = demo_snapshot("cuda", is_held=False)
    with staged(MemoryPanel, replace(snapshot, health=replace(snapshot.health, dropped_events=12))) as stage:
        stage.picture()
        assert stage.panel.plot.view.notice == "12 events dropped: the curve may be off"


def test_the_camera_saves_what_is_shown(stage: Stage, tmp_path: Path) -> None:
    stage.panel._tools.camera.click()
    dialog = stage.panel.findChild(QFileDialog)
    dialog.fileSelected.emit(str(tmp_path / "shown.png"))
    dialog.reject()
    settle()
    assert (tmp_path / "shown.png").read_bytes().startswith(b"\x89PNG")
