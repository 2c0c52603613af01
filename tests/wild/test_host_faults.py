"""A host that hangs: the script goes on at its own speed, and what found no room is counted."""

import os
import signal
import subprocess
import time
from pathlib import Path

from tests.truth.harness import COMMAND
from tests.wild.test_wild import summary_of

SCRIPT = """
import pathlib, time
import torch

x = torch.ones(2)
pathlib.Path("ready").touch()
while not pathlib.Path("go").exists():
    time.sleep(0.01)
for _ in range(300_000):  # some 1.5 million records; the rings hold a million
    x.add_(1)
pathlib.Path("done").write_text(str(x.tolist()))
"""


def wait_for(path: Path, process: subprocess.Popen[bytes]) -> None:
    while not path.exists():
        assert process.poll() is None
        time.sleep(0.02)


def test_a_hung_host_does_not_keep_the_script_waiting(tmp_path: Path) -> None:
    (tmp_path / "train.py").write_text(SCRIPT)
    with subprocess.Popen([*COMMAND, "record", "-o", "run.tscope", "train.py"], cwd=tmp_path) as host:
        wait_for(tmp_path / "ready", host)
        os.kill(host.pid, signal.SIGSTOP)
        (tmp_path / "go").touch()
        wait_for(tmp_path / "done", host)  # while the host stands still
        os.kill(host.pid, signal.SIGCONT)
        assert host.wait() == 0
    assert (tmp_path / "done").read_text() == "[300001.0, 300001.0]"
    told = summary_of(tmp_path / "run.tscope")
    assert told["dropped_events"] > 0
    assert (told["exit_code"], told["damaged_frames"]) == (0, 0)
