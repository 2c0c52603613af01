"""Transforms of tensors, as far as the public scripts of the list need them."""

from collections.abc import Callable, Sequence
from typing import Any

import torch
from torch.nn import functional


class Compose:
    def __init__(self, steps: Sequence[Callable[[Any], Any]]) -> None:
        self.steps = steps

    def __call__(self, image: Any) -> Any:
        for step in self.steps:
            image = step(image)
        return image


class Same:
    def __init__(self, *arguments: Any, **options: Any) -> None:
        pass

    def __call__(self, image: Any) -> Any:
        return image


class ToTensor(Same):
    pass


class CenterCrop(Same):
    pass


class RandomCrop(Same):
    pass


class RandomHorizontalFlip(Same):
    pass


class Lambda:
    def __init__(self, function: Callable[[Any], Any]) -> None:
        self.function = function

    def __call__(self, image: Any) -> Any:
        return self.function(image)


class Normalize:
    def __init__(self, mean: Sequence[float], std: Sequence[float]) -> None:
        self.mean = torch.tensor(mean)[:, None, None]
        self.std = torch.tensor(std)[:, None, None]

    def __call__(self, image: torch.Tensor) -> torch.Tensor:
        return (image - self.mean) / self.std


class Resize:
    def __init__(self, size: int | Sequence[int], *arguments: Any, **options: Any) -> None:
        self.size = (size, size) if isinstance(size, int) else tuple(size)

    def __call__(self, image: torch.Tensor) -> torch.Tensor:
        return functional.interpolate(image[None], self.size)[0]
