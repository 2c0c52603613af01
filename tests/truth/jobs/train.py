"""Trains with DistributedDataParallel on gloo and writes what each rank knows of its own gradients to FOLDER/rank.json.

    torchrun --standalone --nproc-per-node 2 train.py FOLDER [die|hang|wait]
    python train.py FOLDER --spawn [die|hang|wait]

``die``: rank 1 kills itself in the fourth step; ``hang``: it sleeps for ever there; ``wait``: all ranks wait there for the file FOLDER/go.
"""

import hashlib
import json
import os
import signal
import sys
import time

import torch
import torch.distributed as dist
import torch.multiprocessing as mp
from torch import nn

STEPS = 5


def main(folder: str, *words: str) -> None:
    torch.set_num_threads(1)
    torch.manual_seed(0)
    rank = dist.get_rank()
    model = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 2))
    ddp = nn.parallel.DistributedDataParallel(model)
    optimizer = torch.optim.Adam(ddp.parameters(), lr=0.01)
    inputs = torch.Generator().manual_seed(rank)
    rows = []
    for step in range(STEPS):
        if step == 3 and "wait" in words:
            wait_for_go(folder, rank)
        elif rank == 1 and step == 3 and words:
            os.kill(os.getpid(), signal.SIGKILL) if words[0] == "die" else hang(folder)
        optimizer.zero_grad()
        loss = (ddp(torch.randn(4, 8, generator=inputs)) - torch.randn(4, 2, generator=inputs)).pow(2).mean()
        loss.backward()
        rows += [[step, name, parameter.grad.double().norm().item()] for name, parameter in ddp.named_parameters()]
        optimizer.step()
        os.write(1, f"rank {rank} step {step} loss {loss.item()!r}\n".encode())  # in one piece, whatever the other rank writes
    digest = hashlib.sha256(b"".join(parameter.detach().numpy().tobytes() for parameter in model.parameters())).hexdigest()
    with open(os.path.join(folder, f"{rank}.json"), "w") as file:
        json.dump({"pid": os.getpid(), "norms": rows, "digest": digest}, file)
    leave_together(folder, rank)
    dist.destroy_process_group()


def leave_together(folder: str, rank: int) -> None:
    """Wait until no rank has anything left to do with the others: one that goes earlier may break a connection that another still reads."""
    open(os.path.join(folder, f"{rank}.done"), "w").close()
    while not all(os.path.exists(os.path.join(folder, f"{other}.done")) for other in range(dist.get_world_size())):
        time.sleep(0.01)


def wait_for_go(folder: str, rank: int) -> None:
    open(os.path.join(folder, f"{rank}.waits"), "w").close()
    while not os.path.exists(os.path.join(folder, "go")):
        time.sleep(0.01)


def hang(folder: str) -> None:
    open(os.path.join(folder, "hangs"), "w").close()
    while True:
        time.sleep(60)


def spawned(rank: int, *words: str) -> None:
    dist.init_process_group("gloo", init_method=f"file://{words[0]}/meeting", rank=rank, world_size=2)
    main(*words)


if __name__ == "__main__":
    if "--spawn" in sys.argv:
        mp.spawn(spawned, tuple(word for word in sys.argv[1:] if word != "--spawn"), nprocs=2)
    else:
        dist.init_process_group("gloo")
        main(*sys.argv[1:])
