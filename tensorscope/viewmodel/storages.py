"""The storages as a tree: one row a storage, below it the tensors that share it, with the words for every column."""

from dataclasses import dataclass, field
from enum import Enum
from pathlib import PurePath

from tensorscope.analysis.results import Source, StorageRow, StorageTensor, StorageView
from tensorscope.language import tr
from tensorscope.units import UNKNOWN, format_bytes, format_shape, format_share, format_time, short_dtype
from tensorscope.viewmodel.byte_ranges import element_bytes, share_reached
from tensorscope.viewmodel.storage_badges import Badge, badges_of, is_expanded
from tensorscope.viewmodel.storage_groups import facets_of, matches
from tensorscope.viewmodel.workspace import BlockSelection, ParameterSelection, Selection, StorageSelection


class Sort(Enum):
    SIZE = "size"
    NAME = "name"
    SHAPE = "shape"


@dataclass(frozen=True, slots=True)
class TensorItem:
    """One tensor of a storage. ``note`` stands in the size column where the tensor is not a view of its own size: tied, same bytes."""

    tensor: StorageTensor
    name: str
    is_named: bool
    size_bytes: int  # of its elements
    note: str
    layout: str


@dataclass(frozen=True, slots=True)
class StorageItem:
    """A storage; ``base`` is the tensor it is named after (none: only views are left), ``others`` are the rest."""

    row: StorageRow
    name: str
    is_named: bool
    base: TensorItem | None
    others: tuple[TensorItem, ...]
    badges: tuple[Badge, ...] = ()
    facets: frozenset[str] = field(repr=False, default=frozenset())
    search_text: str = field(repr=False, default="")

    @property
    def tensors(self) -> tuple[TensorItem, ...]:
        return (self.base, *self.others) if self.base else self.others


@dataclass(frozen=True, slots=True)
class StorageTree:
    items: tuple[StorageItem, ...]
    seen: str  # such as "as of iteration 12's end"
    seen_ns: int
    total_bytes: int
    external_bytes: int
    is_complete: bool


def storage_tree(view: StorageView) -> StorageTree:
    """All storages, largest first."""
    items = tuple(_item(row) for row in sorted(view.rows, key=lambda row: (-row.nbytes, row.id)))
    return StorageTree(
        items=items,
        seen=_seen(view),
        seen_ns=view.seen_ns,
        total_bytes=sum(row.nbytes for row in view.rows if not row.is_external),
        external_bytes=sum(row.nbytes for row in view.rows if row.is_external),
        is_complete=view.is_complete,
    )


def choose_items(tree: StorageTree, text: str, sort: Sort, *, is_descending: bool = True) -> tuple[StorageItem, ...]:
    """The storages that hold every word of ``text`` somewhere (names, operators, places, category, dtype) or as a facet (``is:shared``), in order."""
    words = text.casefold().split()
    chosen = [item for item in tree.items if all(matches(word, item.search_text, item.facets) for word in words)]
    if sort is Sort.SIZE:
        return tuple(chosen if is_descending else chosen[::-1])
    if sort is Sort.NAME:
        chosen.sort(key=lambda item: (not item.is_named, item.name.casefold()), reverse=is_descending)
    else:
        chosen.sort(key=lambda item: item.tensors[0].tensor.shape if item.tensors else (), reverse=is_descending)
    return tuple(chosen)


def selected_storage(selection: Selection | None, items: tuple[StorageItem, ...]) -> int | None:
    """Address of the storage that the shared selection means: itself, the block it lies in, or a parameter's."""
    match selection:
        case StorageSelection(data):
            return data
        case BlockSelection(address):
            return address
        case ParameterSelection(name):
            return next((item.row.data for item in items if any(name in tensor.tensor.names for tensor in item.tensors)), None)
        case _:
            return None


def place_of(source: Source | None) -> str:
    return f"{PurePath(source.file).name}:{source.line}" if source else UNKNOWN


def storage_facts(item: StorageItem) -> tuple[tuple[str, str], ...]:
    """(label, value) lines of a storage's hover card."""
    row = item.row
    facts = [(tr("size"), f"{format_bytes(row.nbytes)} ({row.nbytes:,} B)"), (tr("address"), f"0x{row.data:x} on {row.device}")]
    if row.is_external:
        facts.append((tr("memory"), tr("not torch's own: NumPy, shared or mapped")))
    facts += [(tr("note"), badge.word) for badge in item.badges if badge.kind == "warning"]
    facts.append((tr("made by"), f"{row.made_by or UNKNOWN}  {place_of(row.made_source)}"))
    facts.append((tr("last writer"), f"{row.last_writer or UNKNOWN}  {place_of(row.last_writer_source)}"))
    if row.holders:
        more = tr(" and {holders} more").format(holders=len(row.holders) - 1) if len(row.holders) > 1 else ""
        facts.append((tr("held by"), row.holders[0] + more))
    return tuple(facts)


def tensor_facts(item: TensorItem, row: StorageRow) -> tuple[tuple[str, str], ...]:
    """(label, value) lines of a tensor's hover card."""
    tensor = item.tensor
    return (
        (tr("shape"), format_shape(tensor.shape, tensor.dtype)),
        (tr("stride"), tr("{stride}, offset {offset:,}").format(stride=_numbers(tensor.stride), offset=tensor.offset)),
        (
            tr("bytes"),
            tr("{begin_byte:,} – {end_byte:,}, {share} of the storage").format(
                begin_byte=tensor.begin_byte, end_byte=tensor.end_byte, share=format_share(share_reached(tensor, row.nbytes))
            ),
        ),
        (
            "torch.save",
            tr("writes {whole}, the whole storage; its elements are {own}").format(whole=format_bytes(row.nbytes), own=format_bytes(element_bytes(tensor))),
        ),
        (
            tr("is"),
            tr("{kind}, {layout}, version {version}").format(
                kind=tr("view") if tensor.is_view else tr("base"),
                layout=tr("contiguous") if tensor.is_contiguous else tr("not contiguous"),
                version=tensor.version,
            ),
        ),
    )


def _item(row: StorageRow) -> StorageItem:
    bases = [tensor for tensor in row.tensors if not tensor.is_view]
    base = bases[0] if bases else None
    others = tuple(_tensor(tensor, row, base) for tensor in row.tensors if tensor is not base)
    own = _tensor(base, row, None) if base else None
    names = [own] if own else [tensor for tensor in others if tensor.is_named]
    name, is_named = (names[0].name, names[0].is_named) if own else (tr("{maker} result").format(maker=_short(row.made_by) or tr("storage")), False)
    words = [name, row.category, row.made_by, row.last_writer, place_of(row.made_source), place_of(row.last_writer_source), row.module, row.device]
    words += ["external", tr("external")] if row.is_external else []
    words += [
        word
        for tensor in row.tensors
        for word in (*tensor.names, short_dtype(tensor.dtype), tr("view") if tensor.is_view else tr("base"), "view" if tensor.is_view else "base")
    ]
    badges = badges_of(row)
    return StorageItem(row, name, is_named, own, others, badges, facets_of(row, badges), " ".join(words).casefold())


def _tensor(tensor: StorageTensor, row: StorageRow, base: StorageTensor | None) -> TensorItem:
    reached = round(share_reached(tensor, row.nbytes) * row.nbytes)
    is_same = base is not None and (tensor.begin_byte, tensor.end_byte, tensor.shape, tensor.stride) == (
        base.begin_byte,
        base.end_byte,
        base.shape,
        base.stride,
    )
    note = (tr("tied") if row.category == "parameter" and not tensor.is_view else tr("same bytes")) if is_same else ""
    name = ", ".join(tensor.names) or tr("{maker} result").format(maker=_short(row.made_by) or tr("tensor"))
    return TensorItem(tensor, name, bool(tensor.names), reached, note, _layout(tensor))


def _layout(tensor: StorageTensor) -> str:
    if is_expanded(tensor):
        return tr("stride 0")
    offset = f" + {tensor.offset:,}" if tensor.offset else ""
    return tr("contiguous") + offset if tensor.is_contiguous else tr("stride {stride}{offset}").format(stride=_numbers(tensor.stride), offset=offset)


def _short(operator: str) -> str:
    return operator.removeprefix("aten::")


def _numbers(values: tuple[int, ...]) -> str:
    return f"[{', '.join(str(value) for value in values)}]"


def _seen(view: StorageView) -> str:
    if view.reason == "iteration":
        return tr("as of iteration {iteration}'s end").format(iteration=view.iteration)
    words = {"hold": tr("the hold"), "exception": tr("the exception"), "exit": tr("the script's end")}
    return tr("as of {reason} at {seen_ns}").format(reason=words.get(view.reason, view.reason or tr("an unknown moment")), seen_ns=format_time(view.seen_ns))
