"""The Output panel: lines lead to their moment and to the source lines they name; found, copied, followed."""

from collections.abc import Iterator
from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest

from tensorscope.gui.panels.output import OutputPanel
from tensorscope.render.output import code_left
from tensorscope.render.text import text_width
from tensorscope.session.session import RunState
from tensorscope.viewmodel.workspace import SourceSelection
from tests.support.demo_trace import demo_snapshot
from tests.support.panel_stage import Stage, settle, staged

TRACE = 'Traceback (most recent call last):\n  File "/user/train.py", line 61, in main\nValueError: no\n'


def snapshot(lines: int = 40):  # type: ignore[no-untyped-def]
    printed = [[number * 10, "stdout", f"\x1b[3{number % 8}mstep {number}\x1b[0m loss {1 / (number + 1):.4f}\n", 0] for number in range(lines)]
    message = {"type": "output", "time_ns": 1000, "pieces": [*printed, [lines * 10, "stderr", TRACE, 0]]}
    return replace(demo_snapshot(), outputs=(message,))


@pytest.fixture
def stage() -> Iterator[Stage]:
    with staged(OutputPanel, snapshot(), (712, 200)) as shown:
        yield shown


def panel_of(stage: Stage) -> OutputPanel:
    assert isinstance(stage.panel, OutputPanel)
    return stage.panel


def click(stage: Stage, place: int, x: int = 300, modifier: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
    area = panel_of(stage).area
    y = place * area.line_height - area.verticalScrollBar().value() + 5
    QTest.mouseClick(area.viewport(), Qt.MouseButton.LeftButton, modifier, QPoint(x, y))


def test_the_newest_line_is_in_view_until_one_scrolls_up(stage: Stage) -> None:
    area = panel_of(stage).area
    bar = area.verticalScrollBar()
    assert bar.value() == bar.maximum() > 0
    bar.setValue(0)
    assert not area.is_following
    stage.snapshot = snapshot(60)
    stage.panel.refresh()
    assert bar.value() == 0
    QTest.mouseClick(panel_of(stage).follow, Qt.MouseButton.LeftButton)
    assert bar.value() == bar.maximum()


def test_a_click_on_a_line_looks_at_its_moment_and_what_came_later_is_told_apart(stage: Stage) -> None:
    panel_of(stage).area.verticalScrollBar().setValue(0)
    click(stage, 3)
    assert stage.workspace.cursor_ns == 1030
    assert panel_of(stage).area._printed == 4


def test_a_traceback_leads_to_its_line(stage: Stage) -> None:
    area = panel_of(stage).area
    advance = text_width("0", stage.theme.font("body", code=True))
    click(stage, 41, x=round(code_left(area.viewport().width()) + 10 * advance))
    assert stage.workspace.selection == SourceSelection("/user/train.py", 61)
    assert stage.workspace.cursor_ns is None


def test_chosen_lines_are_copied_without_colours(stage: Stage) -> None:
    area = panel_of(stage).area
    area.verticalScrollBar().setValue(0)
    click(stage, 1)
    click(stage, 2, modifier=Qt.KeyboardModifier.ShiftModifier)
    QTest.keyClick(area, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QGuiApplication.clipboard().text() == "step 1 loss 0.5000\nstep 2 loss 0.3333"


def test_enter_goes_from_find_to_find(stage: Stage) -> None:
    panel = panel_of(stage)
    panel.field.setText("step 1")
    panel.field.searched.emit("step 1")
    assert panel.area.go_to_hit(1) == 1
    assert panel.area.go_to_hit(1) == 2
    assert panel.area.go_to_hit(-1) == 1
    assert panel.area.go_to_hit(-1) == 11  # step 1 and step 10 to 19


def test_one_stream_alone(stage: Stage) -> None:
    panel = panel_of(stage)
    panel.streams.chosen.emit(0)
    panel.streams.set_current(2)
    panel.refresh()
    assert [line.text for line in panel.area.lines] == TRACE.splitlines()


@pytest.mark.parametrize("theme", ["dark", "light"])
def test_the_exception_is_painted_in_the_colour_of_errors(theme: str) -> None:
    with staged(OutputPanel, snapshot(2), (712, 200), theme) as stage:
        settle()
        area = panel_of(stage).area
        picture = area.viewport().grab().toImage()
        y = 4 * area.line_height
        colours = {picture.pixelColor(x, y + dy).name() for x in range(90, 200) for dy in range(area.line_height)}
        assert stage.theme.color("severity.error").name() in colours


def test_an_empty_panel_says_why() -> None:
    with staged(OutputPanel, demo_snapshot(), (712, 200), state=RunState.REPLAY) as stage:
        assert panel_of(stage)._empty.message.title == "No output is on record."
    watched = demo_snapshot()
    with staged(OutputPanel, replace(watched, facts={**watched.facts, "captures_output": True}), (712, 200), state=RunState.REPLAY) as stage:
        assert panel_of(stage)._empty.message.title == "It printed nothing."
