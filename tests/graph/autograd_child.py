"""Run in a child process: real autograd graphs of some models, walked over ``next_functions``, as one JSON object by name."""

import json
import sys
from collections.abc import Iterable
from typing import Any

import torch
from torch import nn


def walk(roots: Iterable[Any], names: dict[Any, str]) -> dict[str, Any]:
    order = [root.grad_fn for root in roots]
    places = {node: place for place, node in enumerate(order)}
    edges = []
    for place, node in enumerate(order):
        for output_nr, (target, input_nr) in enumerate(node.next_functions):
            if target is not None:
                if target not in places:
                    places[target] = len(order)
                    order.append(target)
                edges.append([place, places[target], output_nr, input_nr])
    nodes = []
    for node in order:
        leaf = getattr(node, "variable", None)
        shape = list(leaf.shape) if leaf is not None else list(node._input_metadata[0].shape)
        number = node._sequence_nr() if leaf is None else -1
        nodes.append([node.name(), number, 0, names.get(leaf, "") if leaf is not None else "", shape, []])
    return {"nodes": nodes, "edges": edges, "calls": []}


def network(depth: int, width: int = 8, *, has_skip: bool = False, batch: int = 4) -> dict[str, Any]:
    torch.manual_seed(0)
    layers = nn.ModuleList(nn.Linear(width, width) for _ in range(depth))
    x = torch.randn(batch, width)
    for layer in layers:
        x = x + layer(x).relu() if has_skip else layer(x).relu()
    return walk([x.pow(2).mean()], {parameter: name for name, parameter in layers.named_parameters()})


def double_backward() -> dict[str, Any]:
    net = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 1))
    x = torch.randn(16, 4, requires_grad=True)
    y = net(x)
    (gradient,) = torch.autograd.grad(y.sum(), x, create_graph=True)
    loss = ((gradient.norm(dim=1) - 1) ** 2).mean() + y.mean()
    return walk([loss], {**{parameter: name for name, parameter in net.named_parameters()}, x: "x"})


def two_roots() -> dict[str, Any]:
    body, first, second = nn.Linear(4, 8), nn.Linear(8, 2), nn.Linear(8, 3)
    shared = body(torch.randn(16, 4)).relu()
    names = {
        parameter: f"{owner}.{name}"
        for owner, module in (("body", body), ("first", first), ("second", second))
        for name, parameter in module.named_parameters()
    }
    return walk([first(shared).pow(2).mean(), second(shared).abs().mean()], names)


graphs = {
    "plain": network(4),
    "again": network(4),
    "deeper": network(5),
    "wider batch": network(4, batch=6),
    "skip": network(4, has_skip=True),
    "long skip": network(30, has_skip=True),
    "double": double_backward(),
    "roots": two_roots(),
}
json.dump(graphs, sys.stdout)
