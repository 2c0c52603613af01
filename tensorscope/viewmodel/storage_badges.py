"""What is worth knowing of a storage at a glance, in a word or two: a small view keeps it, tied, saved by a node, written at a line."""

from dataclasses import dataclass
from typing import Final, Literal

from tensorscope.analysis.results import StorageRow, StorageTensor
from tensorscope.language import tr
from tensorscope.units import format_bytes, format_place
from tensorscope.viewmodel.byte_ranges import share_reached

KEPT_FROM_BYTES: Final = 4096  # unreached bytes worth a word
_PARAMETER: Final = "parameter "
_SAVED_BY: Final = "saved by "

BadgeKind = Literal["plain", "warning", "hatched"]


@dataclass(frozen=True, slots=True)
class Badge:
    """``facet`` is the word that filters for it."""

    word: str
    explains: str
    facet: str = ""
    kind: BadgeKind = "plain"


def badges_of(row: StorageRow) -> tuple[Badge, ...]:
    """The most telling first."""
    return (*_kept(row), *_tied(row), *_saved(row), *_expanded(row), *_external(row), *_shared(row), *_written(row))


def reached_bytes(row: StorageRow) -> int:
    """Bytes of the storage that any live tensor reaches, at most: what two tensors reach apart from each other is added up."""
    merged: list[tuple[int, int, int]] = []  # begin, end, bytes reached within
    for tensor in sorted(row.tensors, key=lambda tensor: tensor.begin_byte):
        begin, end, own = tensor.begin_byte, tensor.end_byte, round(share_reached(tensor, row.nbytes) * row.nbytes)
        if merged and begin < merged[-1][1]:
            first, last, reached = merged[-1]
            last = max(last, end)
            merged[-1] = (first, last, min(last - first, own if (begin, end) == merged[-1][:2] and own == reached else reached + own))
        else:
            merged.append((begin, end, own))
    return min(sum(reached for _, _, reached in merged), row.nbytes)


def is_expanded(tensor: StorageTensor) -> bool:
    """Whether a dimension has stride 0: the same bytes stand for several elements."""
    return any(step == 0 and size > 1 for size, step in zip(tensor.shape, tensor.stride, strict=True))


def savers(row: StorageRow) -> tuple[str, ...]:
    """Names of the nodes that saved a tensor of it, each once."""
    return tuple(dict.fromkeys(holder.removeprefix(_SAVED_BY).partition(" as ")[0] for holder in row.holders if holder.startswith(_SAVED_BY)))


def _kept(row: StorageRow) -> tuple[Badge, ...]:
    reached = reached_bytes(row)
    if not row.tensors or 2 * reached > row.nbytes or row.nbytes - reached < KEPT_FROM_BYTES:
        return ()
    only_views = all(tensor.is_view for tensor in row.tensors)
    template = tr("{few} view keeps {all}") if only_views else tr("{few} keeps {all}")
    explains = tr("Live tensors reach {few} of these {all}; a clone of them would let the rest go.")
    few, whole = format_bytes(reached), format_bytes(row.nbytes)
    return (Badge(template.format(few=few, all=whole), explains.format(few=few, all=whole), "is:kept", "warning"),)


def _tied(row: StorageRow) -> tuple[Badge, ...]:
    names = {holder.removeprefix(_PARAMETER) for holder in row.holders if holder.startswith(_PARAMETER)}
    names |= {name for tensor in row.tensors if row.category == "parameter" and not tensor.is_view for name in tensor.names}
    if row.category != "parameter" or len(names) < 2:
        return ()
    return (Badge(tr("tied"), tr("One parameter under several names: {names}.").format(names=", ".join(sorted(names))), "is:tied"),)


def _saved(row: StorageRow) -> tuple[Badge, ...]:
    nodes = savers(row)
    if not nodes:
        return ()
    word = tr("saved by {node}").format(node=nodes[0]) if len(nodes) == 1 else tr("saved by {count} nodes").format(count=len(nodes))
    return (Badge(word, tr("Kept for the backward of {nodes}.").format(nodes=", ".join(nodes)), "is:saved"),)


def _expanded(row: StorageRow) -> tuple[Badge, ...]:
    if not any(is_expanded(tensor) for tensor in row.tensors):
        return ()
    return (Badge(tr("stride 0"), tr("An expanded view: the same bytes stand for several elements, and take no more memory."), "is:expanded", "hatched"),)


def _external(row: StorageRow) -> tuple[Badge, ...]:
    if not row.is_external:
        return ()
    return (Badge(tr("external"), tr("Memory that torch's allocators did not give: NumPy, shared memory or a mapped file."), "is:external", "hatched"),)


def _shared(row: StorageRow) -> tuple[Badge, ...]:
    if len(row.tensors) < 2:
        return ()
    return (Badge(tr("{count} tensors").format(count=len(row.tensors)), tr("Tensors that lie on the same bytes."), "is:shared"),)


def _written(row: StorageRow) -> tuple[Badge, ...]:
    source = row.last_writer_source
    if source is None or (row.last_writer, source) == (row.made_by, row.made_source):
        return ()
    place = format_place(source.file, source.line)
    return (Badge(tr("written at {place}").format(place=place), tr("{operator} wrote it last.").format(operator=row.last_writer), "is:written"),)
