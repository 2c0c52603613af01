"""Problems: sorted by weight, chosen by click and key, shown everywhere; rules are plain functions."""

from collections.abc import Iterator
from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest

from tensorscope.analysis import findings
from tensorscope.analysis.results import Finding, Related, Severity, Source
from tensorscope.gui.panels.problems import ProblemsPanel
from tensorscope.render.problem_row import problem_row_height
from tensorscope.session.session import RunState
from tensorscope.viewmodel.workspace import NodeSelection, ParameterSelection, SourceSelection
from tests.support.demo_trace import demo_snapshot
from tests.support.panel_stage import Stage, staged

LINE = Source("/user/train.py", 61, "main")
OTHER = Source("/user/model.py", 12, "forward")
LEAK = Finding("leak", "warning", "47 storages are held only by a 0.1 % view.", LINE, (Related(OTHER, "made here"),), 0, 46, {"held_bytes": 1 << 30})
NO_UPDATE = Finding("no-update", "error", "head.weight gets gradients but no update.", LINE, iteration=2, parameter="lm_head.weight", time_ns=900)
CONFLICT = Finding("in-place", "error", "h was written after AddmmBackward0 saved it.", OTHER, iteration=7, certainty=0.5, backward=7, node=3)
SHARED = Finding("shared", "info", "wte.weight and lm_head.weight share one storage.", None)


def finding(severity: Severity, certainty: float, iteration: int | None) -> Finding:
    return Finding("rule", severity, "", None, iteration=iteration, certainty=certainty)


@pytest.fixture
def stage(monkeypatch: pytest.MonkeyPatch) -> Iterator[Stage]:
    monkeypatch.setattr(findings, "RULES", (lambda snapshot: (LEAK, SHARED), lambda snapshot: (CONFLICT, NO_UPDATE)))
    with staged(ProblemsPanel, demo_snapshot(), (440, 180)) as shown:
        yield shown


def panel_of(stage: Stage) -> ProblemsPanel:
    assert isinstance(stage.panel, ProblemsPanel)
    return stage.panel


def click(stage: Stage, row: int, x: int = 60) -> None:
    rows = panel_of(stage).list
    QTest.mouseClick(rows.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(x, round(rows.rect_of(row).top()) + 10))


def test_errors_come_first_then_the_certain_then_the_early() -> None:
    certain = (finding("error", 1.0, 5), finding("error", 0.5, 1))
    rest = (finding("warning", 1.0, None), finding("warning", 1.0, 0), finding("warning", 1.0, 3), finding("info", 1.0, 0))
    assert findings.find(demo_snapshot(), (lambda snapshot: reversed(rest), lambda snapshot: reversed(certain))) == (*certain, *rest)


def test_a_row_a_finding_stands_in_order_with_place_and_iterations(stage: Stage) -> None:
    rows = panel_of(stage).list.rows
    assert [row.finding.rule for row in rows] == ["no-update", "in-place", "leak", "shared"]
    assert [row.place for row in rows] == ["train.py:61", "model.py:12", "train.py:61", ""]
    assert [row.when for row in rows] == ["iteration 2", "iteration 7", "iterations 0–46", ""]
    assert panel_of(stage).badge() == "4"


def test_choosing_one_shows_what_it_is_about_everywhere(stage: Stage) -> None:
    click(stage, 0)
    assert stage.workspace.selection == ParameterSelection("lm_head.weight", 2)
    assert stage.workspace.cursor_ns is None
    click(stage, 1)
    assert stage.workspace.selection == NodeSelection(7, 3)
    click(stage, 2)
    assert stage.workspace.selection == SourceSelection(LINE.file, LINE.line)


def test_the_other_lines_of_the_chosen_one_stand_below_it(stage: Stage) -> None:
    click(stage, 2)
    rows = panel_of(stage).list.rows
    assert [row.words for row in rows[2:4]] == [LEAK.message, "made here"]
    click(stage, 3)
    assert stage.workspace.selection == SourceSelection(OTHER.file, OTHER.line)


def test_a_click_on_the_place_goes_to_the_line(stage: Stage) -> None:
    stage.picture()
    rows = panel_of(stage).list
    QTest.mouseClick(rows.viewport(), Qt.MouseButton.LeftButton, pos=rows._links[1].center().toPoint())
    assert stage.workspace.selection == SourceSelection(OTHER.file, OTHER.line)


def test_a_sentence_that_does_not_fit_beside_its_place_stands_above_it_whole(stage: Stage) -> None:
    theme, row = stage.theme, panel_of(stage).list.rows[1]
    heights = [problem_row_height(row, width, theme) for width in (2000, 440, 200)]
    assert heights[0] == theme.px("size.row.comfortable")
    assert heights[0] < heights[1] < heights[2]
    stage.picture()
    link, rect = panel_of(stage).list._links[1], panel_of(stage).list.rect_of(1)
    assert rect.height() == heights[1]
    assert link.top() >= rect.center().y()


def test_enter_sets_the_cursor_as_well(stage: Stage) -> None:
    click(stage, 0)
    QTest.keyClick(panel_of(stage).list, Qt.Key.Key_Return)
    assert stage.workspace.cursor_ns == 900


def test_next_goes_round(stage: Stage) -> None:
    seen = []
    for _ in range(5):
        panel_of(stage).go(1)
        seen.append(next(row.finding.rule for row in panel_of(stage).list.rows if row == panel_of(stage).chosen))
    assert seen == ["no-update", "in-place", "leak", "shared", "no-update"]
    panel_of(stage).go(-1)
    assert panel_of(stage).chosen is not None
    assert panel_of(stage).chosen.finding == SHARED  # type: ignore[union-attr]


def test_copy_gives_the_whole_row(stage: Stage) -> None:
    click(stage, 2)
    QTest.keyClick(panel_of(stage).list, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QGuiApplication.clipboard().text() == f"warning\t{LEAK.message}\t/user/train.py:61\titerations 0–46"


def test_no_problem_is_said_and_how_far_the_run_was_looked_at() -> None:
    with staged(ProblemsPanel, demo_snapshot(), (440, 180), state=RunState.RUNNING) as stage:
        panel = panel_of(stage)
        assert panel.badge() == ""
        assert panel.message.title == "No problem was found yet."
        assert "1.672 s" in panel.message.advice


def test_the_list_can_be_narrowed_to_the_grave_ones(stage: Stage) -> None:
    panel = panel_of(stage)
    assert panel._tools.counts.text() == "2 errors, 1 warning, 1 note"
    for index, rules in ((1, ["no-update", "in-place", "leak"]), (2, ["no-update", "in-place"]), (0, ["no-update", "in-place", "leak", "shared"])):
        panel._tools.floors.chosen.emit(index)
        assert [row.finding.rule for row in panel.list.rows] == rules
    assert panel.badge() == "4"


def test_all_that_is_listed_is_copied_a_line_each(stage: Stage) -> None:
    panel = panel_of(stage)
    panel._tools.floors.chosen.emit(2)
    panel._tools.copy.click()
    lines = QGuiApplication.clipboard().text().splitlines()
    assert [line.split("\t")[0] for line in lines] == ["error", "error"]
    assert lines[0].endswith("/user/train.py:61\titeration 2")


def test_one_that_is_chosen_elsewhere_is_listed_and_chosen(stage: Stage) -> None:
    panel = panel_of(stage)
    panel._tools.floors.chosen.emit(2)
    panel.context.problems.choose(LEAK)
    assert panel.chosen is not None
    assert panel.chosen.finding == LEAK
    assert panel.chosen in panel.list.rows


def test_enter_goes_to_the_place(stage: Stage) -> None:
    click(stage, 1)
    QTest.keyClick(panel_of(stage).list, Qt.Key.Key_Return)
    assert stage.workspace.selection == SourceSelection(OTHER.file, OTHER.line)


def test_the_gravest_problem_of_a_line_stands_in_its_gutter(stage: Stage) -> None:
    assert panel_of(stage).context.problems.of_file("/user/train.py") == {61: NO_UPDATE}
    assert panel_of(stage).context.problems.of_file("/user/model.py") == {12: CONFLICT}


def test_a_run_that_raised_is_not_told_to_be_without_problems(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(findings, "RULES", ())
    raised = replace(demo_snapshot(is_held=False), exceptions=({"type": "exception", "exception": "ValueError", "time_ns": 5},))
    with staged(ProblemsPanel, raised, (440, 180), state=RunState.REPLAY) as shown:
        assert panel_of(shown)._empty.message.title == "No problem was found besides the exception."
