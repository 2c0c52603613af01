"""What does `einsum` do? The same attention scores by einsum and by matmul: which operators run, what is copied, what is kept for the backward.

    tensorscope samples/einsum_matmul.py

What to look at:

* *Events*: open `aten::einsum`: it permutes, reshapes and calls `aten::bmm`. The matmul beside it does the same with fewer steps.
* *Storages* and the effects in *Events*: a `permute` shares its storage; a `reshape` of a permuted tensor shares where it can and copies where it must.
* *Graph*: both ways end in `BmmBackward0`; the way of einsum has more view nodes in front.
"""

import torch
from torch import Tensor

BATCH, LENGTH, HEADS, WIDTH, STEPS = 8, 64, 4, 32, 3


def scores_by_einsum(queries: Tensor, keys: Tensor) -> Tensor:
    return torch.einsum("bqhd,bkhd->bhqk", queries, keys)


def scores_by_matmul(queries: Tensor, keys: Tensor) -> Tensor:
    return queries.transpose(1, 2) @ keys.transpose(1, 2).transpose(2, 3)


def main() -> None:
    torch.manual_seed(0)
    queries = torch.randn(BATCH, LENGTH, HEADS, WIDTH, requires_grad=True)
    keys = torch.randn(BATCH, LENGTH, HEADS, WIDTH, requires_grad=True)
    optimizer = torch.optim.SGD([queries, keys], lr=0.01)
    for step in range(STEPS):
        optimizer.zero_grad()
        first, second = scores_by_einsum(queries, keys), scores_by_matmul(queries, keys)
        (first.softmax(dim=-1).square().sum() + second.softmax(dim=-1).square().sum()).backward()
        optimizer.step()
        print(f"step {step}  largest difference {(first - second).abs().max().item():.0e}")


if __name__ == "__main__":
    main()
