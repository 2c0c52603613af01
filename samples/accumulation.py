"""Four small batches, one step: gradient accumulation gives the gradient of the large batch at a quarter of the activations.

    tensorscope samples/accumulation.py

What to look at:

* *Events*: an iteration has four backwards; it ends with the one `optimizer.step()`.
* *Gradients*: the norm grows over the four backwards of an iteration, since `.grad` is added to; the marks on the axis tell accumulation from a step.
* *Memory timeline*: four small hills an iteration. The last iteration runs the batch in parts and then whole: its last hill is four times as high.
"""

import torch
from torch import Tensor, nn

BATCH_SIZE, PARTS, ITERATIONS = 256, 4, 5


def gradients(model: nn.Module, images: Tensor, labels: Tensor, parts: int) -> list[Tensor]:
    for some_images, some_labels in zip(images.chunk(parts), labels.chunk(parts), strict=True):
        loss = nn.functional.cross_entropy(model(some_images), some_labels)
        (loss / parts).backward()
    return [parameter.grad.clone() for parameter in model.parameters()]


def main() -> None:
    torch.manual_seed(0)
    model = nn.Sequential(nn.Linear(64, 128), nn.ReLU(), nn.Linear(128, 10))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    images, labels = torch.randn(BATCH_SIZE, 64), torch.randint(10, (BATCH_SIZE,))
    for _ in range(ITERATIONS):
        optimizer.zero_grad()
        accumulated = gradients(model, images, labels, PARTS)
        optimizer.step()
    optimizer.zero_grad()
    accumulated = gradients(model, images, labels, PARTS)
    optimizer.zero_grad()
    at_once = gradients(model, images, labels, 1)
    optimizer.step()
    largest = max((one - other).abs().max().item() for one, other in zip(accumulated, at_once, strict=True))
    print(f"largest difference between four parts and one {largest:.0e}" if largest > 1e-6 else "four parts give the gradient of the whole batch")


if __name__ == "__main__":
    main()
