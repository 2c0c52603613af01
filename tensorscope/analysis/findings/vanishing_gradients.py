"""Gradients that shrink on their way to the input until the first layers hardly learn."""

from collections.abc import Iterator
from typing import Final

import numpy as np

from tensorscope.analysis.findings.made_at import used_at
from tensorscope.analysis.gradients import gradient_table
from tensorscope.analysis.results import Finding, GradientTable
from tensorscope.language import tr
from tensorscope.protocol.records import GradientStage
from tensorscope.trace.snapshot import Snapshot

FEWEST: Final = 6  # matrices in a row
ENOUGH: Final = 3  # backwards, the newest
RATIO: Final = 1e5  # of the root mean square near the loss to that near the input


def vanishing_gradients(snapshot: Snapshot) -> Iterator[Finding]:
    """Of all matrices in modules, by depth: the middle one of the third nearest the input against that of the third nearest the loss."""
    table = gradient_table(snapshot)
    shapes = {str(told.get("fqn")): tuple(told.get("shape") or ()) for told in snapshot.parameters.values() if told.get("module")}
    matrices = [place for place, name in enumerate(table.parameters) if len(shapes.get(name, ())) > 1]
    if len(matrices) < FEWEST:
        return
    is_one = (table.stage == GradientStage.RAW) & np.isin(table.parameter, matrices) & (table.nonfinite == 0)
    newest = np.unique(table.backward[is_one])[-ENOUGH:].tolist()
    pairs = [pair for backward in newest if (pair := _near_input_and_loss(table, np.flatnonzero(is_one & (table.backward == backward)), len(matrices)))]
    if len(pairs) < ENOUGH or any(first <= 0 or last < RATIO * first for first, last in pairs):
        return
    first, last = pairs[-1]
    name = table.parameters[matrices[0]]
    known = [identity for identity, told in snapshot.parameters.items() if told.get("fqn") == name]
    row = int(np.flatnonzero(is_one & (table.backward == newest[-1]))[0])
    yield Finding(
        rule="vanishing-gradients",
        severity="warning",
        message=tr(
            "Gradients shrink from {last:.2g} near the loss to {first:.2g} near the input (root mean square): the first layers hardly learn. "
            "ReLU or GELU in place of sigmoids, normalisation, residual connections or other initial values keep them up."
        ).format(first=first, last=last),
        source=used_at(snapshot, known, snapshot.end_ns),
        iteration=int(table.iteration[row]),
        evidence={"near_input_rms": first, "near_loss_rms": last, "parameter": name},
        certainty=0.8,
        backward=int(newest[-1]),
        parameter=name,
        time_ns=int(table.time_ns[row]),
    )


def _near_input_and_loss(table: GradientTable, rows: np.ndarray[tuple[int], np.dtype[np.intp]], count: int) -> tuple[float, float] | None:
    """None where not all matrices have a gradient in this backward."""
    if len(rows) != count:
        return None
    rows = rows[np.argsort(table.parameter[rows], kind="stable")]
    sizes = table.norm[rows] / np.sqrt(np.maximum(table.numel[rows], 1))
    third = count // 3
    return float(np.median(sizes[:third])), float(np.median(sizes[-third:]))
