"""What is typed into the filter of the events: words, limits such as ``dur>2ms``, and fields such as ``phase:backward``."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from pathlib import PurePath
from typing import Final

from tensorscope.analysis.events import Event
from tensorscope.analysis.results import Source
from tensorscope.language import tr
from tensorscope.viewmodel.words import word_of

FIELDS: Final = ("name", "module", "phase", "iteration", "thread", "line")
EXAMPLE: Final = "name:mm dur>1ms mem>1MiB module:block.* phase:backward iteration:3 thread:2 line:train.py:41"
_LIMIT: Final = re.compile(r"(?<![\w:])(dur|mem)?\s*([<>]=?)\s*([\w.]*?)\s*(B|KiB|MiB|GiB|KB|MB|GB|ns|us|µs|ms|s)?(?=[\s,]|$)", re.IGNORECASE)
_FIELD: Final = re.compile(r"(\w+):(?!:)(.*)", re.DOTALL)
_BYTES: Final = {"b": 1, "kib": 2**10, "mib": 2**20, "gib": 2**30, "kb": 2**10, "mb": 2**20, "gb": 2**30}
_NANOSECONDS: Final = {"ns": 1, "us": 10**3, "µs": 10**3, "ms": 10**6, "s": 10**9}


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What an event does not say itself: what it runs in, on which thread, called by which line."""

    phase: str = ""
    module: str = ""  # FQN
    thread: int = 0
    thread_name: str = ""
    source: Source | None = None


@dataclass(frozen=True, slots=True)
class EventFilter:
    """All words, limits and fields must fit. Bytes are compared with the size of the change, up or down. ``problem`` says what could not be read."""

    words: tuple[str, ...] = ()
    limits: tuple[tuple[bool, bool, float], ...] = ()  # (is above, is bytes, bytes or ns)
    fields: tuple[tuple[str, str], ...] = ()
    problem: str = field(default="", compare=False)

    @classmethod
    def parse(cls, text: str) -> EventFilter:
        limits, problems = [], []
        for kind, sign, number, unit in _LIMIT.findall(text):
            limit = _limit(kind.lower(), sign, number, unit.lower())
            if limit is None:
                problems.append(tr("“{term}” needs a number and a unit, such as dur>1ms or mem>1MiB.").format(term=f"{kind}{sign}{number}{unit}"))
            else:
                limits.append(limit)
        words, fields = [], []
        for word in _LIMIT.sub(" ", text).replace(",", " ").split():
            named = _FIELD.fullmatch(word)
            if named is None:
                words.append(word.lower())
            elif named[1].lower() not in FIELDS:
                problems.append(tr("“{name}:” is no field. There are {fields}.").format(name=named[1], fields=", ".join(f"{one}:" for one in FIELDS)))
            elif not named[2]:
                problems.append(tr("“{name}:” needs a value behind it.").format(name=named[1]))
            else:
                fields.append((named[1].lower(), named[2]))
        return cls(tuple(words), tuple(limits), tuple(fields), problems[0] if problems else "")

    @property
    def is_empty(self) -> bool:
        return not self.words and not self.limits and not self.fields

    @property
    def needs_surroundings(self) -> bool:
        return any(name in ("module", "phase", "thread", "line") for name, _ in self.fields)

    def fits(self, event: Event, around: Surroundings) -> bool:
        label = event.label.lower()
        if not all(word in label for word in self.words):
            return False
        for is_above, is_bytes, limit in self.limits:
            value = abs(event.memory_delta_bytes) if is_bytes else event.duration_ns
            if value <= limit if is_above else value >= limit:
                return False
        return all(_has(event, around, name, value) for name, value in self.fields)


def _limit(kind: str, sign: str, number: str, unit: str) -> tuple[bool, bool, float] | None:
    try:
        amount = float(number)
    except ValueError:
        return None
    is_bytes = unit in _BYTES
    factor = _BYTES.get(unit) or _NANOSECONDS.get(unit)
    if factor is None or (kind == "dur" and is_bytes) or (kind == "mem" and not is_bytes):
        return None
    limit = amount * factor
    if sign == ">=":  # what is compared are whole bytes and nanoseconds
        limit = math.ceil(limit) - 1
    elif sign == "<=":
        limit = math.floor(limit) + 1
    return sign[0] == ">", is_bytes, limit


def _has(event: Event, around: Surroundings, name: str, value: str) -> bool:
    match name:
        case "name":
            return _is_like(event.label, value) if _is_pattern(value) else value.lower() in event.label.lower()
        case "module":
            return _is_like(around.module, value) if _is_pattern(value) else f"{around.module}.".startswith(f"{value}.")
        case "phase":
            return bool(around.phase) and (around.phase.startswith(value.lower()) or word_of(around.phase).startswith(value))
        case "iteration":
            return _is_in(event.iteration, value)
        case "thread":
            return str(around.thread) == value or value.lower() in around.thread_name.lower()
        case _:
            return around.source is not None and _is_line(around.source, value)


def _is_pattern(value: str) -> bool:
    return "*" in value or "?" in value


def _is_like(text: str, pattern: str) -> bool:
    return fnmatchcase(text.lower(), pattern.lower())


def _is_in(number: int, value: str) -> bool:
    """``3`` or ``3-8``."""
    first, dash, last = value.partition("-")
    if not first.isdecimal() or (dash and not last.isdecimal()):
        return False
    return int(first) <= number <= int(last if dash else first)


def _is_line(source: Source, value: str) -> bool:
    """``train.py:41``, ``train.py:41-60``, ``train.py`` or ``41``."""
    file, colon, line = value.rpartition(":")
    if not colon:
        file, line = ("", value) if value[0].isdecimal() else (value, "")
    is_file = not file or source.file == file or PurePath(source.file).name == PurePath(file).name
    return is_file and (not line or _is_in(source.line, line))
