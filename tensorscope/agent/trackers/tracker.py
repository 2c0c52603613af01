"""What every tracker is: something that is installed once torch is there and undone without a trace."""

from typing import Protocol


class Tracker(Protocol):
    name: str

    def install(self) -> None: ...
    def remove(self) -> None:
        """Undo everything. Idempotent."""
        ...
