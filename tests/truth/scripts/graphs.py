"""Runs one backward after another and writes each one's graph as a plain walk over ``next_functions`` and as torchviz's picture tell it.

Usage: graphs.py TRUTH.json
"""

import json
import re
import sys
from collections.abc import Callable, Iterator
from typing import Any

import torch
import torchviz
from torch import Tensor, nn
from torch.utils.checkpoint import checkpoint

NO_SEQUENCE_NUMBER = 2**64 - 1  # what AccumulateGrad says
truth: list[dict[str, Any]] = []


def walk(roots: list[Any]) -> list[Any]:
    """Every node reachable from the roots, in order of discovery. The list keeps the Python wrappers, and so the keys, alive."""
    found, known = list(roots), set(roots)
    for node in found:
        for target, _ in node.next_functions:
            if target is not None and target not in known:
                known.add(target)
                found.append(target)
    return found


def write_down(case: str, *outputs: Tensor) -> None:
    nodes = walk([output.grad_fn for output in outputs])
    place = {node: index for index, node in enumerate(nodes)}
    entry = {
        "case": case,
        "nodes": [[node.name(), -1 if node._sequence_nr() == NO_SEQUENCE_NUMBER else node._sequence_nr()] for node in nodes],
        "edges": [[place[node], place[target], input_nr] for node in nodes for target, input_nr in node.next_functions if target is not None],
    }
    dot = torchviz.make_dot(outputs if len(outputs) > 1 else outputs[0]).source
    place_by_id = {str(id(node)): index for node, index in place.items()}
    entry["dot_nodes"] = sorted(place_by_id[number] for number in re.findall(r"^\t(\d+) \[label=", dot, re.MULTILINE) if number in place_by_id)
    edges = re.findall(r"^\t(\d+) -> (\d+)$", dot, re.MULTILINE)  # from target to source: the way the forward pass ran
    entry["dot_edges"] = sorted([place_by_id[source], place_by_id[target]] for target, source in edges if target in place_by_id and source in place_by_id)
    truth.append(entry)


class Doubled(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, x: Tensor) -> Tensor:
        ctx.save_for_backward(x)
        return x * 2

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> Tensor:
        return grad * 2


def perceptron() -> Tensor:
    model = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 2))
    return nn.functional.cross_entropy(model(torch.randn(3, 4)), torch.tensor([0, 1, 1]))


def convolution() -> Tensor:
    model = nn.Sequential(nn.Conv2d(1, 4, 3), nn.BatchNorm2d(4), nn.ReLU(inplace=True), nn.MaxPool2d(2), nn.Flatten(), nn.Dropout(0.5), nn.Linear(36, 2))
    return model(torch.randn(2, 1, 8, 8)).square().mean()


def recurrence() -> Tensor:
    output, (hidden, _) = nn.LSTM(4, 6, num_layers=2)(torch.randn(5, 3, 4))
    return output.sum() + hidden.sum()


def attention() -> Tensor:
    x = torch.randn(2, 5, 8)
    return nn.MultiheadAttention(8, 2, batch_first=True)(x, x, x)[0].mean()


def tied_weights() -> Tensor:
    embedding, head = nn.Embedding(10, 4), nn.Linear(4, 10, bias=False)
    head.weight = embedding.weight
    return head(embedding(torch.tensor([1, 2, 3]))).logsumexp(dim=-1).sum()


def written_slice() -> Tensor:
    weight = torch.randn(3, requires_grad=True)
    table = torch.zeros(2, 3)
    table[1] = weight * 2
    table[0, :2] = weight[1:]
    return (table * table).sum()


def written_view() -> Tensor:
    weight = torch.randn(4, 4, requires_grad=True)
    base = weight * 2
    base.t()[0].mul_(3)
    return base.sum()


def custom_function() -> Tensor:
    return Doubled.apply(torch.randn(3, requires_grad=True)).sum()


def checkpointed() -> Tensor:
    model = nn.Sequential(nn.Linear(4, 4), nn.Tanh(), nn.Linear(4, 4))
    return checkpoint(model, torch.randn(2, 4), use_reentrant=False).sum()


def hand_written() -> Tensor:
    weight, bias = torch.randn(3, 1, requires_grad=True), torch.zeros(1, requires_grad=True)
    return (torch.randn(5, 3) @ weight + bias).square().mean()


def several_outputs() -> Tensor:
    first, _, third = torch.randn(3, 4, requires_grad=True).unbind()
    largest = torch.where(first > third, first, third).max(dim=0).values
    return torch.einsum("i,j->", first, third) + largest


def branch_without_gradient() -> Tensor:
    weight = torch.randn(3, requires_grad=True)
    return (weight * weight.detach() + weight * 2 + torch.ones(3)).sum()


def half_precision() -> Tensor:
    with torch.autocast("cpu", dtype=torch.bfloat16):
        return nn.Linear(4, 4)(torch.randn(2, 4)).float().sum()


CASES: tuple[Callable[[], Tensor], ...] = (
    perceptron,
    convolution,
    recurrence,
    attention,
    tied_weights,
    written_slice,
    written_view,
    custom_function,
    checkpointed,
    hand_written,
    several_outputs,
    branch_without_gradient,
    half_precision,
    perceptron,
)


def cases() -> Iterator[None]:
    for make in CASES:
        loss = make()
        write_down(make.__name__, loss)
        loss.backward()
        yield
    weight = torch.randn(3, requires_grad=True)
    value = (weight**3).sum()
    write_down("first_derivative", value)
    (slope,) = torch.autograd.grad(value, weight, create_graph=True)
    yield
    penalty = slope.square().sum()
    write_down("second_derivative", penalty)
    penalty.backward()
    yield
    first, second = weight.sin().sum(), weight.cos().sum()
    write_down("two_roots", first, second)
    torch.autograd.backward([first, second])
    yield


if __name__ == "__main__":
    torch.manual_seed(0)
    for _ in cases():
        pass
    with open(sys.argv[1], "w", encoding="utf-8") as file:
        json.dump(truth, file)
