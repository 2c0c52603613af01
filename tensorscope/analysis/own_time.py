"""How much of a span TensorScope itself took: its trackers' time is taken out of what is told about the script."""

from dataclasses import dataclass

import numpy as np

from tensorscope.analysis.results import Ints
from tensorscope.protocol.records import MarkKind
from tensorscope.trace.schema import MARKS
from tensorscope.trace.snapshot import Snapshot


@dataclass(frozen=True, slots=True)
class OwnTime:
    """Spans in which a tracker ran, merged and sorted: arrays [n]."""

    begin_ns: Ints
    end_ns: Ints

    @classmethod
    def of(cls, snapshot: Snapshot) -> "OwnTime":
        marks = snapshot.table(MARKS)
        rows = np.flatnonzero(marks.column("mark") == MarkKind.TRACKER)
        begins, ends = marks.column("begin_ns")[rows].astype(np.int64), marks.column("end_ns")[rows].astype(np.int64)
        order = np.argsort(begins, kind="stable")
        begins, ends = begins[order], np.maximum.accumulate(ends[order]) if len(rows) else ends
        is_first = np.ones(len(rows), np.bool_)
        is_first[1:] = begins[1:] > ends[:-1]
        firsts = np.flatnonzero(is_first)
        return cls(begins[firsts], ends[np.append(firsts[1:], len(rows)) - 1] if len(rows) else ends)

    def within(self, begin_ns: int, end_ns: int) -> int:
        """Nanoseconds of tracker time in a span."""
        low, high = np.searchsorted(self.end_ns, begin_ns, side="right"), np.searchsorted(self.begin_ns, end_ns, side="left")
        return int((np.minimum(self.end_ns[low:high], end_ns) - np.maximum(self.begin_ns[low:high], begin_ns)).sum())
