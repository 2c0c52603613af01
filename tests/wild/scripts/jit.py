"""TorchScript: scripted and traced modules with their backwards."""

import io
import warnings
from typing import Any

import torch
from cases import case, main, train
from torch import nn

warnings.filterwarnings("ignore", category=DeprecationWarning)


class Branches(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.layer = nn.Linear(3, 3)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        if bool(x.sum() > 0):
            x = self.layer(x)
        for _ in range(2):
            x = x.tanh() * 2
        return x


@case(backwards=4, iterations=4)
def scripted_module() -> Any:
    model = torch.jit.script(Branches())
    print(model.code)
    return train(model, torch.ones(2, 3), 4)


@case(backwards=4, iterations=4)
def traced_module() -> Any:
    model = torch.jit.trace(nn.Sequential(nn.Linear(3, 3), nn.ReLU()), torch.ones(2, 3))
    print(model.graph)
    return train(model, torch.ones(2, 3), 4)


@case(backwards=2)
def scripted_function() -> Any:
    @torch.jit.script
    def scaled(x: torch.Tensor, factor: float) -> torch.Tensor:
        return torch.sigmoid(x) * factor + x

    x = torch.ones(3, requires_grad=True)
    for _ in range(2):
        scaled(x, 2.0).sum().backward()
    return x.grad


@case(backwards=2)
def backward_called_by_a_script() -> Any:
    @torch.jit.script
    def run(x: torch.Tensor) -> torch.Tensor:
        y = (x * x).sum()
        y.backward()
        return y

    x = torch.ones(3, requires_grad=True)
    return [run(x) for _ in range(2)], x.grad


@case(backwards=2, iterations=2)
def saved_loaded_and_frozen() -> Any:
    buffer = io.BytesIO()
    torch.jit.save(torch.jit.script(Branches()), buffer)
    buffer.seek(0)
    model = torch.jit.load(buffer)
    train(model, torch.ones(2, 3))
    return model, torch.jit.freeze(model.eval())(torch.ones(1, 3))


main()
