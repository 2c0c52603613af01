"""A layer gets more features than it takes; its optimizer is made and never stepped, which is no mistake of a script that ends early."""

import torch
from torch import nn

model = nn.Sequential(nn.Flatten(), nn.Linear(12, 4))
optimizer = torch.optim.SGD(model.parameters(), 0.1)
model(torch.randn(2, 3, 4))
model(torch.randn(2, 3, 5))  # FINDS misfit-input
