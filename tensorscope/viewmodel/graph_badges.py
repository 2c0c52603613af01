"""Where the badges of a node's parameters stand: left of it, or above it where the graph runs to the right."""

from typing import TYPE_CHECKING

from tensorscope.viewmodel.graph_levels import Metrics
from tensorscope.viewmodel.graph_orientation import Rect

if TYPE_CHECKING:
    from tensorscope.viewmodel.graph_scene import Box


def badge_rects(box: "Box", metrics: Metrics) -> list[Rect]:
    """(x, y, width, height) of each badge, in their order."""
    count, step = len(box.badges), metrics.badge_height + metrics.badge_gap
    if metrics.options.is_sideways:
        x, top = box.x, box.y - metrics.badge_line - metrics.badges_height(count)
    else:
        x, top = box.x - metrics.badge_room, box.y + box.height / 2 - metrics.badges_height(count) / 2
    return [(x, top + number * step, metrics.badge_width, metrics.badge_height) for number in range(count)]


def extent(box: "Box", metrics: Metrics) -> tuple[float, float, float, float]:
    """Left, top, right and bottom of a box with its badges."""
    if not box.badges:
        return box.x, box.y, box.x + box.width, box.y + box.height
    rects = badge_rects(box, metrics)
    first, last = rects[0], rects[-1]
    return min(first[0], box.x), min(first[1], box.y), max(box.x + box.width, first[0] + first[2]), max(box.y + box.height, last[1] + last[3])
