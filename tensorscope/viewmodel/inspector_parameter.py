"""The Inspector's page of a parameter: its gradient by stage, its weight, its optimizer."""

from __future__ import annotations

from typing import Final

import numpy as np

from tensorscope.analysis.gradients import gradient_table
from tensorscope.language import tr
from tensorscope.trace.snapshot import Snapshot
from tensorscope.units import (
    Quantity,
    format_count,
    format_shape,
    split_norm,
)
from tensorscope.viewmodel.inspector_view import Figure, InspectorView, NoteRow, Row, Section, TensorRow, fact, facts
from tensorscope.viewmodel.links import place_of
from tensorscope.viewmodel.words import word_of
from tensorscope.viewmodel.workspace import (
    ParameterSelection,
)

STAGES: Final = ("", "raw", "unscaled", "clipped")


def parameter_page(snapshot: Snapshot, selection: ParameterSelection, cursor_ns: int | None) -> InspectorView | None:
    """With the gradient of the selected backward or iteration, else the newest one at the cursor."""
    told = next((one for one in snapshot.parameters.values() if one.get("fqn") == selection.parameter), None)
    if told is None:
        return None
    table = gradient_table(snapshot)
    place = table.parameters.index(selection.parameter) if selection.parameter in table.parameters else -1
    rows = np.flatnonzero(table.parameter == place)
    if selection.backward is not None or selection.iteration is not None:
        wanted = table.backward[rows] == selection.backward if selection.backward is not None else table.iteration[rows] == selection.iteration
        rows = rows[wanted] if wanted.any() else rows
    elif cursor_ns is not None:
        rows = rows[table.time_ns[rows] <= cursor_ns]
    last = rows[table.backward[rows] == table.backward[rows[-1]]] if len(rows) else rows
    gradients: tuple[Row, ...] = tuple(
        TensorRow(
            word_of(STAGES[int(table.stage[row])]),
            tr("{numel:,} elements").format(numel=int(table.numel[row])),
            float(table.norm[row]),
            float(table.max_abs[row]),
            int(table.nonfinite[row]),
            (),
            "gradient",
        )
        for row in last
    )
    read = rows[(rows <= last[-1]) & np.isfinite(table.weight_norm[rows])] if len(last) else rows
    weight = float(table.weight_norm[read[-1]]) if len(read) else None
    optimizers = [str(one.get("class", "")) for one in snapshot.optimizers.values() if told.get("id") in one.get("parameters", ())]
    shape = tuple(int(size) for size in told.get("shape", ()))
    where = place_of(snapshot, selection)
    return InspectorView(
        title=selection.parameter,
        module=selection.parameter.rpartition(".")[0],
        source=where.source if where is not None else None,
        swatch="parameter",
        figures=(
            Figure(tr("gradient norm"), split_norm(float(table.norm[last[0]]) if len(last) else None), tr("No gradient has been written yet.")),
            Figure(tr("weight norm"), split_norm(weight)),
            Figure(tr("elements"), Quantity(format_count(int(told.get("numel") or 0)))),
        ),
        sections=(
            Section(
                tr("Gradient"),
                tr("backward {backward} · norm · max |x|").format(backward=int(table.backward[last[0]])) if len(last) else "",
                gradients or (NoteRow(tr("No gradient yet.")),),
            ),
            Section(
                tr("Parameter"),
                "",
                facts(
                    fact(tr("shape"), format_shape(shape, str(told.get("dtype", ""))), is_code=True),
                    fact(tr("device"), str(told.get("device", ""))),
                    fact(tr("also named"), ", ".join(str(alias) for alias in told.get("aliases", ()))),
                    fact(tr("optimizer"), ", ".join(optimizers) or tr("none: it is never updated")),
                ),
            ),
        ),
    )
