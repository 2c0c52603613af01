"""``--keep memory=1GiB,disk=4GiB,first=3,last=20``: how much of a run is kept."""

import re
from dataclasses import replace
from typing import Any, Final

from tensorscope.errors import TensorScopeError
from tensorscope.language import tr
from tensorscope.trace.retention import Keep

SIZES: Final = {"memory": "memory_bytes", "disk": "disk_bytes"}
COUNTS: Final = ("first", "last")
UNITS: Final = {"": 0, "k": 10, "m": 20, "g": 30, "t": 40}
SIZE: Final = re.compile(r"(\d+(?:\.\d+)?)\s*([kmgt]?)(?:i?b)?", re.IGNORECASE)
SMALLEST_BYTES: Final = 1 << 20


def keep_words(text: str) -> dict[str, str]:
    """The four parts of a good or empty ``text`` as words, defaults where it says nothing."""
    default = Keep()
    words = {"memory": f"{default.memory_bytes >> 30}GiB", "disk": f"{default.disk_bytes >> 30}GiB", "first": str(default.first), "last": str(default.last)}
    return words | {name.strip(): value.strip() for name, _, value in (part.partition("=") for part in text.split(",") if part)}


def parse_keep(text: str) -> Keep:
    """Raises TensorScopeError saying what is wrong; what is not given stays as it is by default."""
    changes: dict[str, Any] = {}
    for part in text.split(","):
        name, equals, value = (word.strip() for word in part.partition("="))
        if equals and name in SIZES:
            changes[SIZES[name]] = _size(name, value)
        elif equals and name in COUNTS:
            changes[name] = _count(name, value)
        else:
            raise TensorScopeError(
                tr("--keep needs memory=1GiB,disk=4GiB,first=3,last=20 or some of these, not {part}.").format(part=part or text or "nothing")
            )
    return replace(Keep(), **changes)


def _size(name: str, value: str) -> int:
    found = SIZE.fullmatch(value)
    size = int(float(found.group(1)) * (1 << UNITS[found.group(2).lower()])) if found else 0
    if size < SMALLEST_BYTES:
        raise TensorScopeError(tr("--keep {name} needs a size from 1MiB on, such as 512MiB or 2GiB, not {value}.").format(name=name, value=value or "nothing"))
    return size


def _count(name: str, value: str) -> int:
    if not value.isdecimal() or len(value) > 9:
        raise TensorScopeError(tr("--keep {name} needs a number of iterations, not {value}.").format(name=name, value=value or "nothing"))
    return int(value)
