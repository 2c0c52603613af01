"""What each source line took and holds: time, operators and saved bytes of one iteration, and live bytes at a moment."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tensorscope.analysis.graph import backwards
from tensorscope.analysis.iterations import iteration_bounds
from tensorscope.analysis.memory import default_device, live_at
from tensorscope.analysis.modules import module_calls
from tensorscope.analysis.results import CATEGORIES, BackwardGraph
from tensorscope.protocol.records import OperatorFlag, Scope
from tensorscope.trace.schema import OPERATORS
from tensorscope.trace.snapshot import Snapshot
from tensorscope.viewmodel.graph_cache import GRAPHS
from tensorscope.viewmodel.line_saved import Place, saved_by_line
from tensorscope.viewmodel.timeline_cache import TIMELINES


@dataclass(frozen=True, slots=True)
class LineCost:
    time_ns: int = 0
    live_bytes: int = 0
    category: str = "unknown"  # of most of the live bytes
    operators: int = 0  # that the line itself called
    saved_bytes: int = 0  # for the backward, parameters left out


@dataclass(frozen=True, slots=True)
class LineCosts:
    iteration: int  # -1: the whole run
    by_place: dict[Place, LineCost]
    by_module: dict[str, int]  # nanoseconds by FQN, in the module itself, not in its children

    def of_file(self, file: str) -> dict[int, LineCost]:
        return {line: cost for (name, line), cost in self.by_place.items() if name == file}


def line_costs(snapshot: Snapshot, cursor_ns: int | None) -> LineCosts:
    """Of the iteration at the cursor (None: the newest) and the bytes that live there."""
    iteration, begin, end = _iteration_at(snapshot, cursor_ns)
    graphs = _backwards_of(snapshot, iteration)
    nodes = [node for graph in graphs for node in graph.nodes if node.backward_ns is not None]
    times, modules, counts = _forward_costs(snapshot, begin, end)
    for node in nodes:
        if node.source is not None:
            place = (node.source.file, node.source.line)
            times[place] = times.get(place, 0) + (node.backward_ns or 0)
        modules[node.module] = modules.get(node.module, 0) + (node.backward_ns or 0)
    live = _live_bytes(snapshot, snapshot.end_ns if cursor_ns is None else cursor_ns)
    saved = saved_by_line(snapshot, graphs)
    costs = {
        place: LineCost(times.get(place, 0), *live.get(place, (0, "unknown")), counts.get(place, 0), saved.get(place, 0))
        for place in times.keys() | live.keys() | saved.keys()
    }
    return LineCosts(iteration, costs, {module: spent for module, spent in modules.items() if module})


def _iteration_at(snapshot: Snapshot, cursor_ns: int | None) -> tuple[int, int, int]:
    bounds = iteration_bounds(snapshot)
    if not bounds:
        return -1, 0, snapshot.end_ns
    if cursor_ns is None:
        index, begin, end, _ = bounds[-1]
    else:
        index, begin, end, _ = next((bound for bound in bounds if cursor_ns <= bound[2]), bounds[-1])
    return index, begin, end


def _forward_costs(snapshot: Snapshot, begin_ns: int, end_ns: int) -> tuple[dict[Place, int], dict[str, int], dict[Place, int]]:
    """Time of outermost operators by the line that called them and by the module they ran in, and how many each line called."""
    table = snapshot.table(OPERATORS)
    begins, ends = table.column("begin_ns"), table.column("end_ns")
    is_counted = (table.column("parent") == 0) & (table.column("scope") == Scope.FUNCTION) & (ends >= begins) & (table.column("stack") > 0)
    is_counted &= (begins >= begin_ns) & (begins <= end_ns) & ((table.column("flags") & (OperatorFlag.OURS | OperatorFlag.COMPILING)) == 0)
    durations = (ends - begins)[is_counted].astype(np.float64)
    by_place = _by_place(snapshot, *_totals(table.column("stack")[is_counted], durations))
    counts = _by_place(snapshot, *_totals(table.column("stack")[is_counted], np.ones(len(durations))))
    known, spent = _totals(table.column("module_call")[is_counted], durations)
    calls = module_calls(snapshot) if len(known) else {}
    by_module: dict[str, int] = {}
    for call, total in zip(known.tolist(), spent.tolist(), strict=True):
        module = calls[call].module if call in calls else ""
        by_module[module] = by_module.get(module, 0) + round(total)
    return by_place, by_module, counts


def _totals(keys: NDArray[Any], amounts: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
    distinct, places = np.unique(keys, return_inverse=True)
    return distinct, np.bincount(places, amounts, minlength=len(distinct))


def _backwards_of(snapshot: Snapshot, iteration: int) -> list[BackwardGraph]:
    """The graphs of an iteration's backwards."""
    chosen = [one.backward for one in backwards(snapshot) if one.iteration == iteration >= 0]
    graphs = [GRAPHS.get(snapshot, backward) for backward in chosen]
    return [graph for graph in graphs if graph is not None]


def _live_bytes(snapshot: Snapshot, time_ns: int) -> dict[Place, tuple[int, str]]:
    timeline = TIMELINES.get(snapshot, default_device(snapshot))
    if timeline is None or not len(timeline.blocks.size):
        return {}
    blocks = timeline.blocks
    rows = live_at(timeline, time_ns)
    rows = rows[blocks.stack[rows] > 0]
    stacks, places = np.unique(blocks.stack[rows], return_inverse=True)
    sizes = np.zeros((len(CATEGORIES), len(stacks)), np.float64)
    np.add.at(sizes, (blocks.category[rows], places), blocks.size[rows])
    by_place: dict[Place, NDArray[Any]] = {}
    for number, stack in enumerate(stacks.tolist()):
        line = snapshot.source(stack)
        if line is not None:
            key = (line.filename, line.line)
            by_place[key] = by_place.get(key, 0.0) + sizes[:, number]
    return {place: (int(amounts.sum()), CATEGORIES[int(amounts.argmax())]) for place, amounts in by_place.items()}


def _by_place(snapshot: Snapshot, stacks: NDArray[Any], totals: NDArray[Any]) -> dict[Place, int]:
    amounts: dict[Place, int] = {}
    for stack, total in zip(stacks.tolist(), totals.tolist(), strict=True):
        line = snapshot.source(stack)
        if line is not None:
            place = (line.filename, line.line)
            amounts[place] = amounts.get(place, 0) + round(total)
    return amounts
