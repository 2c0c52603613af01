"""Gradients are cleared before any step has used them: work thrown away, often gradient accumulation with a misplaced ``zero_grad``."""

from collections.abc import Iterator
from typing import Final

from tensorscope.analysis.findings.accumulation import accumulations
from tensorscope.analysis.findings.facts import Mark, iteration_of, life_of, marks, name_of_optimizer
from tensorscope.analysis.results import Finding
from tensorscope.language import tr
from tensorscope.protocol.records import MarkKind
from tensorscope.trace.snapshot import Snapshot

ENOUGH: Final = 2


def unused_gradients(snapshot: Snapshot) -> Iterator[Finding]:
    """``zero_grad`` threw away what a backward over an optimizer's parameters left, with no step in between; the optimizer steps elsewhere.

    A backward that passes through another player's network fills its gradients on the way, and serves the optimizer that steps after it: it does not count.
    """
    runs = accumulations(snapshot)
    held = {optimizer: {int(one) for one in told.get("parameters", ())} for optimizer, told in snapshot.optimizers.items()}
    for optimizer, parameters in held.items():
        wasted: list[Mark] = []
        pending: list[Mark] = []  # backwards whose gradients no step has used yet
        reached, has_stepped = 0, False
        last_ns = max((mark.begin_ns for mark in marks(snapshot, MarkKind.OPTIMIZER_STEP) if mark.a == optimizer), default=-1)
        for mark in life_of(snapshot, optimizer, MarkKind.BACKWARD, MarkKind.OPTIMIZER_STEP, MarkKind.ZERO_GRAD):
            if mark.begin_ns > last_ns:
                break  # it may be gone, and its parameters' names those of others
            if mark.kind == MarkKind.BACKWARD and runs.filled(mark.begin_ns, mark.end_ns, parameters):
                reached += 1
                pending.append(mark)
            elif mark.kind == MarkKind.OPTIMIZER_STEP and mark.a == optimizer:
                pending, has_stepped = [], True
            elif mark.kind == MarkKind.OPTIMIZER_STEP and pending:
                theirs = held.get(mark.a, set())
                kept = [one for one in pending if not runs.filled(one.begin_ns, one.end_ns, theirs)]
                reached, pending = reached - len(pending) + len(kept), kept
            elif mark.kind == MarkKind.ZERO_GRAD and mark.a in (0, optimizer):
                wasted += [mark] * len(pending)
                pending = []
        if has_stepped and len(wasted) >= ENOUGH and 2 * len(wasted) > reached:
            name = name_of_optimizer(snapshot, optimizer)
            yield Finding(
                rule="unused-gradients",
                severity="warning",
                message=tr(
                    "zero_grad() throws away the gradients of {wasted} of {reached} backwards before {name}.step() has used them. Clear only after a step."
                ).format(wasted=len(wasted), reached=reached, name=name),
                source=wasted[0].source,
                iteration=iteration_of(snapshot, wasted[0].begin_ns),
                last_iteration=iteration_of(snapshot, wasted[-1].begin_ns),
                evidence={"optimizer": name, "wasted_backwards": len(wasted), "backwards": reached},
                certainty=0.9,
                time_ns=wasted[0].begin_ns,
            )
