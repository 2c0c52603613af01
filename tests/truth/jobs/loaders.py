"""Trains on batches of DataLoader workers, forked and spawned, whose dataset calls a module, and writes to FOLDER/left.json what memory they share with us.

python loaders.py FOLDER
"""

import json
import multiprocessing
import os
import sys
import time
from pathlib import Path

import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset

LIMIT_S = 240


class Numbers(Dataset):
    """Made by a module, as torchvision's transforms are."""

    def __init__(self) -> None:
        torch.manual_seed(1)
        self.transform = nn.Linear(4, 4)

    def __len__(self) -> int:
        return 8

    def __getitem__(self, index: int) -> torch.Tensor:
        return self.transform(torch.full((4,), float(index)) + torch.rand(4)).detach()


def shared_kib(pid: int) -> int:
    """Of the areas that a process has mapped itself."""
    kib, is_ours = 0, False
    for line in Path(f"/proc/{pid}/smaps").read_text().splitlines():
        if "-" in line.split(maxsplit=1)[0]:
            is_ours = "memfd:tensorscope " in line
        elif is_ours and line.startswith("Rss:"):
            kib += int(line.split()[1])
    return kib


def main(folder: str) -> None:
    torch.set_num_threads(1)
    torch.manual_seed(0)
    model = nn.Linear(4, 1)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    left = {}
    for method in ("fork", "spawn"):
        loader = DataLoader(Numbers(), 4, num_workers=2, multiprocessing_context=method, persistent_workers=True)
        for batch in loader:
            optimizer.zero_grad()
            loss = model(batch).sum()
            loss.backward()
            optimizer.step()
            print(batch.tolist(), loss.item())
        workers = [child.pid for child in multiprocessing.active_children()]
        deadline = time.monotonic() + LIMIT_S
        while method == "spawn" and any(shared_kib(pid) > 8 for pid in workers) and time.monotonic() < deadline:
            time.sleep(0.05)
        left[method] = [shared_kib(pid) for pid in workers]
        del loader
    with open(os.path.join(folder, "left.json"), "w") as file:
        json.dump(left, file)


if __name__ == "__main__":
    main(*sys.argv[1:])
