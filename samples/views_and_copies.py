"""Which tensors share their bytes? Views, copies, an expanded row and a write in place that all views see.

    tensorscope samples/views_and_copies.py

What to look at:

* *Storages*: `table`, `rows`, `columns`, `first` and `wide` are five tensors in one row of 96 bytes; `copy` and `flat` have rows of their own.
  `columns` is a transposed view and therefore not contiguous; `wide` is hatched, since its three rows are the same 24 bytes (stride 0).
* `rows.add_(1)` is the last writer of the shared storage, and it raised the version of all five tensors, which the Inspector shows.
* *Graph*: the product saves `table` for its backward; choosing the node selects that storage.
"""

import hashlib

import torch
from torch import Tensor

TURNS = 3


def shares(first: Tensor, second: Tensor) -> bool:
    return first.untyped_storage().data_ptr() == second.untyped_storage().data_ptr()


def describe(name: str, tensor: Tensor, base: Tensor) -> str:
    kind = "shares" if shares(tensor, base) else "copied"
    return f"{name:8} {tuple(tensor.shape)!s:8} stride {tensor.stride()!s:8} {kind}  version {tensor._version}"


def main() -> None:
    torch.manual_seed(0)
    weight = torch.randn(4, 6, requires_grad=True)
    for turn in range(TURNS):
        table = torch.arange(24.0).reshape(4, 6)
        rows = table.view(2, 12)
        columns = table.transpose(0, 1)
        first = table[0]
        wide = first.expand(3, 6)
        copy = columns.contiguous()
        flat = columns.reshape(24)
        rows.add_(1)
        product = (weight * table).sum()
        product.backward()
        if turn == 0:
            for name, tensor in {"rows": rows, "columns": columns, "first": first, "wide": wide, "copy": copy, "flat": flat}.items():
                print(describe(name, tensor, table))
    print(f"parameters {hashlib.sha256(bytes(weight.grad.flatten().view(torch.uint8).tolist())).hexdigest()[:16]}")


if __name__ == "__main__":
    main()
