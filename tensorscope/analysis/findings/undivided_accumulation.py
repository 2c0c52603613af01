"""Several backwards add up before each step, and no loss is divided by their number."""

from collections.abc import Iterator
from typing import Final

from tensorscope.analysis.findings.facts import Mark, iteration_of, marks
from tensorscope.analysis.join import GRAPH_ROOT, node_name
from tensorscope.analysis.results import Finding
from tensorscope.language import tr
from tensorscope.protocol.records import MarkKind
from tensorscope.trace.snapshot import Snapshot

ENOUGH: Final = 3  # steps, each after the same number of backwards
MEANS: Final = ("NllLossBackward0", "NllLoss2DBackward0", "MseLossBackward0", "MeanBackward0", "L1LossBackward0", "BinaryCrossEntropyBackward0")
"""Roots of losses that are means by default; a root that divides or multiplies scales the loss by itself."""


def undivided_accumulation(snapshot: Snapshot) -> Iterator[Finding]:
    """The same line's backward, of the same shape of graph, runs the same number of times before each step. A GradScaler's multiplies the root: not meant."""
    turns: list[list[Mark]] = [[]]
    for mark in marks(snapshot, MarkKind.BACKWARD, MarkKind.OPTIMIZER_STEP, MarkKind.ZERO_GRAD):
        if mark.kind == MarkKind.BACKWARD:
            turns[-1].append(mark)
        elif mark.kind == MarkKind.OPTIMIZER_STEP:
            turns.append([])
        elif turns[-1]:
            return  # gradients are cleared in between: another story
    full = [turn for turn in turns[:-1] if turn]
    counts, lines = {len(turn) for turn in full}, {mark.source for turn in full for mark in turn}
    graphs = {snapshot.backwards[mark.a].graph for turn in full for mark in turn if mark.a in snapshot.backwards}
    if len(full) < ENOUGH or len(counts) != 1 or len(lines) != 1 or min(counts) < 2 or not all(_is_mean(snapshot, graph) for graph in graphs):
        return
    first = full[0][0]
    yield Finding(
        rule="undivided-accumulation",
        severity="info",
        message=tr(
            "{count} backwards add up before each step and none of the losses is divided, so gradients are {count} times those of one batch. "
            "Divide the loss by {count}, unless it is a sum or the learning rate is meant so."
        ).format(count=min(counts)),
        source=first.source,
        iteration=iteration_of(snapshot, first.begin_ns),
        last_iteration=iteration_of(snapshot, full[-1][-1].begin_ns),
        evidence={"backwards": min(counts), "steps": len(full)},
        certainty=0.5,
        backward=first.a - 1,
        time_ns=first.begin_ns,
    )


def _is_mean(snapshot: Snapshot, graph: int) -> bool:
    shape = snapshot.graphs.get(graph)
    first = next((node_name(name) for name in shape.names if node_name(name) != GRAPH_ROOT), "") if shape is not None else ""
    return first in MEANS
