"""torch refuses a backward because its tensor has no graph ("element 0 of tensors does not require grad"): where the graph was lost."""

from collections.abc import Iterator
from typing import Final

from tensorscope.analysis.findings.facts import iteration_of, raised
from tensorscope.analysis.findings.graph_cut import cut_before
from tensorscope.analysis.results import Finding, Related
from tensorscope.language import tr
from tensorscope.trace.snapshot import Snapshot

SAYS: Final = "does not require grad and does not have a grad_fn"


def backward_without_graph(snapshot: Snapshot) -> Iterator[Finding]:
    error = raised(snapshot)
    if error is None or SAYS not in error.message:
        return
    cut = cut_before(snapshot, error.time_ns)
    if cut is not None:
        message = tr("backward() has no graph to run through. It was lost here: {why}.").format(why=cut.why)
    else:
        message = tr("backward() has no graph to run through: no tensor that the loss was computed from requires grad. Are all parameters frozen?")
    is_elsewhere = cut is not None and cut.source is not None and cut.source != error.source
    yield Finding(
        rule="backward-without-graph",
        severity="error",
        message=message,
        source=cut.source if cut is not None and cut.source is not None else error.source,
        related=(Related(error.source, tr("backward was called here")),) if is_elsewhere and error.source is not None else (),
        iteration=iteration_of(snapshot, error.time_ns),
        evidence={"why": cut.why if cut is not None else None},
        certainty=0.9 if cut is not None else 0.7,
        time_ns=error.time_ns,
    )
