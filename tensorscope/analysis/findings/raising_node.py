"""The node at which a backward raised, for the rules that explain torch's errors."""

from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from tensorscope.analysis.findings.facts import Mark, marks
from tensorscope.analysis.graph import backward_graph
from tensorscope.analysis.operators import call_index
from tensorscope.analysis.results import BackwardGraph, GraphNode, Source
from tensorscope.protocol.records import MarkKind
from tensorscope.trace.snapshot import Snapshot


@dataclass(frozen=True, slots=True)
class RaisingNode:
    graph: BackwardGraph
    node: GraphNode
    mark: Mark  # of the backward

    @property
    def line(self) -> Source | None:
        """Where ``backward()`` was called."""
        return self.mark.source


def raising_node(snapshot: Snapshot) -> RaisingNode | None:
    """Of the last backward, where that one raised and its graph is on record."""
    ran = marks(snapshot, MarkKind.BACKWARD)
    if not ran or not ran[-1].has_raised or ran[-1].a not in snapshot.backwards:
        return None
    graph = backward_graph(snapshot, ran[-1].a - 1)
    node = next((one for one in graph.nodes if one.has_raised), None)
    return RaisingNode(graph, node, ran[-1]) if node is not None else None


def made_after(snapshot: Snapshot, graph: BackwardGraph, time_ns: int) -> bool:
    """Whether a node of the graph was made by a forward operator that began after a moment."""
    index = call_index(snapshot)
    begins = (int(index.begin_ns[at]) for node in graph.nodes if node.operator and (at := index.find_one(node.operator)) >= 0)
    return any(begin > time_ns for begin in begins)


def where(node: GraphNode) -> str:
    """``SigmoidBackward0 of net.1`` in a sentence."""
    return f"{node.name} of {node.module}" if node.module else node.name


def shared_with(snapshot: Snapshot, raising: RaisingNode) -> Mark | None:
    """The earlier backward that ran the raising node, the newest of several."""
    key = _keys(snapshot, raising.mark.a)
    wanted = key.get(raising.node.id)
    earlier = (mark for mark in reversed(marks(snapshot, MarkKind.BACKWARD)) if mark.a < raising.mark.a)
    return next((mark for mark in earlier if wanted in _values(_keys(snapshot, mark.a))), None) if wanted is not None else None


def _keys(snapshot: Snapshot, backward: int) -> dict[int, tuple[int, int]]:
    """(forward thread, sequence number) of each node that has one."""
    known = snapshot.backwards.get(backward)
    if known is None:
        return {}
    pairs = zip(known.forward_threads.tolist(), known.sequence_nrs.tolist(), strict=True)
    return {place: pair for place, pair in enumerate(pairs) if pair[1] >= 0}


def _values(keys: dict[int, tuple[int, int]]) -> AbstractSet[tuple[int, int]]:
    return set(keys.values())
