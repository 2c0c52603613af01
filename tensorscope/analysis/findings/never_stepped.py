"""An optimizer that is never stepped while its parameters get gradients: nothing is trained."""

from collections.abc import Iterator
from typing import Final

from tensorscope.analysis.findings.facts import iteration_of, marks
from tensorscope.analysis.results import Finding, Related
from tensorscope.language import tr
from tensorscope.protocol.records import MarkKind
from tensorscope.trace.snapshot import Snapshot

ENOUGH: Final = 20  # backwards without any step


def never_stepped(snapshot: Snapshot) -> Iterator[Finding]:
    """No optimizer of the run has stepped, or was skipped by a GradScaler, in so many backwards since one was made, or in the whole run that has ended."""
    made = marks(snapshot, MarkKind.OPTIMIZER_MADE)
    is_stepped = any(message.get("optimizers") for message in snapshot.iterations)  # also by a compiled step, which leaves no mark
    if not made or is_stepped or marks(snapshot, MarkKind.OPTIMIZER_STEP, MarkKind.SCALER_SKIP):
        return
    ran = [mark for mark in marks(snapshot, MarkKind.BACKWARD) if mark.begin_ns > made[0].begin_ns and not mark.has_raised]
    is_over = snapshot.exit is not None and snapshot.exit.get("code") == 0 and not snapshot.exceptions
    if len(ran) >= (3 if is_over else ENOUGH):
        yield Finding(
            rule="never-stepped",
            severity="error",
            message=tr("{count} backwards have left gradients and no optimizer has stepped: the parameters never change. Call step() after backward().").format(
                count=len(ran)
            ),
            source=ran[0].source,
            related=(Related(made[0].source, tr("the optimizer")),) if made[0].source is not None else (),
            iteration=iteration_of(snapshot, ran[0].begin_ns),
            evidence={"backwards": len(ran), "optimizers": len(made)},
            certainty=0.9,
            time_ns=ran[0].begin_ns,
        )
