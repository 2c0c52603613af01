"""Everything the gradients panel shows of one snapshot, computed off the GUI thread."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from types import MappingProxyType
from typing import Final

import numpy as np

from tensorscope.analysis.gradients import gradient_table, parameter_name
from tensorscope.analysis.iterations import iterations, raised_iterations
from tensorscope.analysis.rank_gradients import Desynchronised, RankNorms, desynchronised, rank_norms
from tensorscope.analysis.results import GradientTable, Iteration
from tensorscope.analysis.training_marks import TrainingMarks, training_marks
from tensorscope.protocol.records import GradientStage
from tensorscope.trace.snapshot import Snapshot
from tensorscope.viewmodel.gradient_curves import Curve, CurveChoice, curves_of
from tensorscope.viewmodel.gradient_lanes import GradientLanes, gradient_lanes
from tensorscope.viewmodel.gradient_rows import MapRows, fold_rows, folds_at
from tensorscope.viewmodel.gradient_series import Series, SeriesKind, series_of
from tensorscope.viewmodel.gradients import GradientMap, gradient_map
from tensorscope.viewmodel.linked import Linked
from tensorscope.viewmodel.workspace import ModuleSelection, NodeSelection, ParameterSelection, Selection

LARGE: Final = 20_000_000  # cells of a map whose curves take a while


@dataclass(frozen=True, slots=True)
class GradientRequest:
    """What the panel is asked to show."""

    stage: int = 1
    depth: int | None = None  # of the rows: see ``folds_at``
    folds: frozenset[str] | None = None  # the user's own instead of the depth's
    choice: CurveChoice = field(default_factory=CurveChoice)
    kind: SeriesKind = SeriesKind.NORMS
    chosen: str = ""  # the row that the series below are of; "" where they are of all

    def folds_of(self, table: GradientTable) -> frozenset[str]:
        return folds_at(table.modules, self.depth) if self.folds is None else self.folds


@dataclass(frozen=True, slots=True)
class GradientState:
    snapshot: Snapshot
    request: GradientRequest
    table: GradientTable
    iterations: tuple[Iteration, ...]
    told: TrainingMarks
    map: GradientMap
    rows: MapRows
    curves: tuple[Curve, ...]
    series: Series
    lanes: GradientLanes
    unoptimized: frozenset[str] = frozenset()  # parameters that no optimizer holds, where there are optimizers
    retained: frozenset[str] = frozenset()  # tensors that are no parameters: ``retain_grad``
    is_first: bool = False  # of a large map only the map: its curves come with the next
    across: RankNorms | None = None  # of every rank, in the map's stage; None of a single one
    differing: Mapping[str, Desynchronised] = field(default_factory=dict)  # parameters that ranks reduce and that differ between them, by name


def compute_gradients(
    snapshot: Snapshot, request: GradientRequest, before: GradientState | None, ranks: Mapping[int, Snapshot] = MappingProxyType({})
) -> GradientState:
    """Parts that are as before stay the same objects. The first state of a large map has no curves yet, so that there is a picture at once.

    ``ranks``: the newest of every rank of the job.
    """
    if before is not None and before.snapshot is snapshot:
        table, known, told = before.table, before.iterations, before.told
    else:
        table, known = by_iteration(gradient_table(snapshot)), iterations(snapshot)
        told = training_marks(snapshot, known)
    raised = raised_iterations(snapshot, known)
    is_same = before is not None and before.map.raised == raised and _is_same(table, known, before)
    if is_same and before is not None and before.request == request and not before.is_first:
        return replace(before, snapshot=snapshot, iterations=known)
    is_same_map = is_same and before is not None and before.request.stage == request.stage
    view = before.map if before is not None and is_same_map else gradient_map(table, known, request.stage, raised)
    folds = request.folds_of(table)
    rows = before.rows if before is not None and before.map is view and before.request.folds_of(before.table) == folds else fold_rows(view, folds)
    is_first = before is None and view.codes.finest.size > LARGE
    curves = curves_of(view, rows, request.choice) if not is_first else ()
    for curve in curves:
        curve.prepare()
    across, differing = (None, {}) if is_first else _across(ranks, snapshot, view.stage, before)
    series = series_of(snapshot, view, rows, told, request.kind, request.chosen, across)
    lanes = before.lanes if before is not None and before.map is view else gradient_lanes(told)
    unoptimized, retained = _unoptimized(snapshot, table), retained_names(snapshot)
    return GradientState(snapshot, request, table, known, told, view, rows, curves, series, lanes, unoptimized, retained, is_first, across, differing)


def _across(
    ranks: Mapping[int, Snapshot], snapshot: Snapshot, stage: int, before: GradientState | None
) -> tuple[RankNorms | None, Mapping[str, Desynchronised]]:
    """Every rank's norms, and what differs though it is reduced."""
    if before is not None and before.snapshot is snapshot and before.map.stage == stage and not before.is_first:
        return before.across, before.differing
    across = rank_norms(ranks, stage)
    differing = {one.parameter: one for one in desynchronised(ranks, across if stage == GradientStage.RAW else None)}
    return across, before.differing if before is not None and before.differing == differing else differing


def _unoptimized(snapshot: Snapshot, table: GradientTable) -> frozenset[str]:
    held = {parameter_name(snapshot, int(identity)) for told in snapshot.optimizers.values() for identity in told.get("parameters", ())}
    bare = {str(told.get("fqn", "")) for told in snapshot.parameters.values() if told.get("module") == 0}  # leaves of no module: may be inputs
    return frozenset(table.parameters) - held - bare - retained_names(snapshot) if held else frozenset()


def retained_names(snapshot: Snapshot) -> frozenset[str]:
    return frozenset(str(told.get("fqn", "")) for told in snapshot.parameters.values() if told.get("is_retained"))


def by_iteration(table: GradientTable) -> GradientTable:
    """The same rows in order of iteration, which those of a backward begun in one thread while another thread ended an iteration may not be."""
    if not (np.diff(table.iteration) < 0).any():
        return table
    order = np.argsort(table.iteration, kind="stable")
    names = [one.name for one in fields(table) if one.name not in ("parameters", "modules")]
    return replace(table, **{name: getattr(table, name)[order] for name in names})


def selected_row(selection: Selection | None, state: GradientState) -> int | None:
    """The row that the shared selection means: a parameter, the node that accumulates its gradient, a folded module."""
    match selection:
        case ParameterSelection(name):
            pass
        case NodeSelection(backward, node):
            name = _accumulated(state.snapshot, backward, node)
        case ModuleSelection(module):
            return state.rows.row_named(module)
        case _:
            return None
    names = state.map.parameters
    return state.rows.row_of_parameter(names.index(name)) if name in names else None


def linked_rows(links: Linked, state: GradientState) -> frozenset[int]:
    """Rows of the parameters that belong to the selection, or of the folded modules that they lie in."""
    names, wanted = state.map.parameters, set(links.parameters)
    return frozenset(place for place, row in enumerate(state.rows.rows) if wanted and any(names[member] in wanted for member in row.members))


def selected_parameter(selection: Selection | None, state: GradientState) -> int | None:
    """The parameter of a selected row, None for a folded module."""
    row = selected_row(selection, state)
    return None if row is None or state.rows.rows[row].is_module else state.rows.rows[row].members[0]


def _accumulated(snapshot: Snapshot, backward: int, node: int) -> str:
    """The parameter of an AccumulateGrad node, "" for other nodes."""
    known = snapshot.backwards.get(backward + 1)
    graph = snapshot.graphs.get(known.graph) if known is not None else None
    identity = int(graph.parameters[node]) if graph is not None and 0 <= node < len(graph.parameters) else 0
    return parameter_name(snapshot, identity) if identity else ""


def _is_same(table: GradientTable, known: tuple[Iteration, ...], before: GradientState) -> bool:
    """Whether nothing that the map shows has come or gone: rows are only added at the end or let go at the begin."""
    columns = [(one.index, one.is_ended) for one in known] == [(one.index, one.is_ended) for one in before.iterations]
    rows = len(table.norm) == len(before.table.norm) and bool((table.time_ns[:1] == before.table.time_ns[:1]).all())
    return columns and rows and table.parameters == before.table.parameters
