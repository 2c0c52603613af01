"""What a panel's user chose and wants to find again: for every run alike, or with one recording."""

from __future__ import annotations

from typing import Any


class Kept:
    """Values are what JSON can say. This one forgets with the window; the window's own writes to the settings. GUI thread."""

    def __init__(self) -> None:
        self._values: dict[str, Any] = {}
        self._of_run: dict[str, Any] = {}

    def value(self, name: str) -> Any:
        """None where nothing was kept. It may come from an older version or a damaged file: look before you use it."""
        return self._values.get(name)

    def keep(self, name: str, value: Any) -> None:
        self._values[name] = value

    def value_of_run(self, name: str) -> Any:
        """The same, of the recording that is open, else of the last run of the same script."""
        return self._of_run.get(name)

    def keep_of_run(self, name: str, value: Any) -> None:
        self._of_run[name] = value
