"""The tree of module calls that a graph is grouped by, with what each level's items send to one another. Fixed for all backwards of equal shape."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from tensorscope.analysis.results import BackwardGraph
from tensorscope.viewmodel.graph_fold import Folded, Shape, fold


@dataclass(frozen=True, slots=True)
class GroupKey:
    """A module call, named so that it is the same in every backward: the module's FQN and which of its calls."""

    module: str
    nth: int


@dataclass(slots=True, eq=False)
class Group:
    key: GroupKey
    name: str  # FQN relative to the parent's
    class_name: str
    parent: "Group | None"
    depth: int
    children: "list[Group | int]" = field(default_factory=list)  # groups and drawn nodes, in the order backward reaches them
    members: list[int] = field(default_factory=list)  # all nodes of the calls at and below it, folded ones included
    signature: int = 0  # equal for groups that look alike inside
    wires: "list[Wire]" = field(default_factory=list)
    inputs: dict[tuple[int, int], int] = field(default_factory=dict)  # port number of each tensor whose gradient enters
    outputs: dict[tuple[int, int], int] = field(default_factory=dict)  # of each whose gradient leaves

    @property
    def is_alone(self) -> bool:
        """It stands open from the start, since there is nothing else to choose from: the top level's only group, and what alone is inside it."""
        parent = self.parent
        if parent is None or (parent.parent is not None and not (parent.is_alone and len(parent.children) == 1)):
            return False
        return sum(isinstance(child, Group) for child in parent.children) == 1


@dataclass(slots=True)
class Wire:
    """What runs between two children of a group, or (None) between one and the outside, as one line."""

    source: int | None  # child index
    target: int | None
    tensor: tuple[int, int]  # the node that made it and which of its outputs: the same on every level the gradient passes
    links: list[int]


@dataclass(frozen=True, slots=True)
class GraphTree:
    graph: BackwardGraph  # the first of its shape: names, modules, lines and shapes; times only from the current one
    folded: Folded
    top: Group
    groups: dict[GroupKey, Group]
    home: dict[int, Group]  # the group that draws a node

    def path(self, node: int) -> tuple[Group, ...]:
        """The groups around a node (drawn or folded), outermost first, the top left out."""
        home = self.home.get(self.folded.carrier.get(node, node))
        return (*self.around(home), home) if home is not None and home.parent is not None else ()

    def around(self, group: Group) -> tuple[Group, ...]:
        """The groups around a group, outermost first, itself and the top left out."""
        return tuple(each for each in _upwards(group.parent) if each.parent is not None)[::-1]

    def group_of_module(self, module: str) -> Group | None:
        """The first call of a module that has a group, else that of the nearest module around it."""
        while True:
            group = self.groups.get(GroupKey(module, 0))
            if group is not None or not module:
                return group
            module = module.rpartition(".")[0]


def build_tree(graph: BackwardGraph, parameter_shapes: Mapping[str, Shape] = MappingProxyType({})) -> GraphTree:
    """Group a graph; ``parameter_shapes`` by FQN, for badges."""
    folded = fold(graph, parameter_shapes)
    top = Group(GroupKey("", -1), "", "", None, 0)
    groups = _groups_of_calls(graph, top)
    home: dict[int, Group] = {}
    for index, node in enumerate(graph.nodes):
        for group in _upwards(groups.get(node.call, top)):
            group.members.append(index)
    for drawn in folded.drawn:
        home[drawn] = groups.get(graph.nodes[drawn].call, top)
        home[drawn].children.append(drawn)
    _adopt_strays(folded, home, top)
    _arrange(top, home)
    for group in list(_all_groups(top)):
        _sign(group, graph, folded)
    _add_wires(top, folded, home)
    return GraphTree(graph, folded, top, {group.key: group for group in _all_groups(top) if group is not top}, home)


def _groups_of_calls(graph: BackwardGraph, top: Group) -> dict[int, Group]:
    """A group for each call, parents before children whatever their order."""
    calls = {call.call: call for call in graph.calls}
    groups: dict[int, Group] = {}
    seen: dict[str, int] = {}
    for first in graph.calls:
        chain = []
        call = first
        while call.call not in groups:
            chain.append(call)
            above = calls.get(call.parent)
            if above is None or above in chain:
                break
            call = above
        for call in reversed(chain):
            parent = groups.get(call.parent, top)
            nth = seen.get(call.module, 0)
            seen[call.module] = nth + 1
            prefix = parent.key.module + "."
            name = call.module.removeprefix(prefix) if parent is not top else call.module
            groups[call.call] = Group(GroupKey(call.module, nth), name, call.module_class, parent, parent.depth + 1)
            parent.children.append(groups[call.call])
    return groups


def _adopt_strays(folded: Folded, home: dict[int, Group], top: Group) -> None:
    """Move a node of no module between nodes of one call into it: left outside it would make the call feed itself."""
    around: dict[int, set[int]] = {}
    neighbours: dict[int, list[Group]] = {}
    for link in folded.links:
        for node, other, side in ((link.source, link.target, 1), (link.target, link.source, 2)):
            if home[node] is top and home[other] is not top:
                around.setdefault(node, set()).add(side)
                neighbours.setdefault(node, []).append(home[other])
    for node, sides in around.items():
        first = neighbours[node][0]
        if len(sides) == 2 and all(group is first for group in neighbours[node]):
            top.children.remove(node)
            first.children.append(node)
            home[node] = first


def _arrange(group: Group, home: dict[int, Group]) -> int:
    """Drop groups that draw nothing, dissolve those that draw a single node, and order children by the first node backward reaches.

    Returns the first node's id, or a large number for an empty group.
    """
    kept: list[tuple[int, Group | int]] = []
    for child in group.children:
        if isinstance(child, int):
            kept.append((child, child))
            continue
        first = _arrange(child, home)
        if not child.children:
            continue
        only = child.children[0]
        if len(child.children) == 1 and isinstance(only, int):
            home[only] = group
            kept.append((only, only))
        else:
            kept.append((first, child))
    kept.sort(key=lambda entry: entry[0])
    group.children = [child for _, child in kept]
    return kept[0][0] if kept else 1 << 62


def _all_groups(group: Group) -> Iterator[Group]:
    """Children before their parents."""
    for child in group.children:
        if isinstance(child, Group):
            yield from _all_groups(child)
    yield group


def _upwards(group: Group | None) -> Iterator[Group]:
    while group is not None:
        yield group
        group = group.parent


def _sign(group: Group, graph: BackwardGraph, folded: Folded) -> None:
    parts: list[object] = [group.class_name]
    for child in group.children:
        if isinstance(child, Group):
            parts.append((child.name, child.signature))
        else:
            node = graph.nodes[child]
            parts.append((node.name, node.output_shape, tuple((badge.name, badge.shape) for badge in folded.badges.get(child, ()))))
    group.signature = hash(tuple(parts))


def _add_wires(top: Group, folded: Folded, home: dict[int, Group]) -> None:
    index_of = {child: index for group in _all_groups(top) for index, child in enumerate(group.children)}
    known: dict[tuple[Group, int | None, int | None, tuple[int, int]], Wire] = {}

    def add(group: Group, source: int | None, target: int | None, tensor: tuple[int, int], link: int) -> None:
        wire = known.get((group, source, target, tensor))
        if wire is None:
            wire = known[group, source, target, tensor] = Wire(source, target, tensor, [])
            group.wires.append(wire)
            if source is None:
                group.inputs.setdefault(tensor, len(group.inputs))
            if target is None:
                group.outputs.setdefault(tensor, len(group.outputs))
        wire.links.append(link)

    for number, link in enumerate(folded.links):
        tensor = (link.target, link.input_nr)
        source: Group | int = link.source
        target: Group | int = link.target
        source_group, target_group = home[link.source], home[link.target]
        while source_group is not target_group:
            if source_group.depth >= target_group.depth:
                add(source_group, index_of[source], None, tensor, number)
                source, source_group = source_group, _parent(source_group)
            else:
                add(target_group, None, index_of[target], tensor, number)
                target, target_group = target_group, _parent(target_group)
        if source is not target:
            add(source_group, index_of[source], index_of[target], tensor, number)


def _parent(group: Group) -> Group:
    assert group.parent is not None
    return group.parent
