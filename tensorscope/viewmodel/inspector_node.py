"""The Inspector's page of a backward node: gradients in and out and saved tensors as the stops told them, else what the graph knows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from tensorscope.analysis.events_index import MemoryCurve
from tensorscope.analysis.gradients import gradient_table
from tensorscope.analysis.results import BackwardGraph, GraphNode
from tensorscope.language import tr, tr_later
from tensorscope.trace.snapshot import Snapshot
from tensorscope.units import format_bytes, format_norm, format_shape, plural, split_byte_change, split_bytes, split_duration
from tensorscope.viewmodel.inspector_view import Figure, InspectorView, MemoryRow, NoteRow, Row, Section, TensorRow, fact, facts
from tensorscope.viewmodel.words import word_of
from tensorscope.viewmodel.workspace import NodeSelection, ParameterSelection

NOT_STOPPED = tr_later("Values are seen at stops: pause with F6, step with F10. Norms of parameters' gradients are kept for all.")

NEVER_STOPPED = tr_later("The run was not held here. Norms of parameters' gradients are kept for all.")


def node_page(snapshot: Snapshot, graph: BackwardGraph, node: GraphNode) -> InspectorView:
    """Of one node of a graph."""
    return InspectorView(
        title=node.parameter or node.name,
        detail=node.name if node.parameter else "",
        module=node.module,
        source=node.source,
        note=tr("seq {sequence_nr}").format(sequence_nr=node.sequence_nr) if node.sequence_nr >= 0 else "",
        figures=(
            Figure(
                tr("until it raised") if node.has_raised else tr("backward"),
                split_duration(node.backward_ns),
                tr("It has not run yet.") if node.backward_ns is None else "",
            ),
            Figure(tr("forward"), split_duration(node.forward_ns), tr("The operator that made it is not on record.") if node.forward_ns is None else ""),
            Figure(tr("memory"), split_byte_change(_memory_change(snapshot, node)), tr("Allocated less freed while it ran.")),
        ),
        sections=tuple(section for section in _sections(snapshot, graph, node) if section.rows),
    )


def _sections(snapshot: Snapshot, graph: BackwardGraph, node: GraphNode) -> tuple[Section, ...]:
    return (*_gradients(snapshot, graph, node), _saved(snapshot, graph, node), _about(graph, node), _attributes(node))


def stats_row(name: str, stats: Mapping[str, Any], category: str) -> TensorRow:
    """A row from the numbers that the agent told (``messages.Stats``)."""
    low, high = _number(stats.get("min")), _number(stats.get("max"))
    largest = max(abs(low), abs(high)) if low is not None and high is not None else None
    words = [f"{key} {stats[key]}" for key in ("norm", "min", "max", "mean", "nonfinite", "numel") if stats.get(key) is not None]
    bins = tuple(float(count) for count in stats.get("histogram") or ())
    shape = format_shape(stats.get("shape") or (), str(stats.get("dtype") or ""))
    return TensorRow(name, shape, _number(stats.get("norm")), largest, int(stats.get("nonfinite") or 0), bins, category, ", ".join(words))


def _gradients(snapshot: Snapshot, graph: BackwardGraph, node: GraphNode) -> tuple[Section, Section]:
    held = _last_hold(snapshot, graph.backward, node.id)
    finished = _finished(snapshot, graph.backward, node.id)
    incoming = tuple(stats_row(_from(graph, node, stats), stats, "gradient") for stats in (held or {}).get("gradients_in", ()))
    outgoing = tuple(stats_row(_to(graph, node, stats), stats, "gradient") for stats in (finished or {}).get("gradients_out", ()))
    if node.parameter:
        rows = _parameter_rows(snapshot, graph.backward, node.parameter)
        return Section(tr("Gradient in"), tr("norm · max |x|"), incoming), Section(f"{node.parameter}.grad", tr("norm · max |x|"), rows)
    if not incoming and not outgoing:
        note = tr(NOT_STOPPED if snapshot.exit is None else NEVER_STOPPED)
        return Section(tr("Gradients"), "", (NoteRow(note),)), Section("", "", ())
    may_step = snapshot.exit is None and held is not None and finished is None and node.end_ns is None
    note = tr("Step with F10 to see them.") if may_step else tr("It was not stepped over.")
    return Section(tr("Gradient in"), tr("norm · max |x|"), incoming), Section(tr("Gradients out"), _finiteness(outgoing), outgoing or (NoteRow(note),))


def _finiteness(rows: Sequence[TensorRow]) -> str:
    bad = sum(row.nonfinite for row in rows)
    return "" if not rows else tr("no NaN, no Inf") if not bad else tr("{bad} not finite").format(bad=plural(bad, "element"))


def _saved(snapshot: Snapshot, graph: BackwardGraph, node: GraphNode) -> Section:
    has_run = node.end_ns is not None
    held = _last_hold(snapshot, graph.backward, node.id)
    by_name = {str(stats.get("name")): stats for stats in (held or {}).get("saved", ())}
    rows: list[Row] = []
    for saved in node.saved:
        category = "parameter" if saved.is_parameter else "activation"
        note = tr("version {version}").format(version=saved.version) if saved.version > 0 else ""
        shape = format_shape(saved.shape, saved.dtype)
        rows.append(MemoryRow(saved.name, shape, note, split_bytes(saved.nbytes), category, has_run and not saved.is_parameter))
        stats = by_name.pop(saved.name, None)
        if stats is not None:
            rows.append(replace(stats_row("", stats, category), shape=tr("mean {mean}").format(mean=format_norm(_number(stats.get("mean"))))))
    rows += [stats_row(name, stats, "activation") for name, stats in by_name.items()]
    total = sum(saved.nbytes for saved in node.saved if not saved.is_parameter)
    return Section(
        tr("Saved tensors"), (tr("{bytes} freed here") if has_run else tr("{bytes} held")).format(bytes=format_bytes(total)) if total else "", tuple(rows)
    )


def _about(graph: BackwardGraph, node: GraphNode) -> Section:
    incoming = [edge.source for edge in graph.edges if edge.target == node.id]
    outgoing = [edge.target for edge in graph.edges if edge.source == node.id]
    rows = facts(
        fact(tr("forward output"), format_shape(node.output_shape, node.output_dtype) if node.output_shape is not None else "", is_code=True),
        fact(tr("module"), f"{node.module} ({node.module_class})" if node.module_class and node.module else node.module),
        fact("parameter", node.parameter, target=ParameterSelection(node.parameter)) if node.parameter else None,
        *(fact(tr("from") if not place else "", _words(graph.nodes[one]), target=NodeSelection(graph.backward, one)) for place, one in enumerate(incoming)),
        *(fact(tr("to") if not place else "", _words(graph.nodes[one]), target=NodeSelection(graph.backward, one)) for place, one in enumerate(outgoing)),
        fact(tr("saved"), format_bytes(node.saved_bytes) if node.saved_bytes is not None else ""),
    )
    return Section(tr("Node"), tr("backward {backward} · {id}").format(backward=graph.backward, id=node.id), rows)


def _attributes(node: GraphNode) -> Section:
    """What it keeps of its operator's call beside tensors."""
    return Section(tr("Attributes"), "", facts(*(fact(name, value.strip('"'), is_code=True) for name, value in node.attributes)))


def _parameter_rows(snapshot: Snapshot, backward: int, parameter: str) -> tuple[Row, ...]:
    """The gradient statistics of that backward, raw, unscaled, clipped."""
    table = gradient_table(snapshot)
    if parameter not in table.parameters:
        return ()
    wanted = (table.backward == backward) & (table.parameter == table.parameters.index(parameter))
    stages = ("", "raw", "unscaled", "clipped")
    return tuple(
        TensorRow(
            word_of(stages[int(table.stage[row])]),
            tr("{numel:,} elements").format(numel=int(table.numel[row])),
            float(table.norm[row]),
            float(table.max_abs[row]),
            int(table.nonfinite[row]),
            (),
            "gradient",
        )
        for row in np.flatnonzero(wanted)
    )


def _memory_change(snapshot: Snapshot, node: GraphNode) -> int | None:
    if node.begin_ns is None or node.end_ns is None:
        return None
    return MemoryCurve.of(snapshot).delta(node.begin_ns, node.end_ns)


def _last_hold(snapshot: Snapshot, backward: int, node: int) -> Mapping[str, Any] | None:
    return next((held for held in reversed(snapshot.holds) if held.get("backward") == backward + 1 and held.get("node_index") == node), None)


def _finished(snapshot: Snapshot, backward: int, node: int) -> Mapping[str, Any] | None:
    for held in reversed(snapshot.holds):
        for finished in held.get("all_finished") or [held.get("finished")]:
            if finished and finished.get("index") == node and finished.get("backward", held.get("backward")) == backward + 1:
                return dict(finished)
    return None


def _from(graph: BackwardGraph, node: GraphNode, stats: Mapping[str, Any]) -> str:
    """The node that a gradient comes from, by its number."""
    number = _gradient_number(stats)
    name = next((graph.nodes[edge.source].name for edge in graph.edges if edge.target == node.id and edge.input_nr == number), None)
    return tr("from {name}").format(name=name) if name is not None else tr("from the loss") if node.id in graph.roots else str(stats.get("name", ""))


def _to(graph: BackwardGraph, node: GraphNode, stats: Mapping[str, Any]) -> str:
    number = _gradient_number(stats)
    target = next((edge.target for edge in graph.edges if edge.source == node.id and edge.output_nr == number), None)
    return _words(graph.nodes[target]) if target is not None else str(stats.get("name", ""))


def _words(node: GraphNode) -> str:
    """A parameter by its name, any other node by its own."""
    return node.parameter or node.name


def _gradient_number(stats: Mapping[str, Any]) -> int:
    number = str(stats.get("name", "")).rpartition(" ")[2]
    return int(number) if number.isdecimal() else 0


def _number(value: Any) -> float | None:
    """JSON has no words for nan and the infinities: they come as text."""
    return None if value is None else float(value)
