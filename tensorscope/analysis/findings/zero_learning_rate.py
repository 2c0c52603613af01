"""Steps with a learning rate of 0: a scheduler has ended, or never began."""

from collections.abc import Iterator
from typing import Final

from tensorscope.analysis.findings.facts import Mark, iteration_of, marks, name_of_optimizer
from tensorscope.analysis.results import Finding
from tensorscope.language import tr
from tensorscope.protocol.records import MarkKind
from tensorscope.trace.snapshot import Snapshot

ENOUGH: Final = 5  # steps in a row, to the newest one


def zero_learning_rate(snapshot: Snapshot) -> Iterator[Finding]:
    """The newest steps of an optimizer, all of whose groups have the rate 0 and had another. A warm-up that starts at 0 has one such step."""
    by_optimizer: dict[int, list[Mark]] = {}
    moving = {optimizer for optimizer, told in snapshot.optimizers.items() if any(group.get("initial_lr") for group in told.get("groups", ()))}
    for mark in marks(snapshot, MarkKind.OPTIMIZER_STEP):
        steps = by_optimizer.setdefault(mark.a, [])
        if mark.y != 0:
            steps.clear()
            moving.add(mark.a)
        elif mark.x == 0:
            steps.append(mark)
    for optimizer in sorted(moving & by_optimizer.keys()):
        steps = by_optimizer[optimizer]
        if len(steps) >= ENOUGH:
            name = name_of_optimizer(snapshot, optimizer)
            yield Finding(
                rule="zero-learning-rate",
                severity="warning",
                message=tr("The last {count} steps of {name} had a learning rate of 0 and changed nothing. Look at the scheduler's length.").format(
                    count=len(steps), name=name
                ),
                source=steps[0].source,
                iteration=iteration_of(snapshot, steps[0].begin_ns),
                last_iteration=iteration_of(snapshot, steps[-1].begin_ns),
                evidence={"optimizer": name, "steps": len(steps)},
                time_ns=steps[0].begin_ns,
            )
