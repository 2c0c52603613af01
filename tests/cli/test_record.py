"""``tensorscope record`` as a process, over the debuggee without torch: streams, exit codes, signals and killings."""

import os
import pty
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from tensorscope.recording.reader import RecordingReader, read_trace
from tensorscope.trace.schema import OPERATORS
from tensorscope.trace.snapshot import Snapshot
from tests.support.fake_run import PATIENCE_S, children_of_fake, fake_options, is_running, wait_until


def command(folder: Path, plan: Sequence[Sequence[Any]], *options: str) -> list[str]:
    run = fake_options(folder, plan)
    start = "import sys; from tensorscope.cli.main import main; sys.exit(main())"
    return [sys.executable, "-c", start, "record", "-o", str(folder / "run.tscope"), "--python", run.interpreter, *options, run.script]


def recorded(folder: Path) -> Snapshot:
    with RecordingReader(folder / "run.tscope") as reader:
        return read_trace(reader).snapshot()


def test_stdout_is_the_scripts_and_nothing_of_ours_is_on_stderr(tmp_path: Path) -> None:
    done = subprocess.run(command(tmp_path, [["operators", 3], ["print", "loss 0.1"], ["exit", 7]]), capture_output=True, timeout=PATIENCE_S, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (7, b"loss 0.1\n", b"")
    assert len(recorded(tmp_path).table(OPERATORS)) == 3


def test_a_script_killed_by_a_signal_gives_the_code_a_shell_gives(tmp_path: Path) -> None:
    done = subprocess.run(command(tmp_path, [["operators", 3], ["raise", signal.SIGSEGV]]), capture_output=True, timeout=PATIENCE_S, check=False)
    assert done.returncode == 128 + signal.SIGSEGV
    assert len(recorded(tmp_path).table(OPERATORS)) == 3


def started(folder: Path, *, plan: Sequence[Sequence[Any]] = (("operators", 5), ("forever",)), **more: Any) -> tuple[subprocess.Popen[bytes], int]:
    """A recording that runs, and the pid of its script."""
    process = subprocess.Popen(command(folder, plan), **more)
    wait_until(lambda: (folder / "run.tscope").exists() and recorded_operators(folder) == 5)
    (script,) = children_of_fake(folder)
    return process, script


def recorded_operators(folder: Path) -> int:
    try:
        return len(recorded(folder).table(OPERATORS))
    except Exception:  # not there yet
        return -1


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_to_us_ends_the_script_and_the_recording_is_whole(tmp_path: Path, number: int) -> None:
    process, script = started(tmp_path, start_new_session=True)
    with process:
        process.send_signal(number)
        code = process.wait(PATIENCE_S)
    assert code == (-signal.SIGINT if number == signal.SIGINT else 128 + number)
    assert not is_running(script)
    snapshot = recorded(tmp_path)
    assert snapshot.exit is not None
    assert snapshot.exit["signal"] == number


def test_a_signal_that_another_thread_takes_is_not_lost(tmp_path: Path) -> None:
    """The main thread sits in a wait that nothing interrupts: its handlers must run all the same."""
    program = (
        "import os, signal, sys, threading, time; from tensorscope.cli.main import main\n"
        "def take():\n    while not os.path.exists(sys.argv[-1]): time.sleep(0.01)\n    signal.pthread_kill(threading.get_ident(), signal.SIGTERM)\n"
        "threading.Thread(target=take).start(); sys.exit(main())"
    )
    words = [*command(tmp_path, [["operators", 5], ["touch", str(tmp_path / "runs")], ["wait", 15], ["exit", 0]]), str(tmp_path / "runs")]
    done = subprocess.run([words[0], "-c", program, *words[3:]], timeout=PATIENCE_S, check=False)
    assert done.returncode == 128 + signal.SIGTERM


def test_when_the_script_is_killed_the_recording_ends_by_itself(tmp_path: Path) -> None:
    process, script = started(tmp_path)
    with process:
        os.kill(script, signal.SIGKILL)
        assert process.wait(PATIENCE_S) == 137
    assert recorded(tmp_path).exit is not None


def test_when_we_are_killed_the_script_runs_on_and_the_recording_can_be_read(tmp_path: Path) -> None:
    done = tmp_path / "done"
    process, script = started(tmp_path, plan=[["operators", 5], ["wait", 2.0], ["touch", str(done)], ["exit", 0]])
    with process:
        process.kill()
    assert is_running(script)
    wait_until(done.exists)
    wait_until(lambda: not is_running(script))
    snapshot = recorded(tmp_path)
    assert len(snapshot.table(OPERATORS)) == 5
    assert snapshot.exit is None


def test_when_both_are_killed_the_recording_can_be_read(tmp_path: Path) -> None:
    process, script = started(tmp_path)
    with process:
        process.kill()
        os.kill(script, signal.SIGKILL)
    wait_until(lambda: not is_running(script))
    assert len(recorded(tmp_path).table(OPERATORS)) == 5


def test_a_held_script_is_let_go_when_we_are_killed(tmp_path: Path) -> None:
    done = tmp_path / "done"
    program = (
        "import sys, time; from pathlib import Path; from tests.support.fake_run import *\n"
        f"session = fake_session(Path(sys.argv[1]), [['wait_armed'], ['hold'], ['touch', {str(done)!r}]])\n"
        "wait_until(lambda: session.snapshot().facts.get('pid')); session.pause()\n"
        "wait_until(lambda: session.status.held); print('held', flush=True); time.sleep(600)"
    )
    process = subprocess.Popen([sys.executable, "-c", program, str(tmp_path)], stdout=subprocess.PIPE, cwd=Path(__file__).resolve().parents[2])
    with process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"held\n"
        assert not done.exists()
        process.kill()
    wait_until(done.exists)
    wait_until(lambda: not children_of_fake(tmp_path))


def test_on_a_terminal_ctrl_c_reaches_the_script_once(tmp_path: Path) -> None:
    pid, terminal = pty.fork()
    if pid == 0:
        words = command(tmp_path, [["operators", 5], ["print", "ready"], ["forever"]])
        os.execv(words[0], words)
    output = b""
    while b"ready" not in output:
        output += os.read(terminal, 1000)
    os.write(terminal, b"\x03")
    try:
        while piece := os.read(terminal, 1000):
            output += piece
    except OSError:  # the terminal ends with its last user
        pass
    os.close(terminal)
    _, status = os.waitpid(pid, 0)
    assert os.WTERMSIG(status) == signal.SIGINT
    assert output.count(b"KeyboardInterrupt") == 1
    assert len(recorded(tmp_path).table(OPERATORS)) == 5


def test_a_full_disk_is_one_sentence_and_the_script_goes_on(tmp_path: Path) -> None:
    limited = ["prlimit", "--fsize=5000000", *command(tmp_path, [["operators", 150_000], ["print", "done"], ["exit", 0]])]
    done = subprocess.run(limited, capture_output=True, timeout=PATIENCE_S, check=False, env={**os.environ, "PYTHONUNBUFFERED": "1"})
    assert done.returncode == 0, done.stderr
    assert done.stdout == b"done\n"
    assert done.stderr.startswith(b"tensorscope: The recording stopped")
    assert done.stderr.count(b"\n") == 1


def test_an_output_that_cannot_be_written_is_told_before_the_script_starts(tmp_path: Path) -> None:
    words = command(tmp_path, [["print", "never"]])
    words[words.index("-o") + 1] = str(tmp_path / "gone" / "run.tscope")
    done = subprocess.run(words, capture_output=True, timeout=PATIENCE_S, check=False)
    assert done.returncode == 2
    assert done.stdout == b""
    assert done.stderr.startswith(b"tensorscope: Cannot write a recording at ")
    assert done.stderr.count(b"\n") == 1


def test_an_interrupt_while_the_probe_is_built_ends_all_of_it(tmp_path: Path) -> None:
    words = command(tmp_path, [["print", "never"]])
    interpreter, building = tmp_path / "python", tmp_path / "building"
    interpreter.write_text(
        f'#!/bin/sh\n[ "$2" = --check ] && echo \'{{"state": "missing", "library": "/x", "error": "", "message": ""}}\' && exit\n'
        f"sleep 60 & echo $! > {building}; wait\n"
    )
    with subprocess.Popen(words, stdout=subprocess.PIPE, start_new_session=True) as process:
        wait_until(lambda: building.exists() and building.read_text())
        process.send_signal(signal.SIGTERM)
        output, _ = process.communicate(timeout=PATIENCE_S)
    assert process.returncode == 128 + signal.SIGTERM
    assert output == b""
    assert not is_running(int(building.read_text()))
