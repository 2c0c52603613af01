"""The gradients panel's numbers for the clipboard: tab-separated lines with a head, every digit kept."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from tensorscope.viewmodel.gradient_rows import MapRow, exact_norm
from tensorscope.viewmodel.gradient_view import Span
from tensorscope.viewmodel.gradients import STAGES, GradientMap, norms_at

PARAMETER_HEAD = ("iteration", "backward", "parameter", "stage", "norm", "max_abs", "nonfinite", "numel", "weight_norm", "update_norm")


def row_text(view: GradientMap, row: MapRow, span: Span) -> str:
    """A parameter's rows of every stage, or a module's norm, in the iterations in sight."""
    first, last = max(int(span[0]), view.first_iteration), min(int(np.ceil(span[1])), view.last_iteration + 1)
    return _module_text(view, row, first, last) if row.is_module else _parameter_text(view, row.members[0], first, last)


def sheet_text(view: GradientMap, rows: Sequence[MapRow], span: Span) -> str:
    """Rows × iterations in sight, norms of the map's stage."""
    first, last = max(int(span[0]), view.first_iteration), min(int(np.ceil(span[1])), view.last_iteration + 1)
    columns: list[list[str]] = []
    for iteration in range(first, last):
        norms, nonfinite = norms_at(view, iteration)
        columns.append([_number(_over(norms, nonfinite, row), _bad(nonfinite, row)) for row in rows])
    lines = [["row", *(str(iteration) for iteration in range(first, last))]]
    lines += [[row.name, *(column[place] for column in columns)] for place, row in enumerate(rows)]
    return _text(lines)


def _parameter_text(view: GradientMap, parameter: int, first: int, last: int) -> str:
    table = view.table
    begin, end = np.searchsorted(table.iteration, (first, last))
    lines = [list(PARAMETER_HEAD)]
    for row in (np.flatnonzero(table.parameter[begin:end] == parameter) + begin).tolist():
        bad = int(table.nonfinite[row])
        lines.append(
            [
                str(int(table.iteration[row])),
                str(int(table.backward[row])),
                table.parameters[parameter],
                STAGES[int(table.stage[row])],
                _number(float(table.norm[row]), bad),
                _number(float(table.max_abs[row]), bad),
                str(bad),
                str(int(table.numel[row])),
                _number(float(table.weight_norm[row]), 0),
                _number(float(table.update_norm[row]), 0),
            ]
        )
    return _text(lines)


def _module_text(view: GradientMap, row: MapRow, first: int, last: int) -> str:
    lines = [["iteration", "module", "stage", "norm", "parameters", "nonfinite"]]
    for iteration in range(first, last):
        norm, count, bad = exact_norm(view, row.members, iteration)
        if count:
            lines.append([str(iteration), row.name, STAGES[view.stage], _number(norm, bad), str(count), str(bad)])
    return _text(lines)


def _over(norms: np.ndarray[tuple[int], np.dtype[np.float64]], nonfinite: np.ndarray[tuple[int], np.dtype[np.int64]], row: MapRow) -> float:
    chosen = [member for member in row.members if nonfinite[member] >= 0]
    return float(np.sqrt((norms[chosen] ** 2).sum())) if chosen else float("nan")


def _bad(nonfinite: np.ndarray[tuple[int], np.dtype[np.int64]], row: MapRow) -> int:
    return int(sum(max(int(nonfinite[member]), 0) for member in row.members))


def _number(value: float, nonfinite: int) -> str:
    """nan means that it is not known, unless an element is not finite."""
    return "" if np.isnan(value) and not nonfinite else repr(value)


def _text(lines: Sequence[Sequence[str]]) -> str:
    return "".join("\t".join(line) + "\n" for line in lines)
