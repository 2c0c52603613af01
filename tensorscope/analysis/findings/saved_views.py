"""``torch.save`` of a small view writes the whole storage behind it."""

from collections.abc import Iterator
from typing import Final

from tensorscope.analysis.findings.facts import iteration_of, marks
from tensorscope.analysis.results import Finding, Source
from tensorscope.language import tr
from tensorscope.protocol.records import MarkKind
from tensorscope.trace.snapshot import Snapshot
from tensorscope.units import format_bytes

LARGE: Final = 1 << 20  # bytes written for nothing from which it is worth a word
SHARE: Final = 4  # written over shown


def saved_views(snapshot: Snapshot) -> Iterator[Finding]:
    """A call that wrote storages of several times the bytes that its tensors show; once a line, the largest."""
    wasteful = [mark for mark in marks(snapshot, MarkKind.SAVE) if mark.a - mark.b >= LARGE and mark.a >= SHARE * mark.b]
    told: set[Source | None] = set()
    for mark in sorted(wasteful, key=lambda one: one.b - one.a):
        if mark.source in told:
            continue
        told.add(mark.source)
        yield Finding(
            rule="saved-views",
            severity="warning",
            message=tr(
                "torch.save writes {written} for tensors that show {shown}: a view brings the whole storage behind it. Save copies: .clone() each view first."
            ).format(written=format_bytes(mark.a), shown=format_bytes(mark.b)),
            source=mark.source,
            iteration=iteration_of(snapshot, mark.begin_ns),
            evidence={"written_bytes": mark.a, "shown_bytes": mark.b},
            time_ns=mark.begin_ns,
        )
