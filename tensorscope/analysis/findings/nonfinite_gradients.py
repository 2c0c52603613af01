"""Gradients that are not finite, or about to be: where it began and which operators can have made them."""

from collections.abc import Iterator
from typing import Final

import numpy as np

from tensorscope.analysis.findings.facts import said
from tensorscope.analysis.findings.made_at import made_at
from tensorscope.analysis.findings.raising_node import where
from tensorscope.analysis.gradients import gradient_table
from tensorscope.analysis.graph import backward_graph
from tensorscope.analysis.results import Finding, GradientTable, GraphNode, Related, Source
from tensorscope.language import tr
from tensorscope.protocol.records import GradientStage
from tensorscope.trace.snapshot import Snapshot

RISKY: Final = (
    "Sqrt",
    "Rsqrt",
    "Log",
    "Log2",
    "Log10",
    "Log1P",
    "Pow",
    "Norm",
    "LinalgVectorNorm",
    "Std",
    "StdMean",
    "Var",
    "Reciprocal",
    "Acos",
    "Asin",
    "Atan2",
    "Div",
    "Exp",
)
HUGE: Final = 1e10  # a norm from which float32 is about to give out


def nonfinite_gradients(snapshot: Snapshot) -> Iterator[Finding]:
    """The first backward with such a gradient. Scaled gradients that a GradScaler catches are its business."""
    table = gradient_table(snapshot)
    is_scaled = bool(np.any(table.stage == GradientStage.UNSCALED))
    rows = np.flatnonzero((table.nonfinite > 0) & (table.stage == GradientStage.RAW)) if not is_scaled else np.empty(0, np.intp)
    huge = np.flatnonzero((table.norm > HUGE) & np.isfinite(table.norm) & (table.stage == GradientStage.RAW)) if not is_scaled else rows
    if len(huge) and (not len(rows) or table.backward[huge[0]] < table.backward[rows[0]]):
        yield _exploding(snapshot, table, int(huge[0]))
    elif len(rows):
        yield _not_finite(snapshot, table, int(table.backward[rows[0]]))


def _exploding(snapshot: Snapshot, table: GradientTable, row: int) -> Finding:
    name = table.parameters[int(table.parameter[row])]
    identity = [one for one, told in snapshot.parameters.items() if told.get("fqn") == name]
    return Finding(
        rule="exploding-gradients",
        severity="error",
        message=tr(
            "The gradient of {name} has a norm of {norm:.3g}: the next steps cannot stay finite. Scale its initial values or clip the gradients."
        ).format(name=name, norm=float(table.norm[row])),
        source=made_at(snapshot, identity),
        iteration=int(table.iteration[row]),
        evidence={"parameter": name, "norm": float(table.norm[row])},
        backward=int(table.backward[row]),
        parameter=name,
        time_ns=int(table.time_ns[row]),
    )


def _not_finite(snapshot: Snapshot, table: GradientTable, backward: int) -> Finding:
    of_it = (table.backward == backward) & (table.stage == GradientStage.RAW)
    bad = np.flatnonzero(of_it & (table.nonfinite > 0))
    names = list(dict.fromkeys(table.parameters[int(one)] for one in table.parameter[bad]))
    suspects = _suspects(snapshot, backward) if backward + 1 in snapshot.backwards else []
    lines: dict[Source, GraphNode] = {}
    for node in suspects:
        if node.source is not None:
            lines.setdefault(node.source, node)
    first = next(iter(lines.values()), None)
    blame = tr(" {node} is the first on its way whose derivative can be infinite.").format(node=where(first)) if first is not None else ""
    return Finding(
        rule="nonfinite-gradients",
        severity="error",
        message=tr("{bad} of {count} gradients are not finite from here on ({names}).{blame}").format(
            bad=len(names), count=int(np.count_nonzero(of_it)), names=said(names), blame=blame
        ),
        source=first.source if first is not None else None,
        related=tuple(Related(source, tr("also possible: {node}").format(node=where(node))) for source, node in list(lines.items())[1:3]),
        iteration=int(table.iteration[bad[0]]),
        evidence={"parameters": names, "suspects": [node.name for node in lines.values()]},
        certainty=0.7 if len(lines) == 1 else 0.4,
        backward=backward,
        node=first.id if first is not None else None,
        time_ns=int(table.time_ns[bad[0]]),
    )


def _suspects(snapshot: Snapshot, backward: int) -> list[GraphNode]:
    """Nodes whose derivative can be infinite or undefined, in the order in which they ran."""
    graph = backward_graph(snapshot, backward)
    risky = [node for node in graph.nodes if node.name.partition("Backward")[0] in RISKY]
    return sorted(risky, key=lambda node: node.begin_ns if node.begin_ns is not None else snapshot.end_ns)
