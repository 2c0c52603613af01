"""Every backward is longer than the one before: it runs through all earlier iterations again."""

from collections.abc import Iterator
from itertools import pairwise
from typing import Final

from tensorscope.analysis.findings.facts import iteration_of, marks
from tensorscope.analysis.results import Finding, Source
from tensorscope.language import tr
from tensorscope.protocol.records import MarkKind
from tensorscope.trace.snapshot import Snapshot

ENOUGH: Final = 6  # backwards, each longer than the last


def growing_backward(snapshot: Snapshot) -> Iterator[Finding]:
    """All backwards from one line, each of more nodes than the last, by the same number: a state or a sum is carried over with its graph."""
    by_line: dict[Source, list[tuple[int, int, int]]] = {}  # (nodes, begin, backward)
    for mark in marks(snapshot, MarkKind.BACKWARD):
        if mark.source is not None and not mark.has_raised and snapshot.backwards.get(mark.a) is not None and snapshot.backwards[mark.a].parent <= 0:
            by_line.setdefault(mark.source, []).append((int(mark.x), mark.begin_ns, mark.a))
    for source, ran in by_line.items():
        steps = {later[0] - earlier[0] for earlier, later in pairwise(ran[1:])}
        if len(ran) >= ENOUGH and len(steps) == 1 and min(steps) > 0:
            yield Finding(
                rule="growing-backward",
                severity="error",
                message=tr(
                    "Each backward from this line runs through the graphs of all earlier ones as well ({first} nodes at first, {last} now). "
                    "Detach what is carried over, and leave retain_graph out."
                ).format(first=ran[0][0], last=ran[-1][0]),
                source=source,
                iteration=iteration_of(snapshot, ran[0][1]),
                last_iteration=iteration_of(snapshot, ran[-1][1]),
                evidence={"first_nodes": ran[0][0], "last_nodes": ran[-1][0], "backwards": len(ran)},
                backward=ran[-1][2] - 1,
                time_ns=ran[-1][1],
            )
