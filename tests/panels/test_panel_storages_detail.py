"""One storage in full: its lines, marks that go to the event, groups and facets of the list, keys and what screen readers hear."""

from collections.abc import Iterator
from dataclasses import replace

import pytest
from PySide6.QtCore import QModelIndex, QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest

from tensorscope.analysis.results import StorageRow
from tensorscope.gui.panels.storages import DETAIL, LIST, StoragesPanel
from tensorscope.gui.panels.storages_model import NAME, SIZE
from tensorscope.protocol.records import TensorRole
from tensorscope.render.storage_detail import strip_rect
from tensorscope.render.storage_strip import plot_rect
from tensorscope.trace.snapshot import Snapshot
from tensorscope.viewmodel.storage_badges import badges_of, reached_bytes
from tensorscope.viewmodel.storage_detail import StripLine, TensorLine, UseLine, saved_file_bytes, strip_marks
from tensorscope.viewmodel.storage_groups import Grouping
from tensorscope.viewmodel.storages import storage_tree
from tensorscope.viewmodel.workspace import OperatorSelection, SourceSelection, StorageSelection
from tests.support.believable_run import storage_run
from tests.support.panel_stage import Stage, settle, staged
from tests.support.trace_builder import TraceBuilder

IN, OUT = TensorRole.INPUT, TensorRole.OUTPUT
MS = 1_000_000


def snapshot() -> Snapshot:
    """A tensor of 96 bytes at 0x10 with a view of 24: made at 10 ms, viewed at 20, written at 30, read at 40, ..., 490."""
    builder = TraceBuilder().alloc(address=0x10, size=96, time=10 * MS + 1)
    for at, name, rows in (
        (10, "aten::rand", ((OUT, 0),)),
        (20, "aten::select", ((IN, 0), (OUT, 0))),
        (30, "aten::add_", ((IN, 0), (OUT, 1))),
        *((at, "aten::mul", ((IN, 1),)) for at in range(40, 500, 10)),
    ):
        builder.operator(name, begin=at * MS, end=at * MS + 100, stack=[("/user/train.py", at, "main")])
        for role, version in rows:
            builder.tensor(role=role, data=0x10, storage=0x5, version=version)
    tensor = {"impl": 1, "names": ["table"], "shape": [4, 6], "stride": [6, 1], "offset": 0, "dtype": "float32", "itemsize": 4, "version": 1, "is_view": False}
    view = {**tensor, "impl": 2, "names": ["first"], "shape": [6], "stride": [1], "is_view": True, "base": 1}
    storage = {"storage": 0x5, "data": 0x10, "nbytes": 96, "device": "cpu", "is_external": False, "tensors": [tensor, view]}
    holders = ["local table in main()", "saved by MulBackward0 as self"]
    message = {"type": "storages", "time_ns": 600 * MS, "reason": "exit", "is_complete": True, "storages": [{**storage, "holders": holders}]}
    return builder.message(message).snapshot()


@pytest.fixture
def stage(qapp: object) -> Iterator[Stage]:
    with staged(StoragesPanel, snapshot(), (1200, 500)) as made:
        made.workspace.select(StorageSelection(0x10, 600 * MS))
        settle()
        yield made


@pytest.fixture
def listed(qapp: object) -> Iterator[Stage]:
    with staged(StoragesPanel, TraceBuilder().snapshot(), (900, 400)) as made:
        made.panel.show_tree(storage_tree(storage_run(16)))
        settle()
        yield made


def row(number: int) -> StorageRow:
    return storage_run().rows[number]


def lines(stage: Stage, kind: type) -> list[int]:
    return [number for number, line in enumerate(stage.panel.detail.detail.lines) if isinstance(line, kind)]


def test_the_chosen_storage_is_told_in_full(stage: Stage) -> None:
    detail = stage.panel.detail.detail
    assert [badge.word for badge in detail.item.badges] == ["saved by MulBackward0", "2 tensors", "written at train.py:30"]
    assert len(lines(stage, TensorLine)) == 2
    assert len(lines(stage, UseLine)) == 49
    stage.picture()


def test_saving_a_view_writes_the_whole_storage(stage: Stage) -> None:
    first = stage.panel.detail.detail.item.others[0].tensor
    assert saved_file_bytes(first, 96) == (96, 24)


def test_marks_that_are_too_near_for_eyes_are_one_and_count(stage: Stage) -> None:
    uses = stage.panel.detail.detail.uses
    marks = strip_marks(uses, 110.0)
    assert len(marks) <= 3 * 11
    assert sum(mark.count for mark in marks) == 49
    assert [(mark.first, mark.last) for mark in marks if mark.lane == 2] == [(1, 1)]
    assert len(strip_marks(uses, 5000.0)) == 49


def test_a_click_on_a_mark_goes_to_the_event_and_the_storage_stays(stage: Stage) -> None:
    view = stage.panel.detail
    (number,) = lines(stage, StripLine)
    strip = strip_rect(view.rect_of(number), stage.theme)
    plot = plot_rect(strip)
    mark = next(mark for mark in strip_marks(view.detail.uses, plot.width()) if mark.lane == 2)
    at = QPoint(round(plot.left() + mark.x), round(plot.top() + plot.height() * 5 / 6))
    QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, at)
    assert stage.workspace.cursor_ns == 20 * MS
    assert stage.workspace.selection == OperatorSelection(2)
    assert view.detail.item.row.data == 0x10


def test_the_lines_are_walked_by_key_and_copied_with_exact_numbers(stage: Stage) -> None:
    view = stage.panel.detail
    view.setFocus()
    for _ in range(lines(stage, UseLine)[2] + 1):
        QTest.keyClick(view, Qt.Key.Key_Down)
    QTest.keyClick(view, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QGuiApplication.clipboard().text() == "30000000 ns\twrites\taten::add_\t/user/train.py:30"
    assert view.accessibleDescription() == QGuiApplication.clipboard().text()
    QTest.keyClick(view, Qt.Key.Key_Return)
    assert stage.workspace.cursor_ns == 30 * MS


def test_a_click_on_a_place_opens_the_line(stage: Stage) -> None:
    view = stage.panel.detail
    view.verticalScrollBar().setValue(view.verticalScrollBar().maximum())
    rect = view.rect_of(lines(stage, UseLine)[-1])
    at = QPoint(round(rect.right() - 20), round(rect.center().y()))
    QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, at)
    assert stage.workspace.selection == SourceSelection("/user/train.py", 490)


def test_list_and_detail_are_pages_where_there_is_no_room_for_both(stage: Stage) -> None:
    stage.window.resize(460, 300)
    settle()
    panel = stage.panel
    assert (panel.view.isVisible(), panel.detail.isVisible()) == (True, False)
    panel.view.setFocus()
    QTest.keyClick(panel.view, Qt.Key.Key_Return)
    assert (panel.current_tab(), panel.view.isVisible(), panel.detail.isVisible()) == (DETAIL, False, True)
    panel.choose_tab(LIST)
    assert panel.view.isVisible()


def test_groups_stand_largest_first_with_their_storages_below(listed: Stage) -> None:
    model, view = listed.panel.model, listed.panel.view
    listed.panel.tools.group_by(Grouping.CATEGORY)
    titles = [model.data(model.index(number, NAME)) for number in range(model.rowCount())]
    assert titles[:2] == ["parameter", "activation"]
    first = model.index(0, 0)
    assert model.data(model.index(0, 0, first)) == "wte.weight"
    assert model.parent(model.index(0, 0, first)) == first
    tensor = model.index(0, 0, model.index(0, 0, first))
    assert (model.data(tensor), model.parent(model.parent(tensor))) == ("lm_head.weight", first)
    assert model.data(model.index(0, SIZE)) == f"{sum(item.row.nbytes for item in model.items if item.row.category == 'parameter')} B"
    assert view.isExpanded(first)
    listed.workspace.select(StorageSelection(row(3).data, 1))
    assert model.item_of(view.currentIndex())[0].name == "pos"
    listed.picture()


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("is:tied", ["wte.weight"]),
        ("is:external", ["images"]),
        ("is:kept", ["addmm result"]),
        ("is:shared category:act", ["h.6.attn qkv"]),
        ("category:buffer -x1 -x9", ["pos"]),
    ],
)
def test_facets_choose_what_is_listed(listed: Stage, text: str, found: list[str]) -> None:
    listed.panel.tools.show_only(text)
    assert [item.name for item in listed.panel.model.items] == found


def test_the_menu_writes_facets_into_the_filter(listed: Stage) -> None:
    tools = listed.panel.tools
    tools.menu.fill(listed.panel._tree, tools.filter.text(), Grouping.NONE)
    action = next(action for action in tools.menu.actions() if action.text() == "Tied parameters")
    action.trigger()
    assert (tools.filter.text(), listed.panel.model.rowCount()) == ("is:tied", 1)
    tools.menu.fill(listed.panel._tree, tools.filter.text(), Grouping.NONE)
    next(action for action in tools.menu.actions() if action.text() == "Tied parameters").trigger()
    assert (tools.filter.text(), listed.panel.model.rowCount()) == ("", 21)


def test_a_small_view_that_keeps_a_large_storage_is_said() -> None:
    kept = row(0)
    assert kept.nbytes == 8 * 1024 * 768 * 4
    (view,) = storage_tree(storage_run()).items[2].tensors
    assert reached_bytes(storage_tree(storage_run()).items[2].row) == 8 * 768 * 4
    assert view.tensor.is_view
    assert badges_of(storage_tree(storage_run()).items[2].row)[0].word == "24.0 KiB view keeps 24.0 MiB"


def test_a_screen_reader_hears_names_with_badges(listed: Stage) -> None:
    model = listed.panel.model
    assert model.data(model.index(0, 0), Qt.ItemDataRole.AccessibleTextRole) == "wte.weight, tied, 2 tensors"
    assert model.data(model.index(0, SIZE), Qt.ItemDataRole.AccessibleTextRole) == "Size: 154533888 B"
    assert listed.panel.view.accessibleName() == "Storages and their tensors"
    assert model.index(99, 0) == QModelIndex()


def test_without_a_choice_the_detail_says_what_to_do(listed: Stage) -> None:
    assert listed.panel.detail.detail is None
    listed.picture()


def test_a_choice_made_while_the_list_is_under_way_asks_for_the_list_again(stage: Stage) -> None:
    """The newest request of a panel takes the place of one that waits: what that one was to bring must come with it."""
    panel = stage.panel
    stage.workspace.rest_at(1)
    before = stage.snapshot
    stage.snapshot = replace(before, iterations=({"index": 0, "time_ns": 700 * MS},))
    waiting = panel.request(stage.snapshot)
    assert waiting is not None
    panel._chosen = replace(panel._chosen, row=replace(panel._chosen.row, seen_ns=599 * MS))
    newest = panel.request(stage.snapshot)
    result = newest()
    assert result.tree is not None
    assert result.detail is not None
    panel.show_result(result)
    assert panel.request(stage.snapshot) is None
