"""The memory of a device as CSV: its curve, or its blocks.

Curve, one row a change; a row's values hold until the next row's time:
    time_ns                 since the script's start, held time taken out
    allocated_bytes         live bytes, as the device's allocator counts them
    reserved_bytes          taken from the device by the allocator; empty where the allocator reserves nothing (CPU)
    parameter_bytes … unknown_bytes   allocated_bytes by category, one column each; they sum to allocated_bytes

Blocks, one row an allocation:
    address                 hexadecimal
    size_bytes              as allocated
    allocated_ns, freed_ns  since the script's start; freed_ns is empty for a block that was never freed
    category                parameter, buffer, optimizer_state, input, gradient, activation, temporary or unknown
    names                   of tensors seen on the block, "; " between them
    operator, module, source   who asked for it; source is "file:line"
"""

import csv
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import numpy as np

from tensorscope.analysis.results import CATEGORIES, MemoryTimeline
from tensorscope.export.files import write_atomically
from tensorscope.viewmodel.memory_names import BlockNamer

CURVE_HEADER: Final = ("time_ns", "allocated_bytes", "reserved_bytes", *(f"{name}_bytes" for name in CATEGORIES))
BLOCK_HEADER: Final = ("address", "size_bytes", "allocated_ns", "freed_ns", "category", "names", "operator", "module", "source")
_CHUNK: Final = 65_536  # rows turned into text at a time

Range = tuple[int, int] | None


def save_curve_csv(path: Path, timeline: MemoryTimeline, range_ns: Range = None) -> None:
    """Raises TensorScopeError where the file cannot be written."""
    _save(path, CURVE_HEADER, curve_rows(timeline, range_ns))


def save_blocks_csv(path: Path, timeline: MemoryTimeline, namer: BlockNamer, range_ns: Range = None) -> None:
    """Blocks that were live at some moment of the range. Raises TensorScopeError where the file cannot be written."""
    _save(path, BLOCK_HEADER, block_rows(timeline, namer, range_ns))


def curve_rows(timeline: MemoryTimeline, range_ns: Range = None) -> Iterator[tuple[int | str, ...]]:
    """The steps of a range; the step that holds at its begin comes first, at its own time."""
    first, last = 0, len(timeline.times_ns)
    if range_ns is not None:
        first = max(int(np.searchsorted(timeline.times_ns, range_ns[0], "right")) - 1, 0)
        last = int(np.searchsorted(timeline.times_ns, range_ns[1], "right"))
    for begin in range(first, last, _CHUNK):
        rows = slice(begin, min(begin + _CHUNK, last))
        length = rows.stop - rows.start
        reserved = timeline.reserved_bytes[rows].tolist() if timeline.reserved_bytes is not None else [""] * length
        columns = [timeline.times_ns[rows].tolist(), timeline.allocated_bytes[rows].tolist(), reserved, *timeline.category_bytes[:, rows].tolist()]
        yield from zip(*columns, strict=True)


def block_rows(timeline: MemoryTimeline, namer: BlockNamer, range_ns: Range = None) -> Iterator[tuple[int | str, ...]]:
    """In order of allocation."""
    blocks = timeline.blocks
    is_wanted = np.ones(len(blocks.size), np.bool_)
    if range_ns is not None:
        is_wanted = (blocks.begin_ns <= range_ns[1]) & (blocks.is_live | (blocks.end_ns > range_ns[0]))
    rows = np.flatnonzero(is_wanted)
    for begin in range(0, len(rows), _CHUNK):
        chunk = rows[begin : begin + _CHUNK].tolist()
        for block in namer.describe(timeline, chunk, namer.snapshot.end_ns):
            freed = "" if block.end_ns is None else block.end_ns
            names = "; ".join(block.names)
            place = "" if block.source is None else str(block.source)
            yield f"0x{block.address:x}", block.size_bytes, block.begin_ns, freed, block.category, names, block.operator, block.module, place


def _save(path: Path, header: tuple[str, ...], rows: Iterator[tuple[int | str, ...]]) -> None:
    def write(target: Path) -> None:
        with target.open("w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow(header)
            writer.writerows(rows)

    write_atomically(path, write)
