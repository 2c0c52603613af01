"""Gradients of four batches add up, and no loss is divided by four; evaluation clears nothing."""

import torch
from torch import nn

torch.manual_seed(0)
layer = nn.Linear(4, 2)
optimizer = torch.optim.SGD(layer.parameters(), 0.01)
for _ in range(3):
    for _ in range(4):
        nn.functional.cross_entropy(layer(torch.randn(8, 4)), torch.randint(0, 2, (8,))).backward()  # FINDS undivided-accumulation
    optimizer.step()
    optimizer.zero_grad()
