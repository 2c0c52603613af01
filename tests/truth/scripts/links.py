"""A small model that writes down where each of its tensors lies, for what belongs to what."""

import json
import sys

import torch
from torch import Tensor, nn

kept: dict[str, Tensor] = {}


class Net(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.first = nn.Linear(3, 4)
        self.second = nn.Linear(4, 2)

    def forward(self, x: Tensor) -> Tensor:
        kept["hidden"] = self.first(x)
        kept["active"] = torch.tanh(kept["hidden"])
        kept["out"] = self.second(kept["active"])
        return kept["out"]


def main() -> None:
    torch.manual_seed(0)
    net = Net()
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for step in range(4):
        if step == 1:
            kept["once"] = torch.full((3,), 2.0).exp()
        optimizer.zero_grad()
        kept["x"] = torch.randn(5, 3)
        loss = net(kept["x"]).square().mean()
        loss.backward()
        optimizer.step()
    kept.update(net.named_parameters())
    kept.update({f"{name}.grad": parameter.grad for name, parameter in net.named_parameters() if parameter.grad is not None})
    with open(sys.argv[1], "w", encoding="utf-8") as file:
        json.dump({name: tensor.untyped_storage().data_ptr() for name, tensor in kept.items()}, file)


main()
