"""Data sets of random images with the shapes and attributes of the true ones."""

from collections.abc import Callable
from typing import Any

import torch
from torch.utils.data import Dataset


class Images(Dataset[Any]):
    """``count`` images of ``channels`` × ``side`` × ``side`` floats in 0…1 with ten labels."""

    channels, side, count = 1, 28, 128

    def __init__(self, *place: Any, transform: Callable[[Any], Any] | None = None, target_transform: Any = None, **options: Any) -> None:
        generator = torch.Generator().manual_seed(7)
        self.data = torch.rand(self.count, self.channels, self.side, self.side, generator=generator)
        self.targets = torch.randint(0, 10, (self.count,), generator=generator)
        self.classes = [str(digit) for digit in range(10)]
        self.transform = transform
        if self.channels == 1:
            self.data = self.data[:, 0]

    def __len__(self) -> int:
        return self.count

    def __getitem__(self, index: int) -> tuple[Any, int]:
        image = self.data[index]
        image = image if image.dim() == 3 else image[None]
        return (self.transform(image) if self.transform is not None else image), int(self.targets[index])


class MNIST(Images):
    pass


class FashionMNIST(Images):
    pass


class CIFAR10(Images):
    channels, side = 3, 32


class FakeData(Images):
    channels, side = 3, 64


class ImageFolder(Images):
    channels, side = 3, 64
