"""The Inspector's pages of what holds memory: a storage with its tensors, a block of an allocator."""

from __future__ import annotations

import numpy as np

from tensorscope.analysis.memory import block_names
from tensorscope.analysis.results import CATEGORIES, StorageRow
from tensorscope.analysis.storages import storage_view
from tensorscope.language import tr
from tensorscope.trace.snapshot import Snapshot
from tensorscope.units import (
    Quantity,
    format_bytes,
    format_count,
    format_shape,
    format_time,
    split_bytes,
    split_duration,
)
from tensorscope.viewmodel.inspector_code import call_module, operator_name
from tensorscope.viewmodel.inspector_view import FactRow, Figure, InspectorView, MemoryRow, Row, Section, fact, facts, place_fact
from tensorscope.viewmodel.links import place_of
from tensorscope.viewmodel.timeline_cache import TIMELINES
from tensorscope.viewmodel.words import word_of
from tensorscope.viewmodel.workspace import (
    BlockSelection,
    OperatorSelection,
    StorageSelection,
)


def storage_page(snapshot: Snapshot, selection: StorageSelection) -> InspectorView | None:
    view = storage_view(snapshot, selection.seen_ns)
    row = next((row for row in view.rows if row.data == selection.data), None)
    if row is None:
        return None
    tensors: tuple[Row, ...] = tuple(
        MemoryRow(
            ", ".join(tensor.names) or tr("unnamed"),
            format_shape(tensor.shape, tensor.dtype),
            tr("view") if tensor.is_view else "" if tensor.is_contiguous else tr("not contiguous"),
            split_bytes(tensor.end_byte - tensor.begin_byte),
            row.category,
        )
        for tensor in row.tensors
    )
    return InspectorView(
        title=_storage_name(row),
        module=row.module,
        source=row.made_source,
        note=row.device,
        swatch=row.category,
        figures=(
            Figure(tr("bytes"), split_bytes(row.nbytes)),
            Figure(tr("tensors"), Quantity(format_count(len(row.tensors)))),
            Figure(tr("version"), Quantity(str(max((tensor.version for tensor in row.tensors), default=0))), tr("How often it was written in place.")),
        ),
        sections=(
            Section(tr("Tensors"), tr("seen at {seen_ns}").format(seen_ns=format_time(view.seen_ns)), tensors),
            Section(
                tr("Storage"),
                "",
                (
                    *facts(
                        fact(tr("category"), word_of(row.category)),
                        fact(tr("made by"), row.made_by),
                        place_fact(tr("made at"), row.made_source),
                        fact(tr("last written by"), row.last_writer),
                        place_fact(tr("written at"), row.last_writer_source),
                        fact(tr("address"), f"{row.data:#x}", is_code=True),
                    ),
                    *(fact(tr("held by") if not place else "", holder) for place, holder in enumerate(row.holders)),
                ),
            ),
        ),
    )


def block_page(snapshot: Snapshot, selection: BlockSelection) -> InspectorView | None:
    timeline = TIMELINES.get(snapshot, selection.device)
    if timeline is None:
        return None
    blocks = timeline.blocks
    rows = np.flatnonzero((blocks.address == selection.address) & (blocks.begin_ns == selection.begin_ns))
    if not len(rows):
        return None
    row = int(rows[0])
    names = block_names(snapshot, timeline, rows[:1], int(blocks.end_ns[row]) - 1).get(row, ())
    category = CATEGORIES[int(blocks.category[row])]
    place = place_of(snapshot, selection)
    operator = int(blocks.op[row])
    return InspectorView(
        title=", ".join(names[:2]) or tr("{size} block").format(size=format_bytes(int(blocks.size[row]))),
        detail=word_of(category),
        source=place.source if place is not None else None,
        note=selection.device,
        swatch=category,
        figures=(
            Figure(tr("size"), split_bytes(int(blocks.size[row]))),
            Figure(tr("lived"), split_duration(int(blocks.end_ns[row] - blocks.begin_ns[row]))),
            Figure(tr("state"), Quantity(tr("alive") if blocks.is_live[row] else tr("freed"))),
        ),
        sections=(
            Section(
                tr("Block"),
                "",
                facts(
                    fact(tr("allocated at"), format_time(int(blocks.begin_ns[row]))),
                    fact(tr("freed at"), "" if blocks.is_live[row] else format_time(int(blocks.end_ns[row]))),
                    fact(tr("operator"), operator_name(snapshot, operator), target=OperatorSelection(operator) if operator else None),
                    fact(tr("module"), call_module(snapshot, int(blocks.module_call[row]))),
                    fact(tr("address"), f"{selection.address:#x}", is_code=True),
                    FactRow(tr("bytes"), Quantity(f"{int(blocks.size[row]):,}")),
                    *(fact(tr("name") if not number else "", name) for number, name in enumerate(names)),
                ),
            ),
        ),
    )


def _storage_name(row: StorageRow) -> str:
    return next((name for tensor in row.tensors for name in tensor.names), tr("{nbytes} storage").format(nbytes=format_bytes(row.nbytes)))
