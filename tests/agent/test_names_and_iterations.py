# ruff: noqa: E501 - whole scripts stand in strings
"""Parameters by name, iterations counted: expectations written down by hand."""

from typing import Any

import pytest

from tensorscope.protocol.records import MarkKind, RecordKind
from tests.agent.conftest import Watcher
from tests.agent.harness import Result

HEAD = "import torch\nfrom torch import nn\ntorch.manual_seed(0)\n"


def parameters(result: Result) -> dict[str, dict[str, object]]:
    """The newest message for each id, by name."""
    newest = {message["id"]: message for message in result.collected.told("parameter")}
    return {message["fqn"]: message for message in newest.values()}


def iterations(result: Result) -> list[int]:
    return [message["index"] for message in ended(result)]


def ended(result: Result) -> list[dict[str, Any]]:
    """The iterations; of those told twice what was told last."""
    return list({message["index"]: message for message in result.collected.told("iteration")}.values())


def test_one_model_has_the_names_of_named_parameters(watch: Watcher) -> None:
    result = watch(
        HEAD + "class Net(nn.Module):\n    def __init__(self):\n        super().__init__()\n        self.emb = nn.Embedding(5, 4)\n"
        "        self.norm = nn.BatchNorm1d(4)\n        self.head = nn.Linear(4, 5, bias=False)\n        self.head.weight = self.emb.weight\n"
        "    def forward(self, x):\n        return self.head(self.norm(self.emb(x)))\n"
        "model = Net()\nloss = nn.CrossEntropyLoss()\nfor _ in range(2):\n    loss(model(torch.arange(5)), torch.arange(5)).backward()\n"
        "print([name for name, _ in model.named_parameters()] + [name for name, _ in model.named_buffers()])\n"
    )
    found = parameters(result)
    assert str(list(found)) == result.output().strip()
    assert found["emb.weight"]["aliases"] == ["head.weight"]
    assert [name for name, message in found.items() if message["is_buffer"]] == ["norm.running_mean", "norm.running_var", "norm.num_batches_tracked"]
    modules = {message["id"]: message["fqn"] for message in result.collected.told("module")}
    assert sorted(modules.values()) == ["", "emb", "head", "loss", "norm"]


def test_two_models_have_their_variable_in_front(watch: Watcher) -> None:
    result = watch(
        HEAD + "def main():\n    gen, disc = nn.Sequential(nn.Linear(2, 2)), nn.Sequential(nn.Linear(2, 3), nn.ReLU(), nn.Linear(3, 1))\n"
        "    g, d = torch.optim.SGD(gen.parameters(), 0.1), torch.optim.SGD(disc.parameters(), 0.1)\n"
        "    for _ in range(3):\n        fake = gen(torch.randn(4, 2))\n        d.zero_grad()\n        disc(fake.detach()).mean().backward()\n        d.step()\n"
        "        g.zero_grad()\n        disc(fake).mean().backward()\n        g.step()\nmain()\n"
    )
    assert sorted(parameters(result)) == ["disc.0.bias", "disc.0.weight", "disc.2.bias", "disc.2.weight", "gen.0.bias", "gen.0.weight"]
    assert iterations(result) == [0, 1, 2, 3, 4, 5]  # the two players end one each


def test_a_submodule_called_first_is_still_named_from_the_root_that_holds_it(watch: Watcher) -> None:
    result = watch(
        HEAD
        + "class Net(nn.Module):\n    def __init__(self):\n        super().__init__()\n        self.encoder = nn.Linear(2, 2)\n        self.head = nn.Linear(2, 1)\n"
        "model = Net()\nmodel.head(model.encoder(torch.randn(3, 2))).sum().backward()\n"
    )
    assert sorted(parameters(result)) == ["encoder.bias", "encoder.weight", "head.bias", "head.weight"]


def test_bare_leaves_have_their_variables_names_in_the_first_graph_already(watch: Watcher) -> None:
    result = watch(
        HEAD + "w = torch.randn(3, requires_grad=True)\nlayers = [torch.randn(3, requires_grad=True)]\n"
        "for _ in range(4):\n    loss = (w * layers[0]).sum()\n    loss.backward()\n    with torch.no_grad():\n        w -= 0.1 * w.grad\n    w.grad = None\n"
    )
    assert sorted(parameters(result)) == ["layers[0]", "w"]
    assert {message["graph"] for message in result.collected.told("graph_details")} == {1}
    assert iterations(result) == [0, 1, 2, 3]
    assert all(message["is_estimated"] for message in result.collected.told("iteration"))


def test_what_a_node_keeps_of_its_operators_call_is_told_and_nothing_of_a_users_own_function_is_read(watch: Watcher) -> None:
    result = watch(
        HEAD + "class Twice(torch.autograd.Function):\n"
        "    @staticmethod\n    def forward(ctx, x):\n        return x * 2\n"
        "    @staticmethod\n    def backward(ctx, grad):\n        return grad * 2\n"
        "Twice._backward_cls._saved_trap = property(lambda self: print('read'))\n"
        "x = torch.randn(3, 4, requires_grad=True)\nTwice.apply(x.softmax(-1).sum(0, keepdim=True)).sum().backward()\n"
    )
    (told,) = result.collected.told("graph_details")
    attributes = {node["class"]: node["attributes"] for node in told["nodes"]}
    assert attributes["SoftmaxBackward0"] == {"dim": -1}  # where autograd's own getter says 18446744073709551615
    assert attributes["SumBackward1"] == {"dim": [0], "keepdim": True, "self_sym_sizes": [3, 4]}
    assert attributes["TwiceBackward"] == {}
    assert result.output() == ""


def test_a_leaf_made_anew_each_time_stays_one_parameter(watch: Watcher) -> None:
    result = watch(HEAD + "for _ in range(20):\n    x = torch.randn(3, requires_grad=True)\n    x.square().sum().backward()\n    x = None\n")
    assert list(parameters(result)) == ["x"]
    assert {message["id"] for message in result.collected.told("parameter")} == {1}


def test_gradient_accumulation_ends_one_iteration_a_step(watch: Watcher) -> None:
    result = watch(
        HEAD + "model = nn.Linear(2, 1)\nopt = torch.optim.Adam(model.parameters(), lr=0.01)\n"
        "for step in range(3):\n    for _ in range(4):\n        model(torch.randn(5, 2)).mean().backward()\n    opt.step()\n    opt.zero_grad()\n"
    )
    told = result.collected.told("iteration")
    assert [message["index"] for message in told] == [0, 1, 2]
    assert [message["learning_rate"] for message in told] == [0.01] * 3
    assert len(result.collected.marks(MarkKind.BACKWARD)) == 12
    assert len(result.collected.marks(MarkKind.OPTIMIZER_STEP)) == 3
    assert [mark["x"] for mark in result.collected.marks(MarkKind.OPTIMIZER_STEP)] == [0.01] * 3
    assert len(result.collected.marks(MarkKind.ZERO_GRAD)) == 3


def test_steps_with_no_backward_between_end_one_iteration(watch: Watcher) -> None:
    result = watch(
        HEAD + "a, b = nn.Linear(2, 1), nn.Linear(2, 1)\none, two = (torch.optim.SGD(m.parameters(), 0.1) for m in (a, b))\n"
        "for _ in range(3):\n    (a(torch.randn(3, 2)) + b(torch.randn(3, 2))).mean().backward()\n    one.step()\n    two.step()\n"
    )
    told = ended(result)
    assert [message["index"] for message in told] == [0, 1, 2]
    assert [message["optimizers"] for message in told] == [[1, 2]] * 3
    assert [message["optimizers"] for message in result.collected.told("iteration")] == [[1], [1, 2]] * 3


def test_an_optimizer_that_steps_again_with_no_backward_between_ends_the_same_iteration(watch: Watcher) -> None:
    result = watch(
        HEAD + "w = nn.Parameter(torch.ones(2))\nopt = torch.optim.SGD([w], 0.1)\n"
        "for _ in range(2):\n    w.sum().backward()\n    for _ in range(3):\n        opt.step()\n"
    )
    assert [message["index"] for message in ended(result)] == [0, 1]
    assert [message["optimizers"] for message in ended(result)] == [[1], [1]]
    steps = [mark["end_ns"] for mark in result.collected.marks(MarkKind.OPTIMIZER_STEP)]
    assert [message["time_ns"] > step for message, step in zip(ended(result), (steps[2], steps[5]), strict=True)] == [True, True]  # at the last step


def test_a_killed_script_has_told_its_last_iteration(watch: Watcher) -> None:
    result = watch(
        HEAD + "import os, signal\nmodel = nn.Linear(2, 1)\nopt = torch.optim.SGD(model.parameters(), 0.1)\n"
        "for step in range(4):\n    model(torch.randn(3, 2)).sum().backward()\n    opt.step()\nos.kill(os.getpid(), signal.SIGKILL)\n",
        may_fail=True,
    )
    assert result.code == -9
    assert iterations(result) == [0, 1, 2, 3]


TWO_PLAYERS = (
    "a, b = nn.Linear(2, 1), nn.Linear(2, 1)\none, two = (torch.optim.SGD(m.parameters(), 0.1) for m in (a, b))\n"
    "for _ in range(30):\n    (a(torch.randn(3, 2)) + b(torch.randn(3, 2))).mean().backward()\n    one.step()\n    two.step()\n    torch.ones(3).neg()\n"
)
NO_OPTIMIZER = (
    "w = torch.ones(3, requires_grad=True)\n"
    "for _ in range(30):\n    (w * torch.randn(3)).sum().backward()\n    with torch.no_grad():\n        w -= 0.1 * w.grad\n        w.grad = None\n"
)


@pytest.mark.parametrize("count", [1, 2, 5])
@pytest.mark.parametrize("body", [TWO_PLAYERS, NO_OPTIMIZER], ids=["two optimizers", "none"])
def test_the_probe_goes_off_with_the_last_of_the_wanted_iterations(watch: Watcher, body: str, count: int) -> None:
    result = watch(HEAD + body, options=("--iterations", str(count)))
    assert iterations(result) == list(range(count))
    if body == TWO_PLAYERS:
        assert [message["optimizers"] for message in ended(result)] == [[1, 2]] * count
        assert len(result.collected.marks(MarkKind.BACKWARD)) == count
        strings = result.collected.strings()
        names = [strings[row["name"]] for row in result.collected.records[RecordKind.OPERATOR]]
        assert names.count("aten::neg") == count - 1  # the last one comes after the last iteration


def test_closures_of_lbfgs_lie_inside_one_iteration(watch: Watcher) -> None:
    result = watch(
        HEAD + "model = nn.Linear(3, 1)\nopt = torch.optim.LBFGS(model.parameters(), max_iter=5)\nx, y = torch.randn(20, 3), torch.randn(20, 1)\n"
        "def closure():\n    opt.zero_grad()\n    loss = (model(x) - y).square().mean()\n    loss.backward()\n    return loss\n"
        "for _ in range(3):\n    opt.step(closure)\n"
    )
    assert iterations(result) == [0, 1, 2]
    assert len(result.collected.marks(MarkKind.BACKWARD)) > 5


def test_a_step_that_the_scaler_skips_ends_an_iteration(watch: Watcher) -> None:
    result = watch(
        HEAD + "model = nn.Linear(2, 1)\nopt = torch.optim.SGD(model.parameters(), 0.1)\nscaler = torch.amp.GradScaler('cpu', init_scale=8.0)\n"
        "for step in range(3):\n    opt.zero_grad()\n    loss = model(torch.randn(4, 2)).mean() * (float('inf') if step == 1 else 1.0)\n"
        "    scaler.scale(loss).backward()\n    scaler.unscale_(opt)\n    nn.utils.clip_grad_norm_(model.parameters(), 0.5)\n    scaler.step(opt)\n    scaler.update()\n"
    )
    assert iterations(result) == [0, 1, 2]
    assert len(result.collected.marks(MarkKind.SCALER_SKIP)) == 1
    assert len(result.collected.marks(MarkKind.OPTIMIZER_STEP)) == 2
    assert [mark["x"] for mark in result.collected.marks(MarkKind.UNSCALE)] == [8.0, 8.0, 4.0]
    assert [mark["x"] for mark in result.collected.marks(MarkKind.CLIP)] == [0.5] * 3


def test_parameters_added_later_are_found(watch: Watcher) -> None:
    result = watch(
        HEAD + "model = nn.Sequential(nn.Linear(2, 2))\nopt = torch.optim.SGD(model.parameters(), 0.1)\n"
        "for step in range(4):\n    if step == 2:\n        model.append(nn.Linear(2, 1))\n        opt.add_param_group({'params': model[1].parameters()})\n"
        "    opt.zero_grad()\n    model(torch.randn(3, 2)).sum().backward()\n    opt.step()\n"
    )
    assert list(parameters(result)) == ["0.weight", "0.bias", "1.weight", "1.bias"]
    assert [len(message["parameters"]) for message in result.collected.told("optimizer")][-1] == 4
