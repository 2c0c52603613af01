"""The same table is copied to the device in every step, where once would do. Without a GPU a conversion of the dtype stands in for the copy.

    tensorscope samples/copies_in_the_loop.py

What to look at:

* *Source*: the heat of the line with `table.to(...)` in `copied_each_step`, in time and in bytes, against the same line before the loop in `copied_once`.
* *Events*: an `aten::_to_copy` of 4 MiB stands in each of the first ten iterations and in none of the last ten.
* *Memory timeline*: the saw-tooth of 4 MiB is the copy; afterwards it lies flat at the bottom.
"""

import torch
from torch import Tensor, nn

STEPS = 10


def copied_each_step(model: nn.Module, table: Tensor, optimizer: torch.optim.Optimizer, device: str) -> float:
    for _ in range(STEPS):
        on_device = table.to(device, torch.float32)
        loss = train_step(model, on_device, optimizer)
    return loss


def copied_once(model: nn.Module, table: Tensor, optimizer: torch.optim.Optimizer, device: str) -> float:
    on_device = table.to(device, torch.float32)
    for _ in range(STEPS):
        loss = train_step(model, on_device, optimizer)
    return loss


def train_step(model: nn.Module, rows: Tensor, optimizer: torch.optim.Optimizer) -> float:
    optimizer.zero_grad()
    loss = (model(rows[:256]) - 1).square().mean()
    loss.backward()
    optimizer.step()
    return loss.item()


def main() -> None:
    torch.manual_seed(0)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    table = torch.randn(16384, 64, dtype=torch.float64)
    model = nn.Linear(64, 1).to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    print(f"copied each step  loss {copied_each_step(model, table, optimizer, device):.4f}")
    print(f"copied once       loss {copied_once(model, table, optimizer, device):.4f}")


if __name__ == "__main__":
    main()
