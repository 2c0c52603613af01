"""Which row holds which in the event tree: one sorted array of (holder, item) pairs over all operators, nodes and module calls."""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from tensorscope.analysis.blocks import allocated_curve, device_keys, join_blocks
from tensorscope.analysis.modules import ModuleCall
from tensorscope.analysis.operators import CallIndex
from tensorscope.analysis.results import Ints
from tensorscope.trace.snapshot import Snapshot

_SHIFT: Final = 48
GROUP, PHASE, CALL, MODULE = 1, 2, 3, 4  # what an id stands for: an iteration's group, a phase, an operator or node, a module call


def event_id(kind: int, place: int) -> int:
    return (kind << _SHIFT) + place


def kind_and_place(event: int) -> tuple[int, int]:
    return event >> _SHIFT, event & ((1 << _SHIFT) - 1)


@dataclass(frozen=True, slots=True)
class Holders:
    """Items sorted by (holder, begin): arrays [n]. An item is itself an event id."""

    holder: Ints
    item: Ints
    by_item: NDArray[np.intp]  # places in order of item

    def of(self, event: int) -> Ints:
        """The items right under a row, in order of begin."""
        low, high = np.searchsorted(self.holder, [event, event + 1])
        return self.item[low:high]

    def around(self, item: int) -> int:
        """The row right above an item."""
        return int(self.holder[self.by_item[np.searchsorted(self.item, item, sorter=self.by_item)]])

    def count(self, event: int) -> int:
        low, high = np.searchsorted(self.holder, [event, event + 1])
        return int(high - low)


def find_holders(index: CallIndex, calls: dict[int, ModuleCall], phase_begins: Ints) -> Holders:
    """Each operator under the innermost operator, node or module call around it, each module call under its parent, everything else under its phase."""
    call_ids = np.array(sorted(calls), np.int64)
    ordered = [calls[int(call)] for call in call_ids]
    call_begins = np.array([call.begin_ns for call in ordered], np.int64)
    around = index.find(index.parent)
    module = _find(call_ids, index.module_call.astype(np.int64))
    around_begin = np.where(around >= 0, _take(index.begin_ns, around), -1)
    module_begin = np.where(module >= 0, _take(call_begins, module), -1)
    phase_of_item = np.searchsorted(phase_begins, index.begin_ns, side="right") - 1
    holder = np.where(
        (around < 0) & (module < 0),
        event_id(PHASE, 0) + phase_of_item,
        np.where(around_begin >= module_begin, event_id(CALL, 0) + around, event_id(MODULE, 0) + module),
    )
    parent = _find(call_ids, np.array([call.parent for call in ordered], np.int64))
    phase_of_call = np.searchsorted(phase_begins, call_begins, side="right") - 1
    call_holder = np.where(parent >= 0, event_id(MODULE, 0) + parent, event_id(PHASE, 0) + phase_of_call)
    holders = np.concatenate((holder, call_holder)).astype(np.int64)
    items = np.concatenate((event_id(CALL, 0) + np.arange(len(index.id)), event_id(MODULE, 0) + np.arange(len(ordered)))).astype(np.int64)
    order = np.lexsort((np.concatenate((index.begin_ns, call_begins)), holders))
    return Holders(holders[order], items[order], np.argsort(items[order], kind="stable"))


@dataclass(frozen=True, slots=True)
class MemoryCurve:
    """Allocated bytes over all devices, as a step function."""

    times_ns: Ints
    allocated_bytes: Ints

    @classmethod
    def of(cls, snapshot: Snapshot) -> "MemoryCurve":
        curves = [allocated_curve(join_blocks(snapshot, key)) for key in device_keys(snapshot)]
        times = np.concatenate([np.empty(0, np.int64), *(curve.times_ns for curve in curves)])
        deltas = np.concatenate([np.empty(0, np.int64), *(curve.deltas for curve in curves)])
        order = np.argsort(times, kind="stable")
        return cls(times[order], np.concatenate(([0], np.cumsum(deltas[order]))))

    def delta(self, begin_ns: int, end_ns: int) -> int:
        """Bytes allocated less bytes freed in [begin, end)."""
        before, after = np.searchsorted(self.times_ns, [begin_ns, end_ns], side="left")
        return int(self.allocated_bytes[after] - self.allocated_bytes[before])


def _find(known: Ints, wanted: Ints) -> NDArray[np.intp]:
    if not len(known):
        return np.full(len(wanted), -1, np.intp)
    at = np.searchsorted(known, wanted).clip(max=len(known) - 1)
    return np.where((known[at] == wanted) & (wanted != 0), at, -1).astype(np.intp)


def _take(values: Ints, at: NDArray[np.intp]) -> Ints:
    return values[at] if len(values) else np.zeros(len(at), np.int64)
