"""The module lane of the memory timeline: calls of the selected module and of its siblings, forward and backward."""

from collections.abc import Iterable
from itertools import groupby, pairwise
from operator import itemgetter
from typing import Final

import numpy as np

from tensorscope.analysis.modules import ModuleCall
from tensorscope.trace.schema import NODES
from tensorscope.viewmodel.memory_lanes import LaneTable
from tensorscope.viewmodel.memory_names import BlockNamer

_MOST_BACKWARDS: Final = 60  # the newest; joining nodes to modules takes milliseconds each

Row = tuple[int, int, int, str, str]


def module_lane(namer: BlockNamer, selected: str) -> LaneTable:
    """Spans of kind "selected" or "sibling". Without a selection, the modules right inside the roots, all siblings."""
    group_of = {call: _group(namer.calls, call, selected) for call in namer.calls}
    rows: list[Row] = []
    for call in namer.calls.values():
        group = group_of[call.call]
        parent_group = group_of.get(call.parent)
        if group is not None and group != parent_group:
            rows.append(_row(call.begin_ns, call.end_ns, group, selected))
    for backward in sorted(namer.snapshot.backwards)[-_MOST_BACKWARDS:]:
        rows += _backward_rows(namer, backward, group_of, selected)
    return LaneTable.of(_without_overlaps(rows))


def _group(calls: dict[int, ModuleCall], call: int, selected: str) -> str | None:
    """The module among the selected one and its siblings that a call ran in, else None."""
    around: list[str] = []
    at = call
    while at in calls:
        around.append(calls[at].module)
        at = calls[at].parent
    if not selected:
        return around[-2] if len(around) > 1 else None
    family = selected.rpartition(".")[0]
    return next((module for module in around if module and module.rpartition(".")[0] == family), None)


def _backward_rows(namer: BlockNamer, backward: int, group_of: dict[int, str | None], selected: str) -> Iterable[Row]:
    """Stretches of a backward whose nodes were made in one module."""
    nodes, makers = namer.snapshot.table(NODES), namer.join.makers(backward)
    rows = np.flatnonzero((nodes.column("backward") == backward) & (nodes.column("index") > 0))
    rows = rows[nodes.column("index")[rows] <= len(makers)]
    positions = namer.index.find(makers[nodes.column("index")[rows].astype(np.intp) - 1])
    calls = np.where(positions >= 0, namer.index.module_call[positions.clip(min=0)], 0) if len(namer.index.id) else np.zeros(len(rows), np.int64)
    begins = nodes.column("begin_ns")[rows].astype(np.int64)
    ends = np.maximum(nodes.column("end_ns")[rows].astype(np.int64), begins)
    groups = [group_of.get(call) for call in calls.tolist()]
    runs = sorted(zip(begins.tolist(), ends.tolist(), groups, strict=True), key=itemgetter(0))
    for group, run in groupby(runs, key=itemgetter(2)):
        spans = list(run)
        if group is not None:
            yield _row(spans[0][0], max(span[1] for span in spans), group, selected)


def _row(begin_ns: int, end_ns: int, module: str, selected: str) -> Row:
    return begin_ns, end_ns, 0, module, "selected" if selected and module == selected else "sibling"


def _without_overlaps(rows: list[Row]) -> list[Row]:
    """Cut each span where the next one begins."""
    ordered = sorted(rows)
    cut = [(begin, min(end, following[0]), number, label, kind) for (begin, end, number, label, kind), following in pairwise(ordered)]
    return [row for row in [*cut, *ordered[-1:]] if row[1] > row[0]]
