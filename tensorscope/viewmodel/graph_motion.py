"""Boxes on their way from one layout to the next, so that the eye can follow what opens and what gives way."""

from dataclasses import replace

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


def blend(old: Scene, new: Scene, shift: tuple[float, float], amount: float) -> Scene:
    """The new scene with its boxes ``amount`` (0 to 1) of the way from where they, or what stood for them, were. ``shift`` moves the old scene onto the new."""
    boxes = []
    rects = new.box_rects.copy()
    for index, box in enumerate(new.boxes):
        before = _before(old, new, box)
        if before is not None:
            x, y = before.x + shift[0], before.y + shift[1]
            moved = replace(
                box,
                x=x + (box.x - x) * amount,
                y=y + (box.y - y) * amount,
                width=before.width + (box.width - before.width) * amount,
                height=before.height + (box.height - before.height) * amount,
            )
            rects[index] += (moved.x - box.x, moved.y - box.y, moved.x + moved.width - box.x - box.width, moved.y + moved.height - box.y - box.height)
            box = moved
        boxes.append(box)
    return replace(new, boxes=tuple(boxes), box_rects=rects)


def _before(old: Scene, new: Scene, box: Box) -> Box | None:
    """Where a box was: itself, or the closed group that it came out of."""
    known = same_box(old, box.key)
    if known is not None:
        return known
    member = box.key.node if box.key.node >= 0 else box.groups[0].members[0]
    shown = int(old.shown_by[member]) if member < len(old.shown_by) else -1
    return old.boxes[shown] if shown >= 0 else None
