"""The traceback of the exception that ended a script, from its event: for a run whose printed traceback is not on record."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from tensorscope.language import tr
from tensorscope.trace.snapshot import Snapshot
from tensorscope.viewmodel.ansi import Style, TerminalLine

HEAD: Final = "Traceback (most recent call last)"


def untold_traceback(snapshot: Snapshot, printed: Iterable[TerminalLine]) -> list[TerminalLine]:
    """Its lines as Python would print them; none where no exception ended the script, or where ``printed`` has a traceback."""
    if not snapshot.exceptions or any(HEAD in line.text for line in printed):
        return []
    told = snapshot.exceptions[-1]
    time_ns = int(told.get("time_ns") or snapshot.end_ns)
    note = tr("The script's own words are not on record; this is the exception that ended it.")
    texts = [f"{HEAD}:", *(f'  File "{file}", line {line}, in {function}' for file, line, function in told.get("frames", ()))]
    last = ": ".join(part for part in (str(told.get("exception") or tr("an exception")), str(told.get("message") or "")) if part)
    lines = [_line(note, time_ns, Style(is_dim=True))]
    return lines + [_line(text, time_ns, Style()) for text in (*texts, *last.splitlines())]


def _line(text: str, time_ns: int, style: Style) -> TerminalLine:
    line = TerminalLine("", time_ns)
    line.write(0, text, style)
    return line
