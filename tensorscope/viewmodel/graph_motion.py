"""Boxes on their way from one layout to the next, so that the eye can follow what opens and what gives way."""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from tensorscope.viewmodel.graph_scene import Box, BoxKey, Scene


def same_box(scene: Scene, key: BoxKey) -> Box | None:
    """The box of this key; a run and its first member stand for one another."""
    index = scene.index.get(key)
    if index is None and key.group is not None:
        index = scene.index.get(BoxKey(-1, key.group, not key.is_run))
    return scene.boxes[index] if index is not None else None


def shift_between(old: Scene, new: Scene, anchor: BoxKey) -> tuple[float, float] | None:
    """How far the anchor's left upper corner went; None if it is not in both."""
    before, after = same_box(old, anchor), same_box(new, anchor)
    return (after.x - before.x, after.y - before.y) if before is not None and after is not None else None


@dataclass(frozen=True, slots=True)
class Motion:
    """From where the boxes of a new scene, or what stood for them, were to where they are. Thousands of boxes may move: only those in view are moved."""

    scene: Scene
    starts: NDArray[np.float64]  # [boxes, 4] x, y, width, height
    goals: NDArray[np.float64]

    @classmethod
    def between(cls, old: Scene, new: Scene, shift: tuple[float, float]) -> "Motion":
        """``shift`` moves the old scene onto the new."""
        goals = np.array([(box.x, box.y, box.width, box.height) for box in new.boxes], float).reshape(-1, 4)
        starts = goals.copy()
        for index, box in enumerate(new.boxes):
            before = _before(old, new, box)
            if before is not None:
                starts[index] = before.x + shift[0], before.y + shift[1], before.width, before.height
        return cls(new, starts, goals)

    def at(self, amount: float, area: tuple[float, float, float, float]) -> Scene:
        """The new scene with its boxes ``amount`` (0 to 1) of the way. ``area``: left, top, right and bottom of what is in view; boxes that are not
        in it keep their places in ``boxes``, but not in ``box_rects``."""
        now = self.starts + (self.goals - self.starts) * amount
        moved = now - self.goals
        rects = self.scene.box_rects + np.column_stack((moved[:, 0], moved[:, 1], moved[:, 0] + moved[:, 2], moved[:, 1] + moved[:, 3]))
        left, top, right, bottom = area
        is_seen = (rects[:, 2] >= left) & (rects[:, 0] <= right) & (rects[:, 3] >= top) & (rects[:, 1] <= bottom)
        boxes = list(self.scene.boxes)
        for index in np.flatnonzero(is_seen).tolist():
            x, y, width, height = now[index].tolist()
            boxes[index] = boxes[index]._replace(x=x, y=y, width=width, height=height)
        return replace(self.scene, boxes=tuple(boxes), box_rects=rects)


def _before(old: Scene, new: Scene, box: Box) -> Box | None:
    """Where a box was: itself, or the closed group that it came out of."""
    known = same_box(old, box.key)
    if known is not None:
        return known
    member = box.key.node if box.key.node >= 0 else box.groups[0].members[0]
    shown = int(old.shown_by[member]) if member < len(old.shown_by) else -1
    return old.boxes[shown] if shown >= 0 else None
