"""Gradients that a step has used stay where they are, and the next backward adds to them: ``zero_grad`` is missing."""

from collections.abc import Iterator
from typing import Final

import numpy as np

from tensorscope.analysis.findings.accumulation import accumulations, clearing_times
from tensorscope.analysis.findings.facts import Mark, iteration_of, life_of, marks
from tensorscope.analysis.results import Finding
from tensorscope.language import tr
from tensorscope.protocol.records import MarkKind
from tensorscope.trace.snapshot import Snapshot

ENOUGH: Final = 2  # backwards until it is no accident


def uncleared_gradients(snapshot: Snapshot) -> Iterator[Finding]:
    """An optimizer steps, nothing clears its gradients, and the next backward adds to the same parameters; at least twice.

    Another player's optimizer (a GAN's) whose gradients are filled on the way and cleared before its own backward is not one.
    """
    runs, cleared = accumulations(snapshot), clearing_times(snapshot)
    for optimizer, told in snapshot.optimizers.items():
        parameters = {int(one) for one in told.get("parameters", ())}
        guilty: list[Mark] = []
        stepped_ns: int | None = None
        for mark in life_of(snapshot, optimizer, MarkKind.BACKWARD, MarkKind.OPTIMIZER_STEP, MarkKind.ZERO_GRAD):
            if mark.kind == MarkKind.ZERO_GRAD and mark.a in (0, optimizer):
                stepped_ns = None
            elif mark.kind == MarkKind.OPTIMIZER_STEP and mark.a == optimizer:
                stepped_ns = mark.end_ns
            elif mark.kind == MarkKind.BACKWARD and stepped_ns is not None and runs.filled(mark.begin_ns, mark.end_ns, parameters):
                low, high = np.searchsorted(cleared, [stepped_ns, mark.begin_ns])
                if low == high and runs.adding(mark.begin_ns, mark.end_ns, parameters):
                    guilty.append(mark)
                stepped_ns = None
        if len(guilty) >= ENOUGH and _used_again(snapshot, guilty[0], optimizer):
            name = str(told.get("name") or told.get("class") or "optimizer")
            yield Finding(
                rule="uncleared-gradients",
                severity="error",
                message=tr(
                    "This backward adds to gradients that {name}.step() has already used: they are never cleared. Call {name}.zero_grad() before it."
                ).format(name=name),
                source=guilty[0].source,
                iteration=iteration_of(snapshot, guilty[0].begin_ns),
                last_iteration=iteration_of(snapshot, guilty[-1].begin_ns),
                evidence={"optimizer": name, "backwards": len(guilty)},
                backward=guilty[0].a - 1,
                time_ns=guilty[0].begin_ns,
            )


def _used_again(snapshot: Snapshot, guilty: Mark, optimizer: int) -> bool:
    """Whether the optimizer's next step came before its gradients were cleared after all."""
    after = (mark for mark in marks(snapshot, MarkKind.OPTIMIZER_STEP, MarkKind.ZERO_GRAD) if mark.begin_ns > guilty.end_ns and mark.a in (0, optimizer))
    first = next(after, None)
    return first is not None and first.kind == MarkKind.OPTIMIZER_STEP
