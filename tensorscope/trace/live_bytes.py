"""How much memory is allocated, as allocations and frees arrive: new peaks are noticed, and the highest of each iteration is known before its rows go."""

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from tensorscope.protocol.records import AllocationAction
from tensorscope.trace.ingest import Batch

BEGINS: Final = (AllocationAction.ALLOC, AllocationAction.BEFORE)
ENDS: Final = (AllocationAction.FREE, AllocationAction.BEFORE_FREED)
NEW_PEAK: Final = 1.01  # over the peak before; less is noise
MOST_POINTS: Final = 1 << 20  # of a curve that waits to be summed up

Device = tuple[int, int]  # type and index


class _Curve:
    """Of one device."""

    def __init__(self) -> None:
        self.sizes: dict[int, int] = {}  # of live blocks, by address
        self.total = 0
        self.peak = 0
        self.waiting: list[tuple[NDArray[np.int64], NDArray[np.int64]]] = []
        self.points = 0

    def take(self, times: NDArray[np.int64], addresses: NDArray[np.uint64], sizes: NDArray[np.int64], is_begin: NDArray[np.bool_]) -> int | None:
        """Rows [n] in order of arrival; the moment of a new peak, if there is one."""
        changes = np.where(is_begin, sizes, 0)
        order = np.argsort(addresses, kind="stable")
        first, second = order[:-1], order[1:]
        is_pair = (addresses[first] == addresses[second]) & is_begin[first] & ~is_begin[second]
        changes[second[is_pair]] = -sizes[first[is_pair]]
        is_single = np.ones(len(times), np.bool_)
        is_single[first[is_pair]] = is_single[second[is_pair]] = False
        for row in np.flatnonzero(is_single).tolist():
            if is_begin[row]:
                changes[row] -= self.sizes.get(int(addresses[row]), 0)  # its free was lost
                self.sizes[int(addresses[row])] = int(sizes[row])
            else:
                changes[row] = -self.sizes.pop(int(addresses[row]), 0)
        running = self.total + np.cumsum(changes)
        self.total = int(running[-1])
        self._keep(times, running)
        at = int(running.argmax())
        if running[at] <= self.peak * NEW_PEAK:
            self.peak = max(self.peak, int(running[at]))
            return None
        self.peak = int(running[at])
        return int(times[at])

    def _keep(self, times: NDArray[np.int64], running: NDArray[np.int64]) -> None:
        self.waiting.append((times, running))
        self.points += len(times)
        while self.points > MOST_POINTS:
            self.points -= len(self.waiting.pop(0)[0])

    def highest(self, ends_ns: NDArray[np.int64]) -> NDArray[np.int64]:
        """The highest within each of some iterations that follow one another [n], -1 where nothing is known; what was before their last end is let go."""
        result = np.full(len(ends_ns), -1, np.int64)
        left: list[tuple[NDArray[np.int64], NDArray[np.int64]]] = []
        for times, running in self.waiting:
            place = np.searchsorted(ends_ns, times, side="left")
            is_old = place < len(ends_ns)
            np.maximum.at(result, place[is_old], running[is_old])
            if not is_old.all():
                left.append((times[~is_old], running[~is_old]))
        self.waiting = left
        self.points = sum(len(times) for times, _ in left)
        return result


class LiveBytes:
    def __init__(self) -> None:
        self._curves: dict[Device, _Curve] = {}

    def take(self, batch: Batch) -> list[int]:
        """Rows of the table of allocations; the moments (monotonic) of new peaks."""
        columns = batch.columns
        is_begin = np.isin(columns["action"], BEGINS) & (columns["size"] > 0)
        is_counted = is_begin | (np.isin(columns["action"], ENDS) & (columns["address"] != 0))
        kinds, indices = columns["device_type"], columns["device_index"]
        peaks = []
        for device in sorted(set(zip(kinds.tolist(), indices.tolist(), strict=True))):
            rows = np.flatnonzero(is_counted & (kinds == device[0]) & (indices == device[1]))
            if len(rows):
                curve = self._curves.setdefault(device, _Curve())
                sizes, times = columns["size"][rows].astype(np.int64), columns["time_ns"][rows].astype(np.int64)
                peak_ns = curve.take(times, columns["address"][rows], sizes, is_begin[rows])
                peaks += [peak_ns] if peak_ns is not None else []
        return peaks

    def highest(self, ends_ns: Sequence[int]) -> NDArray[np.int64]:
        """The highest of each iteration [n] that ended then, of the device with the highest peak; -1 where nothing is known."""
        ends = np.asarray(ends_ns, np.int64)
        found = [(curve.peak, curve.highest(ends)) for curve in self._curves.values()]
        return max(found, key=lambda one: one[0])[1] if found else np.full(len(ends), -1, np.int64)
