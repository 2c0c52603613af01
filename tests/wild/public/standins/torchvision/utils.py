"""Pictures are not painted: their bytes go to a file."""

from pathlib import Path
from typing import Any

import torch


def make_grid(images: Any, *arguments: Any, **options: Any) -> torch.Tensor:
    return torch.cat(list(images), -1)


def save_image(images: Any, file: Any, *arguments: Any, **options: Any) -> None:
    Path(file).write_bytes(bytes(torch.as_tensor(images).detach().contiguous().flatten().view(torch.uint8).tolist()))
