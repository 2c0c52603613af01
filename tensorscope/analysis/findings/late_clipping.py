"""Gradients are clipped after the step that was to be tamed, and cleared before the next one."""

from collections.abc import Iterator
from typing import Final

from tensorscope.analysis.findings.facts import Mark, iteration_of, marks
from tensorscope.analysis.results import Finding, Related
from tensorscope.language import tr
from tensorscope.protocol.records import MarkKind
from tensorscope.trace.snapshot import Snapshot

ENOUGH: Final = 2
BEFORE: Final = (MarkKind.BACKWARD, MarkKind.UNSCALE)


def late_clipping(snapshot: Snapshot) -> Iterator[Finding]:
    """Every clipping follows a step with no backward in between."""
    late: list[tuple[Mark, Mark]] = []
    clippings, last = 0, None
    for mark in marks(snapshot, MarkKind.BACKWARD, MarkKind.OPTIMIZER_STEP, MarkKind.CLIP, MarkKind.UNSCALE):
        if mark.kind == MarkKind.CLIP:
            clippings += 1
            if last is not None and last.kind == MarkKind.OPTIMIZER_STEP:
                late.append((mark, last))
        else:
            last = mark
    if len(late) >= ENOUGH and len(late) == clippings:
        clip, step = late[0]
        yield Finding(
            rule="late-clipping",
            severity="error",
            message=tr("Gradients are clipped after step() has used them, so the limit {limit:g} has no effect. Clip between backward() and step().").format(
                limit=clip.x
            ),
            source=clip.source,
            related=(Related(step.source, tr("has used the gradients here")),) if step.source is not None else (),
            iteration=iteration_of(snapshot, step.begin_ns),
            last_iteration=iteration_of(snapshot, late[-1][1].begin_ns),
            evidence={"clippings": clippings, "limit": clip.x},
            time_ns=clip.begin_ns,
        )
