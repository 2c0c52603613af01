"""``tensorscope record`` over real training: the script behaves as under plain Python, and killings leave a readable recording."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tensorscope.analysis.graph import backward_graph
from tensorscope.cli.main import main
from tensorscope.recording.reader import RecordingReader, read_trace
from tensorscope.session.build import find_probe
from tensorscope.session.launch import LaunchOptions
from tensorscope.session.live import LiveSession
from tensorscope.session.session import RunState
from tensorscope.trace.schema import ALLOCATIONS, NODES, OPERATORS
from tensorscope.trace.snapshot import Snapshot
from tests.support.fake_run import PATIENCE_S, is_running, wait_until

COMMAND = (sys.executable, "-c", "import sys; from tensorscope.cli.main import main; sys.exit(main())")
FOREVER = """
import itertools, os, sys, time
import torch
model = torch.nn.Linear(4, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
steps = open(sys.argv[1] + ".steps", "w")
for step in itertools.count():
    optimizer.zero_grad()
    model(torch.ones(3, 4)).sum().backward()
    optimizer.step()
    time.sleep(0.01)
    print(end=".", file=steps, flush=True)
    open(sys.argv[1], "w").write(str(os.getpid())) if step == 20 else None
    if step > 20 and not os.path.exists(sys.argv[1]):
        break
"""


def recorded(path: Path) -> Snapshot:
    with RecordingReader(path) as reader:
        return read_trace(reader).snapshot()


@pytest.mark.parametrize(("first", "nodes"), [("import torch", 3), ("pass", 0)])
def test_a_script_that_closes_every_descriptor_is_watched_or_told_of(first: str, nodes: int, tmp_path: Path) -> None:
    script, recording = tmp_path / "train.py", tmp_path / "run.tscope"
    script.write_text(f"import os\n{first}\nos.closerange(3, 2000)\nimport torch\nw = torch.ones(2, requires_grad=True)\n(w * 3).sum().backward()\n")
    ended = subprocess.run([*COMMAND, "record", "-o", str(recording), str(script)], capture_output=True, text=True, timeout=PATIENCE_S, check=False)
    assert ended.returncode == 0
    assert len(recorded(recording).table(NODES)) == nodes
    assert ("before it imported torch it closed all its file descriptors" in ended.stderr) is (nodes == 0)
    assert ended.stderr.count("\n") == (nodes == 0)


def test_a_script_from_standard_input_has_its_lines(tmp_path: Path) -> None:
    script = b"import torch\nw = torch.ones(2, requires_grad=True)\nloss = (w * 3).sum()\nloss.backward()\n"
    recording = tmp_path / "run.tscope"
    assert subprocess.run([*COMMAND, "record", "-o", str(recording), "-"], input=script, timeout=PATIENCE_S, check=False).returncode == 0
    graph = backward_graph(recorded(recording), 0)
    assert {(node.name, str(node.source)) for node in graph.nodes if node.source} == {("SumBackward0", "<stdin>:3"), ("MulBackward0", "<stdin>:3")}


@pytest.fixture
def endless(tmp_path: Path) -> tuple[Path, Path, Path]:
    """A script that trains until its flag file is taken away, the flag (with its pid once 20 steps are done), and the recording's path."""
    script = tmp_path / "train.py"
    script.write_text(FOREVER)
    return script, tmp_path / "flag", tmp_path / "run.tscope"


def start(endless: tuple[Path, Path, Path]) -> tuple["subprocess.Popen[bytes]", int]:
    script, flag, recording = endless
    process = subprocess.Popen([*COMMAND, "record", "-o", str(recording), str(script), str(flag)])
    wait_until(lambda: flag.exists() and flag.read_text())
    return process, int(flag.read_text())


def steps_of(flag: Path) -> int:
    return flag.with_name("flag.steps").stat().st_size


def assert_trained(snapshot: Snapshot) -> None:
    assert len(snapshot.iterations) >= 15
    assert all(len(snapshot.table(table)) >= 15 for table in (OPERATORS, NODES, ALLOCATIONS))


def test_killing_the_script_leaves_all_it_did(endless: tuple[Path, Path, Path]) -> None:
    process, script = start(endless)
    with process:
        os.kill(script, signal.SIGKILL)
        assert process.wait(PATIENCE_S) == 137
    snapshot = recorded(endless[2])
    assert_trained(snapshot)
    assert len(snapshot.iterations) >= 20
    assert snapshot.exit is not None
    assert snapshot.exit["signal"] == 9


def test_killing_the_host_leaves_the_script_training_and_a_readable_recording(endless: tuple[Path, Path, Path]) -> None:
    process, script = start(endless)
    wait_until(lambda: len(recorded(endless[2]).iterations) >= 15)  # a batch is committed every half second
    with process:
        process.kill()
    assert is_running(script)
    endless[1].unlink()
    wait_until(lambda: not is_running(script))
    assert_trained(recorded(endless[2]))


def test_killing_both_leaves_a_readable_recording_and_no_orphan(endless: tuple[Path, Path, Path]) -> None:
    process, script = start(endless)
    wait_until(lambda: len(recorded(endless[2]).iterations) >= 15)
    with process:
        process.kill()
        os.kill(script, signal.SIGKILL)
    wait_until(lambda: not is_running(script))
    assert_trained(recorded(endless[2]))


def test_a_script_held_inside_backward_steps_and_is_let_go_by_closing(endless: tuple[Path, Path, Path]) -> None:
    script, flag, recording = endless
    session = LiveSession(LaunchOptions(str(script), [str(flag)]), recording, find_probe(sys.executable))
    wait_until(lambda: len(session.snapshot().iterations) >= 3)
    session.pause()
    wait_until(lambda: session.status.state is RunState.HELD)
    first = session.status.held
    assert first is not None
    session.step_node()
    wait_until(lambda: session.status.held not in (None, first))
    pid = session.pid
    assert pid is not None
    session.close()
    flag.unlink(missing_ok=True)
    wait_until(flag.exists)
    assert is_running(pid)
    flag.unlink()
    assert session.wait_for_script() == 0
    assert len(recorded(recording).holds) == 2


@pytest.mark.parametrize(
    "text",
    [
        "import sys; sys.exit(3)",
        "import sys\nprint(input()); print(input(), file=sys.stderr)",
        "import torch\ndef f(x):\n    return torch.ones(2) @ torch.ones(x)\nf(3)",
        "def broken(:",
        "import no_such_module",
        "import os, signal, torch\ntorch.ones(1)\nos.kill(os.getpid(), signal.SIGTERM)",
        "import sys; print(__name__, __file__, sys.argv, sys.path[0])",
    ],
)
def test_a_script_ends_and_speaks_as_under_plain_python(tmp_path: Path, text: str) -> None:
    script = tmp_path / "train.py"
    script.write_text(text)
    plain, watched = (
        subprocess.run([*words, str(script), "-o", "x"], input=b"one\ntwo\n", capture_output=True, timeout=PATIENCE_S, cwd=tmp_path, check=False)
        for words in ([sys.executable], [*COMMAND, "record", "-o", str(tmp_path / "run.tscope")])
    )
    code = 128 - plain.returncode if plain.returncode < 0 else plain.returncode
    assert (watched.returncode, watched.stdout, watched.stderr) == (code, plain.stdout, plain.stderr)


def test_only_the_wanted_iterations_are_recorded(endless: tuple[Path, Path, Path]) -> None:
    script, flag, recording = endless
    process = subprocess.Popen([*COMMAND, "record", "-o", str(recording), "--iterations", "5", str(script), str(flag)])
    with process:
        wait_until(lambda: flag.exists() and len(recorded(recording).iterations) >= 5)
        stopped_at = steps_of(flag)
        wait_until(lambda: steps_of(flag) >= stopped_at + 50)
        flag.unlink()
        assert process.wait(PATIENCE_S) == 0
    assert len(recorded(recording).iterations) == 5


def test_a_native_probe_without_a_compiler_is_refused_in_a_sentence(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = tmp_path / "train.py"
    script.write_text("")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "empty"))
    monkeypatch.setenv("PATH", "/nowhere")
    monkeypatch.delenv("CXX", raising=False)
    assert main(["record", "--probe", "native", "-o", str(tmp_path / "run.tscope"), str(script)]) == 2
    error = capsys.readouterr().err
    assert "g++" in error
    assert error.count("\n") == 1
    assert not (tmp_path / "run.tscope").exists()


def test_a_break_prints_its_stop_and_the_script_goes_on(tmp_path: Path) -> None:
    (tmp_path / "train.py").write_text(
        "import torch\nw = torch.tensor([3.0, 4.0], requires_grad=True)\nfor _ in range(2):\n    loss = (w * w).sum()\n    loss.backward()\nprint(w.grad)\n"
    )
    command = [
        sys.executable,
        "-m",
        "tensorscope",
        "record",
        "-o",
        "run.tscope",
        "--break",
        "line:train.py:4,node:Mul*",
        "--break",
        "param:w,grad>9",
        "train.py",
    ]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=240, check=False)
    assert (done.returncode, done.stdout) == (0, "tensor([12., 16.])\n")
    turn = [
        "MulBackward0 before node 2 of 3 of backward {0}, train.py:4, gradient 0 (2) norm 1.41421 max 1 [line:train.py:4,node:Mul*]",
        "AccumulateGrad (w) before node 3 of 3 of backward {0}, gradient 0 (2) norm 10 max 8 [param:w,grad>9]",
    ]
    assert done.stderr.splitlines() == [line.format(number) for number in range(2) for line in turn]
