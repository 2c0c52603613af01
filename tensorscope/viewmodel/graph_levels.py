"""Turns a group and all that stands open in it into what the layout takes: items with sizes, edges with ports."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from tensorscope.analysis.layout import Edge, Item, Level, Style
from tensorscope.analysis.layout_types import OUTSIDE
from tensorscope.viewmodel.graph_attributes import LETTER, attribute_words
from tensorscope.viewmodel.graph_fold import split_name
from tensorscope.viewmodel.graph_open import OpenState, Unit, units_of
from tensorscope.viewmodel.graph_options import GraphOptions
from tensorscope.viewmodel.graph_tree import GraphTree, Group, GroupKey

FULL_NAME_ROOM: Final = 14.0
_PLAIN: Final = Group(GroupKey("", -1), "", "", None, 0)  # in place of what has no ports


@dataclass(frozen=True, slots=True)
class Metrics:
    """Sizes of the drawn things in pixels at 100 %, from the tokens, and how wide a text is in the nodes' font (semibold)."""

    style: Style
    node_height: float
    tall_height: float
    node_width: float
    node_width_max: float
    text_x: float
    figure_width: float  # room at a node's right side for its time
    group_width: float
    badge_width: float
    badge_height: float
    badge_gap: float
    badge_line: float  # room between a badge and its node
    text_width: Callable[[str], float]
    options: GraphOptions = field(default_factory=GraphOptions)

    @property
    def badge_room(self) -> float:
        return self.badge_width + self.badge_line

    def badges_height(self, count: int) -> float:
        return count * self.badge_height + (count - 1) * self.badge_gap


@dataclass(frozen=True, slots=True)
class Sheet:
    """A group's level with what each of its items and edges stands for."""

    group: Group
    level: Level
    units: tuple[Unit, ...]
    inner: "tuple[Sheet | None, ...]"  # of each open unit
    strands: tuple[list[int], ...]  # folded links of each edge
    tall: tuple[bool, ...]  # of each unit: a node with a second line


@dataclass(frozen=True, slots=True)
class LevelBuilder:
    tree: GraphTree
    state: OpenState
    metrics: Metrics
    tall_node: int
    _nodes: dict[tuple[str, int, bool, int], Item] = field(default_factory=dict)  # of nodes of equal name, number of badges and length of the second line

    def build(self, group: Group) -> Sheet:
        units = units_of(group, self.state)
        inner = tuple(self._inner(group, unit) for unit in units)
        tall = tuple(self._is_tall(group.children[unit.children[0]]) for unit in units)
        items = tuple(self._item(group, *parts) for parts in zip(units, inner, tall, strict=True))
        strands = self._strands(group, units)
        edges = tuple(strands)
        level = Level(items, edges, len(group.inputs), len(group.outputs), self._least_height(group))
        return Sheet(group, level, units, inner, tuple(strands.values()), tall)

    def _is_tall(self, child: Group | int) -> bool:
        if isinstance(child, Group):
            return False
        return child == self.tall_node or bool(self._second_line(child))

    def _second_line(self, node: int) -> str:
        return attribute_words(self.tree.graph.nodes[node]) if self.metrics.options.has_attributes else ""

    def _inner(self, group: Group, unit: Unit) -> Sheet | None:
        child = group.children[unit.children[0]]
        return self.build(child) if unit.is_open and isinstance(child, Group) else None

    def _item(self, group: Group, unit: Unit, sheet: Sheet | None, is_tall: bool) -> Item:
        child, metrics = group.children[unit.children[0]], self.metrics
        is_sideways = metrics.options.is_sideways
        if isinstance(child, Group):
            title = metrics.text_width(f"{self.title(child)}  {child.class_name}")
            if sheet is not None:
                return Item(metrics.style.header if is_sideways else self._header_width(child), metrics.style.header, 0.0, sheet.level)
            run = metrics.text_width(f" … {child.name}") if len(unit.children) > 1 else 0.0
            width = min(max(metrics.group_width, metrics.text_x + title + run + metrics.figure_width), metrics.node_width_max)
            return Item(metrics.node_height, width, metrics.node_height / 2) if is_sideways else Item(width, metrics.node_height, width / 2)
        count = len(self.tree.folded.badges.get(child, ())) if metrics.options.has_parameters else 0
        look = (self.tree.graph.nodes[child].name, count, is_tall, len(self._second_line(child)))
        if look not in self._nodes:
            self._nodes[look] = self._node(*look)
        return self._nodes[look]

    def _node(self, name: str, badges: int, is_tall: bool, letters: int) -> Item:
        metrics, is_full = self.metrics, self.metrics.options.has_full_names
        needed = metrics.text_x + metrics.text_width(name if is_full else split_name(name)[0]) + metrics.figure_width + FULL_NAME_ROOM * is_full
        second = metrics.text_x + letters * LETTER + LETTER if letters else 0.0
        width = min(max(metrics.node_width, needed, second), metrics.node_width_max)
        height = metrics.tall_height if is_tall else metrics.node_height
        if metrics.options.is_sideways:
            above = metrics.badges_height(badges) + metrics.badge_line if badges else 0.0
            return Item(above + height, width, above + height / 2)
        if not badges:
            return Item(width, height, width / 2)
        full = max(height, metrics.badges_height(badges))
        return Item(width + metrics.badge_room, full, metrics.badge_room + width / 2, None, (full - height) / 2)

    def title(self, group: Group) -> str:
        return group.key.module if self.metrics.options.has_full_names else group.name

    def _header_width(self, group: Group) -> float:
        return self.metrics.text_x + self.metrics.text_width(f"{self.title(group)}  {group.class_name}") + 2.2 * self.metrics.figure_width

    def _least_height(self, group: Group) -> float:
        """Where the rows stand beside one another, a level is as long as the words in its group's header."""
        is_open_sideways = self.metrics.options.is_sideways and group.parent is not None
        return self._header_width(group) - 2 * self.metrics.style.padding if is_open_sideways else 0.0

    def _strands(self, group: Group, units: tuple[Unit, ...]) -> dict[Edge, list[int]]:
        """The folded links of each edge of the level. Between two closed boxes all gradients run as one edge; at an open group each has its own port."""
        unit_of = {child: number for number, unit in enumerate(units) for child in unit.children}
        inputs, outputs = group.inputs, group.outputs
        strands: dict[Edge, list[int]] = {}
        folded, has_shapes = self.tree.folded.links, self.metrics.options.has_shapes
        opened = {number for number, unit in enumerate(units) if unit.is_open}
        for wire in group.wires:
            source = OUTSIDE if wire.source is None else unit_of[wire.source]
            target = OUTSIDE if wire.target is None else unit_of[wire.target]
            if source == target:
                continue
            source_port = target_port = 0
            if wire.source is None:
                source_port = inputs[wire.tensor]
            elif source in opened:
                source_port = self._open_child(group, wire.source, units[source]).outputs.get(wire.tensor, 0)
            if wire.target is None:
                target_port = outputs[wire.tensor]
            elif target in opened:
                target_port = self._open_child(group, wire.target, units[target]).inputs.get(wire.tensor, 0)
            has_label = has_shapes and wire.source is not None and wire.target is not None and any(folded[link].shape is not None for link in wire.links)
            edge = Edge(source, target, source_port, target_port, has_label)
            known = strands.get(edge)
            if known is None:
                strands[edge] = list(wire.links)
            else:
                known.extend(wire.links)
        return strands

    def _open_child(self, group: Group, index: int, unit: Unit) -> "Group":
        child = group.children[index]
        return child if unit.is_open and isinstance(child, Group) else _PLAIN
