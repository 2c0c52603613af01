"""A script that uses torch's own profiler keeps doing so: both look at the same run, and neither disturbs the other.

    tensorscope samples/profiler_inside.py

What to look at:

* The profiler's schedule waits, warms up and records as it does without TensorScope, and prints the same.
* *Events* shows all iterations, also those in which the profiler waited; its own ranges (`ProfilerStep#3`) stand under *other*.
"""

import torch
from torch import nn
from torch.profiler import ProfilerActivity, profile, schedule

STEPS = 6


def summarize(profiler: profile) -> None:
    calls = {event.key: event.count for event in profiler.key_averages()}
    print(f"step {profiler.step_num}  linear layers called {calls['aten::linear']} times, backward nodes of them ran {calls['AddmmBackward0']} times")


def main() -> None:
    torch.manual_seed(0)
    model = nn.Sequential(nn.Linear(32, 64), nn.ReLU(), nn.Linear(64, 1))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    inputs, target = torch.randn(64, 32), torch.randn(64, 1)
    with profile(activities=[ProfilerActivity.CPU], schedule=schedule(wait=1, warmup=1, active=2, repeat=1), on_trace_ready=summarize) as profiler:
        for _ in range(STEPS):
            optimizer.zero_grad()
            loss = (model(inputs) - target).square().mean()
            loss.backward()
            optimizer.step()
            profiler.step()
    print(f"loss {loss.item():.4f}")


if __name__ == "__main__":
    main()
