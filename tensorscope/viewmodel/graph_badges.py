"""Where the badges of a node's parameters stand: left of it, or above it where the graph runs to the right."""

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

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


def extents(places: NDArray[np.float64], counts: NDArray[np.int64], metrics: Metrics) -> NDArray[np.float64]:
    """[boxes, 4] left, top, right and bottom of boxes (x, y, width, height) with so many badges each."""
    rects = np.column_stack((places[:, :2], places[:, :2] + places[:, 2:]))
    has_badges = counts > 0
    tall = counts * metrics.badge_height + (counts - 1) * metrics.badge_gap
    if metrics.options.is_sideways:
        rects[has_badges, 1] -= metrics.badge_line + tall[has_badges]
        rects[has_badges, 2] = np.maximum(rects[has_badges, 2], rects[has_badges, 0] + metrics.badge_width)
        return rects
    middle = (rects[:, 1] + rects[:, 3]) / 2
    rects[has_badges, 0] -= metrics.badge_room
    rects[has_badges, 1] = np.minimum(rects[:, 1], middle - tall / 2)[has_badges]
    rects[has_badges, 3] = np.maximum(rects[:, 3], middle + tall / 2)[has_badges]
    return rects
