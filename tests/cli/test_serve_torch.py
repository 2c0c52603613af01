"""A real training under ``serve``: windows come, hold, step and go, and the script prints what it prints alone."""

import subprocess
import sys
from pathlib import Path

import pytest

from tensorscope.session.jobs import find_job
from tensorscope.session.session import RunState
from tests.support.fake_run import wait_until
from tests.support.serving import attached, runtime

__all__ = ["runtime"]

SCRIPT = """
import sys, time
from pathlib import Path
import torch

torch.manual_seed(0)
torch.set_num_threads(1)
model = torch.nn.Sequential(torch.nn.Linear(8, 16), torch.nn.ReLU(), torch.nn.Linear(16, 1))
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
for step in range(60):
    while step == 20 and not Path(sys.argv[1]).exists():
        time.sleep(0.01)
    optimizer.zero_grad()
    loss = model(torch.randn(4, 8)).pow(2).mean()
    loss.backward()
    optimizer.step()
    print(step, loss.item(), [parameter.grad.norm().item() for parameter in model.parameters()])
print("to stderr", file=sys.stderr)
sys.exit(3)
"""


@pytest.mark.usefixtures("runtime")
def test_the_script_never_notices_who_comes_and_goes(tmp_path: Path) -> None:
    script, go = tmp_path / "train.py", tmp_path / "go"
    script.write_text(SCRIPT)
    go.touch()
    plain = subprocess.run([sys.executable, str(script), str(go)], capture_output=True, check=False)
    go.unlink()
    words = ["serve", "--name", "job", "-o", str(tmp_path / "run.tscope"), str(script), str(go)]
    host = subprocess.Popen([sys.executable, "-m", "tensorscope", *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    wait_until(lambda: (tmp_path / "run.tscope").exists())
    first, second = attached(tmp_path, "job"), attached(tmp_path, "job")
    for window in (first, second):
        wait_until(lambda window=window: len(window.snapshot().iterations) == 20)
    first.pause()
    go.touch()
    wait_until(lambda: second.status.state is RunState.HELD)
    wait_until(lambda: first.status.state is RunState.HELD)
    for position in range(1, 6):
        first.step_node()
        wait_until(lambda position=position: (first.status.held or {}).get("position") == position)
    first.close()  # while it is held
    again = attached(tmp_path, "job")
    for window in (second, again):
        wait_until(lambda window=window: window.status.text == "Ended, exit code 3")
        wait_until(lambda window=window: window.snapshot().exit is not None)
        assert len(window.snapshot().iterations) == 60
        assert [message["position"] for message in window.snapshot().holds] == [0, 1, 2, 3, 4, 5]
        window.close()
    stdout, stderr = host.communicate()
    assert (host.returncode, stdout, stderr) == (plain.returncode, plain.stdout, plain.stderr) == (3, plain.stdout, b"to stderr\n")
    assert find_job("job").outcome == "Ended, exit code 3"
