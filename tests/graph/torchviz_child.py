"""Run in a child process: a small model's graph as a plain walk sees it, and torchviz's picture of it, as one JSON object."""

import json
import sys
from typing import Any

import torch
from torchviz import make_dot

torch.manual_seed(0)
model = torch.nn.Sequential(torch.nn.Conv2d(1, 2, 3), torch.nn.ReLU(), torch.nn.Flatten(), torch.nn.Linear(8, 3), torch.nn.LayerNorm(3))
x = torch.randn(2, 1, 4, 4, requires_grad=True)
out = model(x)
loss = (out + out.clamp(min=0) * out).pow(2).mean()

names = {parameter: name for name, parameter in model.named_parameters()} | {x: "x"}
places: dict[Any, int] = {loss.grad_fn: 0}
order: list[Any] = [loss.grad_fn]
edges = []
for place, node in enumerate(order):
    for output_nr, (target, input_nr) in enumerate(node.next_functions):
        if target is not None:
            if target not in places:
                places[target] = len(order)
                order.append(target)
            edges.append([place, places[target], output_nr, input_nr])
variables = {place: node.variable for place, node in enumerate(order) if hasattr(node, "variable")}
nodes = [
    [node.name(), -1, 0, names.get(variables.get(place), ""), list(variables[place].shape) if place in variables else list(node._input_metadata[0].shape), []]
    for place, node in enumerate(order)
]
ids = {str(id(node)): f"n{place}" for place, node in enumerate(order)}
ids |= {str(id(variable)): f"v{place}" for place, variable in variables.items()} | {str(id(loss)): "r0"}
json.dump(
    {"graph": {"nodes": nodes, "edges": edges, "calls": []}, "ids": ids, "torchviz": make_dot(loss, {**dict(model.named_parameters()), "x": x}).source},
    sys.stdout,
)
