"""Says what a block of memory is: the names of tensors on it, the operator that asked for it, module and source line."""

from collections.abc import Sequence
from dataclasses import dataclass
from operator import itemgetter

import numpy as np

from tensorscope.analysis.join import ForwardJoin, node_name
from tensorscope.analysis.modules import module_calls
from tensorscope.analysis.operators import call_index, outermost, source_of
from tensorscope.analysis.results import CATEGORIES, MemoryTimeline, Source
from tensorscope.language import tr
from tensorscope.trace.snapshot import Snapshot


@dataclass(frozen=True, slots=True)
class BlockRow:
    """A block as lists and hover cards show it."""

    row: int  # of the timeline's blocks
    name: str  # of its tensors, else of its operator
    names: tuple[str, ...]  # of its tensors; empty where none is known
    category: str
    size_bytes: int
    address: int
    begin_ns: int
    end_ns: int | None  # None: still live
    operator: str
    module: str
    source: Source | None


class BlockNamer:
    """Answers for one snapshot. Made off the GUI thread: it indexes every operator."""

    def __init__(self, snapshot: Snapshot) -> None:
        self.snapshot = snapshot
        self.calls = module_calls(snapshot)
        self.index = call_index(snapshot)
        self.join = ForwardJoin(snapshot, self.index)
        self._names = _names_by_address(snapshot)

    def describe(self, timeline: MemoryTimeline, rows: Sequence[int], time_ns: int) -> tuple[BlockRow, ...]:
        """Blocks in the order given, named as seen nearest to a moment."""
        chosen = np.array(rows, np.intp)
        blocks = timeline.blocks
        inner = self.index.find(blocks.op[chosen])
        outer = outermost(self.index, inner)
        described = []
        for row, innermost, around in zip(chosen.tolist(), inner.tolist(), outer.tolist(), strict=True):
            stack, call = self.join.origin(innermost)
            stack, call = int(blocks.stack[row]) or stack, int(blocks.module_call[row]) or call
            operator = node_name(self.snapshot.name(int(self.index.name[around]))) if around >= 0 else ""
            names = self._names_of(timeline, row, time_ns)
            module = self.calls[call].module if call in self.calls else ""
            source = source_of(self.snapshot, stack)
            described.append(
                BlockRow(
                    row=row,
                    name=", ".join(names) or _by_operator(operator, module) or (source.function if source is not None else "") or tr("unnamed"),
                    names=names,
                    category=CATEGORIES[int(blocks.category[row])],
                    size_bytes=int(blocks.size[row]),
                    address=int(blocks.address[row]),
                    begin_ns=int(blocks.begin_ns[row]),
                    end_ns=None if blocks.is_live[row] else int(blocks.end_ns[row]),
                    operator=operator,
                    module=module,
                    source=source,
                )
            )
        return tuple(described)

    def _names_of(self, timeline: MemoryTimeline, row: int, time_ns: int) -> tuple[str, ...]:
        """From the look at the storages nearest to a moment among those during the block's life."""
        blocks = timeline.blocks
        begin, end = int(blocks.begin_ns[row]), int(blocks.end_ns[row])
        seen = self._names.get(int(blocks.address[row]), ())
        during = [(abs(at - time_ns), names) for at, names in seen if begin <= at and (at < end or blocks.is_live[row])]
        return min(during, key=itemgetter(0))[1] if during else ()


def _names_by_address(snapshot: Snapshot) -> dict[int, list[tuple[int, tuple[str, ...]]]]:
    """Data pointer → (when seen, names of the tensors on it)."""
    found: dict[int, list[tuple[int, tuple[str, ...]]]] = {}
    for message in snapshot.storages:
        for storage in message.get("storages", ()):
            names = tuple(dict.fromkeys(name for tensor in storage.get("tensors", ()) for name in tensor.get("names", ())))
            if names:
                found.setdefault(int(storage.get("data") or 0), []).append((int(message.get("time_ns", 0)), names))
    return found


def stem(name: str) -> str:
    """``kept`` of ``kept[3]``, ``relu`` of ``aten::relu``."""
    return name.partition("[")[0].removeprefix("aten::")


def _by_operator(operator: str, module: str) -> str:
    """``addmm of h.0.mlp`` for an unnamed block."""
    short = operator.removeprefix("aten::")
    if short and module:
        return tr("{operator} of {module}").format(operator=short, module=module)
    return short or module
