"""The loss falls, then swings: nobody calls `zero_grad`, so every step uses the sum of all gradients since the start.

    tensorscope samples/missing_zero_grad.py

What to look at:

* *Gradients*: the norms grow from iteration to iteration, and each iteration carries the mark of a gradient that was added to one already used.
* *Problems*: "gradients are never cleared", with the line of `backward()`.
* The cure is `optimizer.zero_grad()` before `loss.backward()`.
"""

import torch
from torch import nn

STEPS = 12


def main() -> None:
    torch.manual_seed(0)
    inputs = torch.randn(64, 8)
    target = inputs @ torch.randn(8, 1)
    model = nn.Linear(8, 1)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for step in range(STEPS):
        loss = (model(inputs) - target).square().mean()
        loss.backward()
        optimizer.step()
        print(f"step {step:2}  loss {loss.item():8.4f}  gradient {model.weight.grad.norm().item():8.4f}")


if __name__ == "__main__":
    main()
