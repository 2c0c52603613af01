"""Statements that do nothing: a tensor's method whose result is dropped, a method that is named but not called."""

from collections.abc import Iterator
from typing import Final

import numpy as np

from tensorscope.analysis.findings.facts import iteration_of
from tensorscope.analysis.results import Finding, Source
from tensorscope.language import tr
from tensorscope.protocol.records import TensorFlag, TensorRole
from tensorscope.trace.schema import OPERATORS, TENSORS
from tensorscope.trace.snapshot import Snapshot

OPERATORS_OF: Final = {"detach": "aten::detach", "clone": "aten::clone", "contiguous": "aten::contiguous"}
"""The operator that each method runs; all others run ``aten::to``."""


def dropped_result(snapshot: Snapshot) -> Iterator[Finding]:
    """Statements such as ``x.detach()``, where a tensor's operator ran on that very line: a module's ``to`` works in place and runs its own below it."""
    for file, line, name, is_called in _statements(snapshot):
        begin = _ran_at(snapshot, file, line, name) if is_called else None
        if begin is not None:
            yield Finding(
                rule="dropped-result",
                severity="warning",
                message=tr("{name}() gives out another tensor and leaves this one as it is, and its result is dropped here. Write x = x.{name}().").format(
                    name=name
                ),
                source=Source(file, line),
                iteration=iteration_of(snapshot, begin),
                evidence={"method": name},
                certainty=0.95,
                time_ns=begin,
            )


def forgotten_call(snapshot: Snapshot) -> Iterator[Finding]:
    """Statements such as ``optimizer.step``, without parentheses."""
    for file, line, name, is_called in _statements(snapshot):
        if not is_called:
            yield Finding(
                rule="forgotten-call",
                severity="error",
                message=tr("{name} is named here but not called, so the line does nothing. Write {name}().").format(name=name),
                source=Source(file, line),
                evidence={"method": name},
            )


def _statements(snapshot: Snapshot) -> Iterator[tuple[str, int, str, bool]]:
    for told in snapshot.facts.get("statements") or ():
        if isinstance(told, list) and len(told) == 4:
            yield str(told[0]), int(told[1]), str(told[2]), bool(told[3])


def _ran_at(snapshot: Snapshot, file: str, line: int, name: str) -> int | None:
    """When an operator of this method first ran with the line as its innermost frame, on a tensor that is part of a graph or moved; None if it did not."""
    operators, tensors = snapshot.table(OPERATORS), snapshot.table(TENSORS)
    stacks = [stack for stack, frames in snapshot.stacks.items() if frames and (frames[0].filename, frames[0].line) == (file, line)]
    wanted = OPERATORS_OF.get(name, "aten::to")
    names = [identity for identity, text in snapshot.strings.items() if text == wanted]
    is_one = np.isin(operators.column("stack"), stacks) & np.isin(operators.column("name"), names) & (operators.column("parent") == 0)
    for row in np.flatnonzero(is_one).tolist():
        of_it = np.flatnonzero(tensors.column("op") == operators.column("id")[row])
        role, flags = tensors.column("role")[of_it], tensors.column("flags")[of_it]
        taken, given = of_it[role == TensorRole.INPUT], of_it[role == TensorRole.OUTPUT]
        is_changed = len(taken) and len(given) and tensors.column("data")[taken[0]] != tensors.column("data")[given[0]]
        has_graph = bool(np.any(flags[role == TensorRole.INPUT] & TensorFlag.REQUIRES_GRAD))
        if has_graph if name == "detach" else is_changed:
            return int(operators.column("begin_ns")[row])
    return None
