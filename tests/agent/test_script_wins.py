# ruff: noqa: E501 - whole scripts stand in strings
"""What a script with torch computes and prints is what it computes and prints without us; each trap of reading has its test."""

import re
from pathlib import Path

import pytest

from tensorscope.protocol.records import RecordKind
from tests.agent.conftest import Watcher
from tests.agent.harness import Host, plain, watched

HEAD = "import torch\nfrom torch import nn\ntorch.manual_seed(0)\n"

FAILING = {
    "in_forward": "class Net(nn.Module):\n    def forward(self, x):\n        return x @ torch.ones(3, 3)\nNet()(torch.ones(2, 2))\n",
    "in_nested_module": "m = nn.Sequential(nn.Linear(2, 2), nn.Sequential(nn.Linear(3, 3)))\nm(torch.ones(1, 2))\n",
    "in_backward": "x = torch.ones(2, requires_grad=True)\ny = x.exp()\ny.add_(1)\ny.sum().backward()\n",
    "in_custom_function": (
        "class F(torch.autograd.Function):\n    @staticmethod\n    def forward(ctx, x):\n        return x * 2\n    @staticmethod\n"
        "    def backward(ctx, g):\n        raise ValueError('in backward')\nF.apply(torch.ones(2, requires_grad=True)).sum().backward()\n"
    ),
    "in_step": "o = torch.optim.SGD([torch.ones(1, requires_grad=True)], 0.1)\no.step(closure=lambda: 1 / 0)\n",
    "in_zero_grad": "o = torch.optim.SGD([torch.ones(1, requires_grad=True)], 0.1)\no.zero_grad(nonsense=1)\n",
    "in_clipping": "nn.utils.clip_grad_norm_([torch.ones(1)], 'wide')\n",
    "no_parameters": "torch.optim.Adam([], lr=1)\n",
    "double_backward": "x = torch.ones(2, requires_grad=True)\ny = (x * x).sum()\ny.backward()\ny.backward()\n",
    "recursion_in_forward": "class R(nn.Module):\n    def forward(self, x):\n        return self(x)\nR()(torch.ones(1))\n",
    "import_failing": "import torch.no_such_part\n",
    "interrupted": "import os, signal\nos.kill(os.getpid(), signal.SIGINT)\nfor _ in range(1000):\n    torch.ones(3).sum()\n",
    "warning_in_forward": "class W(nn.Module):\n    def forward(self, x):\n        import warnings\n        warnings.warn('here', stacklevel=2)\n        return x\nW()(1)\n",
    "scheduler_warning": ("m = nn.Linear(1, 1)\no = torch.optim.SGD(m.parameters(), 0.1)\ns = torch.optim.lr_scheduler.StepLR(o, 1)\ns.step()\no.step()\n"),
}

TRAPS = {
    "views_written_in_place": (
        "x = torch.randn(1000, requires_grad=True)\nw = torch.randn(1000, requires_grad=True)\nfor step in range(5):\n    base = (x * w).clone()\n"
        "    views = [base[i : i + 500] for i in range(0, 500, 50)]\n    base.mul_(1.5)\n    views[2].add_(w[:500])\n    base[100] = w[3]\n"
        "    loss = sum((v * v).sum() for v in views) + base.exp().mean()\n    loss.backward()\n"
        "    print(x.grad.double().sum().item(), x.grad.view(torch.int32).sum().item(), w.grad.view(torch.int32).sum().item())\n"
    ),
    "checkpointing": (
        "from torch.utils.checkpoint import checkpoint\nm = nn.Sequential(nn.Linear(4, 4), nn.BatchNorm1d(4), nn.Dropout())\nruns = []\n"
        "m.register_forward_hook(lambda *a: runs.append(1))\nfor step in range(5):\n    checkpoint(m, torch.randn(6, 4), use_reentrant=False).sum().backward()\n"
        "    print(len(runs), m[1].running_mean.tolist(), m[0].weight.grad.tolist())\n"
    ),
    "saved_tensor_hooks": (
        "calls = []\ndef pack(t):\n    calls.append('pack')\n    return (t,)\ndef unpack(t):\n    calls.append('unpack')\n    return t[0]\n"
        "w = torch.ones(3, requires_grad=True)\nfor _ in range(4):\n    with torch.autograd.graph.saved_tensors_hooks(pack, unpack):\n        y = (w * w).exp().sum()\n    y.backward()\n"
        "print(calls)\n"
    ),
    "non_leaf_gradients": "import warnings\nwarnings.simplefilter('error')\nw = torch.ones(3, requires_grad=True)\nfor _ in range(4):\n    y = w * 2\n    z = y.sum()\n    z.backward()\n",
    "tensor_subclass": (
        "seen = []\nclass T(torch.Tensor):\n    @classmethod\n    def __torch_function__(cls, f, types, args=(), kwargs=None):\n        seen.append(f.__name__)\n"
        "        return super().__torch_function__(f, types, args, kwargs or {})\n"
        "t = torch.ones(3).as_subclass(T)\np = nn.Parameter(torch.ones(3))\nfor _ in range(4):\n    (t * p).sum().backward()\nprint(seen)\n"
    ),
    "odd_objects": (
        "class Odd:\n    def __getattribute__(self, name):\n        print('asked for', name)\n        return object.__getattribute__(self, name)\n"
        "class Meta(type):\n    def __instancecheck__(cls, x):\n        print('instance?')\n        return True\n    def __hash__(cls):\n        print('hash?')\n        return 1\n"
        "class Strange(metaclass=Meta): pass\nodd, strange, held = Odd(), Strange(), [Odd(), {'a': Strange()}]\nw = torch.ones(3, requires_grad=True)\n"
        "for _ in range(4):\n    (w * 2).sum().backward()\n"
    ),
    "random_numbers_and_threads": (
        "import threading\ntorch.set_num_threads(2)\nm = nn.Sequential(nn.Linear(8, 8), nn.Dropout())\n"
        "def work():\n    for _ in range(5):\n        m(torch.randn(4, 8)).sum().backward()\nt = threading.Thread(target=work)\nt.start()\nt.join()\n"
        "print(torch.rand(3), m[0].weight.grad.sum(), torch.get_num_threads())\n"
    ),
    "environment": "import os\ntorch.ones(1)\nprint(sorted(os.environ), torch.get_num_threads(), torch._logging._internal.log_state.artifact_names)\n",
    "dynamo_is_not_imported": "import sys\nm = nn.Linear(2, 2)\nm(torch.ones(1, 2)).sum().backward()\nprint('torch._dynamo' in sys.modules, 'numpy' in sys.modules)\n",
    "in_place_modules": (
        "m = nn.Sequential(nn.Conv2d(1, 2, 3), nn.ReLU(inplace=True), nn.Flatten(), nn.Linear(72, 2))\n"
        "for _ in range(4):\n    m(torch.randn(2, 1, 8, 8)).sum().backward()\nprint(m[0].weight.grad)\n"
    ),
    "higher_order": "x = torch.ones(3, requires_grad=True)\nfor _ in range(4):\n    g, = torch.autograd.grad((x ** 3).sum(), x, create_graph=True)\n    g.sum().backward()\nprint(x.grad)\n",
    "sparse_and_complex": (
        "e = nn.Embedding(9, 3, sparse=True)\nc = torch.ones(3, dtype=torch.complex64, requires_grad=True)\nfor _ in range(4):\n"
        "    (e(torch.tensor([1, 2])).sum() + (c * c.conj()).real.sum()).backward()\nprint(e.weight.grad, c.grad)\n"
    ),
    "pickling_a_module": (
        "import pickle, copy, io\nm = nn.Linear(2, 2)\nm(torch.ones(1, 2))\nprint(len(pickle.dumps(m)), copy.deepcopy(m))\nbuffer = io.BytesIO()\n"
        "torch.save(m, buffer)\nbuffer.seek(0)\nprint(torch.load(buffer, weights_only=False))\no = torch.optim.SGD(m.parameters(), 0.1)\no.step()\nprint(copy.deepcopy(o))\n"
    ),
    "functorch": "from torch.func import grad, vmap\nf = lambda w, x: (w * x).sum()\nprint(vmap(grad(f), (None, 0))(torch.ones(3), torch.ones(4, 3)))\n",
    "jit": "class M(nn.Module):\n    def forward(self, x):\n        return x * 2\nm = torch.jit.trace(M(), torch.ones(2))\nprint(m(torch.ones(2)), torch.jit.script(M())(torch.ones(2)))\n",
}


def same_text(text: bytes) -> str:
    return re.sub(r"0x[0-9a-f]+", "0x…", text.decode())


@pytest.mark.parametrize("name", FAILING)
def test_a_failing_training_script_prints_and_ends_the_same(name: str, probe: Path, tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(HEAD + FAILING[name])
    ours, theirs = watched(script, probe=probe), plain(script)
    assert same_text(ours.stderr) == same_text(theirs.stderr)
    assert (ours.stdout, ours.code) == (theirs.stdout, theirs.code)
    assert len(ours.collected.told("exit")) == 1
    assert not ours.collected.told("tracker_off")


@pytest.mark.parametrize("is_stepped", [False, True])
@pytest.mark.parametrize("name", TRAPS)
def test_reading_changes_nothing(name: str, is_stepped: bool, probe: Path, tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(HEAD + TRAPS[name])
    host = Host(answer=lambda message: "step", armed=1 if is_stepped else 0)
    ours, theirs = watched(script, probe=probe, host=host), plain(script)
    assert (ours.stdout.decode(), ours.stderr.decode()) == (theirs.stdout.decode(), theirs.stderr.decode())
    assert ours.code == theirs.code == 0
    assert not ours.collected.told("tracker_off")
    assert ours.collected.records[RecordKind.OPERATOR]


def test_a_missing_torch_is_reported_as_plain_python_does(probe: Path, tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(
        "import sys\nsys.path[:] = [p for p in sys.path if 'site-packages' not in p]\ntry:\n    import torch\nexcept ImportError as e:\n    print(e)\nimport torch\n"
    )
    ours, theirs = watched(script, probe=probe), plain(script)
    assert (ours.stdout, ours.stderr, ours.code) == (theirs.stdout, theirs.stderr, theirs.code)


def test_a_broken_torch_fails_with_the_same_traceback_and_a_good_one_is_met_afterwards(probe: Path, tmp_path: Path) -> None:
    (tmp_path / "broken" / "torch").mkdir(parents=True)
    (tmp_path / "broken" / "torch" / "__init__.py").write_text("import os\nraise OSError('libtorch is broken')\n")
    script = tmp_path / "script.py"
    first = "import sys, traceback\nsys.path.insert(0, 'broken')\ntry:\n    import torch\nexcept OSError:\n    traceback.print_exc()\n"
    script.write_text(first + "sys.path.pop(0)\nimport torch\nprint(torch.ones(2).sum(), torch.__spec__.loader, type(torch.__loader__))\n")
    ours, theirs = watched(script, probe=probe), plain(script)
    assert (same_text(ours.stdout), same_text(ours.stderr), ours.code) == (same_text(theirs.stdout), same_text(theirs.stderr), theirs.code)
    assert ours.collected.records[RecordKind.OPERATOR]


def test_the_host_hears_of_an_exception_with_its_frames(watch: Watcher) -> None:
    result = watch(HEAD + "def f():\n    kept = torch.ones(3)\n    kept @ torch.ones(4)\nf()\n", may_fail=True)
    exception = result.collected.told("exception")[0]
    assert exception["exception"] == "RuntimeError"
    assert exception["source"].endswith("script.py:6")
    assert [frame[1:] for frame in exception["frames"]] == [[7, "<module>"], [6, "f"]]
    assert [message["reason"] for message in result.collected.told("storages")] == ["exception", "exit"]
    assert result.collected.told("exit")[0]["code"] == 1
