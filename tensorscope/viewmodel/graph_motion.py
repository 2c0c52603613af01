"""Boxes on their way from one layout to the next, so that the eye can follow what opens and what gives way."""

from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from tensorscope.viewmodel.graph_lazy import Replaced
from tensorscope.viewmodel.graph_scene import Box, BoxKey, Scene

_NOWHERE: Final = (np.inf, np.inf, -np.inf, -np.inf)


def same_box(scene: Scene, key: BoxKey) -> Box | None:
    """The box of this key; a run and its first member stand for one another."""
    index = index_of(scene, key)
    return scene.boxes[index] if index is not None else None


def index_of(scene: Scene, key: BoxKey) -> int | None:
    index = scene.index.get(key)
    if index is None and key.group is not None:
        index = scene.index.get(BoxKey(-1, key.group, not key.is_run))
    return index


def shift_between(old: Scene, new: Scene, anchor: BoxKey) -> tuple[float, float] | None:
    """How far the anchor's left upper corner went; None if it is not in both."""
    before, after = same_box(old, anchor), same_box(new, anchor)
    return (after.x - before.x, after.y - before.y) if before is not None and after is not None else None


@dataclass(frozen=True, slots=True)
class Motion:
    """From where the boxes of a new scene, or what stood for them, were to where they are. Thousands of boxes may move: only those in view are moved.
    Thousands may also come out of one closed group that is in view: of those only the ones that will be in view."""

    scene: Scene
    starts: NDArray[np.float64]  # [boxes, 4] x, y, width, height
    goals: NDArray[np.float64]
    was_there: NDArray[np.bool_]  # [boxes] as a box of its own

    @classmethod
    def between(cls, old: Scene, new: Scene, shift: tuple[float, float]) -> "Motion":
        """``shift`` moves the old scene onto the new."""
        starts = new.places.copy()
        before = np.where(new.nodes >= 0, old.shown_by[new.nodes], -1)  # a node came out of itself, or of the closed group that stood for it
        was_there = (before >= 0) & (new.nodes >= 0) & (old.nodes[before] == new.nodes)
        for index in new.group_boxes:
            box = new.boxes[index]
            known = index_of(old, box.key)
            was_there[index] = known is not None
            before[index] = int(old.shown_by[box.groups[0].members[0]]) if known is None else known
        starts[before >= 0] = old.places[before[before >= 0]] + (*shift, 0.0, 0.0)
        return cls(new, starts, new.places, was_there)

    def at(self, amount: float, area: tuple[float, float, float, float]) -> Scene:
        """The new scene with its boxes ``amount`` (0 to 1) of the way. ``area``: left, top, right and bottom of what is in view; boxes that are not
        in it, or are left out, keep their places in ``boxes``, but have none in ``box_rects``."""
        now = self.starts + (self.goals - self.starts) * amount
        moved = now - self.goals
        rects = self.scene.box_rects + np.column_stack((moved[:, 0], moved[:, 1], moved[:, 0] + moved[:, 2], moved[:, 1] + moved[:, 3]))
        is_seen = _touches(rects, area) & (self.was_there | _touches(self.scene.box_rects, area))
        rects[~is_seen] = _NOWHERE
        moving = {}
        for index in np.flatnonzero(is_seen).tolist():
            x, y, width, height = now[index].tolist()
            moving[index] = self.scene.boxes[index]._replace(x=x, y=y, width=width, height=height)
        return replace(self.scene, boxes=Replaced(self.scene.boxes, moving), box_rects=rects)


def _touches(rects: NDArray[np.float64], area: tuple[float, float, float, float]) -> NDArray[np.bool_]:
    left, top, right, bottom = area
    touches: NDArray[np.bool_] = (rects[:, 2] >= left) & (rects[:, 0] <= right) & (rects[:, 3] >= top) & (rects[:, 1] <= bottom)
    return touches
