"""Every state of a run has a sentence and a next step."""

from dataclasses import replace

import pytest

from tensorscope.session.session import Changed, RunState
from tensorscope.viewmodel.run_advice import advice
from tests.gui.states import RUNNING, STATES


@pytest.mark.parametrize("name", STATES)
def test_every_state_says_what_to_do_next(name: str) -> None:
    status, snapshot, words = STATES[name]
    assert words in advice(status, None, snapshot)


def test_every_kind_of_state_is_among_them() -> None:
    assert {status.state for status, *_ in STATES.values()} == set(RunState)


def test_a_host_that_cannot_keep_up_says_so_and_recorded_time_is_told_from_now() -> None:
    slow = Changed(STATES["running"][0], True, 1000, 20, None, 0)
    assert "cannot keep up" in advice(slow.status, slow, RUNNING)
    assert "cannot keep up" not in advice(slow.status, replace(slow, dropped_events=0), RUNNING)
    assert "End returns to now" in advice(slow.status, None, RUNNING, is_looking_back=True)
