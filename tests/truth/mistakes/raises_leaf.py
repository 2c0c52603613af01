"""A step by hand that gives the leaf's name to a result."""

import torch

w = torch.randn(3, requires_grad=True)
for _ in range(2):
    loss = (torch.randn(5, 3) @ w).square().mean()
    loss.backward()
    w = w - 0.1 * w.grad  # FINDS leaf-replaced
