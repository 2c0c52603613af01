"""A Jupyter kernel watched from a cell on: a loop in a cell counts iterations, and an interrupt ends a cell that is held."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tensorscope.session.jobs import find_job
from tensorscope.session.session import RunState
from tests.support.fake_run import PATIENCE_S, wait_until
from tests.support.serving import attached, runtime

__all__ = ["runtime"]

pytest.importorskip("ipykernel", reason="needs ipykernel")
jupyter = pytest.importorskip("jupyter_client", reason="needs jupyter_client")

MODEL = """
import torch
torch.manual_seed(0)
model = torch.nn.Linear(4, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
def steps(count):
    for _ in range(count):
        optimizer.zero_grad()
        model(torch.ones(3, 4)).pow(2).mean().backward()
        optimizer.step()
steps(3)
"""


class Kernel:
    def __init__(self, folder: Path, sockets: Path) -> None:
        self.manager = jupyter.KernelManager(kernel_name="python3", transport="ipc", ip=str(sockets / "kernel"))
        self.manager.start_kernel(cwd=str(folder), env={**os.environ, "IPYTHONDIR": str(folder / "ipython"), "JPY_SESSION_NAME": "/home/me/story.ipynb"})
        self.client = self.manager.client()
        self.client.start_channels()
        self.client.wait_for_ready(timeout=PATIENCE_S)

    def run(self, code: str) -> dict[str, Any]:
        """Run a cell; what it ended with, and ``text`` that it printed."""
        return self.result_of(self.client.execute(code))

    def result_of(self, number: str) -> dict[str, Any]:
        text = ""
        while True:
            message = self.client.get_iopub_msg(timeout=PATIENCE_S)
            if message["parent_header"].get("msg_id") != number:
                continue
            if message["msg_type"] == "stream":
                text += message["content"]["text"]
            if message["msg_type"] == "status" and message["content"]["execution_state"] == "idle":
                break
        while (reply := self.client.get_shell_msg(timeout=PATIENCE_S))["parent_header"].get("msg_id") != number:
            pass
        return {**reply["content"], "text": text}

    def close(self) -> None:
        self.client.stop_channels()
        self.manager.shutdown_kernel(now=True)


@pytest.fixture
def kernel(tmp_path: Path, runtime: Path) -> Iterator[Kernel]:
    kernel = Kernel(tmp_path, runtime)
    yield kernel
    kernel.close()


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_a_kernel_is_watched_held_interrupted_and_left(kernel: Kernel, tmp_path: Path) -> None:
    assert kernel.run(MODEL)["status"] == "ok"
    done = kernel.run("import tensorscope; tensorscope.attach(window=False)")
    assert done["text"].endswith("TensorScope: serving job story.ipynb. To look at it: tensorscope attach story.ipynb\n")
    window = attached(tmp_path, "story.ipynb")
    assert kernel.run("steps(4)")["status"] == "ok"
    assert kernel.run("steps(1)")["status"] == "ok"
    wait_until(lambda: len(window.snapshot().iterations) == 4)  # the fifth is told when the next backward begins
    assert [parameter["fqn"] for parameter in window.snapshot().parameters.values()] == ["weight", "bias"]

    window.pause()
    wait_until(lambda: window.status.state is RunState.PAUSING)
    cell = kernel.client.execute("steps(1)")
    wait_until(lambda: window.status.state is RunState.HELD)
    kernel.manager.interrupt_kernel()
    assert kernel.result_of(cell)["ename"] == "KeyboardInterrupt"
    window.resume()
    wait_until(lambda: window.status.state is RunState.RUNNING)

    window.pause()
    wait_until(lambda: window.status.state is RunState.PAUSING)
    cell = kernel.client.execute("steps(1)")
    wait_until(lambda: window.status.state is RunState.HELD)
    window.stop()  # interrupts the cell, never the kernel
    assert kernel.result_of(cell)["ename"] == "KeyboardInterrupt"

    assert kernel.run("tensorscope.detach(); steps(2)")["status"] == "ok"
    wait_until(lambda: window.status.state is RunState.GONE)
    assert window.status.text.startswith("Detached by the process")
    window.close()
    wait_until(lambda: not find_job("story.ipynb").is_served)
    assert "serving job story.ipynb" in kernel.run("tensorscope.attach(window=False)")["text"]
