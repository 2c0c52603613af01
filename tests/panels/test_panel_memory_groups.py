"""The lists beside the memory timeline: blocks of one line or module as one row, and what changed between two moments."""

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest

from tensorscope.analysis.results import CATEGORIES, Source
from tensorscope.gui.panels.memory import MemoryPanel
from tensorscope.viewmodel.memory_groups import grouped
from tensorscope.viewmodel.memory_names import BlockRow
from tests.support.demo_trace import demo_snapshot
from tests.support.panel_stage import Stage, settle, staged

LINE, OTHER = Source("/x/model.py", 7), Source("/x/model.py", 9)


def block(row: int, size: int, source: Source | None = LINE, module: str = "h.0", operator: str = "aten::linear", names: tuple[str, ...] = ()) -> BlockRow:
    name = ", ".join(names) or f"linear of {module}"
    return BlockRow(row, name, names, "activation", size, 4096 * row, row, None, operator, module, source)


BLOCKS = (block(0, 10), block(1, 30, module="h.1"), block(2, 25, OTHER), block(3, 5, None, ""), block(4, 5, None, ""))


def test_blocks_of_one_line_and_operator_are_one_row_largest_first() -> None:
    assert [(group.name, group.size_bytes, group.source) for group in grouped(BLOCKS, "line")] == [
        ("2 × linear", 40, LINE),
        ("linear of h.0", 25, OTHER),
        ("linear of ", 5, None),  # without a line each stands alone
        ("linear of ", 5, None),
    ]


def test_blocks_of_one_module_are_one_row_and_its_line_is_told_where_there_is_one() -> None:
    assert [(group.name, group.size_bytes, group.source) for group in grouped(BLOCKS, "module")] == [
        ("h.0", 35, None),
        ("h.1", 30, LINE),
        ("no module", 10, None),
    ]


def test_a_common_stem_of_names_names_the_row() -> None:
    kept = [block(0, 8, names=("kept[0]",)), block(1, 8, names=("kept[1]",))]
    assert [group.name for group in grouped(kept, "line")] == ["2 × kept"]


def test_what_is_gone_counts_as_less_and_a_large_loss_stands_first() -> None:
    change = grouped([block(1, 30)], "line", [block(0, 10), block(2, 90, OTHER)])
    assert [(group.size_bytes, len(group.blocks)) for group in change] == [(-90, 1), (20, 2)]


@pytest.fixture
def stage() -> Iterator[Stage]:
    with staged(MemoryPanel, demo_snapshot(), (712, 309)) as stage:
        yield stage


def test_the_optimizers_state_is_one_row_among_the_largest_at_the_peak(stage: Stage) -> None:
    timeline, first = stage.panel._state.model.timeline, stage.panel._state.below.groups[0]
    assert first.name == "104 × zeros_like"
    assert first.size_bytes == int(timeline.category_bytes[CATEGORIES.index("optimizer_state"), timeline.peak_index])


def test_a_moment_to_compare_with_shows_the_change_of_each_category_and_line(stage: Stage) -> None:
    state = stage.panel._state
    activation, optimizer = CATEGORIES.index("activation"), CATEGORIES.index("optimizer_state")
    timeline = state.model.timeline
    early, late = 300, len(timeline.times_ns) - 1
    stage.workspace.move_cursor(int(timeline.times_ns[late]))
    stage.panel.plot.other_chosen.emit(int(timeline.times_ns[early]))
    settle()
    rows = {row.number: row for row in stage.panel.side._categories}
    for number in (activation, optimizer):
        assert rows[number].change_bytes == int(timeline.category_bytes[number][late] - timeline.category_bytes[number][early])
    total = int(timeline.allocated_bytes[late] - timeline.allocated_bytes[early])
    below = stage.panel._state.below
    assert all(group.size_bytes for group in below.groups)
    assert rows[None].change_bytes == below.total_bytes == sum(group.size_bytes for group in below.groups) == total
    stage.panel.plot.other_chosen.emit(int(timeline.times_ns[early]))
    settle()
    assert stage.panel.side._categories[0].change_bytes is None
    assert stage.panel._state.below.since_ns is None


def test_shift_click_and_m_choose_the_moment_and_escape_ends_the_comparison(stage: Stage) -> None:
    plot = stage.panel.plot
    plot.grab()
    QTest.mouseClick(plot, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.ShiftModifier, QPoint(200, 150))
    settle()
    assert stage.panel._request.since_ns == plot.geometry_of_view().ns_of(200)
    assert stage.workspace.cursor_ns is None
    before = stage.picture()
    QTest.keyClick(plot, Qt.Key.Key_Escape)
    settle()
    assert stage.panel._request.since_ns is None
    assert stage.picture() != before
    stage.workspace.move_cursor(1_500_000_000)
    plot.grab()
    QTest.keyClick(plot, Qt.Key.Key_M)
    assert stage.panel._request.since_ns == 1_500_000_000


def test_the_blocks_at_the_cursor_are_listed_by_line_or_module_when_asked(stage: Stage) -> None:
    stage.panel._tools.pages.chosen.emit(1)
    each = stage.panel._state.at_cursor
    stage.panel._tools.groupings.activated.emit(2)
    settle()
    by_module = stage.panel._state.at_cursor
    assert by_module.total_bytes == each.total_bytes == sum(group.size_bytes for group in by_module.groups)
    assert "lm_head" in [group.name for group in by_module.groups]
    assert len(by_module.groups) < len(each.groups)
