"""Networks that hypothesis generates, always the same ones."""

from typing import Any

import torch
from cases import case, main
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from torch import nn

WIDTH = 6
LAYERS = {
    "linear": lambda: nn.Linear(WIDTH, WIDTH),
    "norm": lambda: nn.LayerNorm(WIDTH),
    "batch norm": lambda: nn.BatchNorm1d(WIDTH),
    "dropout": lambda: nn.Dropout(0.3),
    "in place": lambda: nn.ReLU(inplace=True),
    "tanh": nn.Tanh,
    "residual": lambda: Residual(),
    "attention": lambda: Attention(),
    "recurrent": lambda: Recurrent(),
    "views": lambda: Views(),
}
steps = st.tuples(st.lists(st.sampled_from(sorted(LAYERS)), min_size=1, max_size=5), st.sampled_from(["sum", "mean", "part", "twice"]))


class Residual(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.inner = nn.Linear(WIDTH, WIDTH)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x + self.inner(x).relu_()


class Attention(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.inner = nn.MultiheadAttention(WIDTH, 2)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.inner(x[None], x[None], x[None])[0][0]


class Recurrent(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.inner = nn.LSTM(WIDTH, WIDTH)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.inner(x)[0]


class Views(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        y = x.clone()
        y[:, ::2] *= x[:, 1::2]
        left, right = y.split([2, WIDTH - 2], 1)
        return torch.cat([right.flip(0), left], 1)


@case(backwards=45, iterations=30)
def networks() -> Any:
    found: list[Any] = []

    @settings(max_examples=15, derandomize=True, database=None, deadline=None, suppress_health_check=list(HealthCheck))
    @given(steps)
    def check(recipe: tuple[list[str], str]) -> None:
        torch.manual_seed(0)
        names, end = recipe
        model = nn.Sequential(nn.Linear(WIDTH, WIDTH), *[LAYERS[name]() for name in names])
        optimizer = torch.optim.SGD(model.parameters(), 0.1)
        for _ in range(2):
            y = model(torch.randn(4, WIDTH))
            loss = {"sum": y.sum(), "mean": y.square().mean(), "part": y[1:, 2].sum(), "twice": (y * y).sum()}[end]
            loss.backward(retain_graph=True)
            optimizer.step()
            optimizer.zero_grad()
        model(torch.randn(4, WIDTH)).sum().backward()
        found.append((names, end, model))

    check()
    return found


main()
