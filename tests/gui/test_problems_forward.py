"""What is wrong with a run that is over comes to the front by itself, once."""

import pytest

from tensorscope.analysis import findings
from tensorscope.analysis.results import Finding, Severity, Source
from tensorscope.session.session import RunState, Status
from tests.gui.conftest import Opener, wait_until_ready
from tests.gui.states import ENDED, HELD
from tests.support.fake_session import FakeSession

OVER = Status(RunState.REPLAY, "Ended, exit code 0", exit_code=0)


@pytest.mark.parametrize(
    ("severity", "width", "is_in_front"),
    [("error", 1600, True), ("error", 1280, True), ("warning", 1600, True), ("warning", 1280, False), ("info", 1600, False)],
)
def test_problems_of_a_recording_come_to_the_front(
    open_window: Opener, monkeypatch: pytest.MonkeyPatch, severity: Severity, width: int, *, is_in_front: bool
) -> None:
    monkeypatch.setattr(findings, "RULES", (lambda snapshot: (Finding("leak", severity, "It leaks.", Source("/user/train.py", 3)),),))
    window = open_window(FakeSession(ENDED, OVER), (width, 900))
    panel = window.deck.panel("problems")
    assert (panel in window.deck.shown_panels()) is is_in_front
    assert window.deck.focused is not panel


def test_they_stay_behind_while_the_script_runs_and_where_they_were_put_back(open_window: Opener, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(findings, "RULES", (lambda snapshot: (Finding("leak", "error", "It leaks.", Source("/user/train.py", 3)),),))
    session = FakeSession(HELD)
    window = open_window(session)
    panel = window.deck.panel("problems")
    assert panel not in window.deck.shown_panels()
    session.tell(Status(RunState.CRASHED, "Ended by ValueError", exit_code=1), ENDED)
    wait_until_ready(window)
    assert panel in window.deck.shown_panels()
    window.deck.show_panel("storages")
    session.tell(snapshot=HELD)
    wait_until_ready(window)
    assert panel not in window.deck.shown_panels()
