"""Ten layers of sigmoids: nothing of the loss arrives at the first."""

import torch
from torch import nn

torch.manual_seed(0)
net = nn.Sequential(*(layer for _ in range(10) for layer in (nn.Linear(8, 8), nn.Sigmoid())), nn.Linear(8, 1))
optimizer = torch.optim.SGD(net.parameters(), 0.01)
for _ in range(3):
    optimizer.zero_grad()
    net(torch.randn(4, 8)).square().mean().backward()  # FINDS vanishing-gradients
    optimizer.step()
