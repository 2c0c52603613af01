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

    def within_all(self, begins_ns: Ints, ends_ns: Ints) -> Ints:
        """Nanoseconds of tracker time in each of many spans [n]."""
        spent = np.concatenate(([0], np.cumsum(self.end_ns - self.begin_ns)))
        return self._before(ends_ns, spent) - self._before(begins_ns, spent)

    def _before(self, times_ns: Ints, spent: Ints) -> Ints:
        at = np.searchsorted(self.begin_ns, times_ns, side="right")
        if not len(self.end_ns):
            return np.zeros(len(times_ns), np.int64)
        beyond = np.where(at > 0, np.maximum(self.end_ns[np.maximum(at, 1) - 1] - times_ns, 0), 0)
        before: Ints = spent[at] - beyond
        return before
