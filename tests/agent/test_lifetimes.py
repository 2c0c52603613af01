# ruff: noqa: E501 - whole scripts stand in strings
"""No tensor, module or optimizer lives longer because of us, and a fork or a spawned child is left alone."""

from pathlib import Path

from tests.agent.conftest import Watcher
from tests.agent.harness import Host, plain

HEAD = "import gc, weakref\nimport torch\nfrom torch import nn\ntorch.manual_seed(0)\ngc.disable()\n"

LIVES = (
    HEAD + "class Net(nn.Module):\n    def __init__(self):\n        super().__init__()\n        self.a, self.b = nn.Linear(4, 4), nn.Linear(4, 1)\n"
    "    def forward(self, x):\n        hidden = self.a(x)\n        watch('hidden', hidden)\n        return self.b(hidden.relu())\n"
    "watched = {}\ndef watch(name, thing):\n    watched.setdefault(name, []).append(weakref.ref(thing))\n"
    "def alive():\n    return {name: sum(r() is not None for r in refs) for name, refs in watched.items()}\n"
    "def train():\n    model = Net()\n    opt = torch.optim.Adam(model.parameters())\n    watch('model', model)\n    watch('opt', opt)\n    watch('weight', model.a.weight)\n"
    "    for _ in range(5):\n        x = torch.randn(3, 4)\n        loss = model(x).mean()\n        watch('x', x)\n        watch('loss', loss)\n"
    "        loss.backward()\n        watch('grad', model.a.weight.grad)\n        opt.step()\n        opt.zero_grad()\n"
    "        del x, loss\n        print(alive())\n    watch('state', opt.state[model.a.weight]['exp_avg'])\n"
    "train()\nprint(alive())\n"
    "def raising():\n    kept = torch.ones(3)\n    watch('kept', kept)\n    raise ValueError\n"
    "try:\n    raising()\nexcept ValueError:\n    pass\nprint(alive())\n"
)
IN_LOOP = "{'model': 1, 'opt': 1, 'weight': 1, 'hidden': 0, 'x': 0, 'loss': 0, 'grad': 0}"


def test_tensors_die_when_the_script_lets_go_of_them(watch: Watcher, tmp_path: Path) -> None:
    (tmp_path / "plain.py").write_text(LIVES)
    theirs = plain(tmp_path / "plain.py").output()
    assert theirs.splitlines()[:5] == [IN_LOOP] * 5
    for host in (Host(), Host(answer=lambda message: "step", armed=1)):
        assert watch(LIVES, host=host).output() == theirs


def test_children_are_left_alone_and_hold_no_descriptor_of_ours(watch: Watcher) -> None:
    source = (
        HEAD + "import os, subprocess, sys\nfrom torch.utils.data import DataLoader\n"
        "model = nn.Linear(2, 1)\nopt = torch.optim.SGD(model.parameters(), 0.1)\n"
        "def step():\n    opt.zero_grad()\n    model(torch.ones(1, 2)).sum().backward()\n    opt.step()\nstep()\n"
        "def sockets():\n    return [os.readlink(f'/proc/self/fd/{n}') for n in os.listdir('/proc/self/fd') if int(n) >= 400 and os.path.exists(f'/proc/self/fd/{n}')]\n"
        "pid = os.fork()\nif pid == 0:\n    step()\n    print('child', sockets(), flush=True)\n    os._exit(5)\n"
        "print(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))\n"
        "print(len(list(DataLoader(list(range(8)), batch_size=2, num_workers=2))))\n"
        "print(subprocess.run([sys.executable, '-c', 'import os; print(sorted(map(int, os.listdir(\"/proc/self/fd\")))[-1] < 20)'], capture_output=True, text=True).stdout)\n"
        "step()\n"
    )
    result = watch(source)
    assert [message["index"] for message in result.collected.told("iteration")] == [0, 1]
    assert result.output().split() == ["child", "[]", "5", "4", "True"]
    assert len(result.collected.told("exit")) == 1
