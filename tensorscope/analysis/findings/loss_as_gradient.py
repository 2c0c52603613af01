"""``loss.backward(loss)``: the loss is taken as the gradient that comes in, so every gradient is multiplied by its value."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from tensorscope.analysis.findings.facts import iteration_of, marks
from tensorscope.analysis.results import Finding
from tensorscope.language import tr
from tensorscope.protocol.records import MarkKind, Scope, TensorRole
from tensorscope.trace.schema import OPERATORS, TENSORS
from tensorscope.trace.snapshot import Snapshot


def loss_as_gradient(snapshot: Snapshot) -> Iterator[Finding]:
    """The gradient into the first node of a backward lies on the very memory that the operator which made this node gave out."""
    suspects = _fed_with_outputs(snapshot)
    for mark in marks(snapshot, MarkKind.BACKWARD) if suspects else ():
        if mark.a in suspects:
            yield Finding(
                rule="loss-as-gradient",
                severity="error",
                message=tr(
                    "backward() was given the loss itself as the incoming gradient: every gradient is multiplied by the loss. Call backward() without it."
                ),
                source=mark.source,
                iteration=iteration_of(snapshot, mark.begin_ns),
                evidence={"backward": mark.a - 1},
                backward=mark.a - 1,
                time_ns=mark.begin_ns,
            )
            return


def _fed_with_outputs(snapshot: Snapshot) -> set[int]:
    """Ids of the backwards whose first backward function took in what its own forward operator, found by thread and number, gave out."""
    operators = snapshot.table(OPERATORS)
    rows = np.flatnonzero(operators.column("scope") == Scope.BACKWARD_FUNCTION)
    rows = rows[np.argsort(operators.column("begin_ns")[rows], kind="stable")]
    kept = [(backward, known.begin_ns) for backward, known in snapshot.backwards.items() if known.sequence_nrs.strides[0]]
    at = np.searchsorted(operators.column("begin_ns")[rows], [begin for _, begin in kept])
    firsts = {int(rows[place]): backward for (backward, _), place in zip(kept, at.tolist(), strict=True) if place < len(rows)}
    first_rows = list(firsts)
    forward = operators.column("scope") == Scope.FUNCTION
    forward &= np.isin(operators.column("sequence_nr"), operators.column("sequence_nr")[first_rows]) & (operators.column("sequence_nr") >= 0)
    makers: dict[tuple[int, int], list[int]] = {}
    for row in np.flatnonzero(forward).tolist():
        makers.setdefault((int(operators.column("thread")[row]), int(operators.column("sequence_nr")[row])), []).append(int(operators.column("id")[row]))
    taken = _pointers(snapshot, operators.column("id")[first_rows], TensorRole.INPUT)
    given = _pointers(snapshot, np.array([one for ids in makers.values() for one in ids], np.uint64), TensorRole.OUTPUT)
    found = set()
    for row, backward in firsts.items():
        key = int(operators.column("forward_thread")[row]), int(operators.column("sequence_nr")[row])
        own = {pointer for maker in makers.get(key, ()) for pointer in given.get(maker, ())}
        if own & taken.get(int(operators.column("id")[row]), set()):
            found.add(backward)
    return found


def _pointers(snapshot: Snapshot, operators: NDArray[np.uint64], role: TensorRole) -> dict[int, set[int]]:
    """Data pointers that operators took in or gave out, by operator id; of tensors with memory."""
    tensors = snapshot.table(TENSORS)
    rows = np.flatnonzero((tensors.column("role") == role) & np.isin(tensors.column("op"), operators) & (tensors.column("data") != 0))
    found: dict[int, set[int]] = {}
    for operator, data in zip(tensors.column("op")[rows].tolist(), tensors.column("data")[rows].tolist(), strict=True):
        found.setdefault(operator, set()).add(data)
    return found
