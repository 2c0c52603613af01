"""What an event runs in: its phase, module, thread and line, from the rows above it."""

from __future__ import annotations

from collections.abc import Sequence

from tensorscope.analysis.events import Event, EventKind, EventTree
from tensorscope.analysis.operators import source_of
from tensorscope.analysis.results import Source
from tensorscope.trace.snapshot import Snapshot
from tensorscope.viewmodel.event_filter import Surroundings
from tensorscope.viewmodel.graph_cache import GRAPHS


def around_event(tree: EventTree, path: Sequence[Event]) -> Surroundings:
    """Of the last event of ``path``, which leads to it from its iteration. What runs in a backward node has that node's module and line."""
    snapshot = tree.snapshot
    phase, module, thread = "", "", 0
    source: Source | None = None
    is_in_node = False
    for event in path:
        if event.kind is EventKind.PHASE:
            phase = event.label
            continue
        own_thread, stack = tree.thread_and_stack(event)
        thread = own_thread or thread
        if not is_in_node:
            source = (source_of(snapshot, stack) if stack else None) or source
        if event.kind is EventKind.MODULE:
            name = event.label.partition(" (")[0]
            module = name if " (" in event.label else module  # the root has no name of its own
        elif event.kind is EventKind.NODE:
            is_in_node = True  # what it runs was called by backward(), which says little
            module, source = _of_node(snapshot, event) or (module, source)
    return Surroundings(phase, module, thread, snapshot.threads.get(thread, ""), source)


def _of_node(snapshot: Snapshot, event: Event) -> tuple[str, Source | None] | None:
    graph = GRAPHS.get(snapshot, event.backward) if event.backward >= 0 else None
    if graph is None or not 0 <= event.node < len(graph.nodes):
        return None
    node = graph.nodes[event.node]
    return node.module, node.source
