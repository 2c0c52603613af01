"""Which storages the list shows and how it groups them: words, facets such as ``is:shared`` or ``category:input``, and a heading for each group."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Final

from tensorscope.analysis.results import StorageRow
from tensorscope.language import tr
from tensorscope.units import format_place
from tensorscope.viewmodel.storage_badges import Badge

if TYPE_CHECKING:
    from tensorscope.viewmodel.storages import StorageItem

KEYS: Final = ("is", "category", "device", "module", "line", "made")


class Grouping(Enum):
    NONE = "none"
    MODULE = "module"
    CATEGORY = "category"
    LINE = "line"


@dataclass(frozen=True, slots=True)
class StorageGroup:
    title: str
    items: tuple["StorageItem", ...]
    nbytes: int


def facets_of(row: StorageRow, badges: Iterable[Badge]) -> frozenset[str]:
    """Every ``key:value`` that a filter may ask for, in small letters."""
    place = format_place(row.made_source.file, row.made_source.line) if row.made_source else ""
    told = {"category": row.category, "device": row.device, "module": row.module, "line": place, "made": row.made_by.removeprefix("aten::")}
    found = {f"{key}:{value}" for key, value in told.items() if value} | {badge.facet for badge in badges if badge.facet}
    if any(tensor.is_view for tensor in row.tensors):
        found.add("is:view")
    return frozenset(one.casefold() for one in found)


def matches(word: str, search_text: str, facets: frozenset[str]) -> bool:
    """Whether a word of the filter holds: a facet by its beginning (``category:act``), any other anywhere in the text. ``-`` before it means not."""
    if word.startswith("-") and len(word) > 1:
        return not matches(word[1:], search_text, facets)
    key, colon, _ = word.partition(":")
    if colon and key in KEYS:
        return any(facet.startswith(word) for facet in facets)
    return word in search_text


def toggled(text: str, word: str) -> str:
    """The filter's text with a word taken out, or put at its end."""
    words = text.split()
    return " ".join([one for one in words if one != word] if word in words else [*words, word])


def group_items(items: tuple["StorageItem", ...], grouping: Grouping) -> tuple[StorageGroup, ...]:
    """Largest group first; within one the order stays. No groups for ``Grouping.NONE``."""
    if grouping is Grouping.NONE:
        return ()
    found: dict[str, list[StorageItem]] = {}
    for item in items:
        found.setdefault(_title(item.row, grouping), []).append(item)
    groups = (StorageGroup(title, tuple(members), sum(item.row.nbytes for item in members)) for title, members in found.items())
    return tuple(sorted(groups, key=lambda group: (-group.nbytes, group.title)))


def _title(row: StorageRow, grouping: Grouping) -> str:
    match grouping:
        case Grouping.MODULE:
            return row.module or tr("outside of modules")
        case Grouping.CATEGORY:
            return row.category.replace("_", " ")
        case _:
            return format_place(row.made_source.file, row.made_source.line) if row.made_source else tr("line not known")
