"""torch.compile under the agent: compiles as often as without, fullgraph included, and calls stay seen."""

import re
from pathlib import Path

from tensorscope.protocol.records import RecordKind
from tests.agent.harness import plain, watched

SOURCE = """
import torch
from torch import nn

torch.manual_seed(0)
compiled_times = 0


def backend(graph, inputs):
    global compiled_times
    compiled_times += 1
    return graph.forward


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(4, 4), nn.ReLU(), nn.Linear(4, 2))

    def forward(self, x):
        return self.layers(x)


model = Net()
plain_model = nn.Linear(4, 2)
compiled = torch.compile(model, fullgraph=True, backend=backend)


@torch.compile(fullgraph=True, backend=backend)
def loss_of(net, x):
    return net(x).square().mean()


optimizer = torch.optim.SGD([*model.parameters(), *plain_model.parameters()], 0.1)


@torch.compile(backend=backend)
def step():
    nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimizer.step()


counts = []
for _ in range(6):
    optimizer.zero_grad()
    loss = compiled(torch.randn(3, 4)).mean() + loss_of(model, torch.randn(3, 4)) + plain_model(torch.randn(3, 4)).mean()
    loss.backward()
    step()
    counts.append(compiled_times)
print(counts, loss.item(), torch._dynamo.utils.counters["recompiles"])
"""


def without_times(text: bytes) -> str:
    return re.sub(r"W\d+ [\d:.]+ \d+", "W", text.decode())


def test_compiled_code_compiles_equally_often_and_computes_the_same(probe: Path, tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(SOURCE)
    theirs, ours = plain(script), watched(script, probe=probe)
    assert theirs.code == 0, theirs.stderr.decode()
    assert (ours.stdout.decode(), without_times(ours.stderr), ours.code) == (theirs.stdout.decode(), without_times(theirs.stderr), theirs.code)
    off, steps = ours.collected.told("tracker_off")
    assert steps["tracker"] == "optimizer steps"
    assert off["tracker"] == "zero_grad, gradient clipping, GradScaler"
    assert off["reason"].startswith("torch.compile has compiled code")
    assert set({message["id"]: message["fqn"] for message in ours.collected.told("parameter")}.values()) == {
        *("model.layers.0.weight", "model.layers.0.bias", "model.layers.2.weight", "model.layers.2.bias", "plain_model.weight", "plain_model.bias"),
    }
    modules = {message["id"]: message["class"] for message in ours.collected.told("module")}
    called = [modules.get(record["module"]) for record in ours.collected.records[RecordKind.MODULE_CALL]]
    assert called.count("OptimizedModule") == called.count("Linear") == 6  # what is inside compiled code is one region


COMPILED_STEP = """
import torch
from torch import nn

torch.manual_seed(0)
model = nn.Linear(4, 4)
optimizer = torch.optim.SGD(model.parameters(), 0.1, momentum=0.9)
step = torch.compile(lambda: optimizer.step(), backend="aot_eager")
for _ in range(4):
    optimizer.zero_grad()
    model(torch.randn(2, 4)).square().mean().backward()
    step()
print(model.weight.sum().item())
"""

COMPILED_BACKWARD = """
import torch, torch._dynamo
from torch import nn

torch.manual_seed(0)
model = nn.Linear(4, 4)
optimizer = torch.optim.SGD(model.parameters(), 0.1)
for _ in range(4):
    optimizer.zero_grad()
    loss = model(torch.randn(2, 4)).square().mean()
    with torch._dynamo.compiled_autograd._enable(torch.compile(backend="eager")):
        loss.backward()
    optimizer.step()
print(model.weight.sum().item())
"""


def test_a_compiled_step_ends_an_iteration_and_is_said(probe: Path, tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(COMPILED_STEP)
    result = watched(script, probe=probe)
    assert result.output() == plain(script).output()
    assert [(message["index"], message["is_estimated"]) for message in result.collected.told("iteration")] == [(index, True) for index in range(4)]
    (said,) = (message["reason"] for message in result.collected.told("tracker_off") if message["tracker"] == "optimizer steps")
    assert said.startswith("The step of SGD is compiled")


def test_a_compiled_backward_leaves_an_iteration_a_step_and_is_said(probe: Path, tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(COMPILED_BACKWARD)
    result = watched(script, probe=probe)
    assert result.output() == plain(script).output()
    assert [message["index"] for message in result.collected.told("iteration")] == [0, 1, 2, 3]
    assert "backwards" in [message["tracker"] for message in result.collected.told("tracker_off")]
