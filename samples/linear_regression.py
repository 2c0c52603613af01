"""Least squares by hand: two leaf tensors, hand-written updates, no module and no optimizer.

    tensorscope samples/linear_regression.py

What to look at:

* *Graph*: the whole backward is five nodes and two accumulators; `weight` and `bias` have their names although no module holds them.
* *Gradients*: both norms fall towards zero as the line fits; without an optimizer an iteration ends with each turn of the loop.
* *Memory timeline*: the gradients stay alive between iterations, because `zero_()` clears them in place. Set `KEEPS_GRADIENTS` to False
  and see them freed and allocated anew in every iteration.
* *Storages*: `weight` and `weight.grad` are storages of their own; the update in place raises the version of `weight` by one.
"""

import hashlib

import torch
from torch import Tensor

STEPS = 30
LEARNING_RATE = 0.1
KEEPS_GRADIENTS = True


def make_data() -> tuple[Tensor, Tensor]:
    """Inputs [256, 3] and noisy targets [256, 1] of a known line."""
    inputs = torch.randn(256, 3)
    true_weight = torch.tensor([[1.5], [-2.0], [0.5]])
    return inputs, inputs @ true_weight + 0.7 + 0.05 * torch.randn(256, 1)


def main() -> None:
    torch.manual_seed(0)
    inputs, targets = make_data()
    weight = torch.zeros(3, 1, requires_grad=True)
    bias = torch.zeros(1, requires_grad=True)
    for step in range(STEPS):
        predictions = inputs @ weight + bias
        loss = (predictions - targets).square().mean()
        loss.backward()
        with torch.no_grad():
            for parameter in (weight, bias):
                parameter -= LEARNING_RATE * parameter.grad
                if KEEPS_GRADIENTS:
                    parameter.grad.zero_()
                else:
                    parameter.grad = None
        if step % 10 == 9:
            print(f"step {step}  loss {loss.item():.6f}")
    print("weight", [round(value, 4) for value in weight.flatten().tolist()], "bias", round(bias.item(), 4))
    content = bytes(torch.cat([weight.detach().flatten(), bias.detach()]).view(torch.uint8).tolist())
    print(f"parameters {hashlib.sha256(content).hexdigest()[:16]}")


if __name__ == "__main__":
    main()
