"""Lanes over a time axis (iterations, phases, module calls), reduced so that no lane holds more spans than the picture has columns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tensorscope.analysis.results import Ints


@dataclass(frozen=True, slots=True)
class Span:
    begin_ns: int
    end_ns: int
    number: int
    label: str
    kind: str


Lane = tuple[Span, ...]


@dataclass(frozen=True, slots=True)
class LaneTable:
    """Spans that do not overlap, ascending."""

    begins_ns: Ints
    ends_ns: Ints
    spans: tuple[Span, ...]

    @classmethod
    def of(cls, rows: Sequence[tuple[int, int, int, str, str]]) -> LaneTable:
        """From (begin, end, number, label, kind), in any order."""
        spans = tuple(Span(*row) for row in sorted(rows, key=lambda row: row[:2]))
        return cls(np.array([span.begin_ns for span in spans], np.int64), np.array([span.end_ns for span in spans], np.int64), spans)


def lane_spans(table: LaneTable, edges_ns: Ints) -> Lane:
    """The spans of a range; where there are more than columns, those in the middle of each column, runs of one kind joined without label."""
    first = int(np.searchsorted(table.ends_ns, edges_ns[0], "right"))
    last = int(np.searchsorted(table.begins_ns, edges_ns[-1], "left"))
    if last - first <= len(edges_ns):
        return table.spans[first:last]
    middles = (edges_ns[:-1] + edges_ns[1:]) // 2
    rows = np.searchsorted(table.begins_ns, middles, "right") - 1
    runs: list[Span] = []
    for row, begin, end in zip(rows.tolist(), edges_ns[:-1].tolist(), edges_ns[1:].tolist(), strict=True):
        if row < 0 or table.ends_ns[row] < begin:
            continue
        span = table.spans[row]
        if runs and runs[-1].end_ns == begin and runs[-1].kind == span.kind:
            runs[-1] = Span(runs[-1].begin_ns, end, span.number, "", span.kind)
        else:
            runs.append(Span(begin, end, span.number, "", span.kind))
    return tuple(runs)


def span_at(table: LaneTable, time_ns: int) -> Span | None:
    """The span that holds at a moment."""
    row = int(np.searchsorted(table.begins_ns, time_ns, "right")) - 1
    return table.spans[row] if row >= 0 and time_ns < table.ends_ns[row] else None
