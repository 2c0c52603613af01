"""Finding nodes by words, and walking from box to box with the keyboard."""

from dataclasses import dataclass
from typing import Literal

from tensorscope.viewmodel.graph import GraphView
from tensorscope.viewmodel.graph_scene import Box, BoxKey, BoxKind

Direction = Literal["up", "down", "left", "right"]


@dataclass(frozen=True, slots=True)
class Hits:
    """``places`` are drawn nodes in the order in which backward runs them, as far as known."""

    query: str = ""
    places: tuple[int, ...] = ()

    def following(self, place: int, step: int) -> int:
        """The hit after (step 1) or before (step -1) a node, round the end; -1 if there is none."""
        if not self.places:
            return -1
        if place in self.places:
            return self.places[(self.places.index(place) + step) % len(self.places)]
        return self.places[0 if step > 0 else -1]


def find(view: GraphView, query: str) -> Hits:
    """Nodes whose name, module, parameter or line (``model.py:77``) holds every word of the query, whatever the case. An empty query finds nothing."""
    words = query.lower().split()
    if not words:
        return Hits()
    graph, folded = view.graph, view.tree.folded
    found: dict[int, int] = {}
    for place, node in enumerate(graph.nodes):
        text = f"{node.name} {node.module} {node.module_class} {node.parameter} {node.source or ''}".lower()
        if all(word in text for word in words):
            drawn = folded.carrier.get(place, place)
            begin = graph.nodes[drawn].begin_ns
            found.setdefault(drawn, -1 if begin is None else begin)
    return Hits(query, tuple(sorted(found, key=lambda place: (found[place] < 0, found[place], place))))


def neighbour(view: GraphView, key: BoxKey, direction: Direction) -> BoxKey | None:
    """The box to go to from another: along the edges up and down, to the nearest at the side else."""
    index = view.scene.index.get(key)
    if index is None:
        return None
    here = view.scene.boxes[index]
    if direction in ("up", "down"):
        return _along_edges(view, here, direction)
    beside = [box for box in view.scene.boxes if box.kind is not BoxKind.OPEN and box.key != key and _overlaps(box, here)]
    if direction == "left":
        beside = [box for box in beside if box.x + box.width <= here.x]
        return max(beside, key=lambda box: box.x, default=here).key
    return min((box for box in beside if box.x >= here.x + here.width), key=lambda box: box.x, default=here).key


def _along_edges(view: GraphView, here: Box, direction: Direction) -> BoxKey | None:
    scene, links = view.scene, view.tree.folded.links
    own = {here.key.node} if here.kind is BoxKind.NODE else {member for group in here.groups for member in group.members}
    reached = [
        scene.boxes[int(scene.shown_by[link.target if direction == "down" else link.source])]
        for link in links
        if ((link.source if direction == "down" else link.target) in own) and ((link.target if direction == "down" else link.source) not in own)
    ]
    if here.kind is BoxKind.OPEN and direction == "down":
        reached = [box for box in scene.boxes if box.parent >= 0 and scene.boxes[box.parent].key == here.key and box.kind is not BoxKind.OPEN]
    middle = here.x + here.width / 2
    nearest = min(reached, key=lambda box: (abs(box.y - here.y), abs(box.x + box.width / 2 - middle)), default=None)
    return nearest.key if nearest is not None else None


def _overlaps(first: Box, second: Box) -> bool:
    return first.y < second.y + second.height and second.y < first.y + first.height
