"""The Inspector's pages say what the trace says, and copy exact values."""

import json
from dataclasses import replace

import pytest

from tensorscope.analysis.gradients import gradient_table
from tensorscope.units import format_norm
from tensorscope.viewmodel.graph_cache import GRAPHS
from tensorscope.viewmodel.inspector import inspector_view
from tensorscope.viewmodel.inspector_text import page_json, page_text, row_text
from tensorscope.viewmodel.inspector_view import FactRow, MemoryRow, NoteRow, TensorRow
from tensorscope.viewmodel.linking import linked
from tensorscope.viewmodel.links import selection_of_hold
from tensorscope.viewmodel.workspace import (
    BlockSelection,
    ModuleSelection,
    NodeSelection,
    OperatorSelection,
    ParameterSelection,
    SourceSelection,
    StorageSelection,
)
from tests.support.demo_run import SCRIPT, line_of
from tests.support.demo_trace import demo_snapshot
from tests.support.trace_builder import TraceBuilder


def test_a_held_node_shows_gradients_in_and_saved_tensors() -> None:
    snapshot = demo_snapshot()
    view = inspector_view(snapshot, selection_of_hold(snapshot.holds[0]))
    assert (view.title, view.module) == ("GeluBackward0", "h.2.mlp.gelu")
    assert [figure.value.text for figure in view.figures] == ["—", "210 µs", "—"]
    gradient_in = view.sections[0]
    assert gradient_in.title == "Gradient in"
    (row,) = gradient_in.rows
    assert isinstance(row, TensorRow)
    assert (row.norm, row.max_abs, row.nonfinite) == (1.84e-3, 4.1e-6, 0)
    saved = next(section for section in view.sections if section.title == "Saved tensors")
    assert saved.note == "8.00 MiB held"
    assert isinstance(saved.rows[0], MemoryRow)
    assert not saved.rows[0].is_freed


def test_a_finished_node_shows_gradients_out_and_what_it_freed() -> None:
    snapshot = demo_snapshot()
    held = snapshot.holds[0]
    view = inspector_view(snapshot, NodeSelection(7, held["finished"]["index"]))
    assert view.figures[0].value.text != "—"
    done = inspector_view(snapshot, NodeSelection(7, 0))
    saved = next(section for section in done.sections if section.title == "Saved tensors")
    assert saved.note.endswith("freed here")
    assert all(row.is_freed for row in saved.rows if isinstance(row, MemoryRow))


def test_a_node_that_was_not_stopped_at_says_how_to_see_values() -> None:
    view = inspector_view(demo_snapshot(), NodeSelection(3, 2))
    assert any(isinstance(row, NoteRow) and "F10" in row.text for section in view.sections for row in section.rows)


def test_numbers_that_json_lacks_come_through() -> None:
    snapshot = demo_snapshot()
    held = dict(snapshot.holds[0])
    held["gradients_in"] = [{**held["gradients_in"][0], "norm": "nan", "min": "-inf", "max": "inf", "nonfinite": 2}]
    view = inspector_view(replace(snapshot, holds=(held,)), selection_of_hold(held))
    row = view.sections[0].rows[0]
    assert isinstance(row, TensorRow)
    assert row.norm != row.norm
    assert row.max_abs == float("inf")
    assert row.nonfinite == 2


def test_a_parameter_shows_its_stages_and_its_optimizer() -> None:
    view = inspector_view(demo_snapshot(is_held=False), ParameterSelection("h.1.attn.proj.weight"))
    assert [row.name for row in view.sections[0].rows if isinstance(row, TensorRow)] == ["raw", "clipped"]
    assert {row.label: row.value.text for row in view.sections[1].rows if isinstance(row, FactRow)}["optimizer"] == "AdamW"
    assert view.figures[2].value.text == "65,536"


def test_a_parameter_without_a_gradient_says_so() -> None:
    snapshot = demo_snapshot()
    extra = {**snapshot.parameters, 999: {"id": 999, "fqn": "lost.weight", "shape": [2], "dtype": "float32", "numel": 2, "module": 1}}
    view = inspector_view(replace(snapshot, parameters=extra), ParameterSelection("lost.weight"))
    assert view.figures[0].value.text == "—"
    assert any(isinstance(row, FactRow) and row.value.text.startswith("none") for row in view.sections[1].rows)


def test_a_storage_lists_its_tensors() -> None:
    snapshot = demo_snapshot(is_held=False)
    told = snapshot.storages[-1]
    storage = next(one for one in told["storages"] if len(one["tensors"]) == 4)
    view = inspector_view(snapshot, StorageSelection(storage["data"], told["time_ns"]))
    assert [row.name for row in view.sections[0].rows if isinstance(row, MemoryRow)] == ["h.0.attn.qkv.weight", "wq", "wk", "wv"]
    assert [row.size.text for row in view.sections[0].rows if isinstance(row, MemoryRow)] == ["768 KiB", "256 KiB", "256 KiB", "256 KiB"]


def test_blocks_operators_and_modules_have_pages() -> None:
    snapshot = demo_snapshot()
    module = inspector_view(snapshot, ModuleSelection("h.2.mlp"))
    assert (module.title, module.detail) == ("h.2.mlp", "MLP")
    assert [figure.value.text for figure in module.figures][1:] == ["8", "2.00 MiB"]
    operators = snapshot.tables["operators"]
    gelu = next(row for row in range(len(operators)) if snapshot.name(int(operators.column("name")[row])) == "aten::gelu")
    operator = inspector_view(snapshot, OperatorSelection(int(operators.column("id")[gelu])))
    assert (operator.title, operator.module) == ("aten::gelu", "h.0.mlp.gelu")
    assert [section.title for section in operator.sections][:2] == ["Inputs", "Outputs"]
    allocations = snapshot.tables["allocations"]
    row = int((allocations.column("action") == 1).nonzero()[0][0])
    block = BlockSelection(int(allocations.column("address")[row]), int(allocations.column("time_ns")[row]), "cuda:0")
    assert inspector_view(snapshot, block).figures[2].value.text == "alive"


@pytest.mark.parametrize("selection", [None, NodeSelection(99, 0), ParameterSelection("nothing"), StorageSelection(1, 1), OperatorSelection(7)])
def test_without_anything_to_show_the_run_is_shown(selection: object) -> None:
    view = inspector_view(demo_snapshot(), selection)  # type: ignore[arg-type]
    assert (view.title, view.detail) == ("train.py", "the run")
    assert view.figures[0].value.text == "7"


def test_a_line_and_a_half_precision_module_have_pages() -> None:
    snapshot = demo_snapshot()
    assert inspector_view(snapshot, SourceSelection("/user/model.py", 77)).title == "model.py:77"
    halved = {key: {**one, "dtype": "bfloat16"} for key, one in snapshot.parameters.items()}
    assert inspector_view(replace(snapshot, parameters=halved), ModuleSelection("h.2.mlp")).figures[2].value.text == "1.00 MiB"


def test_copying_gives_exact_values() -> None:
    snapshot = demo_snapshot()
    text = page_text(inspector_view(snapshot, selection_of_hold(snapshot.holds[0])))
    assert text.startswith("GeluBackward0 h.2.mlp.gelu ")
    assert "norm 0.00184" in text
    assert row_text(FactRow("peak", inspector_view(snapshot, None).figures[1].value)) == "peak: 304 MiB"


def test_the_run_says_which_exception_ended_it() -> None:
    frames = [["/user/train.py", 61, "main"], ["/venv/torch/autograd/graph.py", 979, "_engine_run_backward"]]
    told = {"exception": "RuntimeError", "message": "shapes differ", "source": "/user/train.py:61", "frames": frames, "time_ns": 5}
    view = inspector_view(replace(demo_snapshot(), exceptions=(told,)), None)
    first = view.sections[0]
    assert first.title == "Ended by RuntimeError"
    assert [row_text(row) for row in first.rows] == ["shapes differ", "raised at: train.py:61"]


def test_a_parameters_gradient_is_the_newest_at_the_cursor() -> None:
    snapshot = demo_snapshot(is_held=False)
    parameter = ParameterSelection("h.1.attn.proj.weight")
    assert inspector_view(snapshot, parameter).sections[0].note.startswith("backward 7 ")
    assert inspector_view(snapshot, parameter, 1_600_000_000).sections[0].note.startswith("backward 4 ")
    assert inspector_view(snapshot, parameter, 0).figures[0].value.text == "—"


def test_the_run_names_what_is_worth_a_look() -> None:
    view = inspector_view(demo_snapshot(is_held=False), None)
    sections = {section.title: section for section in view.sections}
    largest = sections["Largest at the peak"].rows
    assert len(largest) == 5
    assert all(isinstance(row, MemoryRow) and isinstance(row.target, BlockSelection) for row in largest)
    lines = [row for row in sections["Slowest lines"].rows if isinstance(row, MemoryRow)]
    assert all(isinstance(row.target, SourceSelection) for row in lines)
    assert sections["Slowest lines"].note == "iteration 7"
    modules = [row.target for row in sections["Slowest modules"].rows if isinstance(row, MemoryRow)]
    assert all(isinstance(target, ModuleSelection) for target in modules)


def test_the_largest_and_smallest_gradients_of_a_backward_are_told() -> None:
    snapshot = demo_snapshot(is_held=False)
    table = gradient_table(snapshot)
    is_last = (table.stage == 1) & (table.backward == 7)
    section = next(section for section in inspector_view(snapshot, None).sections if section.title == "Gradients")
    notes = {row.note: row for row in section.rows if isinstance(row, MemoryRow) and row.note in ("largest", "smallest")}
    assert section.note == "norm, backward 7"
    first = next(row for row in section.rows if isinstance(row, MemoryRow) and row.note == "largest")
    assert first.size.text == format_norm(float(table.norm[is_last].max()))
    assert notes["smallest"].size.text == format_norm(float(table.norm[is_last].min()))


def test_a_storage_whose_names_reach_little_of_it_is_pointed_at() -> None:
    snapshot = demo_snapshot(is_held=False)
    told = snapshot.storages[-1]
    base = {"names": [], "shape": [256, 512], "stride": [512, 1], "offset": 0, "itemsize": 4, "dtype": "float32"}
    view = {**base, "names": ["kept[0]"], "shape": [4], "stride": [1], "is_view": True}
    storages = [
        {"storage": 10 + number, "data": 10 + number, "device": "cpu", "nbytes": 524_288, "tensors": [base, {**view, "names": [f"kept[{number}]"]}]}
        for number in range(3)
    ]
    whole = {"storage": 20, "data": 20, "device": "cpu", "nbytes": 524_288, "tensors": [{**base, "names": ["h"]}]}
    changed = replace(snapshot, storages=({**told, "storages": [*storages, whole]},))
    section = next(section for section in inspector_view(changed, None).sections if section.title == "Large storages, small views")
    (row,) = section.rows
    assert isinstance(row, MemoryRow)
    assert (row.name, row.note, row.size.text) == ("3 × kept", "names reach 48 B", "1.50 MiB")


def test_a_node_that_writes_a_gradient_is_called_by_its_parameter() -> None:
    snapshot = demo_snapshot(is_held=False)
    graph = GRAPHS.get(snapshot, 7)
    assert graph is not None
    node = next(one for one in graph.nodes if one.parameter)
    view = inspector_view(snapshot, NodeSelection(7, node.id))
    assert (view.title, view.detail) == (node.parameter, "AccumulateGrad")


def test_before_anything_ran_the_page_shows_no_zeros() -> None:
    view = inspector_view(replace(TraceBuilder().snapshot(), facts={}), None)
    assert (view.title, view.detail) == ("The run", "")
    assert (view.figures, [section.title for section in view.sections]) == ((), ["Run"])
    (note,) = view.sections[0].rows
    assert isinstance(note, NoteRow)
    assert note.text.startswith("The script has not begun. It starts once")


def test_a_run_that_is_over_advises_no_steps() -> None:
    over = replace(demo_snapshot(), exit={"code": 0})
    for selection in (NodeSelection(3, 2), selection_of_hold(over.holds[0])):
        notes = [row.text for section in inspector_view(over, selection).sections for row in section.rows if isinstance(row, NoteRow)]
        assert notes
        assert not any("F10" in text for text in notes)


def test_a_lines_page_says_what_it_costs_and_what_belongs_to_it() -> None:
    snapshot = demo_snapshot(is_held=False)
    line = SourceSelection(str(SCRIPT), line_of("x = self.gelu(x)"))
    view = inspector_view(snapshot, line, None, linked(snapshot, line, None))
    assert view.figures[0].value.text == "2.52 ms"  # 4 · (210 + 421) µs
    section = view.sections[-1]
    assert section.title == "Belongs to it"
    nodes = [row.target for row in section.rows if isinstance(row, FactRow) and isinstance(row.target, NodeSelection)]
    assert len(nodes) == 4  # one a block
    assert not any(isinstance(row, FactRow) and row.target == line for row in section.rows)
    assert inspector_view(snapshot, line).sections[-1].title == "Line"


def test_a_page_is_copied_as_json() -> None:
    snapshot = demo_snapshot()
    page = json.loads(page_json(inspector_view(snapshot, selection_of_hold(snapshot.holds[0]))))
    assert (page["title"], page["module"]) == ("GeluBackward0", "h.2.mlp.gelu")
    assert all(isinstance(rows, list) for rows in page["sections"].values())
    tensors = [row for rows in page["sections"].values() for row in rows if "norm" in row]
    assert tensors
    assert all(isinstance(row["norm"], float) for row in tensors)
