"""What is typed to go to a moment: an iteration's number, or a time of the run such as ``1.5 s``."""

from __future__ import annotations

import re
from typing import Final

from tensorscope.analysis.iterations import iteration_bounds, rolled_up_with
from tensorscope.errors import TensorScopeError
from tensorscope.language import tr
from tensorscope.trace.snapshot import Snapshot
from tensorscope.units import format_time

_TIME: Final = re.compile(r"([\d.]+)\s*(ns|us|µs|ms|s|min)", re.IGNORECASE)
_NUMBER: Final = re.compile(r"\D{0,12}?\s*(\d[\d,]*)")
_NANOSECONDS: Final = {"ns": 1, "us": 10**3, "µs": 10**3, "ms": 10**6, "s": 10**9, "min": 60 * 10**9}


def moment_of(snapshot: Snapshot, text: str) -> int:
    """Run time in ns of what was typed. Raises TensorScopeError, with what there is, where it is none or not in the run."""
    words = text.strip()
    if (time := _TIME.fullmatch(words)) is not None and time[1].count(".") <= 1 and time[1] != ".":
        moment = round(float(time[1]) * _NANOSECONDS[time[2].lower()])
        if moment > snapshot.end_ns:
            raise TensorScopeError(tr("The run is {end} long so far.").format(end=format_time(snapshot.end_ns)))
        return moment
    number = _NUMBER.fullmatch(words)
    if number is None:
        raise TensorScopeError(tr("Type an iteration, such as 12, or a time, such as 1.5 s."))
    begins = {index: begin for index, begin, *_ in iteration_bounds(snapshot)}
    wanted = int(number[1].replace(",", ""))
    if not begins:
        raise TensorScopeError(tr("The run has no iteration yet: type a time, such as 1.5 s."))
    row = rolled_up_with(snapshot, wanted)
    if row is not None:
        return begins[row[1]]
    if wanted not in begins:
        raise TensorScopeError(tr("There is no iteration {number}: they go from {first} to {last}.").format(number=wanted, first=min(begins), last=max(begins)))
    return begins[wanted]


def iteration_words(snapshot: Snapshot, moment_ns: int) -> str:
    """``Iteration 3`` for a moment in it, "" outside of all."""
    inside = next((index for index, begin, end, _ in iteration_bounds(snapshot) if begin <= moment_ns <= end), None)
    if inside is None:
        return ""
    row = rolled_up_with(snapshot, inside)
    return tr("Iteration {number}").format(number=inside) if row is None else tr("Iterations {first} to {last}").format(first=row[0], last=row[1])
