"""The Inspector's pages of parameters, storages, blocks, operators, modules, lines and the run as a whole."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from tensorscope.analysis.effects import RESULTS, operator_results
from tensorscope.analysis.events_index import MemoryCurve
from tensorscope.analysis.gradients import gradient_table
from tensorscope.analysis.iterations import iterations
from tensorscope.analysis.memory import block_names, devices
from tensorscope.analysis.modules import module_calls
from tensorscope.analysis.operators import call_index, tensor_index
from tensorscope.analysis.results import CATEGORIES, Source, StorageRow
from tensorscope.analysis.storages import storage_view
from tensorscope.protocol.records import TensorRole
from tensorscope.trace.schema import TENSORS
from tensorscope.trace.snapshot import Snapshot
from tensorscope.units import (
    Quantity,
    format_bytes,
    format_count,
    format_duration,
    format_place,
    format_shape,
    format_time,
    plural,
    split_byte_change,
    split_bytes,
    split_duration,
    split_norm,
)
from tensorscope.viewmodel.inspector_view import FactRow, Figure, InspectorView, MemoryRow, NoteRow, Row, Section, TensorRow, fact, facts
from tensorscope.viewmodel.links import node_selection_of_operator, place_of
from tensorscope.viewmodel.timeline_cache import TIMELINES
from tensorscope.viewmodel.workspace import (
    BlockSelection,
    ModuleSelection,
    OperatorSelection,
    ParameterSelection,
    SourceSelection,
    StorageSelection,
)

STAGES = ("", "raw", "unscaled", "clipped")
RESULT_WORDS = {"new": "new memory", "shares": "a view of an input", "writes": "written in place"}


def parameter_page(snapshot: Snapshot, selection: ParameterSelection) -> InspectorView | None:
    told = next((one for one in snapshot.parameters.values() if one.get("fqn") == selection.parameter), None)
    if told is None:
        return None
    table = gradient_table(snapshot)
    place = table.parameters.index(selection.parameter) if selection.parameter in table.parameters else -1
    rows = np.flatnonzero(table.parameter == place)
    if selection.backward is not None or selection.iteration is not None:
        wanted = table.backward[rows] == selection.backward if selection.backward is not None else table.iteration[rows] == selection.iteration
        rows = rows[wanted] if wanted.any() else rows
    last = rows[table.backward[rows] == table.backward[rows[-1]]] if len(rows) else rows
    gradients: tuple[Row, ...] = tuple(
        TensorRow(
            STAGES[int(table.stage[row])],
            f"{int(table.numel[row]):,} elements",
            float(table.norm[row]),
            float(table.max_abs[row]),
            int(table.nonfinite[row]),
            (),
            "gradient",
        )
        for row in last
    )
    weight = float(table.weight_norm[last[-1]]) if len(last) else None
    optimizers = [str(one.get("class", "")) for one in snapshot.optimizers.values() if told.get("id") in one.get("parameters", ())]
    shape = tuple(int(size) for size in told.get("shape", ()))
    where = place_of(snapshot, selection)
    return InspectorView(
        title=selection.parameter,
        module=selection.parameter.rpartition(".")[0],
        source=where.source if where is not None else None,
        swatch="parameter",
        figures=(
            Figure("gradient norm", split_norm(float(table.norm[last[0]]) if len(last) else None), "No gradient has been written yet."),
            Figure("weight norm", split_norm(weight if weight is not None and np.isfinite(weight) else None)),
            Figure("elements", Quantity(format_count(int(told.get("numel") or 0)))),
        ),
        sections=(
            Section("Gradient", f"backward {int(table.backward[last[0]])} · norm · max |x|" if len(last) else "", gradients or (NoteRow("No gradient yet."),)),
            Section(
                "Parameter",
                "",
                facts(
                    fact("shape", format_shape(shape, str(told.get("dtype", ""))), is_code=True),
                    fact("device", str(told.get("device", ""))),
                    fact("also named", ", ".join(str(alias) for alias in told.get("aliases", ()))),
                    fact("optimizer", ", ".join(optimizers) or "none: it is never updated"),
                ),
            ),
        ),
    )


def storage_page(snapshot: Snapshot, selection: StorageSelection) -> InspectorView | None:
    view = storage_view(snapshot, selection.seen_ns)
    row = next((row for row in view.rows if row.data == selection.data), None)
    if row is None:
        return None
    tensors: tuple[Row, ...] = tuple(
        MemoryRow(
            ", ".join(tensor.names) or "unnamed",
            format_shape(tensor.shape, tensor.dtype),
            "view" if tensor.is_view else "" if tensor.is_contiguous else "not contiguous",
            split_bytes(tensor.end_byte - tensor.begin_byte),
            row.category,
        )
        for tensor in row.tensors
    )
    return InspectorView(
        title=_storage_name(row),
        module=row.module,
        source=row.made_source,
        note=row.device,
        swatch=row.category,
        figures=(
            Figure("bytes", split_bytes(row.nbytes)),
            Figure("tensors", Quantity(format_count(len(row.tensors)))),
            Figure("version", Quantity(str(max((tensor.version for tensor in row.tensors), default=0))), "How often it was written in place."),
        ),
        sections=(
            Section("Tensors", f"seen at {format_time(view.seen_ns)}", tensors),
            Section(
                "Storage",
                "",
                (
                    *facts(
                        fact("category", row.category.replace("_", " ")),
                        fact("made by", row.made_by),
                        _place("made at", row.made_source),
                        fact("last written by", row.last_writer),
                        _place("written at", row.last_writer_source),
                        fact("address", f"{row.data:#x}", is_code=True),
                    ),
                    *(fact("held by" if not place else "", holder) for place, holder in enumerate(row.holders)),
                ),
            ),
        ),
    )


def block_page(snapshot: Snapshot, selection: BlockSelection) -> InspectorView | None:
    timeline = TIMELINES.get(snapshot, selection.device)
    if timeline is None:
        return None
    blocks = timeline.blocks
    rows = np.flatnonzero((blocks.address == selection.address) & (blocks.begin_ns == selection.begin_ns))
    if not len(rows):
        return None
    row = int(rows[0])
    names = block_names(snapshot, timeline, rows[:1], int(blocks.end_ns[row]) - 1).get(row, ())
    category = CATEGORIES[int(blocks.category[row])]
    place = place_of(snapshot, selection)
    operator = int(blocks.op[row])
    return InspectorView(
        title=", ".join(names[:2]) or f"{format_bytes(int(blocks.size[row]))} block",
        detail=category.replace("_", " "),
        source=place.source if place is not None else None,
        note=selection.device,
        swatch=category,
        figures=(
            Figure("size", split_bytes(int(blocks.size[row]))),
            Figure("lived", split_duration(int(blocks.end_ns[row] - blocks.begin_ns[row]))),
            Figure("state", Quantity("alive" if blocks.is_live[row] else "freed")),
        ),
        sections=(
            Section(
                "Block",
                "",
                facts(
                    fact("allocated at", format_time(int(blocks.begin_ns[row]))),
                    fact("freed at", "" if blocks.is_live[row] else format_time(int(blocks.end_ns[row]))),
                    fact("operator", _operator_name(snapshot, operator), target=OperatorSelection(operator) if operator else None),
                    fact("module", _call_module(snapshot, int(blocks.module_call[row]))),
                    fact("address", f"{selection.address:#x}", is_code=True),
                    FactRow("bytes", Quantity(f"{int(blocks.size[row]):,}")),
                    *(fact("name" if not number else "", name) for number, name in enumerate(names)),
                ),
            ),
        ),
    )


def operator_page(snapshot: Snapshot, selection: OperatorSelection) -> InspectorView | None:
    index = call_index(snapshot)
    at = index.find_one(selection.operator)
    if at < 0:
        return None
    begin, end = int(index.begin_ns[at]), int(index.end_ns[at])
    place = place_of(snapshot, selection)
    tensors = tensor_index(snapshot, np.array([selection.operator], np.uint64)).of(selection.operator)
    module = _call_module(snapshot, int(index.module_call[at]))
    result = RESULT_WORDS.get(RESULTS[int(operator_results(snapshot, index)[at])], "")
    node = node_selection_of_operator(snapshot, selection.operator)
    return InspectorView(
        title=snapshot.name(int(index.name[at])),
        module=module,
        source=place.source if place is not None else None,
        figures=(
            Figure("time", split_duration(end - begin)),
            Figure("memory", split_byte_change(MemoryCurve.of(snapshot).delta(begin, end)), "Allocated less freed while it ran."),
            Figure("began at", Quantity(f"{begin / 1e9:.3f}", "s")),
        ),
        sections=tuple(
            section
            for section in (
                Section("Inputs", "", _tensor_rows(snapshot, tensors, TensorRole.INPUT)),
                Section("Outputs", result, _tensor_rows(snapshot, tensors, TensorRole.OUTPUT)),
                Section(
                    "Operator",
                    "",
                    facts(
                        fact("module", module),
                        fact("in node", f"node {node.node} of backward {node.backward}", target=node) if node else None,
                        _place("called at", place.source if place is not None else None),
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
            Figure("forward", split_duration(newest.end_ns - newest.begin_ns if newest else None), "Of its newest call."),
            Figure("calls", Quantity(format_count(len(calls)))),
            Figure("parameters", split_bytes(sum(_bytes_of(one) for one in own))),
        ),
        sections=(Section("Parameters", plural(len(own), "parameter"), rows or (NoteRow("It has none."),)),),
    )


def source_page(selection: SourceSelection) -> InspectorView:
    source = Source(selection.file, selection.line)
    rows = facts(fact("file", selection.file), fact("line", format_count(selection.line)))
    return InspectorView(title=format_place(selection.file, selection.line), source=source, sections=(Section("Line", "", rows),))


def run_page(snapshot: Snapshot) -> InspectorView:
    """What is shown while nothing is chosen."""
    done = iterations(snapshot)
    last = done[-1] if done else None
    peak = max((one.peak_allocated_bytes or 0 for one in done), default=0)
    script = str(snapshot.facts.get("script") or "the run")
    sections = [
        *(_exception(one) for one in snapshot.exceptions[-1:]),
        Section(
            f"Iteration {last.index}",
            "" if last.is_ended else "not ended",
            facts(
                fact("forward", format_duration(last.forward_ns)),
                fact("backward", format_duration(last.backward_ns)),
                fact("optimizer", format_duration(last.optimizer_ns)),
                fact("peak", format_bytes(last.peak_allocated_bytes)),
                fact("learning rate", f"{last.learning_rate:g}" if last.learning_rate is not None else ""),
            ),
        )
        if last is not None
        else Section("Run", "", (NoteRow("No iteration yet. One ends with each optimizer.step()."),)),
        Section(
            "Model",
            "",
            facts(
                fact("modules", format_count(len(snapshot.modules))),
                fact("parameters", format_count(sum(int(one.get("numel") or 0) for one in snapshot.parameters.values() if not one.get("is_buffer")))),
                fact("optimizers", ", ".join(str(one.get("class", "")) for one in snapshot.optimizers.values())),
                fact("devices", ", ".join(devices(snapshot))),
            ),
        ),
    ]
    return InspectorView(
        title=script.rpartition("/")[2],
        detail="the run",
        figures=(
            Figure("iterations", Quantity(format_count(len([one for one in done if one.is_ended])))),
            Figure("peak", split_bytes(peak)),
            Figure("run", Quantity(f"{snapshot.end_ns / 1e9:.3f}", "s")),
        ),
        sections=tuple(section for section in sections if section.rows),
    )


def _exception(told: Mapping[str, Any]) -> Section:
    frames = told.get("frames") or ()
    name = str(told.get("exception") or "an exception")
    place = _place("raised at", Source(str(frames[-1][0]), int(frames[-1][1]))) if frames else None
    return Section(f"Ended by {name.rpartition('.')[2]}", "", (NoteRow(str(told.get("message") or "It has no message.")), *facts(place)))


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


def _storage_name(row: StorageRow) -> str:
    return next((name for tensor in row.tensors for name in tensor.names), f"{format_bytes(row.nbytes)} storage")


def _operator_name(snapshot: Snapshot, operator: int) -> str:
    index = call_index(snapshot)
    at = index.find_one(operator)
    return snapshot.name(int(index.name[at])).removeprefix("autograd::engine::evaluate_function: ") if at >= 0 else ""


def _call_module(snapshot: Snapshot, call: int) -> str:
    known = module_calls(snapshot).get(call) if call else None
    return (known.module or known.module_class) if known is not None else ""


def _bytes_of(parameter: Mapping[str, Any]) -> int:
    width = {"f64": 8, "i64": 8, "f16": 2, "bf16": 2}
    return int(parameter.get("numel") or 0) * width.get(str(parameter.get("dtype")), 4)


def _place(label: str, source: Source | None) -> FactRow | None:
    return fact(label, format_place(source.file, source.line), target=SourceSelection(source.file, source.line)) if source is not None else None
