"""Gradients that are exactly zero, backward after backward, while others are not: a dead ReLU, a branch multiplied by zero."""

from collections.abc import Iterator
from typing import Final

import numpy as np

from tensorscope.analysis.findings.facts import said
from tensorscope.analysis.findings.made_at import used_at
from tensorscope.analysis.gradients import gradient_table
from tensorscope.analysis.join import ACCUMULATE_GRAD, node_name
from tensorscope.analysis.results import Finding
from tensorscope.language import tr
from tensorscope.protocol.records import GradientStage
from tensorscope.trace.snapshot import Snapshot

ENOUGH: Final = 5  # newest backwards that reached the parameter
SILENCERS: Final = ("ReluBackward0", "ThresholdBackward0", "HardtanhBackward0", "ClampBackward1")


def zero_gradients(snapshot: Snapshot) -> Iterator[Finding]:
    """One finding for all of them: what lies before a dead layer gets zeros as well. The one nearest to the loss is named."""
    table = gradient_table(snapshot)
    is_raw = table.stage == GradientStage.RAW
    moving = set(table.backward[is_raw & (table.norm > 0)].tolist())
    dead: list[int] = []
    first, last = 0, 0
    for place in range(len(table.parameters)):
        rows = np.flatnonzero(is_raw & (table.parameter == place))
        since = np.flatnonzero(table.norm[rows] != 0)
        zeros = rows[since[-1] + 1 :] if len(since) else rows
        zeros = zeros[(table.nonfinite[zeros] == 0) & np.isin(table.backward[zeros], list(moving))]
        if len(zeros) >= ENOUGH and table.modules[place]:
            dead.append(place)
            first, last = int(zeros[0]), int(zeros[-1])
    if not dead:
        return
    alive = {table.modules[place] for place in range(len(table.parameters)) if place not in dead}
    causes = [place for place in dead if table.modules[place] not in alive]  # a weight beside a living bias only gets zeros in
    names = [table.parameters[place] for place in sorted(dead, key=lambda place: (place in causes, place), reverse=True)]
    known = [identity for identity, told in snapshot.parameters.items() if told.get("fqn") == names[0]]
    silencer = _silencer(snapshot, known[0]) if known else ""
    why = tr("{node} lets nothing through, being on its flat side.").format(node=silencer) if silencer else tr("Something behind it is zero.")
    yield Finding(
        rule="zero-gradients",
        severity="warning",
        message=tr(
            "The gradients of {count} parameters ({names}) are exactly zero since backward {backward}. {why} "
            "Look at the scale of its input, the bias, the learning rate."
        ).format(count=len(names), names=said(names), backward=int(table.backward[first]), why=why),
        source=used_at(snapshot, known, snapshot.end_ns),
        iteration=int(table.iteration[first]),
        last_iteration=int(table.iteration[last]),
        evidence={"parameters": names, "after": silencer},
        certainty=0.8,
        backward=int(table.backward[last]),
        parameter=names[0],
        time_ns=int(table.time_ns[first]),
    )


def _silencer(snapshot: Snapshot, parameter: int) -> str:
    """The node with a flat side that the layer of a parameter leads to, in the newest graph that has it; "" for none."""
    for shape in reversed(list(snapshot.graphs.values())):
        places = [place for place, name in enumerate(shape.names) if node_name(name) == ACCUMULATE_GRAD and int(shape.parameters[place]) == parameter]
        if places:
            users: dict[int, list[int]] = {}
            for user, _, target, _ in shape.edges.tolist():
                users.setdefault(target, []).append(user)
            at = places[0]
            for _ in range(4):  # through a transpose, the layer itself, a view
                at = users.get(at, [at])[0]
                if node_name(shape.names[at]) in SILENCERS:
                    return node_name(shape.names[at])
            return ""
    return ""
