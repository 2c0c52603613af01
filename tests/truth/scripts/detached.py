"""Trains until nobody watches any more, and writes down what stands in torch's places then: types, hooks, finders, threads.

Usage: detached.py TRUTH.json
"""

import gc
import json
import sys
import threading
import time

import torch
from torch import nn

LIMIT_S = 240
OWNERS = (nn.Module, nn.utils, nn.utils.clip_grad, torch.optim.Optimizer, torch.optim.SGD, torch.autograd, torch.Tensor)


def types() -> dict[str, str]:
    return {f"{owner.__name__}.{name}": type(value).__name__ for owner in OWNERS for name, value in vars(owner).items()}


def replaced() -> list[str]:
    return sorted(name for name, kind in types().items() if kind in ("Wrapper", "ModuleCall"))


def main() -> None:
    model = nn.Linear(3, 2)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    truth: dict[str, object] = {}

    def step() -> None:
        optimizer.zero_grad()
        model(torch.ones(1, 3)).sum().backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        truth.setdefault("replaced_at_first", replaced())
        time.sleep(0.01)

    deadline = time.monotonic() + LIMIT_S
    steps = 0
    while steps < 5 or (replaced() and time.monotonic() < deadline):
        step()
        steps += 1
    truth["steps_before"] = steps
    for _ in range(5):
        step()
    truth["replaced_at_end"] = replaced()
    optimizers = sys.modules["torch.optim.optimizer"]
    truth["state"] = {
        "types": types(),
        "forward_hooks": len(nn.modules.module._global_forward_hooks) + len(nn.modules.module._global_forward_pre_hooks),
        "optimizer_hooks": len(optimizers._global_optimizer_pre_hooks) + len(optimizers._global_optimizer_post_hooks),
        "own_hooks": [len(model._forward_hooks), len(optimizer._optimizer_step_pre_hooks), len(optimizer._optimizer_step_post_hooks)],
        "gradient_hooks": [parameter._backward_hooks is None for parameter in model.parameters()],
        "finders": [finder.__name__ if isinstance(finder, type) else type(finder).__name__ for finder in sys.meta_path],
        "collector_callbacks": len(gc.callbacks),
        "threads": threading.active_count(),
        "excepthook": sys.excepthook is sys.__excepthook__,
        "profiler_is_on": torch.autograd._profiler_enabled(),
    }
    with open(sys.argv[1], "w", encoding="utf-8") as file:
        json.dump(truth, file)


if __name__ == "__main__":
    main()
