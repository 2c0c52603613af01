"""Backward after backward, and the optimizer is only asked to clear: nothing is trained."""

import torch
from torch import nn

layer = nn.Linear(4, 1)
optimizer = torch.optim.SGD(layer.parameters(), 0.1)
for _ in range(4):
    optimizer.zero_grad()
    layer(torch.ones(2, 4)).sum().backward()  # FINDS never-stepped
