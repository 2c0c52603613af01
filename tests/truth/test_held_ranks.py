"""A job of two real ranks that is paused as a whole and stepped one rank at a time."""

import sys
from pathlib import Path

import pytest

from tensorscope.session.build import find_probe
from tensorscope.session.launch import LaunchOptions
from tensorscope.session.live import LiveSession
from tensorscope.session.session import RunState
from tensorscope.viewmodel.ranks import ranks_view
from tests.support.fake_run import wait_until
from tests.truth.test_ranks import JOB, TORCHRUN


def shown(session: LiveSession) -> list[str]:
    view = ranks_view(session.ranks(), 0)
    return [] if view is None else [row.text for row in view.rows]


def test_ranks_hold_from_their_first_node_on_and_one_that_is_stepped_waits_for_the_others(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OMP_NUM_THREADS", "1")
    options = LaunchOptions(TORCHRUN[1], [*TORCHRUN[2:], str(JOB), str(tmp_path)], is_module=True)
    session = LiveSession(options, tmp_path / "run.tscope", find_probe(sys.executable))
    try:
        wait_until(lambda: session.status.state is RunState.RUNNING)
        session.pause()
        wait_until(lambda: [info.status.state for info in session.ranks()] == [RunState.HELD] * 2)
        assert [(info.label, info.backwards) for info in session.ranks()] == [("rank 0", 1), ("rank 1", 1)]
        assert all((info.status.held or {})["position"] == 0 for info in session.ranks())
        session.step("iteration", 0)
        wait_until(lambda: shown(session)[0] == "rank 0 · Waiting, rank 1 held")
        session.resume()
        assert session.wait(300)
        assert (session.status.exit_code, [len(session.snapshot(rank).iterations) for rank in (0, 1)]) == (0, [5, 5])
    finally:
        session.close()
