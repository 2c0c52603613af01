# ruff: noqa: E501 - whole scripts stand in strings
"""Holding inside backward: what is told, that nothing changes, and every way to be let go."""

import signal
import socket
import time
from pathlib import Path
from typing import Any

import pytest

from tensorscope.protocol import area
from tensorscope.protocol.records import MarkKind
from tests.agent.conftest import Watcher
from tests.agent.harness import Host, Run

HEAD = "import torch\nfrom torch import nn\ntorch.manual_seed(0)\n"
SMALL = (
    HEAD + "model = nn.Sequential(nn.Linear(2, 3), nn.ReLU(), nn.Linear(3, 1))\nx = torch.randn(4, 2)\n"
    "for _ in range(2):\n    a = torch.ones(2, requires_grad=True)\n    b = torch.ones(2, requires_grad=True)\n"
    "    loss = model(x).sum() + (a + b).sum()\n    loss.backward()\n"
    "    print(a.grad.data_ptr() == b.grad.data_ptr(), a.grad, b.grad)\n"
    "print([p.grad.tolist() for p in model.parameters()], [p.grad.data_ptr() for p in model.parameters()] and None)\n"
)
NODES = ["AddBackward0", "SumBackward0", "SumBackward0", "AddmmBackward0", "ReluBackward0", "AddmmBackward0", "AddBackward0"]


def test_every_node_can_be_stepped_and_the_gradients_stay_bit_identical(watch: Watcher) -> None:
    plain = watch(SMALL).output()
    held: list[dict[str, Any]] = []

    def answer(message: dict[str, Any]) -> str:
        held.append(message)
        return "step"

    stepped = watch(SMALL, host=Host(answer=answer, armed=1))
    assert stepped.output() == plain
    assert "True" not in plain  # a.grad and b.grad never share memory
    first = [message for message in held if message["backward"] == 1]
    assert len(first) == first[0]["count"] == 15  # 7 operators' nodes, 2 of transposed weights, 6 leaves
    assert [message["position"] for message in first] == list(range(15))
    assert stepped.collected.told("held") == [{"type": "held", **message} if "type" not in message else message for message in held]
    assert len(stepped.collected.marks(MarkKind.HOLD)) == len(held) == len(stepped.collected.told("resumed")) == 30


def test_a_held_node_shows_gradients_in_saved_tensors_and_what_the_last_one_did(watch: Watcher) -> None:
    held: list[dict[str, Any]] = []

    def answer(message: dict[str, Any]) -> str:
        held.append(message)
        return "step"

    watch(
        HEAD + "w = torch.tensor([3.0, -4.0], requires_grad=True)\nfor _ in range(2):\n    loss = (w * w).sum()\n    loss.backward()\n",
        host=Host(answer=answer, armed=1),
    )
    assert [message["name"] for message in held] == ["SumBackward0", "MulBackward0", "AccumulateGrad (w)"] * 2
    product = held[1]
    assert [(stats["shape"], stats["norm"]) for stats in product["gradients_in"]] == [([2], pytest.approx(2**0.5))]
    saved = {stats["name"]: stats for stats in product["saved"]}
    assert sorted(saved) == ["other", "self"]
    assert (saved["self"]["norm"], saved["self"]["min"], saved["self"]["max"], saved["self"]["mean"], saved["self"]["nonfinite"]) == (5.0, -4.0, 3.0, -0.5, 0)
    assert product["finished"]["name"] == "SumBackward0"
    assert [stats["norm"] for stats in held[2]["finished"]["gradients_out"]] == [5.0, 5.0]  # w from each side
    accumulated = held[3]["finished"]
    assert accumulated["name"] == "AccumulateGrad (w)"
    assert [(stats["name"], stats["norm"]) for stats in accumulated["gradients_out"]] == [("w.grad", 10.0)]  # 2 w


def test_continue_lets_the_script_run_and_pause_holds_it_again(watch: Watcher, tmp_path: Path) -> None:
    held: list[dict[str, Any]] = []

    def answer(message: dict[str, Any]) -> str:
        held.append(message)
        return "continue"

    def tick(run: Run) -> None:
        if len(held) == 1 and run.reader is not None and len(run.collected.told("resumed")) == 1:
            run.reader.write_word(area.ARMED, 1)
            (tmp_path / "is_armed").touch()

    source = (
        HEAD + "import os, time\nw = torch.ones(2, requires_grad=True)\n(w * 2).sum().backward()\n"
        "while not os.path.exists('is_armed'):\n    time.sleep(0.01)\n"
        "for _ in range(39):\n    (w * 2).sum().backward()\nprint(w.grad)\n"
    )
    result = watch(source, host=Host(answer=answer, tick=tick, armed=1))
    assert len(held) == 2
    assert "80" in result.output()


def test_a_host_that_goes_away_while_holding_lets_the_script_run_to_its_end(watch: Watcher) -> None:
    def tick(run: Run) -> None:
        if any(said["type"] == "held" for said in run.said):
            run.control.shutdown(socket.SHUT_RDWR)

    source = HEAD + "w = torch.ones(2, requires_grad=True)\nfor _ in range(3):\n    (w * 2).sum().backward()\nprint(w.grad.tolist())\n"
    result = watch(source, host=Host(answer=lambda message: "", tick=tick, armed=1))
    assert result.output() == "[6.0, 6.0]\n"
    assert len(result.collected.told("held")) == 1


def test_detaching_at_a_hold_leaves_no_patch_behind(watch: Watcher) -> None:
    source = (
        HEAD + "before = None\ndef state():\n    import sys\n    optimizer = sys.modules['torch.optim.optimizer']\n"
        "    return (nn.Module.__call__, torch.optim.Optimizer.__init__, torch.optim.Optimizer.zero_grad, nn.Module.zero_grad, nn.utils.clip_grad_norm_,\n"
        "            nn.utils.clip_grad.clip_grad_norm_, nn.utils.clip_grad_value_, torch.amp.GradScaler.step, torch.amp.GradScaler.unscale_,\n"
        "            dict(optimizer._global_optimizer_pre_hooks), dict(optimizer._global_optimizer_post_hooks), sys.meta_path)\n"
        "print([type(item).__name__ for item in state()[:9]])\n"
        "model = nn.Linear(2, 1)\nopt = torch.optim.SGD(model.parameters(), 0.1)\n"
        "for _ in range(3):\n    opt.zero_grad()\n    model(torch.randn(3, 2)).sum().backward()\n    opt.step()\n"
        "print([type(item).__name__ for item in state()[:9]], state()[9:])\n"
    )
    result = watch(source, host=Host(answer=lambda message: "detach", armed=1))
    first, second = result.output().splitlines()
    assert set(first) - set("[]', ") == set("ModuleCallWrapper")
    assert second.startswith(str(["function"] * 9))
    assert "ImportWatcher" not in second
    assert ", ({}, {}, [" in second.replace("] ({}", "], ({}")
    assert result.collected.told("held")


STATE = (
    "import sys\ndef state():\n    optimizer = sys.modules['torch.optim.optimizer']\n"
    "    patched = (nn.Module.__call__, torch.optim.Optimizer.__init__, torch.optim.Optimizer.zero_grad, nn.Module.zero_grad, nn.utils.clip_grad_norm_,\n"
    "               nn.utils.clip_grad_value_, torch.amp.GradScaler.step, torch.amp.GradScaler.unscale_)\n"
    "    hooks = len(optimizer._global_optimizer_pre_hooks) + len(optimizer._global_optimizer_post_hooks)\n"
    "    dynamo = sys.modules.get('torch._dynamo')  # imported by torch's own optimizers\n"
    "    watches = any(type(item).__name__ == 'ImportWatcher' for item in sys.meta_path) if dynamo is None else type(dynamo.callback.callback_handler.start_callbacks) is not list\n"
    "    return sum(type(item).__name__ != 'function' for item in patched), hooks, int(watches)\n"
    "import os, time\ndef wait():\n    deadline = time.time() + 60\n    while not os.path.exists('off') and time.time() < deadline: time.sleep(0.01)\n"
)
OPERATIONS = {
    "an operator of a script without modules": "w = torch.ones(3, requires_grad=True)\n(w * 2).sum().backward()\nprint(state())\nwait()\nw + 1\n",
    "a module's call": "m = nn.Linear(2, 1)\nm(torch.ones(1, 2)).sum().backward()\nprint(state())\nwait()\ntry:\n    m()\nexcept TypeError:\n    pass\n",
    "a replaced function": "o = torch.optim.SGD([torch.ones(1, requires_grad=True)], 0.1)\nprint(state())\nwait()\no.zero_grad()\n",
    "a step": "w = torch.ones(1, requires_grad=True)\nw.grad = torch.ones(1)\no = torch.optim.SGD([w], 0.1)\no.step()\nprint(state())\nwait()\no.step()\no.step()\n",
    "another thread": (
        "import threading\nw = torch.ones(3, requires_grad=True)\n(w * 2).sum().backward()\nprint(state())\nwait()\n"
        "t = threading.Thread(target=lambda: w * 2)\nt.start()\nt.join()\n"
    ),
}


@pytest.mark.parametrize("what", OPERATIONS)
def test_switched_off_from_outside_all_is_undone_at_the_next_call(what: str, watch: Watcher, tmp_path: Path) -> None:
    def tick(run: Run) -> None:
        if run.reader is not None and b")" in (tmp_path / ".stdout").read_bytes() and not (tmp_path / "off").exists():
            run.reader.write_word(area.ENABLED, 0)
            (tmp_path / "off").touch()

    source = HEAD + STATE + OPERATIONS[what] + "for _ in range(100): pass\nprint(state(), flush=True)\n"
    first, last = watch(source.replace("print(state())", "print(state(), flush=True)"), host=Host(tick=tick)).output().splitlines()
    assert first == "(8, 2, 1)"
    assert last == "(0, 0, 0)"


def test_ctrl_c_while_held_reaches_the_script_as_keyboard_interrupt(watch: Watcher) -> None:
    sent: list[float] = []

    def tick(run: Run) -> None:
        if any(said["type"] == "held" for said in run.said) and not sent:
            time.sleep(0.2)
            sent.append(time.monotonic())
            run.process.send_signal(signal.SIGINT)

    for source in (
        HEAD
        + "w = torch.ones(2, requires_grad=True)\ntry:\n    (w * 2).sum().backward()\n    for _ in range(100): pass\nexcept KeyboardInterrupt:\n    print('interrupted')\n",
        HEAD + "w = torch.ones(2, requires_grad=True)\ntry:\n    torch.autograd.backward([w], [w.detach()])\n    for _ in range(100): pass\n"
        "except KeyboardInterrupt:\n    print('interrupted')\n",  # the root is AccumulateGrad itself
    ):
        sent.clear()
        result = watch(source, host=Host(answer=lambda message: "", tick=tick, armed=1))
        assert result.output() == "interrupted\n"
        assert len(result.collected.told("held")) == 1


def test_ctrl_c_while_held_shows_no_frame_of_ours(watch: Watcher) -> None:
    sent: list[bool] = []

    def tick(run: Run) -> None:
        if any(said["type"] == "held" for said in run.said) and not sent:
            sent.append(True)
            run.process.send_signal(signal.SIGINT)

    source = HEAD + "w = torch.ones(2, requires_grad=True)\n(w * 2).sum().backward()\nfor _ in range(1000): pass\n"
    result = watch(source, host=Host(answer=lambda message: "", tick=tick, armed=1), may_fail=True)
    assert result.stderr.endswith(b"KeyboardInterrupt\n")
    frames = [line for line in result.stderr.decode().splitlines() if line.lstrip().startswith("File ")]
    assert frames
    assert not [line for line in frames if "tensorscope/agent" in line or "importlib" in line]
