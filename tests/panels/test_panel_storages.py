"""The storages panel: rows, children, filter, columns by room, selection both ways."""

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QModelIndex, QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest

from tensorscope.gui.panels.field import PATIENCE_MS
from tensorscope.gui.panels.storages import StoragesPanel
from tensorscope.gui.panels.storages_model import LAYOUT, SIZE, WRITER
from tensorscope.viewmodel.storages import storage_tree
from tensorscope.viewmodel.workspace import BlockSelection, ParameterSelection, SourceSelection, StorageSelection
from tests.support.believable_run import storage_run
from tests.support.demo_trace import demo_snapshot
from tests.support.panel_stage import Stage, settle, staged
from tests.support.trace_builder import TraceBuilder


@pytest.fixture
def stage(qapp: object) -> Iterator[Stage]:
    with staged(StoragesPanel, demo_snapshot("cuda", is_held=False), (460, 300)) as made:
        made.panel.show_tree(storage_tree(storage_run(40)))
        settle()
        yield made


def names(stage: Stage, parent: QModelIndex | None = None) -> list[str]:
    model = stage.panel.model
    parent = parent or QModelIndex()
    return [model.data(model.index(row, 0, parent)) for row in range(model.rowCount(parent))]


def test_storages_stand_largest_first_with_their_views_below(stage: Stage) -> None:
    assert names(stage)[:3] == ["wte.weight", "h.6.attn qkv", "addmm result"]
    model = stage.panel.model
    assert names(stage, model.index(1, 0)) == ["q", "k", "v"]
    assert model.parent(model.index(2, 0, model.index(1, 0))) == model.index(1, 0)
    assert stage.panel.view.isExpanded(model.index(1, 0))


def test_the_panel_says_when_the_storages_were_seen(stage: Stage) -> None:
    assert stage.panel.seen.text().startswith("as of iteration 12's end: ")
    assert stage.panel.badge() == "45"


def test_the_filter_leaves_what_matches(stage: Stage) -> None:
    for words, left in (("external", ["images"]), ("lm_head", ["wte.weight"])):
        stage.panel.filter.clear()
        QTest.keyClicks(stage.panel.filter, words)
        QTest.qWait(2 * PATIENCE_MS)
        assert names(stage) == left
    QTest.keyClick(stage.panel.filter, Qt.Key.Key_Escape)
    QTest.qWait(2 * PATIENCE_MS)
    assert len(names(stage)) == 45


def test_a_click_selects_the_storage(stage: Stage) -> None:
    view, model = stage.panel.view, stage.panel.model
    QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, view.visualRect(model.index(1, 0)).center())
    assert stage.workspace.selection == StorageSelection(storage_run().rows[2].data, storage_run().seen_ns)


def test_a_selection_made_elsewhere_is_shown_and_not_told_again(stage: Stage) -> None:
    chosen = StorageSelection(storage_run().rows[3].data, 7)
    stage.workspace.select(chosen)
    assert stage.panel.model.item_of(stage.panel.view.currentIndex())[0].name == "pos"
    assert stage.workspace.selection == chosen


def test_a_block_or_a_parameter_selected_elsewhere_marks_its_storage(stage: Stage) -> None:
    def shown() -> str:
        return stage.panel.model.item_of(stage.panel.view.currentIndex())[0].name

    stage.workspace.select(BlockSelection(storage_run().rows[2].data, 7, "cuda:0"))
    assert shown() == "h.6.attn qkv"
    stage.workspace.select(ParameterSelection("lm_head.weight"))
    assert shown() == "wte.weight"


def test_what_the_user_closed_stays_closed(stage: Stage) -> None:
    view, model = stage.panel.view, stage.panel.model
    view.collapse(model.index(1, 0))
    stage.panel.show_tree(storage_tree(storage_run(41)))
    assert not view.isExpanded(model.index(1, 0))
    assert view.isExpanded(model.index(0, 0))


def test_layout_and_writer_are_columns_where_there_is_room(stage: Stage) -> None:
    view = stage.panel.view
    assert not view.is_column_shown(LAYOUT)
    stage.window.resize(1700, 300)
    settle()
    assert view.is_column_shown(LAYOUT)
    assert view.is_column_shown(WRITER)
    assert sum(view.columnWidth(column) for column in range(6)) <= view.viewport().width()


def test_a_click_on_the_writers_line_opens_it(stage: Stage) -> None:
    stage.window.resize(1700, 300)
    settle()
    view, model = stage.panel.view, stage.panel.model
    cell = view.visualRect(model.index(1, WRITER))
    QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, QPoint(cell.right() - 12, cell.center().y()))
    assert stage.workspace.selection == SourceSelection("/home/me/gpt/model.py", 80)


def test_a_row_can_be_copied_with_exact_bytes(stage: Stage) -> None:
    view, model = stage.panel.view, stage.panel.model
    view.setCurrentIndex(model.index(0, 0))
    QTest.keyClick(view, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert "wte.weight\t[50304, 768] f32\tbase, contiguous, version 1\t" in QGuiApplication.clipboard().text()
    assert "\t154533888 B\t" in QGuiApplication.clipboard().text()


def test_sorting_by_size_turns_round(stage: Stage) -> None:
    stage.panel.view.sortByColumn(SIZE, Qt.SortOrder.AscendingOrder)
    assert names(stage)[-1] == "wte.weight"


def test_the_same_storages_again_leave_the_rows_alone(stage: Stage) -> None:
    resets: list[None] = []
    stage.panel.model.modelReset.connect(lambda: resets.append(None))
    stage.panel.show_tree(storage_tree(storage_run(40)))
    assert not resets
    stage.panel.show_tree(storage_tree(storage_run(41)))
    assert len(resets) == 1


def test_the_cursor_chooses_an_earlier_look(qapp: object) -> None:
    with staged(StoragesPanel, demo_snapshot("cuda", is_held=False)) as stage:
        looks = [int(message["time_ns"]) for message in stage.snapshot.storages]
        newest = stage.panel.seen.text()
        stage.workspace.move_cursor(looks[2] + 1)
        assert stage.panel.seen.text() != newest
        assert stage.panel._tree.seen_ns == looks[2]
        submitted = stage.submitted
        stage.workspace.move_cursor(looks[2] + 2)
        assert stage.submitted == submitted


def test_without_a_look_it_says_what_to_do(qapp: object) -> None:
    with staged(StoragesPanel, TraceBuilder().snapshot()) as stage:
        assert not stage.panel.view.isVisible()
        stage.picture()


def test_thousands_of_storages_are_painted_as_needed(stage: Stage) -> None:
    stage.panel.show_tree(storage_tree(storage_run(5000)))
    assert stage.panel.model.rowCount() == 5005
    stage.picture()
