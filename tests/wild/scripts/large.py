"""What is large: very many modules, a very deep graph."""

from typing import Any

import torch
from cases import case, main
from torch import nn


@case(backwards=1)
def ten_thousand_modules() -> Any:
    model = nn.Sequential(*[nn.Identity() for _ in range(9_990)], *[nn.Linear(1, 1) for _ in range(10)])
    model(torch.ones(1, 1)).backward()
    return model


@case(backwards=1, iterations=1)  # without any optimizer, the whole script is one
def very_deep_graph() -> Any:
    x = torch.ones(2, requires_grad=True)
    y = x
    for _ in range(5_000):
        y = y + 1
    y.sum().backward()
    return x.grad


main()
