"""The loss is computed from classes, which have no derivative; what comes before and after is as it should be."""

import torch
from torch import nn

torch.manual_seed(0)
layer = nn.Linear(4, 3)
x, y = torch.randn(6, 4), torch.tensor([0, 1, 2, 0, 1, 2])
right = layer(x).softmax(1)
with torch.no_grad():
    reported = layer(x).mean()
classes = layer(x).argmax(1)  # FINDS backward-without-graph
loss = (classes - y).abs().float().mean()
loss.backward()
