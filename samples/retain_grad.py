"""How much of the gradient reaches each layer? `retain_grad` keeps the gradients of activations, and saturated sigmoids eat them.

    tensorscope samples/retain_grad.py

What to look at:

* *Gradients*: besides the parameters there are rows for `hidden[0]` to `hidden[5]`, the retained activations; the deeper the layer lies under the loss,
  the paler its row. The second half of the run uses ReLU and is even.
* *Graph* with heat by gradient norm shows the same along the chain.
* *Memory timeline*: a retained gradient lives until its activation goes, not until the node after it has run.
"""

import torch
from torch import Tensor, nn

DEPTH, WIDTH, STEPS = 6, 32, 4


def train(activation: nn.Module) -> list[Tensor]:
    """The retained gradients of the last step, one for each layer."""
    layers = nn.ModuleList(nn.Linear(WIDTH, WIDTH) for _ in range(DEPTH))
    optimizer = torch.optim.SGD(layers.parameters(), lr=0.1)
    for _ in range(STEPS):
        x = torch.randn(64, WIDTH)
        hidden = []
        for layer in layers:
            x = activation(layer(x))
            x.retain_grad()
            hidden.append(x)
        optimizer.zero_grad()
        x.square().mean().backward()
        optimizer.step()
    return [activations.grad for activations in hidden]


def main() -> None:
    torch.manual_seed(0)
    for activation in (nn.Sigmoid(), nn.ReLU()):
        norms = [gradient.norm().item() for gradient in train(activation)]
        print(f"{type(activation).__name__:8} first layer gets {norms[0] / norms[-1]:.0e} of the last layer's gradient")


if __name__ == "__main__":
    main()
