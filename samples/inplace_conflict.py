"""A write in place destroys what the backward needs: the script ends with torch's error, and TensorScope says who saved and who wrote.

    tensorscope samples/inplace_conflict.py

What to look at:

* torch's message names a tensor by shape only. *Problems* names the node that saved it (`SigmoidBackward0`, the line with `sigmoid`), and the line that wrote
  over it (`mask[mask < 0.5] = 0.0`).
* *Storages*: `gate` and `mask` are two tensors on one storage; the row says which operator wrote last. `detach()` makes no copy.
* The cure is `mask = gate.detach().clone()`.
"""

import torch
from torch import nn


def main() -> None:
    torch.manual_seed(0)
    layer = nn.Linear(8, 8)
    x = torch.randn(16, 8)
    gate = layer(x).sigmoid()
    mask = gate.detach()
    mask[mask < 0.5] = 0.0
    loss = (gate * x).sum()
    print(f"loss {loss.item():.4f}")
    loss.backward()


if __name__ == "__main__":
    main()
