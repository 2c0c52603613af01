"""What is worth a look in a run, for the Inspector's page of it: what was largest, slowest, steepest, and what holds more than it shows."""

from __future__ import annotations

from typing import Final

import numpy as np

from tensorscope.analysis.gradients import gradient_table
from tensorscope.analysis.memory import default_device
from tensorscope.analysis.results import StorageRow, StorageTensor
from tensorscope.analysis.storages import storage_view
from tensorscope.language import tr
from tensorscope.trace.snapshot import Snapshot
from tensorscope.units import Quantity, format_bytes, format_norm, format_place, format_time, split_bytes, split_duration
from tensorscope.viewmodel.byte_ranges import share_reached
from tensorscope.viewmodel.caches import LINE_COSTS, NAMERS
from tensorscope.viewmodel.code import read_code
from tensorscope.viewmodel.inspector_view import MemoryRow, Section
from tensorscope.viewmodel.memory_blocks import largest_rows
from tensorscope.viewmodel.memory_groups import BlockGroup, grouped
from tensorscope.viewmodel.memory_names import stem
from tensorscope.viewmodel.timeline_cache import TIMELINES
from tensorscope.viewmodel.workspace import BlockSelection, ModuleSelection, ParameterSelection, SourceSelection, StorageSelection

MOST_ROWS: Final = 5
MOST_BLOCKS: Final = 400
SMALL_VIEW: Final = 0.5  # the share of a storage below which its views are said to keep it
LEAST_KEPT_BYTES: Final = 1024


def largest_at_peak(snapshot: Snapshot) -> Section:
    """Blocks of one line and category together."""
    device = default_device(snapshot)
    timeline = TIMELINES.get(snapshot, device)
    if timeline is None or timeline.peak_index < 0:
        return Section(tr("Largest at the peak"), "", ())
    peak_ns = int(timeline.times_ns[timeline.peak_index])
    blocks = NAMERS.get(snapshot, None).describe(timeline, largest_rows(timeline.blocks, peak_ns, MOST_BLOCKS), peak_ns)
    is_all = len(blocks) < MOST_BLOCKS
    return Section(
        tr("Largest at the peak"),
        format_time(peak_ns) if is_all else tr("of {most_blocks} blocks").format(most_blocks=MOST_BLOCKS),
        tuple(_blocks_row(group, device) for group in grouped(blocks, "line")[:MOST_ROWS]),
    )


def _blocks_row(group: BlockGroup, device: str) -> MemoryRow:
    place = format_place(group.source.file, group.source.line) if group.source is not None else ""
    target = BlockSelection(group.first.address, group.first.begin_ns, device)
    return MemoryRow(group.name, "", place, split_bytes(group.size_bytes), group.category, target=target)


def slowest_lines(snapshot: Snapshot, cursor_ns: int | None) -> Section:
    """Of the user's code, in the iteration at the cursor, forward and backward."""
    costs = LINE_COSTS.get(snapshot, cursor_ns)
    slowest = sorted(costs.by_place.items(), key=lambda item: (-item[1].time_ns, item[0]))[:MOST_ROWS]
    rows = tuple(
        MemoryRow(format_place(*place), _line_of(*place), "", split_duration(cost.time_ns), "", target=SourceSelection(*place))
        for place, cost in slowest
        if cost.time_ns > 0
    )
    return Section(tr("Slowest lines"), _when(costs.iteration), rows)


def slowest_modules(snapshot: Snapshot, cursor_ns: int | None) -> Section:
    """By the operators and nodes of each module itself, not of its children, in the iteration at the cursor."""
    costs = LINE_COSTS.get(snapshot, cursor_ns)
    slowest = sorted(costs.by_module.items(), key=lambda item: (-item[1], item[0]))[:MOST_ROWS]
    rows = tuple(MemoryRow(module, "", "", split_duration(spent), "", target=ModuleSelection(module)) for module, spent in slowest if spent > 0)
    return Section(tr("Slowest modules"), _when(costs.iteration), rows)


def gradient_extremes(snapshot: Snapshot, cursor_ns: int | None) -> Section:
    """The largest and smallest norm of one backward, what is not finite or zero in it, and what an optimizer holds that had no gradient up to then."""
    table = gradient_table(snapshot)
    seen = np.flatnonzero((table.stage == 1) & (table.time_ns <= (snapshot.end_ns if cursor_ns is None else cursor_ns)))
    if not len(seen):
        return Section(tr("Gradients"), "", ())
    backward = int(table.backward[seen[-1]])
    rows = seen[table.backward[seen] == backward]

    def told(row: int, note: str) -> MemoryRow:
        name = table.parameters[int(table.parameter[row])]
        return MemoryRow(name, "", note, Quantity(format_norm(float(table.norm[row]))), "gradient", target=ParameterSelection(name, backward=backward))

    bad = rows[table.nonfinite[rows] > 0]
    known = rows[np.isfinite(table.norm[rows]) & (table.norm[rows] > 0)]
    zero = rows[table.norm[rows] == 0]
    found = [told(row, tr("not finite")) for row in bad[:3].tolist()]
    if len(known):
        by_norm = known[np.argsort(-table.norm[known], kind="stable")].tolist()
        found += [told(row, tr("largest")) for row in by_norm[:2]] + [told(row, tr("smallest")) for row in by_norm[2:][-2:]]
    found += [told(row, tr("all zero")) for row in zero[:2].tolist()]
    without = sorted(set(range(len(table.parameters))) - set(table.parameter[seen].tolist()))
    found += [
        MemoryRow(table.parameters[place], "", tr("never had one"), Quantity("—"), "gradient", target=ParameterSelection(table.parameters[place]))
        for place in without[:2]
    ]
    return Section(tr("Gradients"), tr("norm, backward {backward}").format(backward=backward), tuple(found))


def kept_by_views(snapshot: Snapshot, cursor_ns: int | None) -> Section:
    """Storages of which the tensors that have a name reach only a part, alike ones together."""
    view = storage_view(snapshot, cursor_ns, _is_kept_by_views)
    groups: dict[tuple[str, str], list[StorageRow]] = {}
    for row in view.rows:
        if not row.is_external:
            groups.setdefault((_name_of(row), str(row.made_source or "")), []).append(row)
    largest = sorted(groups.items(), key=lambda item: -sum(row.nbytes for row in item[1]))[:MOST_ROWS]
    rows = tuple(_kept_row(name, storages, view.seen_ns) for (name, _), storages in largest)
    total = sum(row.nbytes for storages in groups.values() for row in storages)
    return Section(tr("Large storages, small views"), format_bytes(total) if rows else "", rows)


def _kept_row(name: str, storages: list[StorageRow], seen_ns: int) -> MemoryRow:
    nbytes = sum(row.nbytes for row in storages)
    reached = format_bytes(round(sum(_share_named(row.nbytes, row.tensors) * row.nbytes for row in storages)))
    first = storages[0]
    count = f"{len(storages)} × " if len(storages) > 1 else ""
    return MemoryRow(
        f"{count}{name}",
        "",
        tr("names reach {reached}").format(reached=reached),
        split_bytes(nbytes),
        first.category,
        target=StorageSelection(first.data, seen_ns),
    )


def _is_kept_by_views(nbytes: int, tensors: tuple[StorageTensor, ...]) -> bool:
    return nbytes >= LEAST_KEPT_BYTES and 0 < _share_named(nbytes, tensors) < SMALL_VIEW


def _share_named(nbytes: int, tensors: tuple[StorageTensor, ...]) -> float:
    """What the named tensors reach of their storage at the most: overlaps are counted twice. The unnamed are mostly the bases of the named."""
    return min(sum(share_reached(tensor, nbytes) for tensor in tensors if tensor.names), 1.0)


def _name_of(row: StorageRow) -> str:
    name = next((name for tensor in row.tensors for name in tensor.names), "")
    return stem(name) or tr("{maker} result").format(maker=stem(row.made_by) or tr("storage"))


def _line_of(file: str, line: int) -> str:
    lines = read_code(file).lines
    return lines[line - 1].strip() if 0 < line <= len(lines) else ""


def _when(iteration: int) -> str:
    return tr("iteration {iteration}").format(iteration=iteration) if iteration >= 0 else tr("the run")
