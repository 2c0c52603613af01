"""Where a result lost its graph: walk back from it, from operator to operator, to the one that took in a tensor with a graph and gave out one without."""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from tensorscope.analysis.findings.facts import decorator_of
from tensorscope.analysis.operators import source_of
from tensorscope.analysis.results import Source
from tensorscope.language import tr
from tensorscope.protocol.records import OperatorFlag, TensorFlag, TensorRole
from tensorscope.trace.schema import OPERATORS, TENSORS
from tensorscope.trace.snapshot import Snapshot

READERS: Final = ("aten::item", "aten::_local_scalar_dense")
MOST_STEPS: Final = 2_000
LAST: Final = 20_000  # operators before the moment that are looked at


@dataclass(frozen=True, slots=True)
class Cut:
    source: Source | None
    why: str  # after "the graph was lost here: "


def cut_before(snapshot: Snapshot, before_ns: int) -> Cut | None:
    """Of the newest result before a moment (run time, ns) that no module computed inside; None where no tensor on its way had a graph."""
    return _Walk(snapshot, before_ns).find()


class _Walk:
    def __init__(self, snapshot: Snapshot, before_ns: int) -> None:
        self._snapshot = snapshot
        operators, tensors = snapshot.table(OPERATORS), snapshot.table(TENSORS)
        skipped = OperatorFlag.OURS | OperatorFlag.COMPILING
        kept = (operators.column("parent") == 0) & (operators.column("begin_ns") < before_ns) & (operators.column("flags") & skipped == 0)
        rows = np.flatnonzero(kept & (operators.column("scope") == 0))
        rows = rows[np.argsort(operators.column("begin_ns")[rows], kind="stable")][-LAST:]
        self._rows = rows
        place = {int(identity): at for at, identity in enumerate(operators.column("id")[rows].tolist())}
        found = np.flatnonzero(np.isin(tensors.column("op"), operators.column("id")[rows]))
        self._inputs: dict[int, list[tuple[int, bool]]] = {}  # place → (data pointer, has a graph)
        self._outputs: dict[int, list[tuple[int, int]]] = {}  # data pointer → (place, has a graph), in order
        self._given: dict[int, bool] = {}  # place → an output has a graph
        columns = [tensors.column(name)[found].tolist() for name in ("op", "role", "data", "flags")]
        for operator, role, data, flags in sorted(zip(*columns, strict=True), key=lambda one: place[one[0]]):
            at, has_graph = place[operator], bool(flags & TensorFlag.REQUIRES_GRAD)
            if role == TensorRole.INPUT:
                self._inputs.setdefault(at, []).append((data, has_graph))
            elif role == TensorRole.OUTPUT:
                self._outputs.setdefault(data, []).append((at, int(has_graph)))
                self._given[at] = self._given.get(at, False) or has_graph

    def find(self) -> Cut | None:
        """Walks back breadth first, so the cut nearest to the result comes first."""
        start = next((at for at in range(len(self._rows) - 1, -1, -1) if at in self._given and not self._is_reader(at)), None)
        waiting, seen = [start] if start is not None else [], set[int]()
        while waiting and len(seen) < MOST_STEPS:
            at = waiting.pop(0)
            if at in seen:
                continue
            seen.add(at)
            inputs = self._inputs.get(at, [])
            if not self._given.get(at, False) and any(has_graph for _, has_graph in inputs):
                return self._at(at)
            for data, has_graph in inputs:
                maker, made_with_graph = self._maker(data, at)
                if made_with_graph and not has_graph:
                    return Cut(self._line(at), tr("it takes in a tensor's .data or a detached copy"))
                if maker is not None:
                    waiting.append(maker)
        return self._read() if start is not None else None

    def _maker(self, data: int, before: int) -> tuple[int | None, bool]:
        """The newest operator before a place that gave out this memory, and whether with a graph."""
        for at, has_graph in reversed(self._outputs.get(data, ())):
            if at < before:
                return at, bool(has_graph)
        return None, False

    def _at(self, at: int) -> Cut:
        operators = self._snapshot.table(OPERATORS)
        row = int(self._rows[at])
        stack = int(operators.column("stack")[row])
        if not int(operators.column("flags")[row]) & OperatorFlag.GRAD_ENABLED:
            return Cut(decorator_of(self._snapshot, stack) or self._line(at), tr("it was computed under no_grad"))
        name = self._snapshot.name(int(operators.column("name")[row]))
        if name == "aten::detach":
            return Cut(self._line(at), tr("it was detached"))
        return Cut(self._line(at), tr("{operator} has no derivative").format(operator=name.removeprefix("aten::")))

    def _read(self) -> Cut | None:
        """The newest value that was read into Python from a tensor with a graph."""
        rows: NDArray[np.intp] = self._rows
        for at in range(len(rows) - 1, -1, -1):
            if self._is_reader(at) and any(has_graph for _, has_graph in self._inputs.get(at, [])):
                return Cut(self._line(at), tr("its value was read into Python with .item()"))
        return None

    def _is_reader(self, at: int) -> bool:
        return self._snapshot.name(int(self._snapshot.table(OPERATORS).column("name")[self._rows[at]])) in READERS

    def _line(self, at: int) -> Source | None:
        return source_of(self._snapshot, int(self._snapshot.table(OPERATORS).column("stack")[self._rows[at]]))
