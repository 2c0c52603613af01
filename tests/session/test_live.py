"""A live session over a debuggee without torch: reading, holding, ending, letting go."""

import os
import signal
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from tensorscope.errors import TensorScopeError
from tensorscope.recording.reader import RecordingReader, read_trace
from tensorscope.session.launch import LaunchOptions
from tensorscope.session.live import LiveSession
from tensorscope.session.session import Changed, RunState
from tensorscope.trace.schema import OPERATORS
from tensorscope.trace.snapshot import Snapshot
from tests.support.fake_run import PATIENCE_S, BuiltProbe, fake_session, is_running, wait_until


def recorded(path: Path) -> Snapshot:
    with RecordingReader(path) as reader:
        return read_trace(reader).snapshot()


def test_everything_written_before_the_exit_is_there_in_trace_and_recording(tmp_path: Path) -> None:
    session = fake_session(tmp_path, [["operators", 30_000], ["iteration", 0], ["exit", 3]])
    assert session.wait(PATIENCE_S)
    live = session.snapshot()
    session.close()
    kept = recorded(session.path)
    for snapshot in (live, kept):
        assert snapshot.table(OPERATORS).column("id").tolist() == list(range(1, 30_001))
        assert [message["index"] for message in snapshot.iterations] == [0]
        assert snapshot.name(1) == "aten::mm"
        assert snapshot.exit is not None
        assert snapshot.exit["code"] == 3
    assert session.status.text == "Ended, exit code 3"
    assert session.status.exit_code == 3
    assert not session.path.with_name("run.tscope-wal").exists()


def test_a_killed_script_leaves_all_it_wrote(tmp_path: Path) -> None:
    session = fake_session(tmp_path, [["operators", 10], ["raise", signal.SIGKILL]])
    assert session.wait(PATIENCE_S)
    session.close()
    assert session.status.state is RunState.CRASHED
    assert session.status.text == "Killed by SIGKILL after aten::mm"
    assert session.status.exit_code == 137
    kept = recorded(session.path)
    assert len(kept.table(OPERATORS)) == 10
    assert kept.exit is not None
    assert kept.exit["signal"] == 9


def test_an_exception_is_named_with_its_place(tmp_path: Path) -> None:
    exception = {"type": "exception", "exception": "ValueError", "message": "no", "source": "/user/train.py:61", "frames": []}
    session = fake_session(tmp_path, [["message", exception], ["exit", 1]])
    assert session.wait(PATIENCE_S)
    session.close()
    assert session.status.text == "Ended by ValueError, train.py:61"
    assert session.status.state is RunState.CRASHED


def test_pause_step_and_resume_hold_and_let_go(tmp_path: Path) -> None:
    session = fake_session(tmp_path, [["wait_armed"], ["hold"], ["operators", 1], ["exit", 0]])
    wait_until(lambda: session.snapshot().facts.get("pid"))
    session.pause()
    assert session.status.state in (RunState.PAUSING, RunState.HELD)
    wait_until(lambda: session.status.text == "Held before node 1 of 5")
    session.step_node()
    wait_until(lambda: session.status.text == "Held before node 2 of 5")
    assert session.status.held is not None
    assert session.status.held["name"] == "AddBackward0"
    session.resume()
    assert session.wait(PATIENCE_S)
    session.close()
    snapshot = recorded(session.path)
    assert [message["position"] for message in snapshot.holds] == [0, 1]
    assert snapshot.held_ns > 0


def test_closing_lets_a_held_script_run_on_to_its_end(tmp_path: Path) -> None:
    done = tmp_path / "done"
    session = fake_session(tmp_path, [["wait_armed"], ["hold"], ["wait_off"], ["touch", str(done)], ["exit", 5]])
    wait_until(lambda: session.snapshot().facts.get("pid"))
    session.pause()
    wait_until(lambda: session.status.state is RunState.HELD)
    session.close()
    assert session.wait_for_script() == 5
    assert done.exists()


def test_closing_does_not_wait_for_the_script(tmp_path: Path) -> None:
    session = fake_session(tmp_path, [["forever"]])
    wait_until(lambda: session.snapshot().facts.get("pid"))
    pid = session.pid
    assert pid is not None
    session.close()
    session.close()
    assert is_running(pid)
    assert not [thread for thread in threading.enumerate() if thread.name.startswith("tensorscope")]
    os.kill(pid, signal.SIGKILL)
    assert session.wait_for_script() == -9


def test_stop_interrupts_the_script(tmp_path: Path) -> None:
    session = fake_session(tmp_path, [["forever"]])
    wait_until(lambda: session.snapshot().facts.get("pid"))
    session.stop()
    assert session.wait(PATIENCE_S)
    session.close()
    assert (session.status.state, session.status.text) == (RunState.ENDED, "Stopped")


def test_garbage_in_the_rings_is_counted_and_the_rest_is_read(tmp_path: Path) -> None:
    session = fake_session(tmp_path, [["garbage", "record"], ["garbage", "definition"], ["operators", 5], ["exit", 0]])
    assert session.wait(PATIENCE_S)
    session.close()
    kept = recorded(session.path)
    assert kept.health.damaged_frames >= 1
    assert session.snapshot().health.damaged_frames == 2
    assert len(kept.table(OPERATORS)) == 5


def test_listeners_hear_of_every_state_at_most_thirty_times_a_second(tmp_path: Path) -> None:
    heard: list[Changed] = []
    session = fake_session(tmp_path, [["operators", 100], ["iteration", 0], ["wait", 0.5], ["exit", 0]])
    stop_listening = session.listen(heard.append)
    assert session.wait(PATIENCE_S)
    session.close()
    stop_listening()
    assert heard[-1].status.state is RunState.ENDED
    assert heard[-1].events > 100
    assert len(heard) < 40


def test_a_copy_saved_while_running_holds_the_whole_run_in_the_end(tmp_path: Path) -> None:
    copy = tmp_path / "copy.tscope"
    session = fake_session(tmp_path, [["operators", 7], ["wait", 0.3], ["operators", 7], ["exit", 0]])
    wait_until(lambda: len(session.snapshot().table(OPERATORS)) == 7)
    session.save_as(copy)
    assert len(recorded(copy).table(OPERATORS)) == 7
    assert session.wait(PATIENCE_S)
    session.close()
    assert len(recorded(copy).table(OPERATORS)) == 14


def test_a_missing_script_is_told_before_anything_starts(tmp_path: Path) -> None:
    with pytest.raises(TensorScopeError, match=r"There is no script .*gone\.py"):
        LiveSession(LaunchOptions(str(tmp_path / "gone.py")), tmp_path / "run.tscope", BuiltProbe())
    assert not (tmp_path / "run.tscope").exists()


def test_a_hold_that_nobody_wants_any_more_is_let_go_at_once(tmp_path: Path) -> None:
    session = fake_session(tmp_path, [["wait", 0.3], ["hold_once"], ["exit", 0]])
    wait_until(lambda: session.snapshot().facts.get("pid"))
    session.pause()
    session.resume()
    assert session.wait(PATIENCE_S)
    session.close()
    assert len(session.snapshot().holds) == 1
    assert session.status.text == "Ended, exit code 0"


def test_a_step_that_reaches_no_node_is_shown_as_pausing(tmp_path: Path) -> None:
    session = fake_session(tmp_path, [["wait_armed"], ["hold_once"], ["wait_off"], ["exit", 0]])
    wait_until(lambda: session.snapshot().facts.get("pid"))
    session.pause()
    wait_until(lambda: session.status.state is RunState.HELD)
    heard: list[Changed] = []
    session.listen(heard.append)
    session.step_node()
    session.step_node()
    wait_until(lambda: session.status.text == "Pausing at the next node")
    wait_until(lambda: heard[-1].status.state is RunState.PAUSING)
    session.close()
    assert session.wait_for_script() == 0


class SlowProbe:
    """A probe whose build lasts until it is cancelled."""

    is_built = False
    note = ""

    def __init__(self) -> None:
        self.was_cancelled = False

    def build(self, is_cancelled: Callable[[], bool]) -> Path | None:
        wait_until(is_cancelled)
        self.was_cancelled = True
        return None


def a_plain_script(folder: Path) -> LaunchOptions:
    script = folder / "train.py"
    script.write_text(f"import sys, pathlib; pathlib.Path({str(folder / 'done')!r}).write_text(' '.join(sys.argv[1:])); sys.exit(4)")
    return LaunchOptions(str(script), ["--lr", "1"])


def test_closing_while_the_probe_is_built_lets_the_script_run_unwatched_to_its_end(tmp_path: Path) -> None:
    probe = SlowProbe()
    session = LiveSession(a_plain_script(tmp_path), tmp_path / "run.tscope", probe)
    wait_until(lambda: session.status.state is RunState.BUILDING)
    session.close()
    assert probe.was_cancelled
    assert session.wait_for_script() == 4
    assert (tmp_path / "done").read_text() == "--lr 1"


@pytest.mark.parametrize("end", [LiveSession.stop, lambda session: session.signal(signal.SIGINT)])
def test_stopping_while_the_probe_is_built_never_starts_the_script(tmp_path: Path, end: Callable[[LiveSession], None]) -> None:
    session = LiveSession(a_plain_script(tmp_path), tmp_path / "run.tscope", SlowProbe())
    wait_until(lambda: session.status.state is RunState.BUILDING)
    end(session)
    assert session.wait(PATIENCE_S)
    session.close()
    assert session.status.exit_code == session.wait_for_script() == 128 + signal.SIGINT
    assert not (tmp_path / "done").exists()


class FailingProbe(SlowProbe):
    def build(self, is_cancelled: Callable[[], bool]) -> Path | None:
        raise TensorScopeError("No C++ compiler was found.")


def test_a_build_that_fails_is_told_and_nobody_waits(tmp_path: Path) -> None:
    session = LiveSession(a_plain_script(tmp_path), tmp_path / "run.tscope", FailingProbe())
    assert session.wait(PATIENCE_S)
    session.close()
    assert str(session.error) == session.status.text == "No C++ compiler was found."
