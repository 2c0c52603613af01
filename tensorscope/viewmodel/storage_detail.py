"""One storage in full, line by line: what it is, its tensors and what saving them writes, who holds it, and every operator that touched it."""

from dataclasses import dataclass
from typing import Final

import numpy as np

from tensorscope.analysis.results import Source, StorageTensor
from tensorscope.analysis.storage_uses import COPIES, READS, SHARES, WRITES, StorageUse, StorageUses
from tensorscope.language import tr
from tensorscope.units import UNKNOWN, format_bytes, format_count, format_ratio, plural
from tensorscope.viewmodel.byte_ranges import element_bytes
from tensorscope.viewmodel.storages import StorageItem, TensorItem
from tensorscope.viewmodel.ticks import time_decimals

LANE_COUNT: Final = 3  # of the strip of marks
WRITE_LANE, READ_LANE, VIEW_LANE = range(3)
_MARK_PITCH: Final = 11.0  # pixels a mark takes at least; nearer ones are one


@dataclass(frozen=True, slots=True)
class TitleLine:
    item: StorageItem


@dataclass(frozen=True, slots=True)
class SectionLine:
    title: str
    note: str = ""


@dataclass(frozen=True, slots=True)
class FactLine:
    label: str
    value: str
    source: Source | None = None
    is_warning: bool = False


@dataclass(frozen=True, slots=True)
class TensorLine:
    tensor: TensorItem
    item: StorageItem


@dataclass(frozen=True, slots=True)
class StripLine:
    uses: StorageUses


@dataclass(frozen=True, slots=True)
class UseLine:
    use: StorageUse
    decimals: int = 3  # of its time, so that it can be told from its neighbours'


DetailLine = TitleLine | SectionLine | FactLine | TensorLine | StripLine | UseLine


@dataclass(frozen=True, slots=True)
class Mark:
    """One or more uses at a place of the strip; ``first`` and ``last`` are indices of uses of that lane."""

    x: float
    lane: int
    count: int
    first: int
    last: int


@dataclass(frozen=True, slots=True)
class StorageDetail:
    item: StorageItem
    uses: StorageUses
    lines: tuple[DetailLine, ...]


def storage_detail(item: StorageItem, uses: StorageUses) -> StorageDetail:
    lines: list[DetailLine] = [TitleLine(item), *_facts(item)]
    lines += [SectionLine(tr("Reads and writes"), _counted(uses)), StripLine(uses)] if len(uses.begin_ns) else []
    lines += [SectionLine(tr("Tensors"), tr("what torch.save writes"))] if item.tensors else []
    lines += [TensorLine(tensor, item) for tensor in item.tensors]
    lines += [SectionLine(tr("Held by"), format_count(len(item.row.holders)))] if item.row.holders else []
    lines += [FactLine("", holder) for holder in item.row.holders]
    lines += [SectionLine(tr("Operators"), _listed(uses))]
    decimals = time_decimals(uses.listed[0].begin_ns, uses.listed[-1].begin_ns) if uses.listed else 3
    lines += [UseLine(use, decimals) for use in uses.listed] or [FactLine("", tr("No operator on record had it among its tensors."))]
    return StorageDetail(item, uses, tuple(lines))


def saved_file_bytes(tensor: StorageTensor, nbytes: int) -> tuple[int, int]:
    """(bytes that ``torch.save`` of the tensor writes for its storage, bytes of its elements): it always writes the whole storage."""
    return nbytes, element_bytes(tensor)


def saving_words(tensor: StorageTensor, nbytes: int) -> str:
    """``writes 96 B, 4.00× its elements``; plain where the storage is no larger than what it holds."""
    written, own = saved_file_bytes(tensor, nbytes)
    if written > own > 0:
        return tr("writes {bytes}, {ratio} its elements").format(bytes=format_bytes(written), ratio=format_ratio(written / own))
    return tr("writes {bytes}").format(bytes=format_bytes(written))


def strip_marks(uses: StorageUses, width: float) -> tuple[Mark, ...]:
    """The uses as marks on a strip of ``width`` pixels from the first to the end of its life, those of a lane that are too near for eyes as one."""
    begin, end = strip_range(uses)
    x = (uses.begin_ns - begin) / max(end - begin, 1) * width
    lane = lanes_of(uses)
    marks = []
    for number in range(LANE_COUNT):
        mine = np.flatnonzero(lane == number)
        if not len(mine):
            continue
        cell = np.floor(x[mine] / _MARK_PITCH)
        starts = np.flatnonzero(np.concatenate([[True], cell[1:] != cell[:-1]]))
        for low, high in zip(starts, np.append(starts[1:], len(mine)), strict=True):
            place = float(x[mine[low]]) if high - low == 1 else float((cell[low] + 0.5) * _MARK_PITCH)
            marks.append(Mark(min(place, width), number, int(high - low), int(mine[low]), int(mine[high - 1])))
    return tuple(marks)


def strip_range(uses: StorageUses) -> tuple[int, int]:
    """What the strip shows: from its first use or its allocation to its end; while it is alive, to the last use and a little more."""
    first, last = int(uses.begin_ns[0]), int(uses.begin_ns[-1])
    begin = min(first, uses.life_ns[0]) if uses.life_ns[0] >= 0 else first
    return begin, uses.life_ns[1] if not uses.is_alive else max(last + (last - begin) // 20, begin + 1)


def lanes_of(uses: StorageUses) -> np.ndarray[tuple[int, ...], np.dtype[np.int64]]:
    """The lane of each use [u]."""
    return np.select([uses.effect >= WRITES, uses.effect == SHARES], [WRITE_LANE, VIEW_LANE], READ_LANE)


def effect_words() -> tuple[str, ...]:
    """What each effect of a use is called."""
    return (tr("reads"), tr("copies"), tr("shares"), tr("writes"), tr("makes"))


def lane_words() -> tuple[str, ...]:
    return (tr("writes"), tr("reads"), tr("views"))


def mark_words(mark: Mark, uses: StorageUses) -> str:
    """``12 writes``, for the hover card; one use is told by its effect."""
    if mark.count == 1:
        return effect_words()[int(uses.effect[mark.first])]
    return (plural(mark.count, "write"), plural(mark.count, "read"), plural(mark.count, "view"))[mark.lane]


def line_text(line: DetailLine) -> str:
    """A line in words, with exact bytes, for the clipboard and for screen readers."""
    match line:
        case TitleLine(item):
            return f"{item.name}, {item.row.nbytes} B, {', '.join(badge.word for badge in item.badges)}".rstrip(", ")
        case SectionLine(title, note):
            return f"{title}: {note}" if note else title
        case FactLine(label, value, source):
            return "\t".join(part for part in (label, value, str(source or "")) if part)
        case TensorLine(tensor, item):
            written, own = saved_file_bytes(tensor.tensor, item.row.nbytes)
            return f"{tensor.name}\t{tensor.tensor.shape}\t{own} B\ttorch.save writes {written} B"
        case StripLine(uses):
            return _counted(uses)
        case UseLine(use, _):
            return f"{use.begin_ns} ns\t{effect_words()[use.effect]}\t{use.name}\t{use.source or ''}".rstrip()


def _facts(item: StorageItem) -> tuple[DetailLine, ...]:
    row = item.row
    lines = [FactLine(tr("made by"), row.made_by or UNKNOWN, row.made_source)]
    if (row.last_writer, row.last_writer_source) != (row.made_by, row.made_source):
        lines.append(FactLine(tr("last writer"), row.last_writer or UNKNOWN, row.last_writer_source))
    lines.append(FactLine(tr("address"), tr("0x{data:x} on {device}").format(data=row.data, device=row.device)))
    if row.module:
        lines.append(FactLine(tr("module"), row.module))
    lines += [FactLine("", badge.explains, is_warning=True) for badge in item.badges if badge.kind == "warning"]
    return tuple(lines)


def _counted(uses: StorageUses) -> str:
    counts = uses.counts
    words = (plural(counts[WRITES], "write"), plural(counts[READS], "read"), plural(counts[COPIES], "copy", "copies"), plural(counts[SHARES], "view"))
    return ", ".join(word for word, code in zip(words, (WRITES, READS, COPIES, SHARES), strict=True) if counts[code])


def _listed(uses: StorageUses) -> str:
    whole, shown = len(uses.begin_ns), len(uses.listed)
    if shown == whole:
        return format_count(whole)
    return tr("{first}–{last} of {count}, around the cursor").format(
        first=format_count(uses.first_listed + 1), last=format_count(uses.first_listed + shown), count=format_count(whole)
    )
