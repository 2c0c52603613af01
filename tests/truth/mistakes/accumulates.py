"""Gradients of four batches add up and no loss is divided by four; and nothing of it arrives at the first of ten layers of sigmoids."""

import torch
from torch import nn

torch.manual_seed(0)
net = nn.Sequential(*(layer for _ in range(10) for layer in (nn.Linear(8, 8), nn.Sigmoid())), nn.Linear(8, 2))
optimizer = torch.optim.SGD(net.parameters(), 0.01)
for _ in range(3):
    for _ in range(4):
        scores = net(torch.randn(8, 8))  # FINDS vanishing-gradients
        nn.functional.cross_entropy(scores, torch.randint(0, 2, (8,))).backward()  # FINDS undivided-accumulation
    optimizer.step()
    optimizer.zero_grad()
