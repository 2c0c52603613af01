"""Accumulates, clips, scales the loss and lets steps be skipped, and writes down what it did in each iteration.

Usage: training_marks.py TRUTH.json
"""

import json
import sys
from typing import Any

import torch
from torch import nn

truth: list[dict[str, Any]] = []


def main() -> None:
    torch.manual_seed(0)
    net = nn.Sequential(nn.Linear(6, 5), nn.Tanh(), nn.Linear(5, 1))
    optimizer = torch.optim.SGD(net.parameters(), lr=0.5)
    schedule = torch.optim.lr_scheduler.StepLR(optimizer, 3, 0.1)
    scaler = torch.amp.GradScaler("cpu", init_scale=1024.0, growth_interval=4)
    for turn in range(10):
        backwards = 1 + turn % 3
        optimizer.zero_grad()
        for _ in range(backwards):
            loss = net(torch.randn(4, 6)).square().mean() * (float("inf") if turn in (2, 6) else 1.0)
            scaler.scale(loss).backward()
        done: dict[str, Any] = {"accumulated_backwards": backwards, "loss_scale": scaler.get_scale(), "clip_limit": None, "clip_norm": None}
        scaler.unscale_(optimizer)
        if turn % 2:
            done["clip_limit"] = 0.25
            done["clip_norm"] = nn.utils.clip_grad_norm_(net.parameters(), 0.25).item()
        done["learning_rate"] = optimizer.param_groups[0]["lr"]
        before = net[0].weight.detach().clone()
        scaler.step(optimizer)
        done["is_step_skipped"] = torch.equal(before, net[0].weight)
        scaler.update()
        schedule.step()
        module = torch.cat([parameter.grad.double().flatten() for parameter in net[0].parameters()])  # type: ignore[union-attr]
        done["module_norm"] = module.norm().item()
        truth.append(done)
    with open(sys.argv[1], "w", encoding="utf-8") as file:
        json.dump(truth, file)


main()
