"""The tree of everything that ran: iteration ▸ phase ▸ module ▸ operator or node, opened level by level so that it scales to millions of operators."""

from dataclasses import dataclass
from enum import Enum
from itertools import groupby
from typing import Final

import numpy as np

from tensorscope.analysis.events_index import CALL, GROUP, MODULE, PHASE, Holders, MemoryCurve, event_id, find_holders, kind_and_place
from tensorscope.analysis.iterations import phases
from tensorscope.analysis.join import node_name
from tensorscope.analysis.modules import ModuleCall, module_calls
from tensorscope.analysis.operators import call_index
from tensorscope.analysis.results import Phase
from tensorscope.trace.schema import NODES
from tensorscope.trace.snapshot import Snapshot

ROOT: Final = 0


class EventKind(Enum):
    ITERATION = "iteration"
    PHASE = "phase"
    MODULE = "module"
    OPERATOR = "operator"
    NODE = "node"


@dataclass(frozen=True, slots=True)
class Event:
    """One row of the tree."""

    id: int  # stable within one tree only
    kind: EventKind
    label: str  # such as "Iteration 3", "forward", "layers.0 (Linear)", "aten::addmm", "AddmmBackward0"
    begin_ns: int
    end_ns: int
    memory_delta_bytes: int  # allocated less freed during it, over all devices and threads
    has_children: bool
    iteration: int  # -1 outside of all
    operator: int = 0  # id of the operator or node
    call: int = 0  # module call
    backward: int = -1  # of a node, 0-based
    node: int = -1  # index in its backward's graph, -1: not in it

    @property
    def duration_ns(self) -> int:
        return self.end_ns - self.begin_ns


class EventTree:
    """Build once from a snapshot (sorts all operators); then ``children`` costs what it returns. May be read from any thread."""

    def __init__(self, snapshot: Snapshot) -> None:
        self.snapshot = snapshot
        self._phases = phases(snapshot)
        self._groups = _groups(self._phases)
        self._phase_begins = np.array([phase.begin_ns for phase in self._phases], np.int64)
        calls = module_calls(snapshot)
        self._calls: list[ModuleCall] = [calls[call] for call in sorted(calls)]
        self._index = call_index(snapshot)
        self._memory = MemoryCurve.of(snapshot)
        self._holders: Holders = find_holders(self._index, calls, self._phase_begins)

    def children(self, event: int = ROOT) -> tuple[Event, ...]:
        """The rows under a row, in order of begin; under ROOT the iterations, with what was before, between and after them."""
        if event == ROOT:
            return tuple(self.row(event_id(GROUP, place)) for place in range(len(self._groups)) if self._phases_of(place))
        kind, place = kind_and_place(event)
        if kind == GROUP:
            return tuple(self.row(event_id(PHASE, phase)) for phase in self._phases_of(place))
        return tuple(self.row(int(item)) for item in self._holders.of(event))

    def row(self, event: int) -> Event:
        """The row of an id."""
        kind, place = kind_and_place(event)
        if kind == GROUP:
            first, last = self._groups[place]
            number = self._phases[first].iteration
            return self._make(event, EventKind.ITERATION, self._group_label(place), self._phases[first].begin_ns, self._phases[last].end_ns, number)
        if kind == PHASE:
            phase = self._phases[place]
            return self._make(event, EventKind.PHASE, phase.kind, phase.begin_ns, phase.end_ns, phase.iteration)
        if kind == MODULE:
            call = self._calls[place]
            label = f"{call.module} ({call.module_class})" if call.module else call.module_class
            return self._make(event, EventKind.MODULE, label, call.begin_ns, call.end_ns, call=call.call)
        return self._call(event, place)

    def self_ns(self, event: Event) -> int:
        """How much of a row's time lies in none of the rows right under it; 0 for an iteration, which its phases fill."""
        if kind_and_place(event.id)[0] == GROUP:
            return 0
        inside = (self._span(int(item)) for item in self._holders.of(event.id))
        spans = sorted((max(begin, event.begin_ns), min(end, event.end_ns)) for begin, end in inside)
        covered, at = 0, event.begin_ns
        for begin, end in spans:  # those of several threads may overlap
            covered += max(end - max(begin, at), 0)
            at = max(at, end)
        return event.duration_ns - covered

    def path_to(self, operator: int) -> tuple[int, ...]:
        """Ids of the rows from its iteration down to an operator or node; empty if it is not on record."""
        at = self._index.find_one(operator)
        if at < 0:
            return ()
        path = [event_id(CALL, at)]
        while kind_and_place(path[-1])[0] != PHASE:
            path.append(self._holders.around(path[-1]))
        phase = kind_and_place(path[-1])[1]
        group = next(place for place, (first, last) in enumerate(self._groups) if first <= phase <= last)
        return (event_id(GROUP, group), *reversed(path))

    def thread_and_stack(self, event: Event) -> tuple[int, int]:
        """On which thread an event began (0: not known), and its own stack (0: none)."""
        if event.kind is EventKind.MODULE:
            call = self._calls[kind_and_place(event.id)[1]]
            return call.thread, call.stack
        at = self._index.find_one(event.operator) if event.operator else -1
        return (int(self._index.thread[at]), int(self._index.stack[at])) if at >= 0 else (0, 0)

    def _span(self, item: int) -> tuple[int, int]:
        kind, place = kind_and_place(item)
        if kind == MODULE:
            return self._calls[place].begin_ns, self._calls[place].end_ns
        return int(self._index.begin_ns[place]), int(self._index.end_ns[place])

    def _phases_of(self, group: int) -> list[int]:
        first, last = self._groups[group]
        return [place for place in range(first, last + 1) if self._phases[place].kind != "other" or self._holders.count(event_id(PHASE, place))]

    def _group_label(self, group: int) -> str:
        number = self._phases[self._groups[group][0]].iteration
        if number >= 0:
            return f"Iteration {number}"
        return "Before the first iteration" if group == 0 and len(self._groups) > 1 else "Outside of iterations"

    def _call(self, event: int, place: int) -> Event:
        index, nodes = self._index, self.snapshot.table(NODES)
        label = node_name(self.snapshot.name(int(index.name[place])))
        begin, end, operator = int(index.begin_ns[place]), int(index.end_ns[place]), int(index.id[place])
        if not index.is_node[place]:
            return self._make(event, EventKind.OPERATOR, label, begin, end, operator=operator, call=int(index.module_call[place]))
        row = int(index.row[place])
        backward, node = int(nodes.column("backward")[row]) - 1, int(nodes.column("index")[row]) - 1
        return self._make(event, EventKind.NODE, label, begin, end, operator=operator, backward=backward, node=node)

    def _make(
        self, event: int, kind: EventKind, label: str, begin: int, end: int, iteration: int | None = None,
        *, operator: int = 0, call: int = 0, backward: int = -1, node: int = -1,
    ) -> Event:  # fmt: skip
        number = self._iteration_of(begin) if iteration is None else iteration
        has_children = kind is EventKind.ITERATION or self._holders.count(event) > 0
        return Event(event, kind, label, begin, end, self._memory.delta(begin, end), has_children, number, operator, call, backward, node)

    def _iteration_of(self, time_ns: int) -> int:
        place = int(np.searchsorted(self._phase_begins, time_ns, side="right")) - 1
        return self._phases[place].iteration if place >= 0 else -1


def _groups(all_phases: tuple[Phase, ...]) -> list[tuple[int, int]]:
    """First and last phase of each run of phases of one iteration."""
    groups = []
    for _, run in groupby(range(len(all_phases)), key=lambda place: all_phases[place].iteration):
        members = list(run)
        groups.append((members[0], members[-1]))
    return groups
