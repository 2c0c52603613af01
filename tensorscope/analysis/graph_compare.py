"""What changed from the graph of one backward to that of another: which nodes are new, gone, or of another shape.

Nodes are matched call by call (the same module, its same call), within a call in the order of the forward pass: what runs in both runs in the same
order there. Accumulators are matched by their parameter.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Final

from tensorscope.analysis.results import BackwardGraph, GraphNode

MOST_ALIGNED: Final = 600  # nodes of one call that differ at both sides; more are matched by name and count, as aligning takes quadratic time

Call = tuple[str, int]  # module, which of its calls
Look = tuple[str, str]  # what makes two nodes of one call the same: name, parameter


@dataclass(frozen=True, slots=True)
class GraphChange:
    """Nodes by their ids; from the ``other`` backward (before) to ``backward`` (after)."""

    backward: int
    other: int
    partner: Mapping[int, int]  # node → the same one in the other graph
    added: tuple[int, ...]
    removed: tuple[int, ...]  # of the other graph
    reshaped: tuple[int, ...]  # output's shape or dtype is another
    rewired: tuple[int, ...]  # sends gradients elsewhere among the nodes that are in both

    @property
    def is_equal(self) -> bool:
        return not (self.added or self.removed or self.reshaped or self.rewired)


def compare_graphs(graph: BackwardGraph, other: BackwardGraph) -> GraphChange:
    """Both may be of any size; equal graphs cost little more than a look at each node."""
    ours, theirs = _by_call(graph), _by_call(other)
    partner: dict[int, int] = {}
    for call, nodes in ours.items():
        partner.update(_matched(nodes, theirs.get(call, ())))
    known, taken = {node.id: node for node in other.nodes}, set(partner.values())
    return GraphChange(
        backward=graph.backward,
        other=other.backward,
        partner=partner,
        added=tuple(node.id for node in graph.nodes if node.id not in partner),
        removed=tuple(node.id for node in other.nodes if node.id not in taken),
        reshaped=tuple(node.id for node in graph.nodes if node.id in partner and _output(node) != _output(known[partner[node.id]])),
        rewired=_rewired(graph, other, partner, taken),
    )


def _output(node: GraphNode) -> tuple[object, object]:
    return node.output_shape, node.output_dtype


def _by_call(graph: BackwardGraph) -> dict[Call, list[GraphNode]]:
    """The nodes of each call in the order of the forward pass; accumulators by their parameter, wherever it is used."""
    numbers: dict[int, Call] = {}
    seen: dict[str, int] = {}
    for call in sorted(graph.calls, key=lambda call: call.call):
        numbers[call.call] = call.module, seen.get(call.module, 0)
        seen[call.module] = seen.get(call.module, 0) + 1
    groups: dict[Call, list[GraphNode]] = {}
    for node in graph.nodes:
        place = (f"parameter {node.parameter}", 0) if node.parameter else numbers.get(node.call, ("", 0))
        groups.setdefault(place, []).append(node)
    for nodes in groups.values():
        nodes.sort(key=lambda node: (node.sequence_nr, -node.id))
    return groups


def _matched(ours: Sequence[GraphNode], theirs: Sequence[GraphNode]) -> dict[int, int]:
    first, second = [_look(node) for node in ours], [_look(node) for node in theirs]
    shared = min(len(first), len(second))
    begin = next((place for place in range(shared) if first[place] != second[place]), shared)
    end = next((place for place in range(shared - begin) if first[-1 - place] != second[-1 - place]), shared - begin)
    pairs = [*((place, place) for place in range(begin)), *((len(first) - 1 - place, len(second) - 1 - place) for place in range(end))]
    middle = range(begin, len(first) - end), range(begin, len(second) - end)
    if middle[0] and middle[1]:
        parts = [first[place] for place in middle[0]], [second[place] for place in middle[1]]
        align = _aligned if max(map(len, parts)) <= MOST_ALIGNED else _counted
        pairs += [(begin + one, begin + two) for one, two in align(*parts)]
    return {ours[one].id: theirs[two].id for one, two in pairs}


def _look(node: GraphNode) -> Look:
    return node.name, node.parameter


def _aligned(first: list[Look], second: list[Look]) -> list[tuple[int, int]]:
    blocks = SequenceMatcher(None, first, second, autojunk=False).get_matching_blocks()
    return [(block.a + step, block.b + step) for block in blocks for step in range(block.size)]


def _counted(first: list[Look], second: list[Look]) -> list[tuple[int, int]]:
    """The first of a name with the first, the second with the second."""
    places: dict[Look, list[int]] = {}
    for place, look in enumerate(second):
        places.setdefault(look, []).append(place)
    queues = {look: iter(found) for look, found in places.items()}
    return [(place, other) for place, look in enumerate(first) if (other := next(queues.get(look, iter(())), -1)) >= 0]


def _rewired(graph: BackwardGraph, other: BackwardGraph, partner: Mapping[int, int], taken: set[int]) -> tuple[int, ...]:
    """Nodes in both whose edges to nodes in both are others."""
    ours: dict[int, set[tuple[int, int, int]]] = {}
    theirs: dict[int, set[tuple[int, int, int]]] = {}
    for edge in graph.edges:
        if edge.source in partner and edge.target in partner:
            ours.setdefault(partner[edge.source], set()).add((partner[edge.target], edge.output_nr, edge.input_nr))
    for edge in other.edges:
        if edge.source in taken and edge.target in taken:
            theirs.setdefault(edge.source, set()).add((edge.target, edge.output_nr, edge.input_nr))
    return tuple(node for node, same in partner.items() if ours.get(same, set()) != theirs.get(same, set()))
