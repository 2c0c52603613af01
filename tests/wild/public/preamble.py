"""Imported in the first line of every public script, plain or watched: seeds, a clock that repeats itself, and a digest of all parameters.

TENSORSCOPE_PUBLIC_DIGEST: the file that tells at exit how many steps optimizers took and the SHA-256 over all their parameters after each step
and over all parameters alive at exit. TENSORSCOPE_PUBLIC_TREE: the folder whose code reads the repeating clock.
"""

import atexit
import gc
import hashlib
import os
import random
import sys
import time
from pathlib import Path
from typing import Any

import numpy
import torch
from torch.optim.optimizer import register_optimizer_step_post_hook

digest = hashlib.sha256()
steps = 0
process = os.getpid()
tree = os.environ["TENSORSCOPE_PUBLIC_TREE"]


def add(tensor: torch.Tensor) -> None:
    dense = tensor.detach().to_dense() if tensor.layout != torch.strided else tensor.detach()
    if dense.device.type == "cpu" and type(dense) in (torch.Tensor, torch.nn.Parameter):
        digest.update(memoryview(dense.resolve_conj().contiguous().flatten().view(torch.uint8).numpy()))


def after_step(optimizer: Any, arguments: Any, keywords: Any) -> None:
    global steps
    steps += 1
    with torch.no_grad():
        for group in optimizer.param_groups:
            for parameter in group["params"]:
                add(parameter)


def write() -> None:
    if os.getpid() == process:
        gc.collect()  # or what lies around would depend on when it ran last
        alive = [thing for thing in gc.get_objects() if issubclass(type(thing), torch.nn.Parameter)]
        ends = sorted(hashlib.sha256(bytes(tensor.detach().contiguous().flatten().view(torch.uint8).numpy())).hexdigest() for tensor in alive)
        digest.update("".join(ends).encode())
        Path(os.environ["TENSORSCOPE_PUBLIC_DIGEST"]).write_text(f"{steps} steps, {len(alive)} parameters alive, {digest.hexdigest()}", encoding="utf-8")


def repeating(clock: Any) -> Any:
    """A millisecond more at each reading by the scripts, the true time for all others."""
    readings = iter(range(10**9))
    return lambda: next(readings) / 1000 if sys._getframe(1).f_code.co_filename.startswith(tree) else clock()


time.time = repeating(time.time)
time.perf_counter = repeating(time.perf_counter)
random.seed(0)
torch.manual_seed(0)

numpy.random.seed(0)
register_optimizer_step_post_hook(after_step)
atexit.register(write)
