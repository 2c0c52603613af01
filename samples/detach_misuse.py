"""Half of the network never trains and nothing complains: the features are detached on their way to the loss.

    tensorscope samples/detach_misuse.py

What to look at:

* *Gradients*: the rows of `encoder` are empty (no gradient ever came), which is something else than zero; `head` has values.
* *Graph*: the backward ends at `head`; there is no node of `encoder` in it.
* *Problems* names the parameters that the optimizer holds and no backward reaches.
* The cure is to leave the `detach()` out.
"""

import torch
from torch import Tensor, nn

STEPS = 6


class Model(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.encoder = nn.Linear(16, 32)
        self.head = nn.Linear(32, 1)

    def forward(self, x: Tensor) -> Tensor:
        features = self.encoder(x).tanh().detach()
        return self.head(features)


def main() -> None:
    torch.manual_seed(0)
    model = Model()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
    inputs = torch.randn(128, 16)
    target = inputs[:, :1].sin()
    before = model.encoder.weight.detach().clone()
    for step in range(STEPS):
        optimizer.zero_grad()
        loss = (model(inputs) - target).square().mean()
        loss.backward()
        optimizer.step()
        moved = (model.encoder.weight - before).abs().max().item()
        print(f"step {step}  loss {loss.item():.4f}  encoder {'moved' if moved > 0 else 'did not move'}")


if __name__ == "__main__":
    main()
