"""Training and evaluation mixed up: layers left in ``eval()`` while training or in ``train()`` while evaluating, and graphs recorded for nothing."""

from collections.abc import Iterator
from itertools import groupby
from typing import Final

import numpy as np

from tensorscope.analysis.findings.facts import iteration_of, marks
from tensorscope.analysis.findings.root_calls import RootCall, root_calls
from tensorscope.analysis.modules import module_name
from tensorscope.analysis.results import Finding, Related
from tensorscope.language import tr
from tensorscope.protocol.records import MarkKind
from tensorscope.trace.snapshot import Snapshot

ENOUGH: Final = 3  # calls in a row
UPDATES_NORMS: Final = "update_bn"
"""The function of torch.optim.swa_utils that runs a model in training mode without gradients, and means it."""


def evaluation(snapshot: Snapshot) -> Iterator[Finding]:
    """One finding a module and mistake. Only of root modules that are trained: a teacher or a target network has modes of its own."""
    calls = root_calls(snapshot)
    begins = np.array([mark.begin_ns for mark in marks(snapshot, MarkKind.BACKWARD)], np.int64)
    has_told_waste = False  # once: parts of one model that are called by themselves would all say the same
    for module in dict.fromkeys(call.module for call in calls if call.is_used):
        own = [call for call in calls if call.module == module]
        name = _name(snapshot, module)
        yield from _left_evaluating(snapshot, name, [call for call in own if call.is_used])
        for _, together in groupby(own, key=lambda call: int(np.searchsorted(begins, call.begin_ns))):
            rest = [call for call in together if not call.is_used]
            blind = [call for call in rest if not call.has_graph and call.is_training and not _is_meant(snapshot, call)]
            if len(blind) >= ENOUGH:
                yield _training_in_evaluation(snapshot, name, blind)
                break
        for group, together in groupby(own, key=lambda call: int(np.searchsorted(begins, call.begin_ns))):
            wasted = [call for call in together if not call.is_used and call.has_graph]
            if not has_told_waste and len(wasted) >= ENOUGH and (group < len(begins) or snapshot.exit is not None):
                yield _wasted_graphs(snapshot, name, wasted)
                has_told_waste = True


def _left_evaluating(snapshot: Snapshot, name: str, used: list[RootCall]) -> Iterator[Finding]:
    """Trained in training mode before, and in evaluation mode in all of its newest calls."""
    last = next((at for at in range(len(used) - 1, -1, -1) if used[at].is_training), -1)
    since = [call for call in used[last + 1 :] if call.is_evaluating]
    if last >= 0 and len(since) >= ENOUGH and len(since) == len(used) - last - 1:
        yield Finding(
            rule="left-evaluating",
            severity="warning",
            message=tr(
                "{module} has been in eval() mode since it was evaluated, and is trained like that: dropout is off, batch norm learns no statistics. "
                "Call {module}.train() before training goes on."
            ).format(module=name),
            source=since[0].source,
            iteration=iteration_of(snapshot, since[0].begin_ns),
            last_iteration=iteration_of(snapshot, since[-1].begin_ns),
            evidence={"module": name, "calls": len(since)},
            certainty=0.8,
            time_ns=since[0].begin_ns,
        )


def _training_in_evaluation(snapshot: Snapshot, name: str, blind: list[RootCall]) -> Finding:
    return Finding(
        rule="training-in-evaluation",
        severity="warning",
        message=tr(
            "{module} is called without gradients {count} times in a row, in train() mode: dropout changes its answers and batch norm its statistics. "
            "Call {module}.eval() before evaluating, and train() after."
        ).format(module=name, count=len(blind)),
        source=blind[0].source,
        iteration=iteration_of(snapshot, blind[0].begin_ns),
        evidence={"module": name, "calls": len(blind)},
        certainty=0.7,
        time_ns=blind[0].begin_ns,
    )


def _wasted_graphs(snapshot: Snapshot, name: str, wasted: list[RootCall]) -> Finding:
    return Finding(
        rule="unused-graphs",
        severity="info",
        message=tr(
            "{module} is called {count} times in a row with gradients enabled, and no backward uses these graphs: they cost memory and time. "
            "Evaluate inside `with torch.no_grad():`."
        ).format(module=name, count=len(wasted)),
        source=wasted[0].source,
        related=tuple(Related(call.source, tr("also here")) for call in wasted[1:2] if call.source is not None and call.source != wasted[0].source),
        iteration=iteration_of(snapshot, wasted[0].begin_ns),
        evidence={"module": name, "calls": len(wasted)},
        certainty=0.7,
        time_ns=wasted[0].begin_ns,
    )


def _is_meant(snapshot: Snapshot, call: RootCall) -> bool:
    return any(frame.function == UPDATES_NORMS for frame in snapshot.stacks.get(call.stack, ()))


def _name(snapshot: Snapshot, module: int) -> str:
    fqn, kind = module_name(snapshot, module)
    return fqn or kind
