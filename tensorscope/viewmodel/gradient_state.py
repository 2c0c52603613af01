"""Everything the gradients panel shows of one snapshot, computed off the GUI thread, and the words of its hover card."""

from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from tensorscope.analysis.gradients import gradient_table, parameter_name
from tensorscope.analysis.iterations import iterations, raised_iterations
from tensorscope.analysis.results import GradientTable, Iteration
from tensorscope.trace.snapshot import Snapshot
from tensorscope.units import UNKNOWN, format_count, format_norm
from tensorscope.viewmodel.gradient_picture import Curve, curves_of
from tensorscope.viewmodel.gradients import STAGES, Cell, GradientMap, facts_of, gradient_map
from tensorscope.viewmodel.workspace import NodeSelection, ParameterSelection, Selection

_MOST_BACKWARDS: Final = 3


@dataclass(frozen=True, slots=True)
class GradientState:
    snapshot: Snapshot
    table: GradientTable
    iterations: tuple[Iteration, ...]
    map: GradientMap
    curves: tuple[Curve, ...]


def compute_gradients(snapshot: Snapshot, stage: int, before: GradientState | None) -> GradientState:
    if before is not None and before.snapshot is snapshot:
        table, known = before.table, before.iterations
    else:
        table, known = gradient_table(snapshot), iterations(snapshot)
    raised = raised_iterations(snapshot, known)
    if before is not None and before.map.stage == stage and before.map.raised == raised and _is_same(table, known, before):
        return replace(before, snapshot=snapshot, iterations=known)
    view = gradient_map(table, known, stage, raised)
    return GradientState(snapshot, table, known, view, curves_of(view))


def selected_parameter(selection: Selection | None, state: GradientState) -> int | None:
    """The row that the shared selection means: a parameter, or the node that accumulates its gradient."""
    match selection:
        case ParameterSelection(name):
            pass
        case NodeSelection(backward, node):
            name = _accumulated(state.snapshot, backward, node)
        case _:
            return None
    names = state.map.parameters
    return names.index(name) if name in names else None


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


def cell_facts(view: GradientMap, parameter: int, iteration: int) -> tuple[tuple[str, str], ...]:
    """(label, value) lines of one cell; with several backwards in the iteration, one line each, the last one first."""
    found = facts_of(view, parameter, iteration)
    stage = STAGES[view.stage]
    if not found:
        cell = Cell(int(view.cells[parameter, iteration - view.first_iteration]))
        if cell is Cell.NOT_RUN:
            return (("gradient", "none on record: the backward raised" if iteration in view.raised else "not computed yet"),)
        return (("gradient", "none in this iteration"),)
    last = found[-1]
    if not last.is_read:
        facts = [("norm", f"{UNKNOWN} not read on this device")]
    else:
        facts = [(f"norm, {stage}", format_norm(last.norm)), ("max |x|", format_norm(last.max_abs))]
    if last.nonfinite:
        facts.append(("not finite", f"{format_count(last.nonfinite)} of {format_count(last.numel)}"))
    elif last.norm == 0:
        facts.append(("elements", f"all {format_count(last.numel)} are zero"))
    else:
        facts.append(("elements", format_count(last.numel)))
    if len(found) > 1:
        facts += [(f"backward {fact.backward}", format_norm(fact.norm)) for fact in found[-_MOST_BACKWARDS:]]
        if len(found) > _MOST_BACKWARDS:
            facts.append(("and", f"{len(found) - _MOST_BACKWARDS} backwards before"))
    else:
        facts.append(("backward", format_count(last.backward)))
    return tuple(facts)


def curve_facts(view: GradientMap, curves: tuple[Curve, ...], name: str, iteration: int) -> tuple[tuple[str, str], ...]:
    """(label, value) lines of a module's curve in an iteration."""
    curve = next(one for one in curves if one.name == name)
    members = _members(view, name)
    largest = largest_of(view, name, iteration)
    facts = [(f"norm, {STAGES[view.stage]}", format_norm(float(curve.norms[iteration - view.first_iteration]))), ("parameters", format_count(len(members)))]
    return (*facts, ("largest", view.parameters[largest])) if largest is not None else tuple(facts)


def largest_of(view: GradientMap, name: str, iteration: int) -> int | None:
    """The parameter that a curve stands for; of a module's, the one with the largest norm in an iteration."""
    norms = view.norms[:, iteration - view.first_iteration]
    return max((place for place in _members(view, name) if np.isfinite(norms[place])), key=lambda place: float(norms[place]), default=None)


def _members(view: GradientMap, name: str) -> list[int]:
    """A parameter by its name, else all parameters in a module."""
    if name in view.parameters:
        return [view.parameters.index(name)]
    return [place for place, module in enumerate(view.table.modules) if module == name or module.startswith(f"{name}.")]
