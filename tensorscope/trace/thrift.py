"""Keeps a trace within its memory budget: sums up and rolls up old iterations, thins what is kept for ever, lets go of detail; spares flagged iterations."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from tensorscope.protocol.records import MarkKind
from tensorscope.trace.columns import TableStore
from tensorscope.trace.definitions import Definitions
from tensorscope.trace.flags import Flagged, Flags
from tensorscope.trace.health import ByPlace, HealthCounter
from tensorscope.trace.live_bytes import LiveBytes
from tensorscope.trace.past_rows import PastRows, Span
from tensorscope.trace.retention import DETAIL, Keep, retire, retired_span, spans_by_worth, touches
from tensorscope.trace.rollup import rolled_up, summarise
from tensorscope.trace.schema import GRADIENTS, HISTOGRAMS, MARKS
from tensorscope.trace.thinning import equal_scores, gradient_scores, thin
from tensorscope.trace.told import Told

THINNED: Final = ((GRADIENTS, gradient_scores, 4), (HISTOGRAMS, equal_scores, 4), (MARKS, equal_scores, 128))  # and its share of the memory budget
FLAGGED_SHARE: Final = 2  # of the memory budget at most half may be of flagged iterations
GRAPHS_SHARE: Final = 8


class Thrift:
    """Belongs to the trace, under its lock."""

    def __init__(
        self,
        keep: Keep,
        stores: Mapping[str, TableStore],
        definitions: Definitions,
        told: Told,
        health: HealthCounter,
        flags: Flags,
        live: LiveBytes,
        past: PastRows,
    ) -> None:
        self._keep = keep
        self._stores = stores
        self._definitions = definitions
        self._told = told
        self._health = health
        self._flags = flags
        self._live = live
        self._past = past
        self._rows_at_retention = 0
        self._details_at_retention = 0
        self.spared: tuple[Span, ...] = ()  # spans of the flagged iterations

    @property
    def taken_bytes(self) -> int:
        """What counts in the budget."""
        return sum(store.size_bytes for store in self._stores.values()) + self._detail_bytes()

    def limit(self, memory_bytes: int) -> bool:
        """Another budget from now on; what is over it is let go at once. The answer is that of ``look``."""
        self._keep = replace(self._keep, memory_bytes=memory_bytes)
        return self.taken_bytes > memory_bytes and self.look(is_wanted=True)

    def look(self, *, is_wanted: bool = False) -> bool:
        """Look at the budget whenever a good part of it may be new; whether lists of messages may have become others."""
        rows = sum(store.rows for store in self._stores.values())
        has_large_details = self._detail_bytes() > max(self._keep.memory_bytes // 4, self._details_at_retention * 9 // 8)
        if not is_wanted and not has_large_details and rows - self._rows_at_retention < self._keep.check_rows:
            return False
        ends = self._ends()
        flagged = self._flagged(ends)
        span = retired_span(ends, self._keep)
        if span is not None:
            summarise(self._told.iterations, self._stores, self._live, span[1])
            self._told.iterations = rolled_up(self._told.iterations, self._keep.first, {one.iteration for one in flagged})
            if len(self._told.iterations) != len(ends):
                ends = self._ends()
        if has_large_details and span is not None:
            self._told.retire(span, self._definitions.retire_backwards(span))
            if self._definitions.graph_bytes > self._keep.memory_bytes // GRAPHS_SHARE:
                self._definitions.retire_graphs()
        health = ByPlace(self._health, self._told.iterations)
        mark_rows = self._stores[MARKS.name].rows
        for table, score, share in THINNED:
            thin(self._stores[table.name], score, self._keep.memory_bytes // share, ends, self._keep.first, self._keep.last, health)
        if self._stores[MARKS.name].rows < mark_rows and span is not None:
            self._definitions.forget_backwards(span, self._marked_backwards())
        left_bytes = max(self._keep.memory_bytes - self._detail_bytes(), self._keep.memory_bytes // 2)
        for candidate in spans_by_worth(ends, self._keep):
            if sum(store.size_bytes for store in self._stores.values()) <= left_bytes:
                break
            retire(self._stores, candidate, ends, left_bytes, health, (*self._past.spans, *(one.span for one in flagged)))
        self._rows_at_retention = sum(store.rows for store in self._stores.values())
        self._details_at_retention = self._detail_bytes()
        return True

    def _ends(self) -> list[int]:
        """When each iteration on the list ended (monotonic). There are thousands: once a look, and in no objects that the garbage collector counts."""
        return [int(message["time_ns"]) for message in self._told.iterations]

    def _flagged(self, ends: Sequence[int]) -> list[Flagged]:
        """The iterations that are kept in full whatever else goes: the most worth, as far as their share of the budget goes."""
        room, kept = self._keep.memory_bytes // FLAGGED_SHARE, []
        counted: set[int] = set()
        for one in self._flags.flagged(self._told.iterations, ends):
            blocks = [block for name in DETAIL for block in self._stores[name].blocks if touches(block, (one.span,)) and id(block) not in counted]
            room -= sum(block.size_bytes for block in blocks)
            if room < 0:
                break
            counted |= {id(block) for block in blocks}
            kept.append(one)
        self._health.flagged = tuple(sorted((one.iteration, one.reason) for one in kept))
        self.spared = tuple(one.span for one in kept)
        return kept

    def _marked_backwards(self) -> set[int]:
        blocks = [block for block in self._stores[MARKS.name].blocks if block.rows]
        columns = ((block.arrays["mark"][: block.rows], block.arrays["a"][: block.rows]) for block in blocks)
        return {identity for kinds, numbers in columns for identity in numbers[kinds == MarkKind.BACKWARD].tolist()}

    def _detail_bytes(self) -> int:
        return self._definitions.backward_bytes + self._definitions.graph_bytes + self._told.detail_bytes
