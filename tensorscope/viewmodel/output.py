"""What the Output panel shows: the lines that the script printed, when, and the source lines that they name."""

from __future__ import annotations

import os
import re
from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

from tensorscope.analysis.results import Source
from tensorscope.language import tr
from tensorscope.trace.snapshot import Snapshot
from tensorscope.units import format_bytes
from tensorscope.viewmodel.ansi import Style, StyledSpan, Terminal, TerminalLine
from tensorscope.viewmodel.output_traceback import untold_traceback

MOST_LINES: Final = 100_000
_PLACES: Final = re.compile(r'File "(?P<named>[^"]+)", line (?P<number>\d+)|(?P<file>[\w./~+-]+\.py):(?P<line>\d+)')


@dataclass(frozen=True, slots=True)
class OutputLine:
    text: str
    spans: tuple[StyledSpan, ...]
    time_ns: int  # when its first character was printed, run time
    stream: str  # "stdout", "stderr" or "both"; "" for a word of ours
    is_error: bool = False  # of a traceback: the exception itself


@dataclass(frozen=True, slots=True)
class OutputView:
    lines: tuple[OutputLine, ...]
    hits: tuple[int, ...]  # lines that the search finds
    streams: frozenset[str]
    cwd: str
    is_captured: bool

    def line_at(self, cursor_ns: int | None) -> int:
        """How many lines had been printed by a moment (None: all)."""
        return len(self.lines) if cursor_ns is None else bisect_right(self.lines, cursor_ns, key=lambda line: line.time_ns)


class OutputReader:
    """Keeps what was read, so that only what is new is read again. One thread at a time."""

    def __init__(self) -> None:
        self._messages: tuple[Mapping[str, Any], ...] = ()
        self._lines: list[TerminalLine] = []
        self._terminals: dict[str, Terminal] = {}
        self._done: dict[int, tuple[int, OutputLine]] = {}

    def view(self, snapshot: Snapshot, stream: str, wanted: str) -> OutputView:
        """``stream`` "" for all; ``wanted``: the words that are searched for."""
        if snapshot.outputs[: len(self._messages)] != self._messages:
            self._forget()
        for message in snapshot.outputs[len(self._messages) :]:
            self._read(message)
        self._messages = snapshot.outputs
        chosen = [line for line in self._lines[-MOST_LINES:] if not stream or line.stream in (stream, "both", "")]
        shown = [*(self._frozen(line) for line in chosen), *(_frozen(line) for line in untold_traceback(snapshot, self._lines))]
        lines = tuple(sorted(shown, key=lambda line: line.time_ns))
        lower = wanted.lower()
        hits = tuple(place for place, line in enumerate(lines) if lower in line.text.lower()) if lower else ()
        return OutputView(lines, hits, frozenset(self._terminals), str(snapshot.facts.get("cwd") or ""), is_captured=bool(snapshot.outputs))

    def _forget(self) -> None:
        self._messages = ()
        self._lines = []
        self._terminals = {}
        self._done = {}

    def _read(self, message: Mapping[str, Any]) -> None:
        begin = int(message["time_ns"])
        for since, stream, text, untold in message["pieces"]:
            if untold:
                gap = TerminalLine("", begin + since)
                gap.write(0, tr("… {size} were printed here that are not kept").format(size=format_bytes(untold)), Style(is_dim=True))
                self._lines.append(gap)
            if stream not in self._terminals:
                self._terminals[stream] = Terminal(stream, self._lines)
            self._terminals[stream].feed(text, begin + since)

    def _frozen(self, line: TerminalLine) -> OutputLine:
        known = self._done.get(id(line))
        if known is not None and known[0] == line.version:
            return known[1]
        frozen = _frozen(line)
        self._done[id(line)] = (line.version, frozen)
        return frozen


def _frozen(line: TerminalLine) -> OutputLine:
    return OutputLine(line.text.rstrip(), tuple(line.spans), line.begin_ns, line.stream, bool(_EXCEPTION.match(line.text)))


@lru_cache(maxsize=4096)
def links_of(text: str, cwd: str) -> tuple[tuple[int, int, Source], ...]:
    """Columns [begin, end) that name a source line, and which."""
    found = []
    for match in _PLACES.finditer(text):
        file = os.path.expanduser(match["named"] or match["file"])
        if not file.startswith("<"):
            found.append((match.start(), match.end(), Source(os.path.normpath(os.path.join(cwd, file)), int(match["number"] or match["line"]))))
    return tuple(found)


_EXCEPTION: Final = re.compile(r"[A-Za-z_][\w.]*(?:Error|Exception|Interrupt|Exit|Warning)(?::|$)")
