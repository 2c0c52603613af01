"""Mistakes of training loops, each beside its right form. A comment marks each line that is to be named; no other may be."""

import torch
from torch import nn
from torch.nn import functional

torch.manual_seed(0)
x, y = torch.randn(8, 4), torch.randn(8)


def shapes() -> None:
    column = nn.Linear(4, 1)
    optimizer = torch.optim.SGD(column.parameters(), 0.01)
    for _ in range(2):
        optimizer.zero_grad()
        nn.MSELoss()(column(x).squeeze(1), y).backward()
        optimizer.step()
    labels = torch.arange(8) % 3
    (labels.unsqueeze(1) == labels).sum()
    optimizer.zero_grad()
    nn.MSELoss()(column(x), y).backward()  # FINDS outer-broadcast
    optimizer.step()


def rates() -> None:
    layer = nn.Linear(4, 1)
    optimizer = torch.optim.SGD(layer.parameters(), 0.1)
    warm_up = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda step: min(step, 1.0) if step < 3 else 0.0)
    for _ in range(9):
        optimizer.zero_grad()
        layer(x).square().mean().backward()
        optimizer.step()  # FINDS zero-learning-rate
        warm_up.step()


def carried() -> None:
    cell, free = nn.RNNCell(4, 3), nn.RNNCell(4, 3)
    state, right = torch.zeros(8, 3), torch.zeros(8, 3)
    for _ in range(7):
        state = cell(x, state)
        state.sum().backward(retain_graph=True)  # FINDS growing-backward
        right = free(x, right.detach())
        right.sum().backward(retain_graph=True)
        cell.zero_grad()
        free.zero_grad()


class Net(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.first, self.norm, self.drop, self.last = nn.Linear(4, 4), nn.BatchNorm1d(4), nn.Dropout(0.5), nn.Linear(4, 1)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.last(self.drop(self.norm(self.first(x))))


def modes() -> None:
    right, left, careless, wasteful = Net(), Net(), Net(), Net()
    nets = (right, left, careless, wasteful)
    optimizer = torch.optim.SGD([parameter for net in nets for parameter in net.parameters()], 0.01)
    for _ in range(4):
        optimizer.zero_grad()
        loss = functional.mse_loss(right(x).squeeze(1), y)
        loss = loss + functional.mse_loss(left(x).squeeze(1), y)  # FINDS left-evaluating
        loss = loss + functional.mse_loss(careless(x).squeeze(1), y)
        loss = loss + functional.mse_loss(wasteful(x).squeeze(1), y)
        loss.backward()
        optimizer.step()
        right.eval()
        left.eval()
        wasteful.eval()
        for _ in range(3):
            with torch.no_grad():
                right(x)
                left(x)
                careless(x)  # FINDS training-in-evaluation
            wasteful(x)  # FINDS unused-graphs
        right.train()
        wasteful.train()


for story in (shapes, rates, carried, modes):
    story()
