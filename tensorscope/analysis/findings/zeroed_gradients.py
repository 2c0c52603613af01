"""Elements are frozen by a hook that zeroes their gradient, and the optimizer's weight decay or momentum moves them all the same."""

from collections.abc import Iterator
from typing import Any, Final

import numpy as np

from tensorscope.analysis.findings.facts import Mark, marks
from tensorscope.analysis.gradients import parameter_name
from tensorscope.analysis.join import ACCUMULATE_GRAD
from tensorscope.analysis.results import Finding, Related
from tensorscope.language import tr
from tensorscope.protocol.records import GradientStage, MarkKind, TensorRole
from tensorscope.trace.schema import HISTOGRAMS, NODES, OPERATORS, TENSORS
from tensorscope.trace.snapshot import Snapshot

MASKING: Final = ("aten::mul", "aten::mul_", "aten::masked_fill", "aten::masked_fill_", "aten::index_put_", "aten::zero_", "aten::fill_", "aten::copy_")


def zeroed_gradients(snapshot: Snapshot) -> Iterator[Finding]:
    """A parameter with a hook that masks its gradient, some of whose elements were zero in every sample, held by a group that decays."""
    hooks = {mark.b: mark for mark in marks(snapshot, MarkKind.TENSOR_HOOK) if mark.b}
    makings = {mark.a: mark for mark in marks(snapshot, MarkKind.OPTIMIZER_MADE)}
    for identity, told in snapshot.parameters.items() if hooks else ():
        hook = hooks.get(int(told.get("data") or 0))
        found = _group_of(snapshot, identity)
        share = _zero_share(snapshot, identity)
        if hook is None or found is None or share <= 0 or not _is_masked(snapshot, identity):
            continue
        optimizer, group = found
        if what := _moves(group):
            yield _finding(snapshot, identity, share, what, hook, makings.get(optimizer))


def _finding(snapshot: Snapshot, parameter: int, share: float, what: str, hook: Mark, making: Mark | None) -> Finding:
    name = parameter_name(snapshot, parameter)
    return Finding(
        rule="zeroed-gradients",
        severity="warning",
        message=tr(
            "The hook leaves {share:.0f} % of the gradient of {name} zero, but the optimizer has {what}, which moves these elements all the same. "
            "Put the old values back after each step, or give the parameter a group without it."
        ).format(share=100 * share, name=name, what=what),
        source=hook.source,
        related=(Related(making.source, tr("the optimizer with {what}").format(what=what)),) if making is not None and making.source is not None else (),
        evidence={"parameter": name, "zero_share": round(share, 4), "setting": what},
        certainty=0.7,
        parameter=name,
        time_ns=hook.begin_ns,
    )


def _group_of(snapshot: Snapshot, parameter: int) -> tuple[int, dict[str, Any]] | None:
    """(optimizer, settings) of the group that holds a parameter."""
    for optimizer, told in snapshot.optimizers.items():
        held = [int(one) for one in told.get("parameters", ())]
        groups = list(told.get("groups", ()))
        if parameter in held and sum(int(group.get("count") or 0) for group in groups) == len(held):
            ends = np.cumsum([int(group["count"]) for group in groups])
            return optimizer, dict(groups[int(np.searchsorted(ends, held.index(parameter), side="right"))])
    return None


def _moves(group: dict[str, Any]) -> str:
    """The setting that moves a weight whose gradient is zero."""
    for setting in ("weight_decay", "momentum"):
        if group.get(setting):
            return f"{setting}={group[setting]:g}"
    return ""


def _zero_share(snapshot: Snapshot, parameter: int) -> float:
    """The smallest share of zeros in any sample of its gradient; 0 where there is none."""
    table = snapshot.table(HISTOGRAMS)
    rows = np.flatnonzero((table.column("parameter") == parameter) & (table.column("stage") == GradientStage.RAW) & (table.column("sampled") > 0))
    return float((table.column("zeros")[rows] / table.column("sampled")[rows]).min()) if len(rows) else 0.0


def _is_masked(snapshot: Snapshot, parameter: int) -> bool:
    """Whether an operator that can set elements to zero ran in front of its AccumulateGrad, with a mask: a second tensor that is no number."""
    nodes, operators, tensors = snapshot.table(NODES), snapshot.table(OPERATORS), snapshot.table(TENSORS)
    name = [identity for identity, text in snapshot.strings.items() if text == ACCUMULATE_GRAD]
    rows = np.flatnonzero(np.isin(nodes.column("name"), name))
    own = []
    for row in rows.tolist():
        backward = snapshot.backwards.get(int(nodes.column("backward")[row]))
        shape = snapshot.graphs.get(backward.graph) if backward is not None else None
        place = int(nodes.column("index")[row]) - 1
        if shape is not None and 0 <= place < len(shape.parameters) and shape.parameters[place] == parameter:
            own.append(int(nodes.column("id")[row]))
    masking = [identity for identity, text in snapshot.strings.items() if text in MASKING]
    inside = np.flatnonzero(np.isin(operators.column("parent"), np.array(own, np.uint64)) & np.isin(operators.column("name"), masking))
    inputs = np.flatnonzero(
        np.isin(tensors.column("op"), operators.column("id")[inside]) & (tensors.column("role") == TensorRole.INPUT) & (tensors.column("argument") == 1)
    )
    shapes = [snapshot.shapes.get(int(shape)) for shape in tensors.column("shape")[inputs]]
    plain = [snapshot.name(int(one)) for one in operators.column("name")[inside]]
    return any(shape is not None and len(shape.sizes) > 0 for shape in shapes) or any(name in ("aten::zero_", "aten::fill_") for name in plain)
