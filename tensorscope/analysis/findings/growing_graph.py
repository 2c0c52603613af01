"""A sum over iterations keeps the graph of each of them: ``total += loss`` instead of ``loss.item()``."""

from collections.abc import Iterator
from typing import Final

import numpy as np

from tensorscope.analysis.iterations import iteration_at, iteration_bounds
from tensorscope.analysis.operators import source_of
from tensorscope.analysis.results import Finding, Source
from tensorscope.language import tr
from tensorscope.protocol.records import OperatorFlag, TensorFlag, TensorRole
from tensorscope.trace.schema import OPERATORS, TENSORS
from tensorscope.trace.snapshot import Snapshot

SUMS: Final = ("aten::add", "aten::add_", "aten::sub", "aten::sub_", "aten::cat", "aten::stack")
ENOUGH: Final = 3  # iterations in a row


def growing_graph(snapshot: Snapshot) -> Iterator[Finding]:
    """An addition on one line takes in, iteration after iteration, what it gave out in the one before, and its result has a graph."""
    operators = snapshot.table(OPERATORS)
    adders = [identity for identity, name in snapshot.strings.items() if name in SUMS]
    is_one = np.isin(operators.column("name"), adders) & (operators.column("parent") == 0) & (operators.column("flags") & OperatorFlag.GRAD_ENABLED != 0)
    rows = np.flatnonzero(is_one & (operators.column("module_call") == 0))
    rows = rows[np.argsort(operators.column("begin_ns")[rows], kind="stable")]
    taken, given = _memory(snapshot, operators.column("id")[rows])
    chains: dict[Source, list[tuple[int, int]]] = {}  # (iteration, begin) of each link
    last: dict[Source, tuple[int, int]] = {}
    iterations = iteration_at(iteration_bounds(snapshot), operators.column("begin_ns")[rows]).tolist()
    sources = {stack: source_of(snapshot, stack) for stack in set(operators.column("stack")[rows].tolist())}
    columns = (operators.column(name)[rows].tolist() for name in ("id", "stack", "begin_ns"))
    for identity, stack, begin, iteration in zip(*columns, iterations, strict=True):
        source = sources[stack]
        if source is None or identity not in given:
            continue
        before = last.get(source)
        continues = before is not None and before[0] in taken.get(identity, ()) and before[1] != iteration
        if continues:
            chains.setdefault(source, []).append((iteration, begin))
        elif before is not None and before[1] != iteration:
            chains.pop(source, None)
        last[source] = given[identity], iteration
    for source, links in chains.items():
        if len(links) >= ENOUGH:
            yield Finding(
                rule="growing-graph",
                severity="warning",
                message=tr("This sum runs over the iterations and keeps the graph of each of them ({count} so far). Add numbers: .item() or .detach().").format(
                    count=len(links) + 1
                ),
                source=source,
                iteration=links[0][0],
                last_iteration=max(iteration for iteration, _ in links),  # the last sum may stand after the last iteration
                evidence={"iterations": len(links) + 1},
                time_ns=links[-1][1],
            )


def _memory(snapshot: Snapshot, operators: np.ndarray[tuple[int], np.dtype[np.uint64]]) -> tuple[dict[int, set[int]], dict[int, int]]:
    """Data pointers taken in by each operator, and the one given out where that tensor requires grad."""
    tensors = snapshot.table(TENSORS)
    rows = np.flatnonzero(np.isin(tensors.column("op"), operators))
    taken: dict[int, set[int]] = {}
    given: dict[int, int] = {}
    columns = (tensors.column(name)[rows].tolist() for name in ("op", "role", "data", "flags"))
    for operator, role, data, flags in zip(*columns, strict=True):
        if role == TensorRole.INPUT:
            taken.setdefault(operator, set()).add(data)
        elif role == TensorRole.OUTPUT and flags & TensorFlag.REQUIRES_GRAD:
            given[operator] = data
    return taken, given
