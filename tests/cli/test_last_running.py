"""A script killed inside an operator or a node: its name and line are told, though neither has ended."""

import json
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tensorscope.recording.reader import RecordingReader, read_trace
from tensorscope.session.status import ended_as_told
from tensorscope.trace.last_operator import last_operator
from tests.support.fake_run import PATIENCE_S

COMMAND = (sys.executable, "-c", "import sys; from tensorscope.cli.main import main; sys.exit(main())")
SCRIPT = """
import ctypes, os, signal, sys
import torch

def end(how):
    if how == "SIGSEGV":
        ctypes.string_at(8)
    os.kill(os.getpid(), getattr(signal, how))

@torch.library.custom_op("mine::crash", mutates_args=())
def crash(x: torch.Tensor, how: str) -> torch.Tensor:
    torch.neg(x)
    end(how)
    return x.clone()

w = torch.ones(3, requires_grad=True)
(w * 2).sum().backward()
where, how = sys.argv[1:]
if where == "operator":
    crash(w.detach(), how)
if where == "node":
    y = w.mul(3)
    y.register_hook(lambda gradient: end(how))
    y.sum().backward()
torch.neg(w)
end(how)
"""


@pytest.mark.parametrize(
    ("where", "how", "name", "line", "is_running"),
    [
        ("operator", "SIGSEGV", "mine::crash", 20, True),
        ("operator", "SIGKILL", "mine::crash", 20, True),
        ("node", "SIGKILL", "MulBackward0", 22, True),
        ("nowhere", "SIGKILL", "aten::neg", 25, False),
    ],
)
def test_a_killed_script_names_what_it_was_running(where: str, how: str, name: str, line: int, is_running: bool, tmp_path: Path) -> None:
    script, recording = tmp_path / "train.py", tmp_path / "run.tscope"
    script.write_text(SCRIPT)
    code = subprocess.run([*COMMAND, "record", "-o", recording, script, where, how], capture_output=True, timeout=PATIENCE_S, check=False).returncode
    assert code == 128 + getattr(signal, how)
    with RecordingReader(recording) as reader:
        trace = read_trace(reader)
    last = last_operator(trace.snapshot())
    assert last is not None
    assert (last.name, last.place, last.is_running) == (name, f"train.py:{line}", is_running)
    said = ended_as_told(trace.exit, None, last)
    assert said == f"Killed by {how} {'in' if is_running else 'after'} {name}, train.py:{line}"
    asked = subprocess.run([*COMMAND, "query", recording, "summary", "--json"], capture_output=True, timeout=PATIENCE_S, check=True).stdout
    told = json.loads(asked)["summary"]["last_operator"]
    assert (told["name"], told["source"], told["is_running"]) == (name, f"{script}:{line}", is_running)
