"""The visible rows of the events panel: the tree with its open rows unfolded, backward nodes grouped by module as the forward was."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Any, Final, Literal

from tensorscope.analysis.events import ROOT, Event, EventKind, EventTree
from tensorscope.analysis.results import BackwardGraph
from tensorscope.language import tr
from tensorscope.trace.schema import NODES
from tensorscope.trace.snapshot import Snapshot
from tensorscope.viewmodel.event_filter import EventFilter, Surroundings
from tensorscope.viewmodel.event_surroundings import around_event
from tensorscope.viewmodel.graph_cache import GRAPHS
from tensorscope.viewmodel.linked import Linked
from tensorscope.viewmodel.words import word_of
from tensorscope.viewmodel.workspace import ModuleSelection, NodeSelection, OperatorSelection, Selection

Key = tuple[str, int, str]
RowState = Literal["done", "held", "waiting", ""]
SEARCH_LIMIT: Final = 20_000  # rows looked at for a filter
MATCH_LIMIT: Final = 500
MOST_LINKED: Final = 500  # operators of a selection whose rows are marked, the newest


@dataclass(frozen=True, slots=True)
class EventRow:
    """One line. ``key`` is the same from snapshot to snapshot; ``share`` is its time as a part of its iteration's."""

    key: Key
    depth: int
    kind: EventKind
    label: str
    detail: str  # a module's class
    begin_ns: int
    end_ns: int
    memory_delta_bytes: int
    share: float
    has_children: bool
    is_open: bool
    state: RowState
    selection: Selection | None
    self_ns: int = 0  # of its time, what lies in no row under it

    @property
    def duration_ns(self) -> int:
        return self.end_ns - self.begin_ns

    @property
    def text(self) -> str:
        """The row with exact values, for copying."""
        name = " ".join(word for word in (self.label, self.detail) if word)
        return tr("{name}: {duration_ns:,} ns ({self_ns:,} ns itself) from {begin_ns:,} ns, {memory_delta_bytes:+,} B").format(
            name=name, duration_ns=self.duration_ns, self_ns=self.self_ns, begin_ns=self.begin_ns, memory_delta_bytes=self.memory_delta_bytes
        )


@dataclass(frozen=True, slots=True)
class _Group:
    """Consecutive nodes of one module inside a backward."""

    name: str
    path: str
    events: tuple[Event, ...]


class EventRows:
    """Unfolds an ``EventTree``. Made for one snapshot, off the GUI thread; ``unfold`` may be called again as rows are opened."""

    def __init__(self, snapshot: Snapshot, held: Mapping[str, Any] | None) -> None:
        self.snapshot = snapshot
        self.tree = EventTree(snapshot)
        self._held = held
        self._held_key = (int(held["backward"]) - 1, int(held["node_index"])) if held is not None else None

    def unfold(self, open_keys: frozenset[Key], filter_text: str = "") -> tuple[EventRow, ...]:
        wanted = EventFilter.parse(filter_text)
        if wanted.problem:
            return ()
        if not wanted.is_empty:
            return tuple(self._matches(wanted))
        return tuple(row for event in self.tree.children(ROOT) for row in self._walk(event, 0, max(event.duration_ns, 1), open_keys))

    def keys_to_newest(self) -> frozenset[Key]:
        """What is open at first: the newest iteration and its backward (else its forward)."""
        iterations = [event for event in self.tree.children(ROOT) if event.iteration >= 0]
        if not iterations:
            return frozenset(key_of(event) for event in self.tree.children(ROOT)[-1:])
        phases = self.tree.children(iterations[-1].id)
        chosen = [phase for phase in phases if phase.label == "backward"] or [phase for phase in phases if phase.label == "forward"]
        return frozenset((key_of(iterations[-1]), *(key_of(phase) for phase in chosen[-1:])))

    def keys_to(self, selection: Selection | None) -> frozenset[Key]:
        """The rows to open so that a selected node or operator is seen."""
        operator = self._operator_of(selection)
        path = self.tree.path_to(operator) if operator else ()
        keys = {key_of(self.tree.row(event)) for event in path[:-1]}
        if isinstance(selection, NodeSelection):
            begin = next((self.tree.row(event).begin_ns for event in path if self.tree.row(event).kind is EventKind.PHASE), None)
            if begin is None and self._held_key == (selection.backward, selection.node):
                backward = self._backward_phase()
                begin = backward.begin_ns if backward is not None else None
                keys |= self.keys_to_newest()
            if begin is not None:
                keys |= {("group", begin, prefix) for prefix in self._group_paths(selection)}
        return frozenset(keys)

    def keys_holding(self, links: Linked) -> frozenset[Key]:
        """The rows in which something lies that belongs to the selection, and that something itself."""
        keys: set[Key] = set()
        for operator in sorted(links.operators, reverse=True)[:MOST_LINKED]:
            begin = 0
            for event in map(self.tree.row, self.tree.path_to(operator)):
                keys.add(key_of(event))
                begin = event.begin_ns if event.kind is EventKind.PHASE else begin
                if event.kind is EventKind.NODE:
                    keys |= {("group", begin, path) for path in self._group_paths(NodeSelection(event.backward, event.node))}
        return frozenset(keys)

    def keys_at(self, moment_ns: int) -> frozenset[Key]:
        """The iteration (or what is outside of them) in which a moment lies."""
        return frozenset(key_of(event) for event in self.tree.children(ROOT) if event.begin_ns <= moment_ns < event.end_ns)

    def _operator_of(self, selection: Selection | None) -> int:
        if isinstance(selection, OperatorSelection):
            return selection.operator
        if isinstance(selection, NodeSelection):
            nodes = self.snapshot.table(NODES)
            found = (nodes.column("backward") == selection.backward + 1) & (nodes.column("index") == selection.node + 1)
            rows = found.nonzero()[0]
            return int(nodes.column("id")[rows[0]]) if len(rows) else 0
        return 0

    def _group_paths(self, selection: NodeSelection) -> Iterator[str]:
        graph = GRAPHS.get(self.snapshot, selection.backward)
        if graph is not None and 0 <= selection.node < len(graph.nodes):
            parts = _parts(graph.nodes[selection.node].module)
            yield from ("/".join(parts[: end + 1]) for end in range(len(parts)))

    def _walk(self, event: Event, depth: int, whole_ns: int, open_keys: frozenset[Key]) -> Iterator[EventRow]:
        key = key_of(event)
        is_open = event.has_children and key in open_keys
        yield self._row(event, depth, whole_ns, is_open)
        if not is_open:
            return
        if event.kind is EventKind.PHASE and event.label == "backward":
            yield from self._walk_backward(event, depth + 1, whole_ns, open_keys)
            return
        for child in self._children(event):
            yield from self._walk(child, depth + 1, whole_ns, open_keys)

    def _children(self, event: Event) -> Sequence[Event]:
        """A node's only operator repeats its name: what it holds comes in its place."""
        children = self.tree.children(event.id)
        if event.kind is EventKind.NODE and children and children[0].label == event.label:
            return (*self.tree.children(children[0].id), *children[1:])
        return children

    def _walk_backward(self, phase: Event, depth: int, whole_ns: int, open_keys: frozenset[Key]) -> Iterator[EventRow]:
        events = self.tree.children(phase.id)
        number = next((event.backward for event in events if event.backward >= 0), -1)
        graph = GRAPHS.get(self.snapshot, number) if number >= 0 else None
        yield from self._walk_groups(phase, events, graph, "", depth, whole_ns, open_keys)

    def _walk_groups(
        self, phase: Event, events: Sequence[Event], graph: BackwardGraph | None, prefix: str, depth: int, whole_ns: int, open_keys: frozenset[Key]
    ) -> Iterator[EventRow]:
        held = self._held_event(phase, graph) if not prefix else None
        everything = (*events, held) if held is not None else events
        for group in _grouped(everything, graph, prefix):
            if not group.name:
                for event in group.events:
                    yield from self._walk(event, depth, whole_ns, open_keys)
                continue
            key: Key = ("group", phase.begin_ns, group.path)
            is_open = key in open_keys
            yield self._group_row(group, graph, key, depth, whole_ns, is_open)
            if is_open:
                yield from self._walk_groups(phase, group.events, graph, group.path, depth + 1, whole_ns, open_keys)

    def _held_event(self, phase: Event, graph: BackwardGraph | None) -> Event | None:
        """The node that waits is not on record yet."""
        if self._held is None or graph is None or self._held_key is None or graph.backward != self._held_key[0]:
            return None
        newest = self._backward_phase()
        if newest is None or newest.begin_ns != phase.begin_ns:
            return None
        backward, node = self._held_key
        nodes = self.snapshot.table(NODES)
        if bool(((nodes.column("backward") == backward + 1) & (nodes.column("index") == node + 1)).any()):
            return None
        return Event(-1, EventKind.NODE, str(self._held["name"]), phase.end_ns, phase.end_ns, 0, False, phase.iteration, 0, 0, backward, node)

    def _backward_phase(self) -> Event | None:
        for group in reversed(self.tree.children(ROOT)):
            for phase in reversed(self.tree.children(group.id)):
                if phase.label == "backward":
                    return phase
        return None

    def _matches(self, wanted: EventFilter) -> Iterator[EventRow]:
        """Fitting rows with those above them, newest iteration first, until a limit."""
        looked = found = 0
        for root in reversed(self.tree.children(ROOT)):
            whole = max(root.duration_ns, 1)
            stack: list[tuple[Event, int]] = [(root, 0)]
            above: list[Event] = []
            shown: set[Key] = set()
            while stack and looked < SEARCH_LIMIT and found < MATCH_LIMIT:
                event, depth = stack.pop()
                looked += 1
                del above[depth:]
                above.append(event)
                if depth and wanted.fits(event, around_event(self.tree, above) if wanted.needs_surroundings else Surroundings()):
                    found += 1
                    for level, one in enumerate(above):
                        if key_of(one) not in shown:
                            shown.add(key_of(one))
                            yield replace(self._row(one, level, whole, True), has_children=level < depth)
                if event.has_children:
                    stack += [(child, depth + 1) for child in reversed(self._children(event))]

    def _row(self, event: Event, depth: int, whole_ns: int, is_open: bool) -> EventRow:
        label, detail = _words(event), ""
        if event.kind is EventKind.MODULE:
            label, _, rest = event.label.partition(" (")
            detail = rest.rstrip(")")
            label = label.rpartition(".")[2] if depth > 2 and not label.rpartition(".")[2].isdigit() else label
        has_children = event.has_children
        if event.kind is EventKind.NODE:
            has_children = has_children and bool(self._children(event))
            detail = self._parameter_of(event)
        return EventRow(
            key_of(event), depth, event.kind, label, detail, event.begin_ns, event.end_ns, event.memory_delta_bytes,
            event.duration_ns / whole_ns, has_children, is_open and has_children, self._state(event), _selection(event), self._self_ns(event),
        )  # fmt: skip

    def _parameter_of(self, event: Event) -> str:
        """The last parts of the name of the parameter that an AccumulateGrad writes."""
        graph = GRAPHS.get(self.snapshot, event.backward) if event.label.startswith("AccumulateGrad") else None
        name = graph.nodes[event.node].parameter if graph is not None and 0 <= event.node < len(graph.nodes) else ""
        return ".".join(name.split(".")[-2:])

    def _self_ns(self, event: Event) -> int:
        """A node and its only operator of the same name are one row."""
        if event.id < 0:
            return 0
        children = self.tree.children(event.id) if event.kind is EventKind.NODE else ()
        if children and children[0].label == event.label:
            return self.tree.self_ns(event) + self.tree.self_ns(children[0])
        return self.tree.self_ns(event)

    def _group_row(self, group: _Group, graph: BackwardGraph | None, key: Key, depth: int, whole_ns: int, is_open: bool) -> EventRow:
        busy = sum(event.duration_ns for event in group.events)
        begin = group.events[0].begin_ns
        change = sum(event.memory_delta_bytes for event in group.events)
        module = group.path.replace("/", ".")
        selection = ModuleSelection(module, group.events[0].backward if group.events[0].backward >= 0 else None)
        own = sum(event.duration_ns for inner in _grouped(group.events, graph, group.path) if not inner.name for event in inner.events)
        state: RowState = "held" if any(self._state(event) == "held" for event in group.events) and not is_open else ""
        return EventRow(
            key, depth, EventKind.MODULE, group.name, "", begin, begin + busy, change, busy / whole_ns, True, is_open, state, selection, own
        )  # fmt: skip

    def _state(self, event: Event) -> RowState:
        if event.kind is not EventKind.NODE:
            return ""
        if self._held_key is not None and (event.backward, event.node) == self._held_key:
            return "held"
        return "done"


def row_at(rows: Sequence[EventRow], time_ns: int | None) -> int:
    """Place of the innermost row in which a moment lies, -1 for none. A module's nodes need not follow one another, so only true spans count."""
    if time_ns is None:
        return -1
    holding = [place for place, row in enumerate(rows) if row.begin_ns <= time_ns < row.end_ns and row.key[0] != "group"]
    return max(holding, key=lambda place: rows[place].depth, default=-1)


def _words(event: Event) -> str:
    """Iterations and phases in the user's language; modules, nodes and operators as torch calls them."""
    if event.kind is EventKind.ITERATION and event.iteration >= 0:
        return tr("Iteration {number}").format(number=event.iteration)
    return word_of(event.label) if event.kind in (EventKind.ITERATION, EventKind.PHASE) else event.label


def key_of(event: Event) -> Key:
    """Names a row across snapshots."""
    if event.kind is EventKind.ITERATION:
        return ("iteration", event.iteration, "" if event.iteration >= 0 else event.label)
    if event.kind is EventKind.PHASE:
        return ("phase", event.begin_ns, event.label)
    if event.kind is EventKind.MODULE:
        return ("call", event.call, "")
    return ("operator", event.operator, "") if event.operator else ("node", event.node, str(event.backward))


def _selection(event: Event) -> Selection | None:
    if event.kind is EventKind.NODE and event.node >= 0:
        return NodeSelection(event.backward, event.node)
    if event.kind in (EventKind.NODE, EventKind.OPERATOR) and event.operator:
        return OperatorSelection(event.operator)
    if event.kind is EventKind.MODULE:
        return ModuleSelection(event.label.partition(" (")[0])
    return None


def _parts(module: str) -> list[str]:
    """``h.3.mlp.c_fc`` is grouped as h.3 ▸ mlp: numbers stay with the name before them, the innermost module's own nodes lie in its parent."""
    parts: list[str] = []
    for part in module.split(".") if module else []:
        if part.isdigit() and parts:
            parts[-1] += f".{part}"
        else:
            parts.append(part)
    return parts[:-1] if len(parts) > 1 else parts


def _grouped(events: Sequence[Event], graph: BackwardGraph | None, prefix: str) -> Iterator[_Group]:
    """Runs of events of one module under ``prefix``; the name is "" for those directly in it."""
    depth = len(prefix.split("/")) if prefix else 0

    def name_of(event: Event) -> str:
        if graph is None or not 0 <= event.node < len(graph.nodes) or event.backward != graph.backward:
            return ""
        parts = _parts(graph.nodes[event.node].module)
        return parts[depth] if len(parts) > depth else ""

    members: dict[str, list[Event]] = {}
    order: list[tuple[str, Event | None]] = []
    for name, run in groupby(events, key=name_of):
        if not name:
            order += [("", event) for event in run]
        else:
            if name not in members:
                order.append((name, None))
            members.setdefault(name, []).extend(run)
    for name, event in order:
        if event is not None:
            yield _Group("", prefix, (event,))
        else:
            yield _Group(name, f"{prefix}/{name}" if prefix else name, tuple(members[name]))
