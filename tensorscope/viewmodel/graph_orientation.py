"""How a level's own coordinates, whose rows follow one another downwards from the loss, lie in the scene."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tensorscope.analysis.layout import Point, Style
from tensorscope.viewmodel.graph_options import GraphOptions

Rect = tuple[float, float, float, float]  # x, y, width, height


@dataclass(frozen=True, slots=True)
class Orientation:
    is_sideways: bool
    is_mirrored: bool
    before: float  # from a group's border to its content, where the gradient enters
    after: float  # where it leaves

    @classmethod
    def of(cls, options: GraphOptions, style: Style) -> "Orientation":
        upper = style.padding if options.is_sideways else style.header
        before, after = (style.padding, upper) if options.is_mirrored else (upper, style.padding)
        return cls(options.is_sideways, options.is_mirrored, before, after)

    def rects(self, rects: NDArray[np.float64], height: float, corner: Point) -> NDArray[np.float64]:
        """[n, 4] x, y, width, height of a level of this ``height``, moved to ``corner``."""
        turned = rects.copy()
        if self.is_mirrored:
            turned[:, 1] = height - turned[:, 1] - turned[:, 3]
        if self.is_sideways:
            turned = turned[:, (1, 0, 3, 2)]
        turned[:, :2] += corner
        return turned

    def moved(self, points: NDArray[np.float64], height: float, corner: Point) -> NDArray[np.float64]:
        """[n, 2] points of a level, moved to ``corner``."""
        turned = np.column_stack((points[:, 0], height - points[:, 1])) if self.is_mirrored else points
        placed: NDArray[np.float64] = (turned[:, ::-1] if self.is_sideways else turned) + corner
        return placed

    def points(self, points: tuple[Point, ...], height: float, corner: Point) -> tuple[Point, ...]:
        """A route of the level, moved to ``corner``."""
        dx, dy = corner
        if self.is_mirrored:
            points = tuple([(x, height - y) for x, y in points])
        return tuple([(dx + y, dy + x) for x, y in points]) if self.is_sideways else tuple([(dx + x, dy + y) for x, y in points])

    def to_borders(self, points: tuple[Point, ...], from_border: bool, to_border: bool) -> tuple[Point, ...]:
        """A level's routes end at its content's sides: lengthen one to the border of the group around."""
        if from_border:
            is_upright = len(points) > 1 and points[0][0] == points[1][0]
            points = ((points[0][0], points[0][1] - self.before), *points[1 if is_upright else 0 :])
        if to_border:
            kept = points[:-1] if len(points) > 1 and points[-1][0] == points[-2][0] else points
            points = (*kept, (points[-1][0], points[-1][1] + self.after))
        return points
