"""A thousand small tensors against one buffer: the same sums, a thousand storages or one.

    tensorscope samples/small_tensors.py

What to look at:

* *Storages*: `states` is a list of a thousand tensors with a storage each; `buffer` is one storage of a thousand rows.
* *Events*: the first half of an iteration has a thousand `aten::add_`, the second half has one. Each costs a few
  microseconds, however small its tensor.
* *Source*: the lines of `many_tensors` and `one_buffer` do the same; their heat differs a hundredfold.
"""

import torch
from torch import Tensor

COUNT, WIDTH, ROUNDS = 1000, 16, 5


def many_tensors(states: list[Tensor], change: Tensor) -> Tensor:
    for state in states:
        state.add_(change)
    return torch.stack(states)


def one_buffer(buffer: Tensor, change: Tensor) -> Tensor:
    return buffer.add_(change)


def main() -> None:
    torch.manual_seed(0)
    weight = torch.randn(WIDTH, requires_grad=True)
    states = [torch.zeros(WIDTH) for _ in range(COUNT)]
    buffer = torch.zeros(COUNT, WIDTH)
    for turn in range(ROUNDS):
        change = torch.randn(WIDTH)
        from_many = (many_tensors(states, change) * weight).sum()
        from_one = (one_buffer(buffer, change).clone() * weight).sum()
        (from_many + from_one).backward()
        print(f"round {turn}  difference {abs(from_many.item() - from_one.item()):.1f}")


if __name__ == "__main__":
    main()
