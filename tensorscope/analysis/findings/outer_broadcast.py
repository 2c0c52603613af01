"""``[N, 1] - [N]`` is ``[N, N]``: a loss that compares every prediction with every target."""

from collections.abc import Iterator
from typing import Final

import numpy as np

from tensorscope.analysis.findings.facts import iteration_of
from tensorscope.analysis.operators import source_of, tensor_index
from tensorscope.analysis.results import Finding
from tensorscope.language import tr
from tensorscope.protocol.records import OperatorFlag, TensorFlag, TensorRole
from tensorscope.trace.schema import OPERATORS, TENSORS
from tensorscope.trace.snapshot import Snapshot

COMPARING: Final = ("aten::sub", "aten::rsub", "aten::mse_loss", "aten::l1_loss", "aten::smooth_l1_loss", "aten::huber_loss", "aten::eq")
SMALLEST: Final = 4  # rows from which it is no chance


def outer_broadcast(snapshot: Snapshot) -> Iterator[Finding]:
    """A difference outside of all module calls that takes a column [N, 1] with a graph and a vector [N]; the first one."""
    operators, tensors = snapshot.table(OPERATORS), snapshot.table(TENSORS)
    names = [identity for identity, name in snapshot.strings.items() if name in COMPARING]
    is_outside = (operators.column("module_call") == 0) & (operators.column("flags") & OperatorFlag.GRAD_ENABLED != 0) & (operators.column("parent") == 0)
    rows = np.flatnonzero(np.isin(operators.column("name"), names) & is_outside)
    by_operator = tensor_index(snapshot, operators.column("id")[rows])
    for row in rows[np.argsort(operators.column("begin_ns")[rows], kind="stable")].tolist():
        of_it = by_operator.of(int(operators.column("id")[row]))
        inputs = of_it[tensors.column("role")[of_it] == TensorRole.INPUT]
        shapes = [known.sizes if (known := snapshot.shapes.get(int(shape))) is not None else () for shape in tensors.column("shape")[inputs]]
        has_graph = bool(np.any(tensors.column("flags")[inputs] & TensorFlag.REQUIRES_GRAD))
        if has_graph and len(shapes) >= 2 and (count := _outer(shapes[0], shapes[1])):
            begin = int(operators.column("begin_ns")[row])
            yield Finding(
                rule="outer-broadcast",
                severity="error",
                message=tr(
                    "{first} and {second} broadcast to [{count}, {count}]: every prediction meets every target. Give both one shape (squeeze or unsqueeze)."
                ).format(first=list(shapes[0]), second=list(shapes[1]), count=count),
                source=source_of(snapshot, int(operators.column("stack")[row])),
                iteration=iteration_of(snapshot, begin),
                evidence={"shapes": [list(shapes[0]), list(shapes[1])]},
                certainty=0.9,
                time_ns=begin,
            )
            return


def _outer(first: tuple[int, ...], second: tuple[int, ...]) -> int:
    """N where one shape is [N, 1] and the other [N]; else 0."""
    column, vector = (first, second) if len(first) == 2 else (second, first)
    is_outer = len(column) == 2 and column[1] == 1 and vector == (column[0],) and column[0] >= SMALLEST
    return column[0] if is_outer else 0
