"""Accelerate's usual loop in two processes on the CPU; each writes what it ended with to FOLDER/rank.json.

torchrun --standalone --nproc-per-node 2 accelerated.py FOLDER
python accelerated.py FOLDER fork          (by accelerate's debug_launcher, which forks)
"""

import hashlib
import json
import os
import sys
import time

import torch
from accelerate import Accelerator, debug_launcher
from accelerate.utils import set_seed
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

PROCESSES = 2


def main(folder: str) -> None:
    torch.set_num_threads(1)
    accelerator = Accelerator(cpu=True)
    set_seed(0)
    data = TensorDataset(torch.randn(64, 8), torch.randn(64, 2))
    model = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 2))
    optimizer = torch.optim.AdamW(model.parameters(), lr=0.01)
    model, optimizer, loader = accelerator.prepare(model, optimizer, DataLoader(data, 8, shuffle=True))
    rank = accelerator.process_index
    for step, (inputs, targets) in enumerate(loader):
        loss = nn.functional.mse_loss(model(inputs), targets)
        accelerator.backward(loss)
        accelerator.clip_grad_norm_(model.parameters(), 0.5)
        optimizer.step()
        optimizer.zero_grad()
        os.write(1, f"rank {rank} step {step} loss {loss.item()!r}\n".encode())
    digest = hashlib.sha256(b"".join(parameter.detach().numpy().tobytes() for parameter in model.parameters())).hexdigest()
    with open(os.path.join(folder, f"{rank}.json"), "w") as file:
        json.dump({"pid": os.getpid(), "digest": digest}, file)
    open(os.path.join(folder, f"{rank}.done"), "w").close()
    while not all(os.path.exists(os.path.join(folder, f"{other}.done")) for other in range(PROCESSES)):  # see train.py: leave together
        time.sleep(0.01)
    accelerator.end_training()


if __name__ == "__main__":
    if "fork" in sys.argv:
        debug_launcher(main, (sys.argv[1],), num_processes=PROCESSES)
    else:
        main(sys.argv[1])
