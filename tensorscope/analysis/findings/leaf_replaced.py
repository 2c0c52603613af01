"""``w = w - rate * w.grad``: the name is given to a result, which is no leaf, and its ``.grad`` stays None."""

from collections.abc import Iterator
from typing import Final

import numpy as np

from tensorscope.analysis.findings.facts import iteration_of, marks, raised
from tensorscope.analysis.operators import source_of
from tensorscope.analysis.results import Finding, Related
from tensorscope.language import tr
from tensorscope.protocol.records import MarkKind, TensorFlag, TensorRole
from tensorscope.trace.schema import OPERATORS, TENSORS
from tensorscope.trace.snapshot import Snapshot

SAYS: Final = "NoneType"
UPDATES: Final = ("aten::sub", "aten::add", "aten::mul", "aten::addcmul", "aten::sub_", "aten::add_")


def leaf_replaced(snapshot: Snapshot) -> Iterator[Finding]:
    """The script stumbled over a None, and after a backward an update of a bare leaf had given out a tensor with a graph."""
    error = raised(snapshot)
    if error is None or SAYS not in error.message or error.kind not in ("TypeError", "AttributeError"):
        return
    leaves = {int(told["data"]): str(told.get("fqn")) for told in snapshot.parameters.values() if not told.get("module") and int(told.get("data") or 0)}
    ended = [mark.end_ns for mark in marks(snapshot, MarkKind.BACKWARD)]
    operators, tensors = snapshot.table(OPERATORS), snapshot.table(TENSORS)
    names = [identity for identity, name in snapshot.strings.items() if name in UPDATES]
    is_update = np.isin(operators.column("name"), names) & (operators.column("parent") == 0) & (operators.column("module_call") == 0)
    rows = np.flatnonzero(is_update & (operators.column("begin_ns") >= min(ended, default=snapshot.end_ns)))
    for row in rows[np.argsort(operators.column("begin_ns")[rows], kind="stable")].tolist():
        of_it = np.flatnonzero(tensors.column("op") == operators.column("id")[row])
        role, flags, data = (tensors.column(name)[of_it] for name in ("role", "flags", "data"))
        taken = next((leaves[int(one)] for one in data[role == TensorRole.INPUT] if int(one) in leaves), None)
        if taken is not None and bool(np.any(flags[role == TensorRole.OUTPUT] & TensorFlag.REQUIRES_GRAD)):
            begin = int(operators.column("begin_ns")[row])
            source = source_of(snapshot, int(operators.column("stack")[row]))
            yield Finding(
                rule="leaf-replaced",
                severity="error",
                message=tr(
                    "{name} becomes the result of {operator}, which is no leaf: the next backward leaves its .grad None. "
                    "Write in place: with torch.no_grad(): {name} -= …"
                ).format(name=taken, operator=snapshot.name(int(operators.column("name")[row])).removeprefix("aten::")),
                source=source,
                related=(Related(error.source, tr("stumbles over the None")),) if error.source is not None and str(error.source) != str(source) else (),
                iteration=iteration_of(snapshot, begin),
                evidence={"name": taken},
                certainty=0.9,
                time_ns=begin,
            )
            return
