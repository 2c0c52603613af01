# ruff: noqa: E501 - whole scripts stand in strings
"""Storages, their tensors, names, categories and holders, against what the script itself says of them."""

import json
from typing import Any

from tests.agent.conftest import Watcher
from tests.agent.harness import Host, Result

HEAD = "import gc, json, torch\nfrom torch import nn\ntorch.manual_seed(0)\n"


def newest(result: Result, reason: str) -> dict[str, dict[str, Any]]:
    """Storages of the newest message of a reason, by each name of each of their tensors."""
    message = [message for message in result.collected.told("storages") if message["reason"] == reason][-1]
    return {name: storage for storage in message["storages"] for tensor in storage["tensors"] for name in tensor["names"]}


def test_views_share_a_storage_and_copies_do_not(watch: Watcher) -> None:
    result = watch(
        HEAD + "import numpy\nbase = torch.arange(12.0).reshape(3, 4)\ntransposed = base.t()\nrow = base[1]\ncopy = base.t().contiguous()\n"
        "batch = {'x': base.view(-1), 'deep': [row[2:]]}\nfrom_numpy = torch.from_numpy(numpy.ones(3))\nbase.add_(1)\n"
        "print(json.dumps({k: [v.untyped_storage().data_ptr(), list(v.shape), list(v.stride()), v.storage_offset(), v._version] for k, v in\n"
        "    dict(base=base, transposed=transposed, row=row, copy=copy, from_numpy=from_numpy).items()}))\n"
    )
    told = json.loads(result.output())
    found = newest(result, "exit")
    for name, (data, shape, stride, offset, version) in told.items():
        tensor = next(tensor for tensor in found[name]["tensors"] if name in tensor["names"])
        assert (found[name]["data"], tensor["shape"], tensor["stride"], tensor["offset"], tensor["version"]) == (data, shape, stride, offset, version)
    assert found["base"] is found["transposed"] is found["row"] is found["batch['x']"] is found["batch['deep'][0]"]
    assert found["copy"] is not found["base"]
    assert (found["from_numpy"]["is_external"], found["base"]["is_external"]) == (True, False)
    base = next(tensor for tensor in found["base"]["tensors"] if tensor["names"] == ["base"])
    row = next(tensor for tensor in found["base"]["tensors"] if tensor["names"] == ["row"])
    assert (row["is_view"], row["base"]) == (True, base["base"] or base["impl"])
    assert "global base" in found["base"]["holders"]


def test_training_tensors_have_their_category_and_names(watch: Watcher) -> None:
    result = watch(
        HEAD + "def train(steps):\n    model = nn.Sequential(nn.Linear(2, 3), nn.BatchNorm1d(3))\n    opt = torch.optim.Adam(model.parameters())\n"
        "    for _ in range(steps):\n        x = torch.randn(4, 2)\n        opt.zero_grad()\n        model(x).sum().backward()\n        opt.step()\ntrain(2)\n"
    )
    found = newest(result, "iteration")
    categories = {name: tensor["category"] for name, storage in found.items() for tensor in storage["tensors"] if name in tensor["names"]}
    assert categories["0.weight"] == "parameter"
    assert categories["0.weight.grad"] == "gradient"
    assert categories["1.running_mean"] == "buffer"
    assert categories["0.weight.exp_avg"] == "optimizer_state"
    assert categories["x"] == ""
    assert found["x"]["holders"] == ["local x in train()"]
    assert found["0.weight"]["holders"] == ["parameter 0.weight"]


def test_the_sum_over_live_storages_is_what_a_walk_in_the_script_finds(watch: Watcher) -> None:
    result = watch(
        HEAD + "model = nn.Sequential(nn.Linear(30, 20), nn.ReLU(), nn.Linear(20, 5))\nopt = torch.optim.SGD(model.parameters(), 0.1, momentum=0.9)\n"
        "for _ in range(3):\n    loss = model(torch.randn(8, 30)).square().mean()\n    loss.backward()\n    opt.step()\n"
        "seen = {}\nfor o in gc.get_objects():\n    if torch.Tensor in type(o).__mro__:\n        seen[o.untyped_storage()._cdata] = o.untyped_storage().nbytes()\n"
        "for p in model.parameters():\n    seen[p.grad.untyped_storage()._cdata] = p.grad.untyped_storage().nbytes()\nprint(sum(seen.values()))\n"
    )
    message = [message for message in result.collected.told("storages") if message["reason"] == "exit"][-1]
    assert sum(storage["nbytes"] for storage in message["storages"]) == int(result.output())


def test_a_hold_lists_saved_tensors_with_the_node_that_holds_them(watch: Watcher) -> None:
    result = watch(HEAD + "w = torch.ones(3, requires_grad=True)\n(w * 2).exp().sum().backward()\n", host=Host(answer=lambda message: "step", armed=1))
    holders = [holder for message in result.collected.told("storages") if message["reason"] == "hold" for s in message["storages"] for holder in s["holders"]]
    assert "saved by ExpBackward0 as result" in holders


def test_every_block_alive_is_listed_at_holds_and_iteration_ends(watch: Watcher) -> None:
    result = watch(
        HEAD + "model = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 1))\nopt = torch.optim.SGD(model.parameters(), 0.1, momentum=0.9)\n"
        "for _ in range(2):\n    opt.zero_grad()\n    model(torch.randn(3, 4)).exp().sum().backward()\n    opt.step()\n",
        host=Host(answer=lambda message: "step", armed=1),
    )
    told = result.collected.told("storages")
    assert {message["reason"] for message in told} == {"hold", "iteration", "exit"}
    assert next(message["iteration"] for message in told if message["reason"] == "iteration") == 0
    assert all(message["is_complete"] for message in told if message["reason"] != "hold")
    assert all(message["is_complete"] == (message["unlisted_blocks"] == 0) for message in told)
    assert told[0]["is_complete"]  # what the graph has saved included, which no name of the script's holds
