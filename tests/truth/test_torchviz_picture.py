"""torchviz's picture made at a hold against ``make_dot`` on the live tensors of the same script under plain Python."""

import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from tensorscope.errors import TensorScopeError
from tensorscope.session.build import find_probe
from tensorscope.session.launch import LaunchOptions
from tensorscope.session.live import LiveSession
from tensorscope.session.session import RunState
from tests.support.fake_run import PATIENCE_S, wait_until

SCRIPT = """
import sys
import torch
from torch import nn

class Double(torch.autograd.Function):
    @staticmethod
    def forward(context, x):
        context.save_for_backward(x)
        return x * 2

    @staticmethod
    def backward(context, gradient):
        (x,) = context.saved_tensors
        return gradient * 2 + 0 * x

torch.manual_seed(0)
body, first, second = nn.Linear(4, 8), nn.Linear(8, 2), nn.Linear(8, 3)
parameters = [*body.parameters(), *first.parameters(), *second.parameters()]
optimizer = torch.optim.SGD(parameters, 0.1)
for step in range(3):
    shared = torch.utils.checkpoint.checkpoint(lambda x: Double.apply(body(x)).relu(), torch.randn(16, 4), use_reentrant=False)
    roots = (first(shared).pow(2).mean(), second(shared))
    if "picture" in sys.argv:
        from torchviz import make_dot
        names = {f"{owner}.{name}": one for owner, m in (("body", body), ("first", first), ("second", second)) for name, one in m.named_parameters()}
        print(make_dot(roots, names).source)
        break
    optimizer.zero_grad()
    torch.autograd.backward(roots, [None, torch.ones(16, 3)])
    optimizer.step()
    print(step, sum(parameter.double().sum().item() for parameter in parameters).hex())
"""
NODE = re.compile(r'^\t(\d+) \[label="?((?:[^"\\\]]|\\.)*?)"?(?: fillcolor=(\w+))?\]$', re.MULTILINE)
EDGE = re.compile(r"^\t(\d+) -> (\d+)( \[dir=none\])?", re.MULTILINE)


def drawn(source: str) -> tuple[Counter[tuple[str, str]], Counter[tuple[str, str]]]:
    """How often each (label, colour) and each edge between labels is there, but for what custom Functions saved, which only ``make_dot`` itself reads."""
    nodes = {name: ("".join(label.split()), color) for name, label, color in NODE.findall(source)}
    kept = {name: look for name, look in nodes.items() if look[1] != "orange"}
    edges = Counter((kept[a][0], kept[b][0]) for a, b, is_saved in EDGE.findall(source) if not is_saved)
    return Counter(kept.values()), edges


def test_it_is_what_torchviz_draws_under_plain_python_and_the_script_computes_the_same(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    script = tmp_path / "train.py"
    script.write_text(SCRIPT)
    plain = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, timeout=240, check=True)
    theirs = subprocess.run([sys.executable, str(script), "picture"], capture_output=True, text=True, timeout=240, check=True).stdout
    session = LiveSession(LaunchOptions(str(script)), tmp_path / "run.tscope", find_probe(sys.executable))

    def is_held() -> bool:
        if session.status.state is RunState.RUNNING:
            session.pause()
        return session.status.state is RunState.HELD

    try:
        with pytest.raises(TensorScopeError, match="pause with F6"):
            session.torchviz_picture(2)
        wait_until(is_held)
        session.step_node()
        wait_until(lambda: is_held() and (session.status.held or {}).get("position", 0) > 0)
        ours = session.torchviz_picture(2)
        again = session.torchviz_picture(2)
        session.resume()
        assert session.wait(PATIENCE_S)
    finally:
        session.close()
    assert drawn(ours) == drawn(theirs) == drawn(again)
    assert sum(drawn(ours)[0].values()) > 15
    assert capfd.readouterr().out == plain.stdout
    assert session.status.exit_code == 0
