"""Windows attached through ``tensorscope relay`` as over ssh, which is replaced by a shell; and windows that were stopped while their job ended."""

import socket
import sys
import threading
from pathlib import Path

import pytest

from tensorscope.session.attached import AttachedSession
from tensorscope.session.connection import SocketConnection, SshConnection
from tensorscope.session.jobs import find_job
from tensorscope.session.session import RunState
from tensorscope.trace.schema import OPERATORS
from tests.support.fake_run import PATIENCE_S, fake_session, wait_until
from tests.support.serving import runtime, served

__all__ = ["runtime"]

pytestmark = pytest.mark.usefixtures("runtime")
SSH = """#!/bin/sh
for command; do :; done
exec sh -c "$command"
"""


@pytest.fixture
def ssh(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An ``ssh`` that runs its last word here."""
    folder = tmp_path / "bin"
    folder.mkdir()
    (folder / "ssh").write_text(SSH)
    (folder / "ssh").chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}:/usr/bin:/bin")


def far(folder: Path, name: str) -> AttachedSession:
    return AttachedSession(SshConnection("there", "fake", f"{sys.executable} -m tensorscope"), lambda title: folder / f"{name}.tscope")


@pytest.mark.usefixtures("ssh")
def test_two_windows_far_away_hold_and_step_and_one_leaves_and_comes_back_and_the_script_ends_as_it_would(tmp_path: Path) -> None:
    session = fake_session(tmp_path, [["operators", 100], ["wait_armed"], ["hold"], ["wait_armed"], ["hold"], ["operators", 100], ["exit", 0]])
    wait_until(lambda: session.snapshot().facts.get("pid"))
    with served(session):
        one, other = far(tmp_path, "one"), far(tmp_path, "other")
        one.pause()
        for window in (one, other):
            wait_until(lambda window=window: window.status.text == "Held before node 1 of 5")
        other.step_node()
        for window in (one, other):
            wait_until(lambda window=window: window.status.text == "Held before node 2 of 5")
        one.step_node()
        for window in (one, other):
            wait_until(lambda window=window: window.status.text == "Held before node 3 of 5")
        one.close()  # in its own hold: nobody is left held
        wait_until(lambda: other.status.state is RunState.RUNNING)
        other.pause()
        wait_until(lambda: other.status.state is RunState.HELD)
        again = far(tmp_path, "again")
        wait_until(lambda: again.status.state is RunState.HELD)
        again.close()  # it had only looked
        other.step_node()
        wait_until(lambda: other.status.text == "Held before node 2 of 5")
        other.resume()
        wait_until(lambda: other.status.text == "Ended, exit code 0")
        wait_until(lambda: len(other.snapshot().table(OPERATORS)) == 200)
        other.close()
    assert session.snapshot().exit is not None


class Stopped(SocketConnection):
    """Of a window that is stopped until ``go_on`` is set."""

    def __init__(self, *, is_local: bool) -> None:
        self.is_local = is_local
        self.go_on = threading.Event()
        self.was_stopped = threading.Event()
        super().__init__(find_job("fake"))

    def read(self) -> bytes:
        if self.has_begun:
            self.was_stopped.set()
            self.go_on.wait(PATIENCE_S)
        return super().read()

    has_begun = False

    def was_greeted(self) -> None:
        super().was_greeted()
        self.has_begun = True


def test_a_window_that_was_stopped_until_the_host_had_ended_tells_the_end_and_reads_the_rest(tmp_path: Path) -> None:
    session = fake_session(tmp_path, [["wait_armed"], ["hold"], ["operators", 60_000], ["iteration", 0], ["exit", 3]])
    wait_until(lambda: session.snapshot().facts.get("pid"))
    with served(session, patience_s=0.1):
        connection = Stopped(is_local=True)
        window = AttachedSession(connection, lambda title: tmp_path / "mirror.tscope")
        assert connection.was_stopped.wait(PATIENCE_S)
        session.pause()
        wait_until(lambda: session.status.state is RunState.HELD)
        session.resume()
        assert session.wait(PATIENCE_S)
    connection.go_on.set()
    wait_until(lambda: window.status.text == "Ended, exit code 3")
    assert window.status.state is RunState.ENDED
    assert len(window.snapshot().table(OPERATORS)) == 60_000
    window.close()


@pytest.mark.usefixtures("ssh")
def test_a_far_window_that_missed_the_end_says_where_the_rest_is(tmp_path: Path) -> None:
    session = fake_session(tmp_path, [["wait_armed"], ["hold"], ["operators", 60_000], ["exit", 3]])
    wait_until(lambda: session.snapshot().facts.get("pid"))
    with served(session, patience_s=0.1):
        stopped = Stopped(is_local=False)
        window = AttachedSession(stopped, lambda title: tmp_path / "mirror.tscope")
        assert stopped.was_stopped.wait(PATIENCE_S)
        asked = SshConnection("there", "fake", f"{sys.executable} -m tensorscope")
        session.pause()
        wait_until(lambda: session.status.state is RunState.HELD)
        session.resume()
        assert session.wait(PATIENCE_S)
    stopped.ending = asked.ending  # type: ignore[method-assign]
    stopped.go_on.set()
    wait_until(lambda: window.status.state is RunState.GONE)
    assert window.status.text == f"Ended meanwhile (Ended, exit code 3); all of it is on {socket.gethostname()}: {tmp_path / 'run.tscope'}"
    window.close()
    asked.close()
