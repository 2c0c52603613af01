"""Which rank of a distributed job this process is."""

import os
import sys
from typing import Any


def place_in_job() -> dict[str, int | None]:
    """rank, local_rank, world_size, as torch.distributed says or else the launcher's variables; None where neither does."""
    told: dict[str, int | None] = {name.lower(): _number(os.environ.get(name, "")) for name in ("RANK", "LOCAL_RANK", "WORLD_SIZE")}
    distributed: Any = sys.modules.get("torch.distributed")
    if distributed is not None and distributed.is_available() and distributed.is_initialized():
        told["rank"], told["world_size"] = distributed.get_rank(), distributed.get_world_size()
    return told


def _number(text: str) -> int | None:
    return int(text) if text.isdecimal() else None
