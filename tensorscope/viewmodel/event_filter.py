"""What is typed into the filter of the events: words, and limits such as ``> 1 MiB`` or ``> 2 ms``."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from tensorscope.analysis.events import Event

_LIMIT: Final = re.compile(r"([<>])\s*([\d.]+)\s*(B|KiB|MiB|GiB|KB|MB|GB|ns|us|µs|ms|s)\b", re.IGNORECASE)
_BYTES: Final = {"b": 1, "kib": 2**10, "mib": 2**20, "gib": 2**30, "kb": 2**10, "mb": 2**20, "gb": 2**30}
_NANOSECONDS: Final = {"ns": 1, "us": 10**3, "µs": 10**3, "ms": 10**6, "s": 10**9}


@dataclass(frozen=True, slots=True)
class EventFilter:
    """All words and all limits must fit. Bytes are compared with the size of the change, up or down."""

    words: tuple[str, ...] = ()
    limits: tuple[tuple[bool, bool, float], ...] = ()  # (is above, is bytes, bytes or ns)

    @classmethod
    def parse(cls, text: str) -> EventFilter:
        limits = []
        for sign, number, unit in _LIMIT.findall(text):
            lower = unit.lower()
            factor = _BYTES.get(lower) or _NANOSECONDS[lower]
            try:
                limits.append((sign == ">", lower in _BYTES, float(number) * factor))
            except ValueError:
                continue
        words = tuple(word.lower() for word in _LIMIT.sub(" ", text).replace(",", " ").split())
        return cls(words, tuple(limits))

    @property
    def is_empty(self) -> bool:
        return not self.words and not self.limits

    def fits(self, event: Event) -> bool:
        label = event.label.lower()
        if not all(word in label for word in self.words):
            return False
        for is_above, is_bytes, limit in self.limits:
            value = abs(event.memory_delta_bytes) if is_bytes else event.duration_ns
            if value <= limit if is_above else value >= limit:
                return False
        return True
