"""Walking from box to box with the keyboard."""

from typing import Literal

from tensorscope.viewmodel.graph import GraphView
from tensorscope.viewmodel.graph_scene import Box, BoxKey, BoxKind

Direction = Literal["up", "down", "left", "right"]


def neighbour(view: GraphView, key: BoxKey, direction: Direction) -> BoxKey | None:
    """The box to go to from another: along the edges up and down, to the nearest at the side else."""
    index = view.scene.index.get(key)
    if index is None:
        return None
    here = view.scene.boxes[index]
    direction = _on_level(view, direction)
    if direction in ("up", "down"):
        return _along_edges(view, here, direction)
    beside = [box for box in view.scene.boxes if box.kind is not BoxKind.OPEN and box.key != key and _overlaps(box, here, view.scene.options.is_sideways)]
    at = 1 if view.scene.options.is_sideways else 0
    if direction == "left":
        return max((box for box in beside if _sides(box, at)[1] <= _sides(here, at)[0]), key=lambda box: _sides(box, at), default=here).key
    return min((box for box in beside if _sides(box, at)[0] >= _sides(here, at)[1]), key=lambda box: _sides(box, at), default=here).key


def _on_level(view: GraphView, direction: Direction) -> Direction:
    """The same direction in a graph that reads downwards along its gradients."""
    options = view.scene.options
    turned: dict[Direction, Direction] = {"left": "up", "right": "down", "up": "left", "down": "right"}
    mirrored: dict[Direction, Direction] = {"up": "down", "down": "up", "left": "left", "right": "right"}
    direction = turned[direction] if options.is_sideways else direction
    return mirrored[direction] if options.is_mirrored else direction


def _sides(box: Box, at: int) -> tuple[float, float]:
    """Left and right (``at`` 0) or top and bottom (1)."""
    begin, length = (box.y, box.height) if at else (box.x, box.width)
    return begin, begin + length


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


def _overlaps(first: Box, second: Box, is_sideways: bool) -> bool:
    """They share a row."""
    begin, end = _sides(first, int(not is_sideways))
    other_begin, other_end = _sides(second, int(not is_sideways))
    return begin < other_end and other_begin < end
