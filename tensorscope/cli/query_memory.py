"""The views of memory at a moment: what is allocated, and which tensors share which storage."""

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from tensorscope.analysis.join import ForwardJoin, node_name
from tensorscope.analysis.memory import block_names, default_device, live_at, memory_timeline, peak_ns, step_at
from tensorscope.analysis.modules import module_calls
from tensorscope.analysis.moments import iteration_end, moment_ns
from tensorscope.analysis.operators import call_index, outermost, source_of
from tensorscope.analysis.results import CATEGORIES, Ints, MemoryTimeline, StorageRow, StorageTensor
from tensorscope.analysis.storages import iteration_message_ns, storage_view
from tensorscope.trace.snapshot import Snapshot

NOT_SEEN: Final = "The Python probe sees no allocations. Install the package g++ and run again."


def memory_view(snapshot: Snapshot, device: str | None, at: str | None, iteration: int | None) -> dict[str, Any]:
    """One device at one moment: ``--at``, else the end of ``--iteration``, else the peak."""
    if snapshot.facts.get("probe") == "python":
        return {**dict.fromkeys(("device", "at_ns", "allocated_bytes", "reserved_bytes", "requested_bytes", "by_category", "live")), "reason": NOT_SEEN}
    timeline = memory_timeline(snapshot, device or default_device(snapshot))
    at_ns = _moment(snapshot, timeline, at, iteration)
    rows = live_at(timeline, at_ns)
    blocks = timeline.blocks
    step = timeline.peak_index if at_ns == peak_ns(timeline) and at in (None, "peak") else step_at(timeline, at_ns)
    order = np.lexsort((blocks.begin_ns[rows], -blocks.size[rows]))
    return {
        "device": timeline.device,
        "at_ns": at_ns,
        "allocated_bytes": _value(timeline.allocated_bytes, step),
        "reserved_bytes": None if timeline.reserved_bytes is None else _value(timeline.reserved_bytes, step),
        "requested_bytes": None if timeline.requested_bytes is None else _value(timeline.requested_bytes, step),
        "by_category": {name: _value(timeline.category_bytes[place], step) for place, name in enumerate(CATEGORIES)},
        "live": _live(snapshot, timeline, rows[order], at_ns),
    }


def storages_view(snapshot: Snapshot, at: str | None, iteration: int | None, device: str | None) -> list[dict[str, Any]]:
    """The storages as last seen at or before a moment: ``--at``, else the end of ``--iteration``, else the newest; of one device if it is given."""
    at_ns = None
    number = at.partition(":")[2] if at is not None and at.startswith("iteration:") else ""
    if number.isdecimal():
        at_ns = iteration_message_ns(snapshot, int(number))
    elif at is not None:
        at_ns = moment_ns(snapshot, at, device)
    elif iteration is not None:
        at_ns = iteration_message_ns(snapshot, iteration)
    view = storage_view(snapshot, at_ns)
    return [{**_storage(row), "reason": view.reason, "iteration": view.iteration} for row in view.rows if device in (None, row.device)]


def _moment(snapshot: Snapshot, timeline: MemoryTimeline, at: str | None, iteration: int | None) -> int:
    if at is not None:
        return moment_ns(snapshot, at, timeline.device)
    return peak_ns(timeline) if iteration is None else iteration_end(snapshot, iteration)


def _value(curve: Ints, step: int) -> int:
    return int(curve[step]) if step >= 0 else 0


def _live(snapshot: Snapshot, timeline: MemoryTimeline, rows: NDArray[np.intp], at_ns: int) -> list[dict[str, Any]]:
    blocks = timeline.blocks
    index = call_index(snapshot)
    join, calls = ForwardJoin(snapshot, index), module_calls(snapshot)
    names = block_names(snapshot, timeline, rows, at_ns)
    inner = index.find(blocks.op[rows])
    outer = outermost(index, inner)
    live = []
    for row, innermost, around in zip(rows.tolist(), inner.tolist(), outer.tolist(), strict=True):
        stack, call = join.origin(innermost)
        stack, call = int(blocks.stack[row]) or stack, int(blocks.module_call[row]) or call
        source = source_of(snapshot, stack)
        live.append(
            {
                "address": int(blocks.address[row]),
                "size_bytes": int(blocks.size[row]),
                "category": CATEGORIES[int(blocks.category[row])],
                "names": list(names.get(row, ())),
                "module": calls[call].module if call in calls else None,
                "operator": node_name(snapshot.name(int(index.name[around]))) if around >= 0 else None,
                "source": None if source is None else str(source),
                "stack": [f"{frame.filename}:{frame.line} {frame.function}" for frame in snapshot.stacks.get(stack, ())],
                "allocated_ns": int(blocks.begin_ns[row]),
            }
        )
    return live


def _storage(row: StorageRow) -> dict[str, Any]:
    return {
        "id": row.id,
        "data": row.data,
        "device": row.device,
        "nbytes": row.nbytes,
        "category": row.category,
        "is_external": row.is_external,
        "seen_ns": row.seen_ns,
        "last_writer": row.last_writer or None,
        "last_writer_source": None if row.last_writer_source is None else str(row.last_writer_source),
        "made_by": row.made_by or None,
        "made_source": None if row.made_source is None else str(row.made_source),
        "module": row.module or None,
        "tensors": [_tensor(tensor) for tensor in row.tensors],
        "holders": list(row.holders),
    }


def _tensor(tensor: StorageTensor) -> dict[str, Any]:
    return {
        "names": list(tensor.names),
        "shape": list(tensor.shape),
        "stride": list(tensor.stride),
        "offset": tensor.offset,
        "dtype": tensor.dtype,
        "is_view": tensor.is_view,
        "is_contiguous": tensor.is_contiguous,
        "version": tensor.version,
        "begin_byte": tensor.begin_byte,
        "end_byte": tensor.end_byte,
        "requires_grad": tensor.requires_grad,
    }
