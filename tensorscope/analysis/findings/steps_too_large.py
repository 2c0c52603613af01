"""Steps that are larger than the weights they change: the learning rate is too high for the training to settle."""

from collections.abc import Iterator
from itertools import pairwise
from typing import Final

import numpy as np

from tensorscope.analysis.findings.facts import Mark, iteration_of, marks, name_of_optimizer
from tensorscope.analysis.gradients import gradient_table, parameter_name
from tensorscope.analysis.results import Finding, GradientTable
from tensorscope.language import tr
from tensorscope.protocol.records import GradientStage, MarkKind
from tensorscope.trace.snapshot import Snapshot

BY_GRADIENT: Final = ("SGD",)
BY_SIGN: Final = ("Adam", "AdamW", "NAdam", "RAdam", "Adamax", "RMSprop")
"""Optimizers whose first steps move every weight by about the learning rate."""

FIRST: Final = 3  # steps that are looked at
GROWTH: Final = 3.0  # of the gradient from one to the next, with steps by gradient
FAR: Final = 4.0  # times the weights, from which a first step by sign has gone too far; 1.5 is known to work
SMALLEST: Final = 1_000  # weights; few of them may well move by their own size


def steps_too_large(snapshot: Snapshot) -> Iterator[Finding]:
    """Update over weight, of all matrices together: far above 1 in the first step of an Adam, or above 1 in three steps of an SGD whose gradients grow."""
    table = gradient_table(snapshot)
    for optimizer, told in snapshot.optimizers.items():
        steps = [mark for mark in marks(snapshot, MarkKind.OPTIMIZER_STEP) if mark.a == optimizer][:FIRST]
        kind = str(told.get("class"))
        if not steps or not steps[0].x > 0 or kind not in BY_GRADIENT + BY_SIGN:
            continue
        step = steps[0]
        held = {parameter_name(snapshot, int(one)) for one in told.get("parameters", ()) if len(snapshot.parameters.get(int(one), {}).get("shape") or ()) > 1}
        ratios, norms = _ratios(table, held, step.x, _backwards_before(snapshot, steps), by_sign=kind in BY_SIGN)
        is_growing = all(later > GROWTH * earlier for earlier, later in pairwise(norms))
        if (kind in BY_SIGN and ratios and ratios[0] > FAR) or (len(ratios) == FIRST and min(ratios) > 1 and is_growing):
            yield Finding(
                rule="steps-too-large",
                severity="warning",
                message=tr(
                    "With a learning rate of {rate:g} a step of {name} is {ratio:.3g} times as large as the weights it changes; about a thousandth is usual. "
                    "Try a rate {less} times smaller."
                ).format(rate=step.x, name=name_of_optimizer(snapshot, optimizer), ratio=ratios[0], less=10 ** int(np.ceil(np.log10(ratios[0]) + 2))),
                source=step.source,
                iteration=iteration_of(snapshot, step.begin_ns),
                evidence={"learning_rate": step.x, "update_over_weight": ratios},
                certainty=0.7,
                time_ns=step.begin_ns,
            )


def _backwards_before(snapshot: Snapshot, steps: list[Mark]) -> list[int]:
    """The last backward before each step."""
    ran = marks(snapshot, MarkKind.BACKWARD)
    before = ([mark.a - 1 for mark in ran if mark.begin_ns < step.begin_ns] for step in steps)
    return [backwards[-1] for backwards in before if backwards]


def _ratios(table: GradientTable, held: set[str], rate: float, backwards: list[int], *, by_sign: bool) -> tuple[list[float], list[float]]:
    """(update over weight, norm of the gradient) of these parameters together at each of the backwards that all of their weights are known of."""
    wanted = [place for place, name in enumerate(table.parameters) if name in held]
    rows = np.flatnonzero((table.stage == GradientStage.RAW) & np.isin(table.parameter, wanted) & ~np.isnan(table.weight_norm))
    ratios, norms = [], []
    for backward in backwards:
        own = rows[table.backward[rows] == backward]
        count, weight = float(table.numel[own].sum()), float(np.sqrt(np.square(table.weight_norm[own]).sum()))
        norm = float(np.sqrt(np.square(table.norm[own]).sum()))
        if len(own) == len(held) and weight > 0 and count >= SMALLEST and np.isfinite(norm):
            ratios.append(rate * (float(np.sqrt(count)) if by_sign else norm) / weight)
            norms.append(norm)
    return ratios, norms
