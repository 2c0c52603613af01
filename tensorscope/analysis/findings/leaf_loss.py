"""A backward that starts at a leaf and reaches no parameter: the loss was made without a graph."""

from collections.abc import Iterator
from typing import Final

import numpy as np

from tensorscope.analysis.findings.facts import decorator_of, iteration_of, marks
from tensorscope.analysis.join import ACCUMULATE_GRAD, GRAPH_ROOT, node_name
from tensorscope.analysis.operators import call_index, outermost, source_of
from tensorscope.analysis.results import Finding, Related, Source
from tensorscope.language import tr
from tensorscope.protocol.records import MarkKind, OperatorFlag
from tensorscope.trace.schema import OPERATORS
from tensorscope.trace.snapshot import Snapshot

CUTS: Final = ("aten::item", "aten::_local_scalar_dense")


def leaf_loss(snapshot: Snapshot) -> Iterator[Finding]:
    """All backwards of the run consist of one AccumulateGrad whose leaf is no module's parameter."""
    ran = [mark for mark in marks(snapshot, MarkKind.BACKWARD) if not mark.has_raised]
    held = {int(one) for told in snapshot.optimizers.values() for one in told.get("parameters", ())}
    if not ran or not held or not all(_is_bare_leaf(snapshot, mark.a, held) for mark in ran):
        return
    first = ran[0]
    cut, how = _cut(snapshot, first.begin_ns)
    yield Finding(
        rule="loss-without-graph",
        severity="error",
        message=tr("backward() starts at a tensor that has no graph, so it reaches none of the optimizer's {count} parameters{how}.").format(
            count=len(held), how=how
        ),
        source=cut or first.source,
        related=(Related(first.source, tr("the backward that reaches nothing")),) if first.source is not None and cut is not None else (),
        iteration=iteration_of(snapshot, first.begin_ns),
        last_iteration=iteration_of(snapshot, ran[-1].begin_ns),
        evidence={"backwards": len(ran), "parameters": len(held)},
        backward=first.a - 1,
        time_ns=first.begin_ns,
    )


def _is_bare_leaf(snapshot: Snapshot, backward: int, held: set[int]) -> bool:
    known = snapshot.backwards.get(backward)
    shape = snapshot.graphs.get(known.graph) if known is not None else None
    if shape is None:
        return False
    nodes = [(node_name(name), int(parameter)) for name, parameter in zip(shape.names, shape.parameters, strict=True)]
    return all(name in (ACCUMULATE_GRAD, GRAPH_ROOT) and parameter not in held for name, parameter in nodes)


def _cut(snapshot: Snapshot, before_ns: int) -> tuple[Source | None, str]:
    """Where the graph was lost before the backward: a value read into Python, else the newest operator that ran without recording a graph."""
    operators = snapshot.table(OPERATORS)
    index = call_index(snapshot)
    readers = [identity for identity, name in snapshot.strings.items() if name in CUTS]
    rows = np.flatnonzero(np.isin(operators.column("name"), readers) & (operators.column("begin_ns") < before_ns))
    if len(rows):
        return source_of(snapshot, int(operators.column("stack")[rows[-1]])), tr(": its value was read into Python with .item() on the way")
    at = np.flatnonzero(~index.is_node & (index.begin_ns < before_ns))
    flags = operators.column("flags")[index.row[at]]
    blind = at[(flags & OperatorFlag.GRAD_ENABLED) == 0]
    if len(blind):
        top = outermost(index, blind)
        stacks = [int(index.stack[position]) for position in top[::-1].tolist() if position >= 0]
        stack = next((one for one in stacks if source_of(snapshot, one) is not None), 0)
        return decorator_of(snapshot, stack) or source_of(snapshot, stack), tr(": it was computed under no_grad")
    return None, ""
