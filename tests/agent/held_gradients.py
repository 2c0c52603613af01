"""A script for test_held_gradients: runs one case's backwards, as they are or (argument "hooks") telling what hooks of its own see of each node.

Usage: held_gradients.py CASE [hooks]      prints [[backward, node index in walk order, name, [gradients in], [gradients out]], …]
"""

import json
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import torch
from torch import nn
from torch.utils.checkpoint import checkpoint

CASE, HAS_HOOKS = sys.argv[1], "hooks" in sys.argv
seen: list[list[Any]] = []
backwards = 0


def numbers(tensor: torch.Tensor) -> list[float]:
    wide = tensor.detach().double()
    return [wide.norm().item(), wide.min().item(), wide.max().item(), wide.mean().item()]


def all_numbers(tensors: Any) -> list[list[float]]:
    return [numbers(tensor) for tensor in tensors if tensor is not None]


def hook_node(backward: int, index: int, node: Any) -> list[Any]:
    row: list[Any] = [backward, index, node.name(), [], []]

    def before(gradients: Any) -> None:
        row[3] = all_numbers(gradients)

    def after(outputs: Any, inputs: Any) -> None:
        row[4] = all_numbers(outputs)
        seen.append(row)

    return [node.register_prehook(before), node.register_hook(after)]


def hook_leaf(backward: int, index: int, leaf: torch.Tensor) -> list[Any]:
    row: list[Any] = [backward, index, "AccumulateGrad", [], []]

    def before(gradient: torch.Tensor) -> None:
        row[3] = [numbers(gradient)]

    def after(leaf: torch.Tensor) -> None:
        assert leaf.grad is not None
        row[4] = [numbers(leaf.grad)]
        seen.append(row)

    return [leaf.register_hook(before), leaf.register_post_accumulate_grad_hook(after)]


@contextmanager
def one_backward(root: torch.Tensor) -> Iterator[None]:
    global backwards
    backwards += 1
    handles = []
    order = [root.grad_fn] if HAS_HOOKS else []
    for index, node in enumerate(order):  # grows while it is walked
        assert node is not None
        is_leaf = hasattr(node, "variable")
        handles += hook_leaf(backwards, index, node.variable) if is_leaf else hook_node(backwards, index, node)
        order += [following for following in dict.fromkeys(pair[0] for pair in node.next_functions) if following is not None and following not in order]
    yield
    for handle in handles:
        handle.remove()


def train(model: nn.Module, make: Callable[[], torch.Tensor]) -> None:
    for _ in range(2):  # the second accumulates
        output = model(make())
        loss = (output[0] if isinstance(output, tuple) else output).square().mean()
        with one_backward(loss):
            loss.backward()


class Scale(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, x: torch.Tensor, factor: torch.Tensor) -> torch.Tensor:
        ctx.save_for_backward(x, factor)
        return x * factor

    @staticmethod
    def backward(ctx: Any, gradient: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        x, factor = ctx.saved_tensors
        return gradient * factor, (gradient * x).sum()


def mlp() -> None:
    train(nn.Sequential(nn.Linear(6, 8), nn.Tanh(), nn.Dropout(), nn.Linear(8, 3)), lambda: torch.randn(5, 6))


def convolution() -> None:
    train(
        nn.Sequential(nn.Conv2d(2, 3, 3), nn.BatchNorm2d(3), nn.ReLU(inplace=True), nn.MaxPool2d(2), nn.Flatten(), nn.Linear(27, 2)),
        lambda: torch.randn(4, 2, 8, 8),
    )


def lstm() -> None:
    train(nn.LSTM(3, 4, num_layers=2), lambda: torch.randn(5, 2, 3))


def shared_leaf() -> None:
    w = torch.randn(4, 4, requires_grad=True)
    for _ in range(2):
        x = torch.randn(4)
        loss = (w @ (w @ x)).exp().sum() + w.sum()
        with one_backward(loss):
            loss.backward()


def double_backward() -> None:
    x = torch.randn(5, requires_grad=True)
    w = torch.randn(5, requires_grad=True)
    loss = (x.pow(3) * w.sin()).sum()
    with one_backward(loss):
        (slope,) = torch.autograd.grad(loss, x, create_graph=True)
    penalty = slope.square().sum()
    with one_backward(penalty):
        penalty.backward()


def custom_function() -> None:
    factor = torch.tensor(1.5, requires_grad=True)
    x = torch.randn(7, requires_grad=True)
    loss = Scale.apply(Scale.apply(x, factor).sin(), factor).sum()
    with one_backward(loss):
        loss.backward()


def in_checkpoint() -> None:
    first, second = nn.Sequential(nn.Linear(4, 4), nn.Tanh()), nn.Linear(4, 2)
    for _ in range(2):
        output = checkpoint(first, torch.randn(3, 4), use_reentrant=False)
        loss = second(output).square().sum()
        with one_backward(loss):
            loss.backward()


def in_reentrant_checkpoint() -> None:
    first, second = nn.Sequential(nn.Linear(4, 4), nn.Tanh()), nn.Linear(4, 2)
    inner: list[Any] = []

    def run(x: torch.Tensor) -> torch.Tensor:
        output: torch.Tensor = first(x)
        if output.requires_grad:  # run again inside backward
            inner.append(one_backward(output))
            inner[-1].__enter__()
        return output

    output = checkpoint(run, torch.randn(3, 4, requires_grad=True), use_reentrant=True)
    loss = second(output).square().sum()
    with one_backward(loss):
        loss.backward()
    for context in inner:
        context.__exit__(None, None, None)


def second_thread() -> None:
    thread = threading.Thread(target=mlp)
    thread.start()
    thread.join()


CASES: dict[str, Callable[[], None]] = {
    case.__name__: case
    for case in (mlp, convolution, lstm, shared_leaf, double_backward, custom_function, in_checkpoint, in_reentrant_checkpoint, second_thread)
}

if __name__ == "__main__":
    torch.manual_seed(0)
    torch.set_num_threads(1)
    CASES[CASE]()
    print(json.dumps(seen))
