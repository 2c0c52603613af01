"""Trains small models in several ways, one after the other, and writes down how far each step moved each parameter, in double.

Usage: updates.py TRUTH.json. Prints what the parameters are at the end, exactly.
"""

import hashlib
import json
import sys
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor, nn

truth: list[dict[str, Any]] = []
backward = -1


def values_of(model: nn.Module) -> dict[str, Tensor]:
    return {name: parameter.detach().to(torch.float64).clone() for name, parameter in model.named_parameters()}


def train(
    name: str, optimizer_of: Callable[[Any], torch.optim.Optimizer], dtype: torch.dtype = torch.float32, scaler: torch.amp.GradScaler | None = None
) -> None:
    global backward
    torch.manual_seed(1)
    model = nn.ModuleDict({name: nn.Sequential(nn.Linear(7, 33), nn.Tanh(), nn.Linear(33, 3))}).to(dtype)
    optimizer = optimizer_of(model.parameters())
    for step in range(3):
        optimizer.zero_grad()
        loss = model[name](torch.randn(5, 7, dtype=dtype)).square().mean()
        if scaler is not None:
            loss = scaler.scale(loss * (torch.inf if step == 1 else 1))
        loss.backward()
        backward += 1
        before = values_of(model)
        if scaler is None:
            optimizer.step()
        else:
            scaler.step(optimizer)
            scaler.update()
        has_stepped = scaler is None or step != 1
        for parameter, after in values_of(model).items():
            moved = (after - before[parameter]).norm().item()
            assert has_stepped or moved == 0
            truth.append({"backward": backward, "parameter": parameter, "update": moved if has_stepped else None, "weight": before[parameter].norm().item()})
    content = b"".join(bytes(parameter.detach().flatten().view(torch.uint8).tolist()) for parameter in model.parameters())
    print(name, hashlib.sha256(content).hexdigest())


train("sgd", lambda parameters: torch.optim.SGD(parameters, lr=0.1, momentum=0.9, foreach=False))
train("sgd_foreach", lambda parameters: torch.optim.SGD(parameters, lr=0.1, momentum=0.9, foreach=True))
train("adam", lambda parameters: torch.optim.Adam(parameters, lr=0.01, foreach=False))
train("adam_foreach", lambda parameters: torch.optim.Adam(parameters, lr=0.01, foreach=True))
train("adamw_fused", lambda parameters: torch.optim.AdamW(parameters, lr=0.01, fused=True))
train("bfloat16s", lambda parameters: torch.optim.SGD(parameters, lr=0.1), torch.bfloat16)
train("scaled", lambda parameters: torch.optim.SGD(parameters, lr=0.1), scaler=torch.amp.GradScaler("cpu"))
with open(sys.argv[1], "w", encoding="utf-8") as file:
    json.dump(truth, file)
