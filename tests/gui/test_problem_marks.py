"""Problems are marked on the scrubber and in the source's gutter; a click on a mark chooses its problem."""

from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, QRectF, Qt
from PySide6.QtTest import QTest

from tensorscope.analysis import findings
from tensorscope.analysis.results import Finding, Source
from tensorscope.gui.panels.problems import ProblemsPanel
from tensorscope.gui.panels.source import SourcePanel
from tensorscope.gui.problem_keeper import ProblemKeeper
from tensorscope.render.scrubber import LABEL_HEIGHT, PROBLEM_SIZE, problem_x
from tensorscope.viewmodel.found_problems import FoundProblems
from tensorscope.viewmodel.workspace import SourceSelection, Workspace
from tests.gui.conftest import Opener, wait_until_ready
from tests.support.demo_run import SCRIPT
from tests.support.demo_trace import demo_snapshot
from tests.support.fake_session import FakeSession

FOUND = Finding("leak", "warning", "A storage grows from here.", Source(str(SCRIPT), 3), iteration=4)


def test_a_mark_on_the_scrubber_tells_and_chooses_its_problem(open_window: Opener, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(findings, "RULES", (lambda snapshot: (FOUND,),))
    window = open_window()
    strip = window.scrubber.strip
    (mark,) = strip.problems()
    view = window.scrubber.view
    assert view is not None
    x, y = round(problem_x(QRectF(strip.rect()), view, mark)), round(LABEL_HEIGHT + PROBLEM_SIZE / 2)
    assert strip.hint(x, y) == "A storage grows from here."
    assert strip.hint(x, strip.height() - 1) != "A storage grows from here."
    QTest.mouseClick(strip, Qt.MouseButton.LeftButton, pos=QPoint(x, y))
    wait_until_ready(window)
    panel = window.deck.panel("problems")
    assert isinstance(panel, ProblemsPanel)
    assert panel.chosen is not None
    assert panel.chosen.finding == FOUND
    assert panel in window.deck.shown_panels()
    assert window.workspace.cursor_ns == view.iteration_begins_ns[4]
    assert window.workspace.selection == SourceSelection(str(SCRIPT), 3)
    source = window.deck.panel("source")
    assert isinstance(source, SourcePanel)
    assert source._code._problems == {3: FOUND}
    window.grab()  # both are painted


def test_the_iteration_of_a_problem_is_kept_in_full() -> None:
    problems, session = FoundProblems(), FakeSession(demo_snapshot())
    keeper = ProblemKeeper(problems, session, Workspace())
    whole_run = Finding("whole", "info", "It is of the whole run.", None, time_ns=5)
    problems.show((replace(FOUND, time_ns=77), whole_run))
    problems.show((replace(FOUND, time_ns=99),))  # the same problem, seen further on
    assert session.asked == ["keep 77"]
    assert keeper is not None
