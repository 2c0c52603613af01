"""Mistakes that keep a loss from falling, each beside its right form. A comment marks each line that is to be named; no other may be."""

import torch
from torch import nn
from torch.nn import functional

torch.manual_seed(0)
x, y = torch.randn(16, 8), torch.randint(0, 4, (16,))


class Net(nn.Module):
    def __init__(self, bias: float) -> None:
        super().__init__()
        self.hidden, self.last = nn.Linear(8, 200), nn.Linear(200, 4)  # FINDS exploding-gradients
        nn.init.constant_(self.hidden.bias, bias)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        hidden = self.hidden(x)  # FINDS zero-gradients
        return self.last(hidden.relu())


def dead() -> None:
    alive, dead = Net(0.0), Net(-1000.0)
    optimizer = torch.optim.SGD([*alive.parameters(), *dead.parameters()], 0.01)
    for _ in range(6):
        optimizer.zero_grad()
        functional.cross_entropy(alive(x) + dead(x), y).backward()
        optimizer.step()


def rates() -> None:
    usual, wild, explodes = Net(0.0), Net(0.0), Net(0.0)
    steady, jumping = torch.optim.Adam(usual.parameters(), 1e-3), torch.optim.Adam(wild.parameters(), 5.0)
    climbing = torch.optim.SGD(explodes.parameters(), 30.0)
    for _ in range(3):
        for net, optimizer in ((usual, steady), (wild, jumping), (explodes, climbing)):
            optimizer.zero_grad()
            functional.mse_loss(net(x), functional.one_hot(y, 4).float()).backward()
            optimizer.step()  # FINDS steps-too-large


dead()
rates()
