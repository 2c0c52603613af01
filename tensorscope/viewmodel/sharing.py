"""The sharing graph of one storage, placed: who saved or holds it at the left, the storage, the tensors on it, their views at the right."""

from dataclasses import dataclass, replace
from enum import Enum
from typing import Final

from tensorscope.language import tr
from tensorscope.units import plural
from tensorscope.viewmodel.storages import StorageItem, TensorItem

MOST_TENSORS: Final = 40
MOST_HOLDERS: Final = 24
GAP: Final = 32.0  # between columns
_WIDTHS: Final = (146.0, 180.0, 180.0, 180.0)  # holders, the storage, tensors, views
_TENSOR: Final = 54.0  # height without its holders
_LINE: Final = 14.0
_STORAGE: Final = 58.0
_HOLDER: Final = 24.0
_SPACE: Final = 10.0


class BoxKind(Enum):
    STORAGE = "storage"
    TENSOR = "tensor"
    HOLDER = "holder"
    MORE = "more"


@dataclass(frozen=True, slots=True)
class SharingBox:
    kind: BoxKind
    x: float
    y: float
    width: float
    height: float
    title: str
    notes: tuple[str, ...] = ()  # of a tensor: who holds it
    tensor: TensorItem | None = None


@dataclass(frozen=True, slots=True)
class SharingEdge:
    """``is_view``: from a base to a view of it; else from a holder to the storage, or from the storage to a tensor on it."""

    source: int
    target: int
    is_view: bool = False


@dataclass(frozen=True, slots=True)
class SharingScene:
    item: StorageItem
    boxes: tuple[SharingBox, ...]
    edges: tuple[SharingEdge, ...]
    width: float
    height: float


@dataclass(frozen=True, slots=True)
class _Family:
    """A tensor that is no view of a listed one, with the views of it."""

    tensor: TensorItem
    views: tuple[TensorItem, ...]


def sharing_scene(item: StorageItem) -> SharingScene:
    """At most MOST_TENSORS tensors and MOST_HOLDERS holders are drawn, the rest counted. Holders that name a tensor stand in its box."""
    shown = item.tensors[:MOST_TENSORS]
    notes, others = _match_holders(item, shown)
    families = _families(shown)
    columns = _columns(has_holders=bool(others), has_views=any(family.views for family in families))
    tensors, height = _place_tensors(families, notes, columns, hidden=len(item.tensors) - len(shown))
    holders = _place_holders(others, columns[0])
    height = max(height, sum(box.height + _SPACE for box in holders) - _SPACE, _STORAGE)
    storage = SharingBox(BoxKind.STORAGE, columns[1], (height - _STORAGE) / 2, _WIDTHS[1], _STORAGE, item.name)
    holders = _centred(holders, height)
    boxes = (storage, *holders, *(box for box, _ in tensors))
    first = 1 + len(holders)
    edges = [SharingEdge(1 + place, 0) for place in range(len(holders))]
    edges += [SharingEdge(0 if base < 0 else first + base, first + place, is_view=base >= 0) for place, (_, base) in enumerate(tensors)]
    return SharingScene(item, boxes, tuple(edges), max(box.x + box.width for box in boxes), height)


def box_at(scene: SharingScene, x: float, y: float) -> SharingBox | None:
    return next((box for box in scene.boxes if box.x <= x <= box.x + box.width and box.y <= y <= box.y + box.height), None)


def scene_text(scene: SharingScene) -> str:
    """The graph in words, an edge a line, for the clipboard."""
    name = [box.title for box in scene.boxes]
    return "\n".join(f"{name[edge.source]} -> {name[edge.target]}" for edge in scene.edges) or name[0]


def _match_holders(item: StorageItem, shown: tuple[TensorItem, ...]) -> tuple[dict[TensorItem, tuple[str, ...]], tuple[str, ...]]:
    """Holders of each tensor that they name, and those that name none."""
    notes: dict[TensorItem, tuple[str, ...]] = {}
    others = []
    names = [{name.partition("[")[0] for name in one.tensor.names} | set(one.tensor.names) for one in shown]
    for holder in item.row.holders:
        words = set(holder.split())
        named = next((one for one, mine in zip(shown, names, strict=True) if words & mine), None)
        if named is not None:
            notes[named] = (*notes.get(named, ()), holder)
        else:
            others.append(holder)
    return notes, tuple(others)


def _families(shown: tuple[TensorItem, ...]) -> tuple[_Family, ...]:
    impls = {one.tensor.impl for one in shown if one.tensor.impl}
    views: dict[int, list[TensorItem]] = {}
    for one in shown:
        if one.tensor.base in impls and one.tensor.base != one.tensor.impl:
            views.setdefault(one.tensor.base, []).append(one)
    inner = {id(view) for members in views.values() for view in members}
    return tuple(_Family(one, tuple(views.get(one.tensor.impl, ()))) for one in shown if id(one) not in inner)


def _columns(*, has_holders: bool, has_views: bool) -> tuple[float, ...]:
    """The left end of each column; a column that nothing is in takes no room."""
    storage = _WIDTHS[0] + GAP if has_holders else 0.0
    tensors = storage + _WIDTHS[1] + GAP
    return 0.0, storage, tensors, tensors + (_WIDTHS[2] + GAP if has_views else 0.0)


def _place_tensors(
    families: tuple[_Family, ...], notes: dict[TensorItem, tuple[str, ...]], columns: tuple[float, ...], hidden: int
) -> tuple[list[tuple[SharingBox, int]], float]:
    """Boxes with the place of the base each is a view of (-1: none), and the height they take. A base stands in the middle of its views."""
    placed: list[tuple[SharingBox, int]] = []
    y = 0.0
    for family in families:
        base = len(placed)
        own = _tensor_box(family.tensor, notes.get(family.tensor, ()), columns[2], y)
        top = y
        views = []
        for view in family.views:
            box = _tensor_box(view, notes.get(view, ()), columns[3], y)
            views.append((box, base))
            y += box.height + _SPACE
        y = max(y, top + own.height + _SPACE)
        placed.append((_moved(own, top + (y - _SPACE - top - own.height) / 2), -1))
        placed += views
    if hidden:
        placed.append((SharingBox(BoxKind.MORE, columns[2], y, _WIDTHS[2], _HOLDER, plural(hidden, "more tensor")), -1))
        y += _HOLDER + _SPACE
    return placed, y - _SPACE if placed else 0.0


def _place_holders(others: tuple[str, ...], x: float) -> list[SharingBox]:
    boxes = [SharingBox(BoxKind.HOLDER, x, 0.0, _WIDTHS[0], _HOLDER, holder) for holder in others[:MOST_HOLDERS]]
    if len(others) > MOST_HOLDERS:
        boxes.append(SharingBox(BoxKind.MORE, x, 0.0, _WIDTHS[0], _HOLDER, plural(len(others) - MOST_HOLDERS, "more holder")))
    return boxes


def _tensor_box(tensor: TensorItem, notes: tuple[str, ...], x: float, y: float) -> SharingBox:
    few = notes if len(notes) <= 2 else (notes[0], tr("{count} more").format(count=len(notes) - 1))
    return SharingBox(BoxKind.TENSOR, x, y, _WIDTHS[2], _TENSOR + _LINE * len(few), tensor.name, few, tensor)


def _centred(boxes: list[SharingBox], height: float) -> list[SharingBox]:
    y = (height - sum(box.height + _SPACE for box in boxes) + _SPACE) / 2
    return [_moved(box, y + place * (_HOLDER + _SPACE)) for place, box in enumerate(boxes)]


def _moved(box: SharingBox, y: float) -> SharingBox:
    return replace(box, y=y)
