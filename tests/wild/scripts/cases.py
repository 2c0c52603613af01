"""Runs a script's cases one after another and prints of each what it left behind, so that two runs can be compared byte for byte.

What is there before a case is frozen: else most of the time would go by the garbage collector looking at torch's own modules again and again.

Usage of a script that ends with ``main()``: SCRIPT [case…]      without names: all of its cases, in order
"""

import gc
import hashlib
import random
import sys
import traceback
from collections.abc import Callable
from typing import Any

import torch
from torch import nn

CASES: dict[str, tuple[Callable[[], Any], int, int]] = {}


def case(backwards: int = 0, iterations: int = 0) -> Callable[[Callable[[], Any]], Callable[[], Any]]:
    """A case with what a recording of it must count. What it returns is printed as a hash; an exception with its traceback."""

    def add(function: Callable[[], Any]) -> Callable[[], Any]:
        CASES[function.__name__] = function, backwards, iterations
        return function

    return add


def train(model: nn.Module, inputs: Any, steps: int = 2, optimizer: Any = None) -> nn.Module:
    """A few steps of plain training on the sum of squares."""
    optimizer = optimizer or torch.optim.SGD(model.parameters(), 0.01)
    for _ in range(steps):
        optimizer.zero_grad()
        model(inputs).square().sum().backward()
        optimizer.step()
    return model


def add_to(digest: Any, value: Any) -> None:
    if isinstance(value, nn.Module):
        value = [*value.named_parameters(), *value.named_buffers(), *[parameter.grad for parameter in value.parameters()]]
    if isinstance(value, torch.Tensor):
        add_tensor(digest, value)
    elif isinstance(value, dict):
        add_to(digest, list(value.items()))
    elif isinstance(value, (list, tuple)):
        digest.update(f"[{len(value)}".encode())
        for item in value:
            add_to(digest, item)
    else:
        digest.update(repr(value).encode())


def add_tensor(digest: Any, tensor: torch.Tensor) -> None:
    plain = tensor.detach()
    digest.update(f"{tuple(plain.shape)} {plain.dtype} {plain.layout}".encode())
    if plain.is_sparse:
        add_to(digest, [plain._indices(), plain._values()])
    elif plain.is_quantized:
        add_to(digest, plain.int_repr())
    elif plain.device.type != "meta" and plain.numel():
        flat = plain.resolve_conj().resolve_neg().contiguous().flatten()
        digest.update(bytes(flat.view(torch.uint8).tolist()))


def run(name: str, counts_tensors: bool, freezes: bool) -> tuple[int, int]:
    function, backwards, iterations = CASES[name]
    if freezes:
        gc.freeze()
    random.seed(0)
    torch.manual_seed(0)
    digest = hashlib.sha256()
    try:
        add_to(digest, function())
    except BaseException:
        traceback.print_exc()
    add_to(digest, [torch.get_rng_state(), random.getstate(), torch.get_num_threads(), torch.is_grad_enabled()])
    for _ in range(3):  # what torch holds from C++ goes a round later
        gc.collect()
    alive = sum(issubclass(type(thing), torch.Tensor) for thing in gc.get_objects()) if counts_tensors else "any"
    print(name, digest.hexdigest()[:32], alive, "tensors alive", flush=True)
    return backwards, iterations


def main(*, counts_tensors: bool = True, freezes: bool = True) -> None:
    counts = [run(name, counts_tensors, freezes) for name in sys.argv[1:] or list(CASES)]
    print("backwards", sum(count[0] for count in counts), "iterations", sum(count[1] for count in counts))
