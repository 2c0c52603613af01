"""The last thing that a process was seen to do: what matters when a signal ended it."""

from dataclasses import dataclass
from pathlib import PurePath

import numpy as np

from tensorscope.protocol.records import OperatorFlag, Scope
from tensorscope.trace.schema import OPERATORS
from tensorscope.trace.snapshot import CodeLine, Snapshot


@dataclass(frozen=True, slots=True)
class LastOperator:
    name: str  # such as "aten::mm"
    line: CodeLine | None  # of the outermost operator around it; None in a backward (but for a node that ran) and without stacks
    time_ns: int  # its end
    is_running: bool  # it had not ended

    @property
    def place(self) -> str:
        """ "file:line" without the folder, "" where it is not known."""
        return f"{PurePath(self.line.filename).name}:{self.line.line}" if self.line is not None else ""


def last_operator(snapshot: Snapshot) -> LastOperator | None:
    """The script's operator or node that ran, of several the one that began last; where none did the operator that ended last. None before any."""
    operators = snapshot.table(OPERATORS)
    is_scripts = ((operators.column("flags") & (OperatorFlag.OURS | OperatorFlag.COMPILING)) == 0) & (operators.column("scope") != Scope.USER_SCOPE)
    rows = np.flatnonzero(is_scripts)
    if not len(rows):
        return None
    begin, end = operators.column("begin_ns")[rows], operators.column("end_ns")[rows]
    last = int(np.lexsort((begin, np.maximum(begin, end), end < begin))[-1])
    row = int(rows[last])
    line = snapshot.source(int(operators.column("stack")[row]))
    is_running = bool(end[last] < begin[last])
    return LastOperator(snapshot.name(int(operators.column("name")[row])), line, int(max(begin[last], end[last])), is_running)
