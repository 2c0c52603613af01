"""What the search for a selection's others looks at: the graphs of one iteration, its operators and their tensors, and the lives of storages."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from typing import Final

import numpy as np

from tensorscope.analysis.graph import backwards
from tensorscope.analysis.iterations import iteration_bounds
from tensorscope.analysis.operators import NOT_THE_SCRIPTS, CallIndex, call_index, outermost, tensor_index
from tensorscope.analysis.results import GraphNode, Source
from tensorscope.analysis.saved_addresses import saved_addresses
from tensorscope.protocol.records import AllocationAction, TensorRole
from tensorscope.trace.schema import ALLOCATIONS, NODES, OPERATORS, TENSORS
from tensorscope.trace.snapshot import Snapshot
from tensorscope.viewmodel.graph_cache import GRAPHS
from tensorscope.viewmodel.linked import FOR_EVER, Life
from tensorscope.viewmodel.links import node_selection_of_operator, resting_moment

Seen = tuple[int, int]  # an address, and when something lay there, ns
MOST_LIVES: Final = 4096
_STARTS: Final = (AllocationAction.ALLOC, AllocationAction.BEFORE)
_ENDS: Final = (AllocationAction.FREE, AllocationAction.FREE_REQUESTED, AllocationAction.BEFORE_FREED)


def stacks_at(snapshot: Snapshot, line: Source) -> frozenset[int]:
    """Stacks whose own line it is; where there are none, those that pass through it."""
    own, through = set(), set()
    for stack, frames in snapshot.stacks.items():
        innermost = snapshot.source(stack)
        if innermost is not None and (innermost.filename, innermost.line) == (line.file, line.line):
            own.add(stack)
        elif any((frame.filename, frame.line) == (line.file, line.line) for frame in frames):
            through.add(stack)
    return frozenset(own or through)


class LinkingScene:
    """Of one snapshot and one iteration: that of a backward where one is given, else that at the cursor, else the newest with a backward before it.

    ``stacks``: where none of its operators has one of these, the newest iteration before it in which one has.
    """

    def __init__(self, snapshot: Snapshot, cursor_ns: int | None, backward: int | None = None, stacks: frozenset[int] = frozenset()) -> None:
        self.snapshot = snapshot
        known = [one for one in backwards(snapshot) if one.node_count]
        bounds = iteration_bounds(snapshot)
        now_ns = (resting_moment(snapshot) if snapshot.exit is not None else None) or snapshot.end_ns
        self.moment_ns = now_ns if cursor_ns is None else cursor_ns
        own = next((one.iteration for one in known if one.backward == backward), None)
        at = next((index for index, _, end, _ in bounds if self.moment_ns <= end), bounds[-1][0] if bounds else -1)
        with_nodes = [one.iteration for one in known if one.iteration <= at] or [one.iteration for one in known[:1]]
        self.iteration = own if own is not None else with_nodes[-1] if with_nodes else at
        if stacks:
            self.iteration = self._last_with(stacks, bounds)
        self.begin_ns, self.end_ns = next(((begin, end) for index, begin, end, _ in bounds if index == self.iteration), (0, snapshot.end_ns))
        self._saved: dict[int, dict[int, tuple[int, ...]]] = {}
        self._backwards = [one.backward for one in known if one.iteration == self.iteration]

    def _last_with(self, stacks: frozenset[int], bounds: Sequence[tuple[int, int, int, bool]]) -> int:
        """The newest iteration up to this one in which an operator has one of these stacks; this one where none has."""
        table = self.snapshot.table(OPERATORS)
        end = next((end for index, _, end, _ in bounds if index == self.iteration), self.snapshot.end_ns)
        begins = table.column("begin_ns")[np.isin(table.column("stack"), list(stacks))]
        newest = int(begins[begins <= end].max(initial=-1))
        return next((index for index, begin, last, _ in bounds if begin <= newest <= last), self.iteration)

    @cached_property
    def parameters(self) -> dict[str, int]:
        """Address of each parameter's (not buffer's) elements, by name."""
        return {str(one.get("fqn", "")): int(one.get("data") or 0) for one in self.snapshot.parameters.values() if not one.get("is_buffer")}

    @cached_property
    def index(self) -> CallIndex:
        return call_index(self.snapshot)

    def nodes(self) -> Iterator[tuple[int, GraphNode]]:
        """(backward, node) of every node of the iteration."""
        for backward in self._backwards:
            graph = GRAPHS.get(self.snapshot, backward)
            yield from ((backward, node) for node in graph.nodes) if graph is not None else ()

    def node(self, backward: int, number: int) -> GraphNode | None:
        graph = GRAPHS.get(self.snapshot, backward)
        return next((node for node in graph.nodes if node.id == number), None) if graph is not None else None

    def operators_of(self, backward: int, nodes: Iterable[GraphNode]) -> list[int]:
        """Ids of the operators that made nodes, and of the nodes' runs."""
        runs = self._runs(backward)
        return [one for node in nodes for one in (node.operator, runs.get(node.id, 0)) if one]

    def nodes_of_operator(self, operator: int) -> frozenset[tuple[int, int]]:
        """Those that an operator, or one inside it, made; for one that ran in a backward the node around it."""
        around = node_selection_of_operator(self.snapshot, operator)
        if around is not None:
            return frozenset({(around.backward, around.node)})
        at = self.index.find_one(operator)
        if at < 0:
            return frozenset()
        begin, end, thread = int(self.index.begin_ns[at]), int(self.index.end_ns[at]), int(self.index.thread[at])
        found = set()
        for backward in self._backwards_after(begin):
            graph = GRAPHS.get(self.snapshot, backward)
            for node in graph.nodes if graph is not None else ():
                maker = self.index.find_one(node.operator) if node.operator else -1
                if maker >= 0 and begin <= self.index.begin_ns[maker] and self.index.end_ns[maker] <= end and self.index.thread[maker] == thread:
                    found.add((backward, node.id))
        return frozenset(found)

    def operators_with(self, stacks: frozenset[int]) -> list[int]:
        """Outermost operators of the iteration with one of these stacks, in order of begin."""
        table = self.snapshot.table(OPERATORS)
        begins = table.column("begin_ns")
        rows = np.flatnonzero(np.isin(table.column("stack"), list(stacks)) & (begins >= self.begin_ns) & (begins <= self.end_ns))
        rows = rows[(table.column("flags")[rows] & NOT_THE_SCRIPTS) == 0]
        at = self.index.find(table.column("id")[rows])
        at = at[at >= 0]
        return [int(one) for one in self.index.id[at[outermost(self.index, at) == at]]]

    def tensors_of(self, operators: Iterable[int], roles: tuple[TensorRole, ...] = (TensorRole.INPUT, TensorRole.OUTPUT)) -> list[Seen]:
        """Address and time of what operators took in and gave out, and, for nodes that ran, of what the operators inside them gave out."""
        wanted = np.unique(np.array(list(operators), np.uint64))
        if not len(wanted):
            return []
        at = self.index.find(wanted)
        runs = self.index.id[at[at >= 0]][self.index.is_node[at[at >= 0]]]
        inside = self.index.id[np.isin(self.index.parent, runs)] if len(runs) else runs
        grouped = tensor_index(self.snapshot, np.concatenate((wanted, inside)))
        table = self.snapshot.table(TENSORS)
        role, data = table.column("role"), table.column("data")
        found = []
        for operator in (*wanted.tolist(), *inside.tolist()):
            place = self.index.find_one(operator)
            for row in grouped.of(operator).tolist() if place >= 0 else ():
                if data[row] and role[row] in roles:
                    times = self.index.end_ns if role[row] == TensorRole.OUTPUT else self.index.begin_ns
                    found.append((int(data[row]), int(times[place])))
        return found

    def saved_by(self, backward: int, nodes: Iterable[GraphNode]) -> list[Seen]:
        """Address of what nodes saved, and when their backward began."""
        if backward not in self._saved:
            self._saved[backward] = saved_addresses(self.snapshot, backward)
        graph = GRAPHS.get(self.snapshot, backward)
        begin = graph.begin_ns if graph is not None else 0
        return [(data, begin) for node in nodes for data in self._saved[backward].get(node.id, ())]

    def made_at(self, stacks: frozenset[int]) -> list[Seen]:
        """Address and begin of the blocks that operators with these stacks allocated and that live at the moment."""
        table = self.snapshot.table(ALLOCATIONS)
        is_start = np.isin(table.column("action"), _STARTS) & np.isin(table.column("stack"), list(stacks)) & (table.column("time_ns") <= self.moment_ns)
        rows = np.flatnonzero(is_start)
        seen = zip(table.column("address")[rows].tolist(), table.column("time_ns")[rows].tolist(), strict=True)
        return [(life.data, life.begin_ns) for life in self.lives(seen) if life.end_ns > self.moment_ns]

    def lives(self, seen: Iterable[Seen]) -> tuple[Life, ...]:
        """The storages that lay at these addresses at these times, each once, in order of begin. Without a block on record: from the first to for ever."""
        wanted = list(dict.fromkeys((data, time_ns) for data, time_ns in seen if data))[:MOST_LIVES]
        starts, ends = self._edges([data for data, _ in wanted])
        found = {}
        for data, time_ns in wanted:
            begins, frees = starts.get(data, np.empty(0, np.int64)), ends.get(data, np.empty(0, np.int64))
            place = int(np.searchsorted(begins, time_ns, "right")) - 1
            begin = int(begins[place]) if place >= 0 else -1
            after = int(np.searchsorted(frees, begin, "right"))
            found[data, begin] = Life(data, begin, int(frees[after]) if after < len(frees) else FOR_EVER)
        return tuple(sorted(found.values(), key=lambda life: (life.begin_ns, life.data)))

    def end_of(self, data: int, seen_ns: int) -> int:
        lives = self.lives(((data, seen_ns),))
        return lives[0].end_ns if lives else FOR_EVER

    def data_of(self, parameter: str) -> Seen:
        """A parameter's storage, as it is at the moment."""
        return self.parameters.get(parameter, 0), max(self.moment_ns, self.end_ns)

    def parameters_in(self, storages: Iterable[Life]) -> tuple[str, ...]:
        """Names of those whose elements lie in one of these, in the model's order."""
        known = {life.data: life for life in storages}
        return tuple(name for name, data in self.parameters.items() if data and data in known and known[data].end_ns > self.begin_ns)

    def _runs(self, backward: int) -> dict[int, int]:
        """Node → id of its run."""
        nodes = self.snapshot.table(NODES)
        rows = np.flatnonzero(nodes.column("backward") == backward + 1)
        return dict(zip((nodes.column("index")[rows].astype(np.int64) - 1).tolist(), nodes.column("id")[rows].tolist(), strict=True))

    def _backwards_after(self, begin_ns: int) -> list[int]:
        """The backwards of the iteration in which a moment lies."""
        bounds = iteration_bounds(self.snapshot)
        iteration = next((index for index, _, end, _ in bounds if begin_ns <= end), -1)
        return [one.backward for one in backwards(self.snapshot) if one.iteration == iteration and one.node_count]

    def _edges(self, data: list[int]) -> tuple[dict[int, np.ndarray[tuple[int, ...], np.dtype[np.int64]]], ...]:
        """By address, the times in order at which blocks began, and ended."""
        table = self.snapshot.table(ALLOCATIONS)
        address = table.column("address")
        rows = np.flatnonzero(np.isin(address, np.unique(np.array(data, np.uint64))))
        rows = rows[np.argsort(table.column("time_ns")[rows], kind="stable")]
        action, at, times = table.column("action")[rows], address[rows], table.column("time_ns")[rows].astype(np.int64)
        edges = []
        for actions in (_STARTS, _ENDS):
            is_one = np.isin(action, actions)
            places, moments = at[is_one], times[is_one]
            order = np.argsort(places, kind="stable")
            distinct, first = np.unique(places[order], return_index=True)
            edges.append(dict(zip(distinct.tolist(), np.split(moments[order], first[1:]), strict=True)) if len(distinct) else {})
        return edges[0], edges[1]
