"""Breakpoints hold before exactly the nodes that fit, whatever they ask for, and change nothing; steps end where they say."""

import socket
import threading
from pathlib import Path
from typing import Any

import pytest

from tensorscope.protocol import area
from tensorscope.protocol.records import MarkKind
from tests.agent.conftest import Watcher
from tests.agent.harness import Host, Run

SCRIPT = """\
import torch
from torch import nn
torch.manual_seed(0)
class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.up = nn.Linear(3, 5)
        self.down = nn.Linear(5, 3)
    def forward(self, x):
        h = self.up(x)
        h = torch.relu(h)
        return x + self.down(h)
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = Block()
        self.second = Block()
    def forward(self, x):
        return self.second(self.first(x))
net = Net()
optimizer = torch.optim.SGD(net.parameters(), 0.1)
x = torch.randn(4, 3)
for turn in range(3):
    optimizer.zero_grad()
    loss = net(x).square().mean()
    loss.backward()
    optimizer.step()
print([p.tolist() for p in net.parameters()], loss.item())
"""
UP, RELU, DOWN, LOSS = 10, 11, 12, 25


class Stops:
    """Notes what is held, answers with ``commands`` in turn, then with ``continue``."""

    def __init__(self, *commands: str) -> None:
        self.held: list[dict[str, Any]] = []
        self._commands = list(commands)

    def answer(self, message: dict[str, Any]) -> str:
        self.held.append(message)
        return self._commands.pop(0) if self._commands else "continue"

    def said(self, *keys: str) -> list[tuple[Any, ...]]:
        return [tuple(message[key] for key in keys) for message in self.held]


def stops(watch: Watcher, source: str, *breaks: str, armed: int = 0, commands: tuple[str, ...] = ()) -> Stops:
    """Run with breakpoints; what is printed must be what is printed without."""
    met = Stops(*commands)
    assert watch(source, host=Host(answer=met.answer, armed=armed), breaks=breaks).output() == plain_output(watch, source)
    return met


_outputs: dict[str, str] = {}


def plain_output(watch: Watcher, source: str) -> str:
    if source not in _outputs:
        _outputs[source] = watch(source).output()
    return _outputs[source]


def test_a_line_holds_every_node_whose_forward_stands_there(watch: Watcher, tmp_path: Path) -> None:
    met = stops(watch, SCRIPT, f"line:script.py:{DOWN}")
    one_turn = ["AddBackward0", "AddmmBackward0", "TBackward0"] * 2  # second and first
    assert [message["name"] for message in met.held] == one_turn * 3
    assert {message["source"] for message in met.held} == {f"{tmp_path / 'script.py'}:{DOWN}"}
    assert met.said("module")[:3] == [("second",), ("second.down",), ("second.down",)]
    assert met.held[0]["stops"] == [f"line:{tmp_path / 'script.py'}:{DOWN}"]


def by_spec(met: Stops) -> dict[str, list[str]]:
    """The names of the nodes that each breakpoint held."""
    found: dict[str, list[str]] = {}
    for message in met.held:
        for spec in message["stops"]:
            found.setdefault(spec, []).append(message["name"])
    return found


def test_names_modules_and_parameters_are_patterns(watch: Watcher) -> None:
    specs = (
        "node:Relu*,iteration:1",
        "module:first.down,iteration:0",
        "param:second.*.bias,iteration:2",
        "module:second,node:Add*,iteration:0",
        "node:Nothing",
    )
    met = stops(watch, SCRIPT, *specs)
    assert by_spec(met) == {
        specs[0]: ["ReluBackward0"] * 2,
        specs[1]: ["AddmmBackward0", "AccumulateGrad (first.down.bias)", "TBackward0", "AccumulateGrad (first.down.weight)"],
        specs[2]: ["AccumulateGrad (second.down.bias)", "AccumulateGrad (second.up.bias)"],
        specs[3]: ["AddBackward0", "AddmmBackward0", "AddmmBackward0"],
    }
    assert {message["module"] for message in met.held if message["stops"] == [specs[2]]} == {"second.down", "second.up"}


def test_an_iteration_alone_holds_once_in_it(watch: Watcher) -> None:
    met = stops(watch, SCRIPT, "iteration:1", "iteration:2", "node:Mean*,iteration:2")
    assert met.said("backward", "position", "stops") == [(2, 0, ["iteration:1"]), (3, 0, ["iteration:2", "node:Mean*,iteration:2"])]


GRADIENTS = """\
import torch
w = torch.tensor([1.0, 2.0], requires_grad=True)
for scale in (1.0, 100.0, float('inf')):
    y = w * 3
    (y * scale).sum().backward()
    print(w.grad.tolist())
    w.grad = None
"""


def test_a_gradients_norm_is_of_what_flows_into_the_node(watch: Watcher) -> None:
    # y * scale gets ones (norm 2**0.5); w * 3 gets scale twice (norm scale * 2**0.5); the leaf three times that
    met = stops(watch, GRADIENTS, "grad>10", "grad<5,param:w", "grad>100,grad<200", "nonfinite")
    held = {spec: [(m["backward"], m["name"]) for m in met.held if spec in m["stops"]] for spec in by_spec(met)}
    assert held == {
        "grad>10": [(n, name) for n in (2, 3) for name in ("MulBackward0", "AccumulateGrad (w)")],
        "grad<5,param:w": [(1, "AccumulateGrad (w)")],
        "grad>100,grad<200": [(2, "MulBackward0")],
        "nonfinite": [(3, "MulBackward0"), (3, "AccumulateGrad (w)")],
    }
    assert [m["gradients_in"][0]["norm"] for m in met.held[1:3]] == [pytest.approx(100 * 2**0.5), pytest.approx(300 * 2**0.5)]
    assert met.held[-1]["gradients_in"][0]["nonfinite"] == 2


def test_steps_end_at_the_next_node_module_block_and_iteration(watch: Watcher) -> None:
    met = stops(
        watch,
        SCRIPT,
        "node:MeanBackward0,iteration:0",
        commands=("step", "step_module", "step_module", "step_module", "step_out", "step_out", "step_iteration"),
    )
    assert met.said("backward", "module", "name")[:8] == [
        (1, None, "MeanBackward0"),
        (1, None, "PowBackward0"),  # square
        (1, "second", "AddBackward0"),
        (1, "second.down", "AddmmBackward0"),
        (1, "second", "ReluBackward0"),
        (1, "first", "AddBackward0"),
        (2, None, "MeanBackward0"),
        (3, None, "MeanBackward0"),
    ]
    assert len(met.held) == 8


def test_a_breakpoint_ends_a_longer_step(watch: Watcher) -> None:
    met = stops(watch, SCRIPT, "iteration:0", "node:ReluBackward0,module:first", commands=("step_iteration",))
    assert met.said("backward", "name") == [(1, "MeanBackward0"), (1, "ReluBackward0"), (2, "ReluBackward0"), (3, "ReluBackward0")]


def test_lines_can_be_set_and_taken_back_while_the_script_runs(watch: Watcher, tmp_path: Path) -> None:
    source = SCRIPT.replace("for turn in range(3):\n", "import os, time\nfor turn in range(3):\n    while not os.path.exists(f'go{turn}'): time.sleep(0.01)\n")
    met = Stops()
    number = 0

    def tell(run: Run, *specs: str) -> None:
        nonlocal number
        number += 1
        run.send("breakpoints", specs=list(specs), number=number)
        assert run.reader is not None
        run.reader.write_word(area.BREAKPOINTS, number)

    def tick(run: Run) -> None:
        turns = len(run.collected.told("iteration"))
        if run.reader is None or (tmp_path / "go2").exists():
            return
        if not (tmp_path / "go0").exists():
            (tmp_path / "go0").touch()
        elif not (tmp_path / "go1").exists() and run.collected.records and _has_backward(run, 1):
            tell(run, f"line:{tmp_path / 'script.py'}:{RELU}")
            (tmp_path / "go1").touch()
        elif len(met.held) == 2 and _has_backward(run, 2):
            tell(run)
            (tmp_path / "go2").touch()
        assert turns <= 3

    watch(source, host=Host(answer=met.answer, tick=tick))
    assert met.said("backward", "name") == [(2, "ReluBackward0")] * 2


def _has_backward(run: Run, number: int) -> bool:
    return any(mark["a"] == number for mark in run.collected.marks(MarkKind.BACKWARD))


def test_a_list_that_comes_while_held_counts_at_once(watch: Watcher) -> None:
    held: list[str] = []
    sent = threading.Event()

    def answer(message: dict[str, Any]) -> str:
        held.append(message["name"])
        return "" if not sent.is_set() else "continue"

    def tick(run: Run) -> None:
        if held and not sent.is_set():
            sent.set()
            assert run.reader is not None
            run.send("breakpoints", specs=["node:ReluBackward0,iteration:0"], number=1)
            run.reader.write_word(area.BREAKPOINTS, 1)
            run.send("continue")

    watch(SCRIPT, host=Host(answer=answer, tick=tick), breaks=("iteration:0",))
    assert held == ["MeanBackward0", "ReluBackward0", "ReluBackward0"]


def test_threads_that_meet_a_breakpoint_at_once_are_held_one_after_the_other(watch: Watcher) -> None:
    source = (
        "import threading, torch\ndone = []\n"
        "def work(n):\n    w = torch.full((3,), float(n), requires_grad=True)\n    (w * w).sum().backward()\n    done.append((n, w.grad.tolist()))\n"
        "threads = [threading.Thread(target=work, args=(n,)) for n in range(4)]\n"
        "for thread in threads: thread.start()\nfor thread in threads: thread.join()\nprint(sorted(done))\n"
    )
    met = stops(watch, source, "node:MulBackward0")
    assert len(met.held) == 4
    assert len({message["backward"] for message in met.held}) == 4


def test_a_host_that_goes_away_takes_its_breakpoints_along(watch: Watcher) -> None:
    def tick(run: Run) -> None:
        if any(said["type"] == "held" for said in run.said):
            run.control.shutdown(socket.SHUT_RDWR)

    result = watch(SCRIPT, host=Host(answer=lambda message: "", tick=tick), breaks=("node:*",))
    assert result.output() == plain_output(watch, SCRIPT)
    assert len(result.collected.told("held")) == 1


DOUBLE = """\
import torch
x = torch.tensor([2.0, 3.0], requires_grad=True)
buffer = torch.zeros(4)
base = x.repeat(2)
base[1:] = (x * x).sum()
y = base.exp().sum() * 1e-9
(g,) = torch.autograd.grad(y, x, create_graph=True)
(g * g).sum().backward()
print(x.grad.tolist())
"""


def test_writes_into_views_and_second_backwards_have_their_lines(watch: Watcher) -> None:
    slices = stops(watch, DOUBLE, "line:script.py:5").held
    assert "CopySlices" in [message["name"] for message in slices if message["backward"] == 1]
    second = [message["name"] for message in slices if message["backward"] == 2]
    assert second, "the second backward's nodes stand at the lines of the first one's"
