"""What is known of old iterations when their detail is gone, and how their number stays bounded in a run without end.

Before detail goes, each iteration gets the times of its phases and its peak (``summarise``). Of more than MOST_ITERATIONS the old ones are rolled up: one row
stands for 2^k of them, with their means, the shortest and the longest, and the highest peak (``rolled_up``); k grows as the run does.
"""

from bisect import bisect_right
from collections.abc import Mapping, Sequence, Set
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from tensorscope.protocol.records import MarkKind
from tensorscope.trace.columns import TableStore
from tensorscope.trace.live_bytes import LiveBytes
from tensorscope.trace.schema import MARKS, MODULE_CALLS

Message = dict[str, Any]
MOST_ITERATIONS: Final = 16_384
PHASES: Final = ("forward_ns", "backward_ns", "optimizer_ns")


class _Spans:
    """Spans [n] of monotonic time, overlapping ones joined: how much of any other span they cover."""

    def __init__(self, begins: NDArray[np.int64], ends: NDArray[np.int64]) -> None:
        order = np.argsort(begins, kind="stable")
        begins, ends = begins[order], np.maximum.accumulate(ends[order]) if len(order) else ends
        begins = np.maximum(begins, np.concatenate((begins[:1], ends[:-1])))
        is_some = ends > begins
        self.begins, self.ends = begins[is_some], ends[is_some]
        self._covered = np.concatenate(([0], np.cumsum(self.ends - self.begins)))

    def before(self, times: NDArray[np.int64]) -> NDArray[np.int64]:
        """How much they cover before each of some times."""
        at = np.searchsorted(self.begins, times, side="right")
        if not len(self.ends):
            return np.zeros(len(times), np.int64)
        over = np.where(at > 0, np.maximum(self.ends[np.maximum(at, 1) - 1] - times, 0), 0)
        covered: NDArray[np.int64] = self._covered[at] - over
        return covered

    def without(self, other: "_Spans") -> NDArray[np.int64]:
        """The length of each that the other ones do not cover."""
        result: NDArray[np.int64] = self.ends - self.begins - (other.before(self.ends) - other.before(self.begins))
        return result


def summarise(iterations: list[Message], stores: Mapping[str, TableStore], live: LiveBytes, until_ns: int) -> None:
    """Note in the messages of iterations that ended by a moment (monotonic) and are not summed up yet what their rows tell."""
    first = last = bisect_right(iterations, until_ns, key=_end_ns)
    while first and "peak_bytes" not in iterations[first - 1]:
        first -= 1
    if first == last:
        return
    ends = [_end_ns(message) for message in iterations[first:last]]
    begin_ns, edges = _end_ns(iterations[first - 1]) if first else 0, np.array(ends, np.int64)
    marks = _rows(stores[MARKS.name], ("mark", "begin_ns", "end_ns"), begin_ns)
    calls = _rows(stores[MODULE_CALLS.name], ("parent", "begin_ns", "end_ns"), begin_ns)
    own, backward, step = (_of_kind(marks, kind) for kind in (MarkKind.TRACKER, MarkKind.BACKWARD, MarkKind.OPTIMIZER_STEP))
    is_root = calls["parent"] == 0
    forward = _Spans(calls["begin_ns"][is_root], calls["end_ns"][is_root])
    inside = (_joined(own, backward), own, _joined(own, _joined(forward, backward)))
    sums: dict[str, NDArray[np.int64]] = {}
    for name, spans, other in zip(PHASES, (forward, backward, step), inside, strict=True):
        place = np.searchsorted(edges, spans.begins, side="left")
        sums[name] = np.bincount(place, spans.without(other), len(edges) + 1).astype(np.int64)
    peaks = live.highest(ends)
    for number, message in enumerate(iterations[first:last]):
        message.update({name: int(values[number]) for name, values in sums.items()})
        message["peak_bytes"] = int(peaks[number]) if peaks[number] >= 0 else None


def rolled_up(iterations: list[Message], first: int, flagged: Set[int], most: int = MOST_ITERATIONS) -> list[Message]:
    """At most about ``most`` rows: the first ones, the newest half and the flagged as they are, of the others one row for so many that it fits.

    A row has the number and the end of its last iteration, and the first one's as ``first_index``; what it says of times and peak is of all of them.
    """
    if len(iterations) <= most:
        return iterations
    newest = len(iterations) - most // 2
    old = iterations[first:newest]
    numbers = np.array([message["index"] for message in old], np.int64)
    is_alone = np.isin(numbers, list(flagged))
    stride = 1
    while _group_count(numbers // stride, is_alone) > most // 4 and stride <= len(old) * 2 + int(old[-1]["index"]):
        stride *= 2
    rows = _grouped(old, stride, flagged, _end_ns(iterations[first - 1]) if first else 0) if stride > 1 else old
    return [*iterations[:first], *rows, *iterations[newest:]]


def _end_ns(message: Message) -> int:
    return int(message["time_ns"])


def _group_count(keys: NDArray[np.int64], is_alone: NDArray[np.bool_]) -> int:
    """How many rows ``_grouped`` makes of iterations [n] with these keys."""
    is_begin = np.ones(len(keys), np.bool_)
    is_begin[1:] = is_alone[1:] | is_alone[:-1] | (keys[1:] != keys[:-1])
    return int(np.count_nonzero(is_begin))


def _grouped(old: Sequence[Message], stride: int, flagged: Set[int], begin_ns: int) -> list[Message]:
    rows: list[Message] = []
    group: list[tuple[Message, int]] = []  # and where each began
    for message in old:
        is_alone = int(message["index"]) in flagged
        if group and (is_alone or int(message["index"]) // stride != int(group[0][0]["index"]) // stride):
            rows.append(_row(group))
            group = []
        if is_alone:
            rows.append(message)
        else:
            group.append((message, begin_ns))
        begin_ns = int(message["time_ns"])
    return [*rows, _row(group)] if group else rows


def _row(group: Sequence[tuple[Message, int]]) -> Message:
    if len(group) == 1:
        return group[0][0]
    messages = [message for message, _ in group]
    counts = np.array([message.get("iterations", 1) for message in messages], np.int64)
    spans = [int(message["time_ns"]) - begin for message, begin in group]
    peaks = [message["peak_bytes"] for message in messages if message.get("peak_bytes") is not None]
    return {
        **messages[-1],
        "first_index": messages[0].get("first_index", messages[0]["index"]),
        "iterations": int(counts.sum()),
        **{name: _mean([message.get(name) for message in messages], counts) for name in PHASES},
        "peak_bytes": max(peaks) if peaks else None,
        "shortest_ns": min(message.get("shortest_ns", span) for message, span in zip(messages, spans, strict=True)),
        "longest_ns": max(message.get("longest_ns", span) for message, span in zip(messages, spans, strict=True)),
    }


def _mean(values: Sequence[int | None], counts: NDArray[np.int64]) -> int | None:
    known = [(value, count) for value, count in zip(values, counts.tolist(), strict=True) if value is not None]
    return sum(value * count for value, count in known) // sum(count for _, count in known) if known else None


def _rows(store: TableStore, names: Sequence[str], begin_ns: int) -> dict[str, NDArray[Any]]:
    """Some columns of the rows that begin at a moment or later."""
    blocks = [block for block in store.blocks if block.last_ns >= begin_ns]
    columns = {name: np.concatenate([block.arrays[name][: block.rows] for block in blocks]) if blocks else np.empty(0, np.int64) for name in names}
    is_new = columns["begin_ns"] >= begin_ns
    return {name: column[is_new] for name, column in columns.items()}


def _of_kind(marks: Mapping[str, NDArray[Any]], kind: MarkKind) -> _Spans:
    rows = marks["mark"] == kind
    return _Spans(marks["begin_ns"][rows], marks["end_ns"][rows])


def _joined(one: _Spans, other: _Spans) -> _Spans:
    return _Spans(np.concatenate((one.begins, other.begins)), np.concatenate((one.ends, other.ends)))
