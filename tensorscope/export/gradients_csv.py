"""Gradient statistics as CSV, one row a backward, stage and parameter, in that order, parameters nearest the input first:

    iteration, backward     counted from 0 over the run
    parameter, module       names of the parameter and of the module that owns it
    stage                   raw: ``.grad`` as it stands at the end of the backward; unscaled, clipped: after each call of that kind
    time_ns                 when it was read, since the script's start, held time taken out
    norm                    2-norm, summed in double; nan or inf where an element is not finite
    max_abs                 largest absolute value
    nonfinite, numel        elements that are not finite, and all
    weight_norm             2-norm of the parameter itself
    update_norm             2-norm of what the optimizer's step changed

Numbers are written so that reading them gives the same double; what is not known is empty.
"""

import csv
import math
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import numpy as np

from tensorscope.analysis.results import GradientTable
from tensorscope.export.files import write_atomically

HEADER: Final = (
    "iteration",
    "backward",
    "parameter",
    "module",
    "stage",
    "time_ns",
    "norm",
    "max_abs",
    "nonfinite",
    "numel",
    "weight_norm",
    "update_norm",
)
STAGES: Final = ("", "raw", "unscaled", "clipped")
Value = int | float | str


def save_gradients_csv(path: Path, table: GradientTable, backward: int | None = None) -> None:
    """All backwards, or one. Raises TensorScopeError where the file cannot be written."""

    def write(target: Path) -> None:
        with target.open("w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow(HEADER)
            writer.writerows(gradient_rows(table, backward))

    write_atomically(path, write)


def gradient_rows(table: GradientTable, backward: int | None = None) -> Iterator[tuple[Value, ...]]:
    wanted = np.flatnonzero(table.backward == backward) if backward is not None else np.arange(len(table.backward))
    for row in wanted.tolist():
        parameter, nonfinite = int(table.parameter[row]), int(table.nonfinite[row])
        yield (
            int(table.iteration[row]),
            int(table.backward[row]),
            table.parameters[parameter],
            table.modules[parameter],
            STAGES[int(table.stage[row])],
            int(table.time_ns[row]),
            _known(float(table.norm[row]), nonfinite),
            _known(float(table.max_abs[row]), nonfinite),
            nonfinite,
            int(table.numel[row]),
            _known(float(table.weight_norm[row])),
            _known(float(table.update_norm[row])),
        )


def _known(value: float, nonfinite: int = 0) -> float | str:
    """nan means that it is not known, unless an element is not finite."""
    return "" if math.isnan(value) and not nonfinite else value
