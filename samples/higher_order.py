"""The gradient of a gradient: a network is trained so that its slope is one everywhere, which takes a backward through a backward.

    tensorscope samples/higher_order.py

What to look at:

* *Graph*: `torch.autograd.grad(..., create_graph=True)` is a backward of its own and makes nodes; the backward of the penalty runs through them, so
  nodes such as `TanhBackwardBackward0` stand in its graph. Switch between the two backwards of an iteration.
* *Memory timeline*: the first backward does not free what it used; that happens in the second.
* *Gradients*: only the second backward writes `.grad`; the first returns its result.
"""

import torch
from torch import nn

STEPS = 15


def main() -> None:
    torch.manual_seed(0)
    model = nn.Sequential(nn.Linear(2, 32), nn.Tanh(), nn.Linear(32, 1))
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
    for step in range(STEPS):
        points = torch.randn(64, 2, requires_grad=True)
        values = model(points)
        (slopes,) = torch.autograd.grad(values.sum(), points, create_graph=True)
        penalty = (slopes.norm(dim=1) - 1).square().mean()
        optimizer.zero_grad()
        penalty.backward()
        optimizer.step()
        if step % 5 == 4:
            print(f"step {step:2}  penalty {penalty.item():.4f}")


if __name__ == "__main__":
    main()
