"""A `torch.autograd.Function` of your own: rounding whose backward pretends to be the identity (the straight-through estimator).

    tensorscope samples/custom_function.py

What to look at:

* *Graph*: `RoundStraightThroughBackward` is a node like any other, with the line of `apply`. Stop there (F6, F10): the
  gradient that comes in goes out unchanged.
* *Inspector*: what `ctx.save_for_backward` kept is listed as a saved tensor.
* *Gradients*: with torch's own `round` they would be zero in every row.
"""

import torch
from torch import Tensor, nn

STEPS = 20
LARGEST = 7.0


class RoundStraightThrough(torch.autograd.Function):
    """Rounds to whole numbers; the gradient passes where the input lies within ±LARGEST."""

    @staticmethod
    def forward(ctx, values: Tensor) -> Tensor:
        ctx.save_for_backward(values)
        return values.clamp(-LARGEST, LARGEST).round()

    @staticmethod
    def backward(ctx, gradient: Tensor) -> Tensor:
        (values,) = ctx.saved_tensors
        return gradient * (values.abs() <= LARGEST)


class QuantizedLinear(nn.Linear):
    def forward(self, x: Tensor) -> Tensor:
        scale = self.weight.detach().abs().max() / LARGEST
        return nn.functional.linear(x, RoundStraightThrough.apply(self.weight / scale) * scale, self.bias)


def main() -> None:
    torch.manual_seed(0)
    model = nn.Sequential(QuantizedLinear(8, 16), nn.ReLU(), QuantizedLinear(16, 1))
    optimizer = torch.optim.Adam(model.parameters(), lr=0.02)
    inputs = torch.randn(128, 8)
    target = inputs[:, :2].prod(dim=1, keepdim=True)
    for step in range(STEPS):
        optimizer.zero_grad()
        loss = (model(inputs) - target).square().mean()
        loss.backward()
        optimizer.step()
        if step % 5 == 4:
            print(f"step {step:2}  loss {loss.item():.4f}")


if __name__ == "__main__":
    main()
