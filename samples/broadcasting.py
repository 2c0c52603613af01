"""A missing `squeeze`: [N, 1] - [N] is [N, N], a million differences where a thousand were meant. And `expand` beforehand saves nothing.

    tensorscope samples/broadcasting.py

What to look at:

* *Memory timeline*: the first two turns peak at several times N × N × 4 bytes = 4 MiB; the third, with the right shapes, is flat.
* The loss looks harmless, and the model only learns the mean of the target: every prediction is compared with every target.
* *Graph*: hover `SubBackward0`: [1024, 1] and [1024] went in, [1024, 1024] came out.
* The second turn expands both sides itself. The expanded tensors have stride 0 and cost no byte (*Storages* hatches them), but the difference is as
  large as before: what costs is the result, not the broadcasting.
"""

import torch
from torch import Tensor, nn

N = 1024


def broadcast(prediction: Tensor, target: Tensor) -> Tensor:
    return (prediction - target).square().mean()


def expanded(prediction: Tensor, target: Tensor) -> Tensor:
    return (prediction.expand(N, N) - target.expand(N, N)).square().mean()


def meant(prediction: Tensor, target: Tensor) -> Tensor:
    return (prediction.squeeze(1) - target).square().mean()


def main() -> None:
    torch.manual_seed(0)
    model = nn.Linear(4, 1)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    inputs = torch.randn(N, 4)
    target = inputs.sum(dim=1)
    for loss_of in (broadcast, expanded, meant):
        optimizer.zero_grad()
        loss = loss_of(model(inputs), target)
        loss.backward()
        optimizer.step()
        print(f"{loss_of.__name__:10} loss {loss.item():.4f}")


if __name__ == "__main__":
    main()
