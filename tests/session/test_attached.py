"""Windows attached to a served run without torch: the past and the present arrive, commands go back, and nobody is slowed or left held."""

import os
import signal
import socket
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from tensorscope import __version__
from tensorscope.errors import TensorScopeError
from tensorscope.protocol.stream import preface
from tensorscope.recording.reader import RecordingReader, read_trace
from tensorscope.session.jobs import find_job
from tensorscope.session.session import Changed, RunState
from tensorscope.session.wire import item
from tensorscope.trace.schema import OPERATORS, TABLES
from tensorscope.trace.snapshot import Snapshot
from tests.support.fake_run import PATIENCE_S, fake_options, fake_session, is_running, wait_until
from tests.support.serving import attached, runtime, served

__all__ = ["runtime"]

pytestmark = pytest.mark.usefixtures("runtime")


def assert_same(one: Snapshot, other: Snapshot) -> None:
    for table in TABLES:
        for column in table.columns:
            assert np.array_equal(one.table(table).column(column.name), other.table(table).column(column.name)), (table.name, column.name)
    assert (one.strings, one.iterations, one.facts, one.exit) == (other.strings, other.iterations, other.facts, other.exit)


def test_the_past_and_then_the_present_arrive_as_the_host_has_them(tmp_path: Path) -> None:
    plan = [["operators", 20_000], ["iteration", 0], ["wait_armed"], ["hold"], ["operators", 5_000], ["iteration", 1], ["exit", 3]]
    session = fake_session(tmp_path, plan)
    wait_until(lambda: len(session.snapshot().iterations) == 1)
    with served(session):
        window = attached(tmp_path)
        wait_until(lambda: window.status.state is RunState.RUNNING)
        assert len(window.snapshot().table(OPERATORS)) == 20_000
        assert window.title == "plan.json · fake"
        assert window.path == session.path
        window.pause()
        wait_until(lambda: window.status.text == "Held before node 1 of 5")
        assert window.status.held is not None
        assert window.status.held["name"] == "AddBackward0"
        window.step_node()
        wait_until(lambda: window.status.text == "Held before node 2 of 5")
        assert [message["position"] for message in window.snapshot().holds] == [0, 1]
        window.resume()
        wait_until(lambda: window.status.text == "Ended, exit code 3")
        assert session.wait(PATIENCE_S)
        assert_same(window.snapshot(), session.snapshot())
        window.save_as(tmp_path / "kept.tscope")
        window.close()
    with RecordingReader(tmp_path / "kept.tscope") as reader:
        assert_same(read_trace(reader).snapshot(), session.snapshot())
    assert not session.path.with_name("run.tscope-wal").exists()


@pytest.mark.parametrize("is_far", [False, True])
def test_detail_that_was_too_much_at_first_comes_when_the_user_goes_there(tmp_path: Path, is_far: bool) -> None:
    session = fake_session(tmp_path, [*(step for number in range(8) for step in (["operators", 15_000], ["iteration", number])), ["forever"]])
    wait_until(lambda: len(session.snapshot().iterations) == 8 and len(session.snapshot().table(OPERATORS)) == 120_000)
    with served(session):
        window = attached(tmp_path, history_bytes=3 << 20, is_far=is_far)
        wait_until(lambda: window.status.state is RunState.RUNNING)
        past = window.snapshot()
        assert 15_000 <= len(past.table(OPERATORS)) < 60_000
        assert past.health.retired_iterations
        assert not past.health.lost_iterations
        begin_ns, end_ns = int(past.iterations[3]["time_ns"]), int(past.iterations[4]["time_ns"])
        whole = of_span(session.snapshot(), begin_ns, end_ns)
        assert len(of_span(past, begin_ns, end_ns)) < len(whole) // 2  # a frame may reach a little into it
        window.look_at((begin_ns + end_ns) // 2)
        wait_until(lambda: len(of_span(window.snapshot(), begin_ns, end_ns)) == len(whole))
        assert np.array_equal(of_span(window.snapshot(), begin_ns, end_ns), whole)
        ids = window.snapshot().table(OPERATORS).column("id")
        assert np.all(np.diff(ids.astype(np.int64)) > 0)  # in their place, and each once
        told: list[Changed] = []
        window.listen(told.append)
        wait_until(lambda: told and told[-1].past == "")
        window.close()


def of_span(snapshot: Snapshot, begin_ns: int, end_ns: int) -> np.ndarray:
    """Ids of the operators that lie in a span."""
    operators = snapshot.table(OPERATORS)
    return operators.column("id")[(operators.column("begin_ns") > begin_ns) & (operators.column("end_ns") < end_ns)]


def test_a_script_that_a_window_has_paused_is_let_go_when_the_window_goes(tmp_path: Path) -> None:
    session = fake_session(tmp_path, [["wait_armed"], ["hold"], ["exit", 0]])
    wait_until(lambda: session.snapshot().facts.get("pid"))
    with served(session):
        bystander, window = attached(tmp_path), attached(tmp_path)
        window.pause()
        wait_until(lambda: window.status.state is RunState.HELD)
        wait_until(lambda: bystander.status.state is RunState.HELD)
        window.close()
        assert window.status.text == "Detached; attach again: tensorscope attach fake"
        wait_until(lambda: bystander.status.text == "Ended, exit code 0")
        bystander.close()


def test_a_window_that_only_looks_leaves_a_held_script_held(tmp_path: Path) -> None:
    session = fake_session(tmp_path, [["wait_armed"], ["hold"], ["exit", 0]])
    wait_until(lambda: session.snapshot().facts.get("pid"))
    with served(session):
        window = attached(tmp_path)
        window.pause()
        wait_until(lambda: window.status.state is RunState.HELD)
        bystander = attached(tmp_path)
        wait_until(lambda: bystander.status.state is RunState.HELD)
        bystander.close()
        window.step_node()
        wait_until(lambda: window.status.text == "Held before node 2 of 5")
        window.resume()
        wait_until(lambda: window.status.state is RunState.ENDED)
        window.close()


def test_a_window_may_detach_and_attach_again_and_stop_the_script(tmp_path: Path) -> None:
    session = fake_session(tmp_path, [["operators", 10], ["forever"]])
    wait_until(lambda: len(session.snapshot().table(OPERATORS)) == 10)
    with served(session):
        for _ in range(2):
            window = attached(tmp_path, str(session.pid))
            wait_until(lambda window=window: len(window.snapshot().table(OPERATORS)) == 10)
            window.close()
        window = attached(tmp_path)
        window.stop()
        wait_until(lambda: window.status.text == "Stopped")
        window.close()


def test_a_window_that_never_reads_slows_nobody(tmp_path: Path) -> None:
    session = fake_session(tmp_path, [["operators", 200_000], ["iteration", 0], ["exit", 0]])
    with served(session, patience_s=0.2) as server, socket.socket(socket.AF_UNIX) as silent:
        silent.connect(str(server.socket_path))
        silent.sendall(preface(__version__) + item("attach", history_bytes=1 << 30))
        assert session.wait(PATIENCE_S)
        assert len(session.snapshot().table(OPERATORS)) == 200_000


def test_whoever_talks_nonsense_is_hung_up_on_and_the_next_is_served(tmp_path: Path) -> None:
    session = fake_session(tmp_path, [["operators", 10], ["forever"]])
    with served(session) as server:
        for words in (b"GET / HTTP/1.1\r\n\r\n", preface(__version__) + b"\xff" * 64, preface(__version__) + item("attach", history_bytes=-1)):
            with socket.socket(socket.AF_UNIX) as stranger:
                stranger.connect(str(server.socket_path))
                stranger.sendall(words)
                while stranger.recv(1 << 16):
                    pass
        window = attached(tmp_path)
        wait_until(lambda: len(window.snapshot().table(OPERATORS)) == 10)
        window.close()


def test_when_the_host_is_killed_the_window_says_so_and_keeps_what_it_has(tmp_path: Path, runtime: Path) -> None:
    options = fake_options(tmp_path, [["operators", 10], ["iteration", 0], ["forever"]])
    words = ["serve", "--name", "fake", "-o", str(tmp_path / "run.tscope"), "--python", options.interpreter, options.script]
    host = subprocess.Popen([sys.executable, "-m", "tensorscope", *words])
    wait_until(lambda: (runtime / "fake.sock").exists() and find_job("fake").script_pids)
    (pid,) = find_job("fake").script_pids
    window = attached(tmp_path)
    wait_until(lambda: len(window.snapshot().iterations) == 1)
    host.kill()
    host.wait()
    wait_until(lambda: window.status.state is RunState.GONE)
    assert window.status.text == "Host gone; the script runs on unwatched"
    changes: list[Changed] = []
    window.listen(changes.append)
    wait_until(lambda: changes and changes[-1].warning == f"What came stays: {tmp_path / 'run.tscope'}")
    assert len(window.snapshot().table(OPERATORS)) == 10
    window.pause()
    window.close()
    assert is_running(pid)
    os.kill(pid, signal.SIGKILL)
    assert not find_job("fake").is_served


def test_a_host_that_is_stopped_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    session = fake_session(tmp_path, [["forever"]])
    with served(session):
        silent = socket.socket(socket.AF_UNIX)
        job = find_job("fake")
        job.socket.unlink()
        silent.bind(str(job.socket))
        silent.listen()
        monkeypatch.setattr("tensorscope.session.connection.ANSWER_S", 0.2)
        with pytest.raises(TensorScopeError, match=f"The host of job fake does not answer; is process {os.getpid()} stopped"):
            attached(tmp_path)
        silent.close()
