"""``[N, 1] - [N]`` is ``[N, N]``: a loss that compares every prediction with every target."""

from collections.abc import Iterator
from typing import Final

import numpy as np
from numpy.typing import NDArray

from tensorscope.analysis.findings.facts import iteration_of
from tensorscope.analysis.operators import source_of, tensor_index
from tensorscope.analysis.results import Finding
from tensorscope.language import tr
from tensorscope.protocol.records import TensorFlag, TensorRole
from tensorscope.trace.schema import OPERATORS, TENSORS
from tensorscope.trace.snapshot import Snapshot

COMPARING: Final = ("aten::sub", "aten::rsub", "aten::eq")
BROADCASTING: Final = "aten::broadcast_tensors"
LOSSES: Final = ("mse_loss", "l1_loss", "smooth_l1_loss", "huber_loss")
"""Functions of torch.nn.functional that broadcast their inputs first, at the first frame around ``broadcast_tensors``."""
SMALLEST: Final = 4  # rows from which it is no chance


def outer_broadcast(snapshot: Snapshot) -> Iterator[Finding]:
    """The first comparison of a column [N, 1] and a vector [N] on other memory: a difference with a graph outside of all modules, or a loss of torch's.

    A comparison for equality needs no graph: it counts what was right.
    """
    operators, tensors = snapshot.table(OPERATORS), snapshot.table(TENSORS)
    rows = _comparisons(snapshot)
    by_operator = tensor_index(snapshot, operators.column("id")[rows])
    for row in rows[np.argsort(operators.column("begin_ns")[rows], kind="stable")].tolist():
        of_it = by_operator.of(int(operators.column("id")[row]))
        inputs = of_it[tensors.column("role")[of_it] == TensorRole.INPUT]
        shapes = [known.sizes if (known := snapshot.shapes.get(int(shape))) is not None else () for shape in tensors.column("shape")[inputs]]
        is_equality = snapshot.name(int(operators.column("name")[row])) == "aten::eq"
        has_graph = bool(np.any(tensors.column("flags")[inputs] & TensorFlag.REQUIRES_GRAD))
        data = tensors.column("data")[inputs]
        if len(shapes) < 2 or has_graph == is_equality or data[0] == data[1]:
            continue
        if count := _outer(shapes[0], shapes[1]):
            yield _finding(snapshot, row, shapes, count, is_equality=is_equality)
            return


def _comparisons(snapshot: Snapshot) -> NDArray[np.intp]:
    """Rows of operators that compare two tensors element by element."""
    operators = snapshot.table(OPERATORS)
    names = {name: identity for identity, name in snapshot.strings.items() if name in COMPARING or name == BROADCASTING}
    comparing = [identity for name, identity in names.items() if name in COMPARING]
    losses = [stack for stack, frames in snapshot.stacks.items() if any(frame.function in LOSSES for frame in frames[1:2])]
    is_own = np.isin(operators.column("name"), comparing) & (operators.column("module_call") == 0)
    is_loss = (operators.column("name") == names.get(BROADCASTING, -1)) & np.isin(operators.column("stack"), losses)
    return np.flatnonzero((is_own | is_loss) & (operators.column("parent") == 0))


def _finding(snapshot: Snapshot, row: int, shapes: list[tuple[int, ...]], count: int, *, is_equality: bool) -> Finding:
    operators = snapshot.table(OPERATORS)
    begin = int(operators.column("begin_ns")[row])
    return Finding(
        rule="outer-broadcast",
        severity="warning" if is_equality else "error",
        message=tr(
            "{first} and {second} broadcast to [{count}, {count}]: every prediction meets every target. Give both one shape (squeeze or unsqueeze)."
        ).format(first=list(shapes[0]), second=list(shapes[1]), count=count),
        source=source_of(snapshot, int(operators.column("stack")[row])),
        iteration=iteration_of(snapshot, begin),
        evidence={"shapes": [list(shapes[0]), list(shapes[1])]},
        certainty=0.7 if is_equality else 0.9,
        time_ns=begin,
    )


def _outer(first: tuple[int, ...], second: tuple[int, ...]) -> int:
    """N where one shape is [N, 1] and the other [N]; else 0."""
    column, vector = (first, second) if len(first) == 2 else (second, first)
    is_outer = len(column) == 2 and column[1] == 1 and vector == (column[0],) and column[0] >= SMALLEST
    return column[0] if is_outer else 0
