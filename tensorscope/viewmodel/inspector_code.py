"""The Inspector's pages of what ran: an operator, a module, a source line."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

import numpy as np

from tensorscope.analysis.effects import RESULTS, operator_results
from tensorscope.analysis.events_index import MemoryCurve
from tensorscope.analysis.modules import module_calls
from tensorscope.analysis.operators import call_index, tensor_index
from tensorscope.analysis.results import Source
from tensorscope.language import tr, tr_later
from tensorscope.protocol.records import TensorRole
from tensorscope.trace.schema import TENSORS
from tensorscope.trace.snapshot import Snapshot
from tensorscope.units import (
    UNKNOWN,
    Quantity,
    format_count,
    format_place,
    format_shape,
    plural,
    split_byte_change,
    split_bytes,
    split_duration,
)
from tensorscope.viewmodel.caches import LINE_COSTS
from tensorscope.viewmodel.inspector_view import Figure, InspectorView, MemoryRow, NoteRow, Row, Section, fact, facts, place_fact
from tensorscope.viewmodel.line_costs import LineCost
from tensorscope.viewmodel.links import node_selection_of_operator, place_of, resting_moment
from tensorscope.viewmodel.workspace import (
    ModuleSelection,
    OperatorSelection,
    SourceSelection,
)

RESULT_WORDS: Final = {"new": tr_later("new memory"), "shares": tr_later("a view of an input"), "writes": tr_later("written in place")}


def operator_page(snapshot: Snapshot, selection: OperatorSelection) -> InspectorView | None:
    index = call_index(snapshot)
    at = index.find_one(selection.operator)
    if at < 0:
        return None
    begin, end = int(index.begin_ns[at]), int(index.end_ns[at])
    place = place_of(snapshot, selection)
    tensors = tensor_index(snapshot, np.array([selection.operator], np.uint64)).of(selection.operator)
    module = call_module(snapshot, int(index.module_call[at]))
    result = tr(RESULT_WORDS.get(RESULTS[int(operator_results(snapshot, index)[at])], ""))
    node = node_selection_of_operator(snapshot, selection.operator)
    return InspectorView(
        title=snapshot.name(int(index.name[at])),
        module=module,
        source=place.source if place is not None else None,
        figures=(
            Figure(tr("time"), split_duration(end - begin)),
            Figure(tr("memory"), split_byte_change(MemoryCurve.of(snapshot).delta(begin, end)), tr("Allocated less freed while it ran.")),
            Figure(tr("began at"), Quantity(f"{begin / 1e9:.3f}", "s")),
        ),
        sections=tuple(
            section
            for section in (
                Section(tr("Inputs"), "", _tensor_rows(snapshot, tensors, TensorRole.INPUT)),
                Section(tr("Outputs"), result, _tensor_rows(snapshot, tensors, TensorRole.OUTPUT)),
                Section(
                    tr("Operator"),
                    "",
                    facts(
                        fact(tr("module"), module),
                        fact(tr("in node"), tr("node {node} of backward {backward}").format(node=node.node, backward=node.backward), target=node)
                        if node
                        else None,
                        place_fact(tr("called at"), place.source if place is not None else None),
                    ),
                ),
            )
            if section.rows
        ),
    )


def module_page(snapshot: Snapshot, selection: ModuleSelection) -> InspectorView | None:
    told = next((one for one in snapshot.modules.values() if one.get("fqn") == selection.module), None)
    if told is None:
        return None
    prefix = f"{selection.module}." if selection.module else ""
    own = [one for one in snapshot.parameters.values() if str(one.get("fqn", "")).startswith(prefix) and not one.get("is_buffer")]
    calls = [call for call in module_calls(snapshot).values() if call.module == selection.module]
    rows: tuple[Row, ...] = tuple(
        MemoryRow(
            str(one["fqn"]).removeprefix(prefix), format_shape(one.get("shape", ()), str(one.get("dtype", ""))), "", split_bytes(_bytes_of(one)), "parameter"
        )
        for one in own
    )
    place = place_of(snapshot, selection)
    newest = calls[-1] if calls else None
    return InspectorView(
        title=selection.module or str(told.get("class", "")),
        detail=str(told.get("class", "")) if selection.module else "",
        source=place.source if place is not None else None,
        figures=(
            Figure(tr("forward"), split_duration(newest.end_ns - newest.begin_ns if newest else None), tr("Of its newest call.")),
            Figure(tr("calls"), Quantity(format_count(len(calls)))),
            Figure(tr("parameters"), split_bytes(sum(_bytes_of(one) for one in own))),
        ),
        sections=(Section(tr("Parameters"), plural(len(own), "parameter"), rows or (NoteRow(tr("It has none.")),)),),
    )


def source_page(snapshot: Snapshot, selection: SourceSelection, cursor_ns: int | None) -> InspectorView:
    source = Source(selection.file, selection.line)
    at_rest = resting_moment(snapshot) if snapshot.exit is not None else None
    costs = LINE_COSTS.get(snapshot, at_rest if cursor_ns is None else cursor_ns)
    cost = costs.by_place.get((selection.file, selection.line), LineCost())
    when = tr("In iteration {iteration}.").format(iteration=costs.iteration) if costs.iteration >= 0 else ""
    rows = facts(fact("file", selection.file), fact("line", format_count(selection.line)))
    return InspectorView(
        title=format_place(selection.file, selection.line),
        source=source,
        figures=(
            Figure(tr("time"), split_duration(cost.time_ns) if cost.time_ns else Quantity(UNKNOWN), when),
            Figure(tr("saved"), split_bytes(cost.saved_bytes), tr("For the backward, without parameters.")),
            Figure(tr("live"), split_bytes(cost.live_bytes), tr("Made here and alive at the cursor.")),
        ),
        sections=(Section(tr("Line"), "", rows),),
    )


def operator_name(snapshot: Snapshot, operator: int) -> str:
    """Of an operator or a node, "" if it is not on record."""
    index = call_index(snapshot)
    at = index.find_one(operator)
    return snapshot.name(int(index.name[at])).removeprefix("autograd::engine::evaluate_function: ") if at >= 0 else ""


def call_module(snapshot: Snapshot, call: int) -> str:
    """FQN of a call's module, its class for a root, "" outside of all."""
    known = module_calls(snapshot).get(call) if call else None
    return (known.module or known.module_class) if known is not None else ""


def _tensor_rows(snapshot: Snapshot, rows: np.ndarray[tuple[int], np.dtype[np.intp]], role: TensorRole) -> tuple[Row, ...]:
    table = snapshot.table(TENSORS)
    found: list[Row] = []
    for row in rows.tolist():
        if table.column("role")[row] != role:
            continue
        shape = snapshot.shapes.get(int(table.column("shape")[row]))
        text = format_shape(shape.sizes) if shape is not None else "[?]"
        found.append(
            MemoryRow(
                f"{'input' if role == TensorRole.INPUT else 'output'} {int(table.column('argument')[row])}",
                text,
                "",
                split_bytes(int(table.column("nbytes")[row])),
                "",
            )
        )
    return tuple(found)


def _bytes_of(parameter: Mapping[str, Any]) -> int:
    """Elements times the width that the dtype's name ends with, such as 16 bits of ``bfloat16``; a bool takes a byte."""
    bits = re.search(r"\d+$", str(parameter.get("dtype", "")))
    return int(parameter.get("numel") or 0) * (int(bits[0]) // 8 if bits else 1)
