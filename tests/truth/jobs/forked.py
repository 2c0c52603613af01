"""Trains by itself and in a process of each way to fork, and writes what each of them knows of its own gradients to FOLDER/NUMBER.json.

    python forked.py FOLDER

All of them have one model in shared memory, one after the other, so that the sums come out alike.
"""

import hashlib
import json
import os
import sys

import torch
import torch.multiprocessing as mp
from torch import nn

STEPS = 3


def make_model() -> nn.Module:
    torch.manual_seed(0)
    return nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 2)).share_memory()


def train(folder: str, number: int, model: nn.Module) -> None:
    torch.set_num_threads(1)
    torch.manual_seed(number)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    rows = []
    for step in range(STEPS):
        optimizer.zero_grad()
        loss = (model(torch.randn(4, 8)) - torch.randn(4, 2)).pow(2).mean()
        loss.backward()
        norm = torch.nn.utils.clip_grad_norm_(model.parameters(), 0.5).item()
        rows += [[step, name, parameter.grad.double().norm().item()] for name, parameter in model.named_parameters()]
        optimizer.step()
        os.write(1, f"process {number} step {step} loss {loss.item()!r} norm {norm!r}\n".encode())
    digest = hashlib.sha256(b"".join(parameter.detach().numpy().tobytes() for parameter in model.parameters())).hexdigest()
    with open(os.path.join(folder, f"{number}.json"), "w") as file:
        json.dump({"pid": os.getpid(), "norms": rows, "digest": digest}, file)


def main(folder: str) -> None:
    model = make_model()
    train(folder, 0, model)
    for number, method in ((1, "fork"), (2, "forkserver")):
        process = mp.get_context(method).Process(target=train, args=(folder, number, model))
        process.start()
        process.join()
    child = os.fork()
    if not child:
        train(folder, 3, model)
        sys.exit(3)
    os.waitpid(child, 0)


if __name__ == "__main__":
    main(*sys.argv[1:])
