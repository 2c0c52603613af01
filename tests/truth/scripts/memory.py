"""Trains a network and, right after every optimizer step, writes down all tensors that the garbage collector knows, storage by storage.

Usage: memory.py TRUTH.json perceptron|recurrence|convolution
"""

import gc
import json
import sys
from typing import Any

import torch
from torch import Tensor, nn

truth: list[list[dict[str, Any]]] = []


def describe(tensor: Tensor) -> list[Any]:
    return [list(tensor.shape), list(tensor.stride()), tensor.storage_offset(), str(tensor.dtype).removeprefix("torch."), tensor._version]


def storages_by_brute_force() -> list[dict[str, Any]]:
    """One entry a storage with bytes in it: its address, its bytes, and the tensors on it."""
    found: dict[int, dict[str, Any]] = {}
    for thing in gc.get_objects():
        if issubclass(type(thing), Tensor) and thing.untyped_storage().nbytes():
            storage = thing.untyped_storage()
            entry = found.setdefault(storage.data_ptr(), {"data": storage.data_ptr(), "nbytes": storage.nbytes(), "tensors": []})
            entry["tensors"].append(describe(thing))
    for entry in found.values():
        entry["tensors"].sort()
    return list(found.values())


class Recurrence(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.rnn = nn.LSTM(6, 12, num_layers=2, batch_first=True)
        self.head = nn.Linear(12, 3)

    def forward(self, x: Tensor) -> Tensor:
        return self.head(self.rnn(x)[0][:, -1])


def make(kind: str) -> tuple[nn.Module, Tensor]:
    if kind == "recurrence":
        return Recurrence(), torch.randn(8, 10, 6)
    if kind == "convolution":
        body = (nn.Conv2d(3, 8, 3, padding=1), nn.BatchNorm2d(8), nn.ReLU(), nn.AvgPool2d(4), nn.Flatten(), nn.Linear(8 * 4 * 4, 3))
        return nn.Sequential(*body), torch.randn(4, 3, 16, 16)
    return nn.Sequential(nn.Linear(6, 32), nn.Dropout(0.2), nn.Tanh(), nn.Linear(32, 3)), torch.randn(8, 6)


def train_one_step(model: nn.Module, optimizer: torch.optim.Optimizer, entry: Tensor) -> None:
    optimizer.zero_grad()
    output = model(entry)
    chosen = output[:, 1:]
    turned = output.t()
    loss = nn.functional.cross_entropy(output, torch.arange(len(entry)) % 3) + chosen.mean() + turned.std()
    loss.backward()
    optimizer.step()
    truth.append(storages_by_brute_force())


def main() -> None:
    torch.manual_seed(0)
    model, entry = make(sys.argv[2])
    halves = entry.chunk(2)
    averages = torch.zeros(4, 5)[1:, ::2]
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
    for _ in range(3):
        train_one_step(model, optimizer, entry)
    del halves, averages  # views that lived, with their bases, through the whole run


if __name__ == "__main__":
    main()
    with open(sys.argv[1], "w", encoding="utf-8") as file:
        json.dump(truth, file)
