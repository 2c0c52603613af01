"""Compute again instead of keeping: checkpointing trades a second forward for the activations of each block.

    tensorscope samples/checkpointing.py

What to look at:

* *Memory timeline*: the first three iterations keep the activations of all blocks; the last three keep one tensor a block, and one block's activations
  appear again for a moment in the middle of each backward. The peak falls to less than half.
* *Events*: inside the backward there are forward operators again (`aten::addmm`, `aten::gelu`): the second forward.
* The gradients are the same bit for bit; the script checks that.
"""

import torch
from torch import Tensor, nn
from torch.utils.checkpoint import checkpoint

BLOCKS, WIDTH, BATCH_SIZE, STEPS = 6, 128, 1024, 3


def run(blocks: nn.ModuleList, x: Tensor, *, is_checkpointed: bool) -> Tensor:
    for block in blocks:
        x = x + (checkpoint(block, x, use_reentrant=False) if is_checkpointed else block(x))
    return x


def main() -> None:
    torch.manual_seed(0)
    blocks = nn.ModuleList(nn.Sequential(nn.Linear(WIDTH, 4 * WIDTH), nn.GELU(), nn.Linear(4 * WIDTH, WIDTH)) for _ in range(BLOCKS))
    optimizer = torch.optim.SGD(blocks.parameters(), lr=0.0)
    x = torch.randn(BATCH_SIZE, WIDTH)
    gradients = {}
    for is_checkpointed in (False, True):
        for _ in range(STEPS):
            optimizer.zero_grad()
            run(blocks, x, is_checkpointed=is_checkpointed).square().mean().backward()
            optimizer.step()
        gradients[is_checkpointed] = [parameter.grad.clone() for parameter in blocks.parameters()]
    same = all(torch.equal(kept, computed) for kept, computed in zip(gradients[False], gradients[True], strict=True))
    print(f"gradients with and without checkpointing are {'the same' if same else 'different'}")


if __name__ == "__main__":
    main()
