"""``tensorscope query``: every field of every view, from a recording of a few hand-written rows."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tensorscope.cli.main import main
from tensorscope.cli.query import VIEWS
from tensorscope.protocol.records import GradientStage, MarkKind, Scope, TensorFlag, TensorRole
from tensorscope.recording.writer import RecordingWriter
from tensorscope.trace.ingest import batches_of_records
from tests.support.trace_builder import TraceBuilder

LINE = [("/venv/torch/linear.py", 125, "forward"), ("/user/train.py", 12, "main")]


def write(builder: TraceBuilder, path: Path) -> Path:
    """A recording of the builder's rows, as a live session writes it."""
    writer = RecordingWriter(path)
    writer.add_definitions(builder.definition_block(), 0)
    for thread, content in builder.blocks():
        batches, unknown = batches_of_records(content, thread)
        assert not unknown
        writer.add_batches(batches, 0)
    writer.close()
    return path


def run_of_one_iteration() -> TraceBuilder:
    """One call of fc (Linear) 5..30 with linear ▸ addmm, a backward 40..60, a step 65..75, one iteration that ends at 80."""
    builder = TraceBuilder().message({"type": "module", "id": 1, "fqn": "fc", "class": "Linear", "parent": 0, "root": 1, "source": ""})
    builder.message({"type": "parameter", "id": 1, "fqn": "fc.weight", "module": 1, "is_buffer": False, "data": 0x900})
    builder.module_call(1, begin=5, end=30)
    builder.operator("aten::linear", begin=7, end=28, sequence_nr=4, stack=LINE, module_call=1)
    builder.operator("aten::addmm", begin=11, end=20, parent=1, sequence_nr=4, module_call=1)
    builder.tensor(role=TensorRole.INPUT, shape=(2, 4), storage=3, data=0x300, nbytes=32)
    builder.tensor(shape=(2, 3), storage=5, data=0x200, nbytes=24, flags=TensorFlag.REQUIRES_GRAD)
    builder.alloc(address=0x200, size=24, time=12, op=2, module_call=1, stack=LINE).alloc(address=0x300, size=8, time=13, op=2).free(address=0x300, time=19)
    builder.graph(1, ["AddmmBackward0", "torch::autograd::AccumulateGrad"], [(0, 2, 1, 0)], [0, 1])
    builder.backward(1, begin=40, addresses=[1, 2], sequence_nrs=[4, -1])
    builder.node("AddmmBackward0", backward=1, index=0, begin=41, end=45).mark(MarkKind.BACKWARD, begin=40, end=60, a=1, b=1, x=2)
    saved = {"name": "mat1", "shape": [2, 4], "dtype": "float32", "nbytes": 32, "storage": 3, "data": 0x300, "version": 0, "is_leaf_parameter": False}
    builder.message({"type": "graph_details", "graph": 1, "backward": 1, "nodes": [{"index": 0, "saved": [saved], "attributes": {"beta": 1}}]})
    builder.gradient(1, backward=1, norm=2, time=60, max_abs=1.5, numel=12, weight_norm=3)
    builder.gradient(1, backward=1, norm=1, time=62, max_abs=0.75, numel=12, stage=GradientStage.CLIPPED)
    builder.mark(MarkKind.OPTIMIZER_STEP, begin=65, end=75, a=1, x=0.1)
    builder.operator("Optimizer.step#Adam.step", begin=66, end=74, scope=Scope.USER_SCOPE)  # a named range: no operator
    builder.message({"type": "iteration", "index": 0, "time_ns": 80, "learning_rate": 0.1, "optimizers": [1]})
    tensor = {"impl": 1, "names": ["out"], "shape": [2, 3], "stride": [3, 1], "offset": 0, "dtype": "float32", "itemsize": 4, "version": 0}
    tensors = [{**tensor, "is_view": False, "base": 0, "requires_grad": True, "is_parameter": False, "category": ""}]
    storage = {"storage": 5, "data": 0x200, "nbytes": 24, "device": "cpu", "is_external": False, "tensors": tensors, "holders": ["local out in main()"]}
    builder.message({"type": "storages", "time_ns": 81, "reason": "iteration", "iteration": 0, "is_complete": True, "storages": [storage]})
    return builder.message({"type": "exit", "code": 0, "time_ns": 90})


@pytest.fixture(scope="module")
def recording(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write(run_of_one_iteration(), tmp_path_factory.mktemp("query") / "run.tscope")


@pytest.fixture
def query(recording: Path, capsys: pytest.CaptureFixture[str]) -> Any:
    def ask(view: str, *options: str) -> Any:
        assert main(["query", str(recording), view, *options, "--json"]) == 0
        answer = json.loads(capsys.readouterr().out)
        assert list(answer) == [view]
        return answer[view]

    return ask


def test_summary(query: Any) -> None:
    assert query("summary") == {
        "script": "/user/train.py",
        "argv": ["train.py"],
        "torch_version": "2.13.0",
        "python_version": "3.11.7",
        "probe": "native",
        "devices": ["cpu"],
        "ranks": [
            {
                "rank": 0,
                "label": "rank 0",
                "pid": None,
                "exit_code": 0,
                "signal": None,
                "iterations": 1,
                "backwards": 1,
                "iteration_ns": 75,
                "own_ns": 60,  # from its last node to the end of the backward, 45..60, it may wait for others
                "is_straggler": False,
                "peak_allocated_bytes": {"cpu": 32},
                "end_ns": 90,
            }
        ],
        "iterations": 1,
        "backwards": 1,
        "operators": 2,
        "allocations": 2,
        "peak_allocated_bytes": {"cpu": 32},
        "peak_reserved_bytes": {"cpu": None},
        "peak_requested_bytes": {"cpu": 32},
        "peak_ns": {"cpu": 13},
        "duration_ns": 90,
        "held_ns": 0,
        "overhead_ratio": 1.0,
        "dropped_events": 0,
        "damaged_frames": 0,
        "trackers_off": [],
        "unknown_frees": {"cpu": 0},
        "kept": None,
        "last_operator": {"name": "aten::linear", "source": "/user/train.py:12", "time_ns": 28, "is_running": False},
        "exception": None,
        "exit_code": 0,
        "desynchronised": [],
    }


def test_iterations(query: Any) -> None:
    (row,) = query("iterations")
    assert row == {
        "iteration": 0, "first_iteration": 0, "shortest_ns": None, "longest_ns": None,
        "begin_ns": 5, "end_ns": 80, "is_ended": True, "forward_ns": 25, "backward_ns": 20, "optimizer_ns": 10,
        "peak_allocated_bytes": 32, "learning_rate": 0.1, "accumulated_backwards": 1, "loss_scale": None, "clip_limit": None, "clip_norm": None,
        "is_step_skipped": False,
    }  # fmt: skip
    assert query("iterations", "--iteration", "3") == []


def test_graph(query: Any) -> None:
    graph = query("graph")
    assert {key: graph[key] for key in ("backward", "iteration", "begin_ns", "end_ns", "roots")} == {
        "backward": 0, "iteration": 0, "begin_ns": 40, "end_ns": 60, "roots": [0],
    }  # fmt: skip
    assert graph["edges"] == [{"from": 0, "to": 1, "output_nr": 2, "input_nr": 0}]
    first, second = graph["nodes"]
    assert first == {
        "id": 0, "name": "AddmmBackward0", "thread": 1, "sequence_nr": 4, "module": "fc", "module_class": "Linear", "call": 1,
        "source": "/user/train.py:12", "operator": 2, "saved_bytes": 32, "forward_ns": 9, "backward_ns": 4, "begin_ns": 41, "end_ns": 45,
        "parameter": None, "output_shape": [2, 3], "has_raised": False, "output_dtype": "float32", "attributes": {"beta": 1},
        "saved": [{"name": "mat1", "shape": [2, 4], "dtype": "float32", "nbytes": 32, "data": 0x300, "is_parameter": False}],
    }  # fmt: skip
    assert (second["name"], second["parameter"], second["module"], second["source"], second["sequence_nr"]) == ("AccumulateGrad", "fc.weight", "fc", None, -1)
    assert query("graph", "--iteration", "0") == query("graph", "--backward", "0") == graph


def test_gradients(query: Any) -> None:
    raw, clipped = query("gradients")
    assert raw == {
        "iteration": 0, "backward": 0, "parameter": "fc.weight", "module": "fc", "stage": "raw", "time_ns": 60, "norm": 2.0, "max_abs": 1.5, "nonfinite": 0,
        "numel": 12, "weight_norm": 3.0, "update_norm": None,
    }  # fmt: skip
    assert (clipped["stage"], clipped["norm"], clipped["weight_norm"]) == ("clipped", 1.0, None)
    assert query("gradients", "--backward", "1") == []


def test_memory_shows_the_peak_unless_told_otherwise(query: Any) -> None:
    memory = query("memory")
    assert (memory["device"], memory["at_ns"], memory["allocated_bytes"], memory["reserved_bytes"], memory["requested_bytes"]) == ("cpu", 13, 32, None, 32)
    assert {name: size for name, size in memory["by_category"].items() if size} == {"activation": 24, "temporary": 8}
    assert memory["live"][0] == {
        "address": 0x200, "size_bytes": 24, "category": "activation", "names": ["out"], "module": "fc", "operator": "aten::linear",
        "source": "/user/train.py:12", "stack": ["/venv/torch/linear.py:125 forward", "/user/train.py:12 main"], "allocated_ns": 12,
    }  # fmt: skip


@pytest.mark.parametrize(("options", "at"), [(["--at", "end"], 90), (["--at", "iteration:0"], 80), (["--iteration", "0"], 80), (["--at", "0.00000002"], 20)])
def test_memory_at_a_moment(query: Any, options: list[str], at: int) -> None:
    memory = query("memory", *options)
    assert (memory["at_ns"], memory["allocated_bytes"], [block["address"] for block in memory["live"]]) == (at, 24, [0x200])


def test_memory_before_the_first_allocation_is_empty(query: Any) -> None:
    memory = query("memory", "--at", "0")
    assert (memory["allocated_bytes"], memory["live"], set(memory["by_category"].values())) == (0, [], {0})


def test_storages(query: Any) -> None:
    (row,) = query("storages")
    assert row == {
        "id": 5, "data": 0x200, "device": "cpu", "nbytes": 24, "category": "activation", "is_external": False, "seen_ns": 81, "reason": "iteration",
        "iteration": 0, "last_writer": "aten::addmm", "last_writer_source": "/user/train.py:12", "made_by": "aten::addmm",
        "made_source": "/user/train.py:12", "module": "fc", "holders": ["local out in main()"],
        "tensors": [
            {
                "names": ["out"], "shape": [2, 3], "stride": [3, 1], "offset": 0, "dtype": "float32", "is_view": False, "is_contiguous": True, "version": 0,
                "begin_byte": 0, "end_byte": 24, "requires_grad": True,
            }
        ],
    }  # fmt: skip
    assert query("storages", "--at", "iteration:0") == query("storages", "--iteration", "0") == [row]
    assert query("storages", "--at", "0.00000008") == []
    assert query("storages", "--device", "cuda:0") == []


def test_ops(query: Any) -> None:
    outer, inner = query("ops")
    assert (outer["id"], outer["name"], outer["parent"], outer["result"], outer["phase"]) == (1, "aten::linear", 0, None, "forward")
    assert inner == {
        "id": 2, "parent": 1, "name": "aten::addmm", "thread": 1, "phase": "forward", "begin_ns": 11, "end_ns": 20, "sequence_nr": 4, "module": "fc",
        "source": "/user/train.py:12", "result": "new", "backward": None, "node": None,
        "inputs": [
            {
                "shape": [2, 4], "stride": [4, 1], "offset": 0, "dtype": "float32", "device": "cpu", "storage": 3, "data": 0x300, "nbytes": 32, "version": 0,
                "is_view": False, "requires_grad": False,
            }
        ],
        "outputs": [
            {
                "shape": [2, 3], "stride": [3, 1], "offset": 0, "dtype": "float32", "device": "cpu", "storage": 5, "data": 0x200, "nbytes": 24, "version": 0,
                "is_view": False, "requires_grad": True,
            }
        ],
    }  # fmt: skip
    assert query("ops", "--iteration", "0") == query("ops", "--backward", "0") == [outer, inner]


@pytest.mark.parametrize("view", VIEWS)
def test_every_view_has_a_readable_form_and_takes_every_option(recording: Path, view: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["query", str(recording), view, "--iteration", "0", "--backward", "0", "--at", "iteration:0", "--device", "cpu"]) == 0
    shown = capsys.readouterr()
    assert shown.err == ""
    expected = {
        "summary": "2.13.0",
        "iterations": "25 ns",
        "graph": "AddmmBackward0",
        "gradients": "clipped",
        "memory": "24 B",
        "storages": "out",
        "findings": "No findings to show.",
        "ops": "new",
        "ranks": "24 B",
    }
    assert expected[view] in shown.out


def test_the_table_of_storages_says_what_holds_them(recording: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["query", str(recording), "storages"]) == 0
    header, row = capsys.readouterr().out.splitlines()
    assert header.endswith("holders")
    assert row.endswith("local out in main()")


def test_no_line_of_a_table_is_padded_to_the_longest(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    told = {"type": "exception", "exception": "ValueError", "message": "long " * 40 + "end", "source": "/a.py:1", "time_ns": 5}
    path = write(TraceBuilder().message(told), tmp_path / "raised.tscope")
    assert main(["query", str(path), "summary"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert any("long end" in line for line in lines)
    assert all(line == line.rstrip() for line in lines)


@pytest.mark.parametrize("view", VIEWS)
def test_an_empty_recording_answers_or_says_what_is_missing(tmp_path: Path, view: str, capsys: pytest.CaptureFixture[str]) -> None:
    path = write(TraceBuilder(), tmp_path / "empty.tscope")
    code = main(["query", str(path), view, "--json"])
    shown = capsys.readouterr()
    if view == "graph":
        assert (code, shown.out) == (2, "")
        assert shown.err == "tensorscope: No backward is on record: the script called none, or it ended before.\n"
    else:
        assert code == 0
        assert view in json.loads(shown.out)


def test_numbers_that_json_lacks_are_words_and_unknown_ones_are_null(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    builder = TraceBuilder().message({"type": "parameter", "id": 1, "fqn": "w", "module": 0})
    builder.gradient(1, backward=1, norm=2, time=9, nonfinite=3, max_abs=float("inf")).gradient(
        1, backward=2, norm=2, time=19, nonfinite=1, max_abs=float("nan")
    )
    builder.gradient(1, backward=3, norm=0, time=29, flags=1)
    assert main(["query", str(write(builder, tmp_path / "run.tscope")), "gradients", "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)["gradients"]
    assert [(row["norm"], row["max_abs"], row["weight_norm"]) for row in rows] == [("inf", "inf", None), ("nan", "nan", None), (None, None, None)]


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (["memory", "--at", "soon"], "'soon' is no moment: give seconds from the start, peak, end or iteration:N."),
        (["memory", "--device", "cuda:7"], "No memory of device cuda:7 is on record; devices on record: cpu."),
        (["graph", "--backward", "5"], "Backward 5 is not on record; only backward 0 is."),
        (["ops", "--iteration", "5"], "Iteration 5 is not on record; only iteration 0 is."),
    ],
)
def test_a_wrong_request_is_one_sentence_and_code_2(recording: Path, options: list[str], sentence: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["query", str(recording), *options]) == 2
    assert capsys.readouterr().err == f"tensorscope: {sentence}\n"


def test_no_such_file_is_one_sentence_and_code_2(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["query", str(tmp_path / "none.tscope"), "summary"]) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_a_reader_that_closes_early_is_no_error(recording: Path) -> None:
    start = "import sys; from tensorscope.cli.main import main; sys.exit(main())"
    command = '"$0" -c "$1" query "$2" ops --json | true; echo ${PIPESTATUS[0]}'
    done = subprocess.run(["bash", "-c", command, sys.executable, start, str(recording)], capture_output=True, timeout=240, check=False)
    assert (done.stdout, done.stderr) == (b"0\n", b"")


def test_a_query_imports_neither_qt_nor_torch(recording: Path) -> None:
    start = (
        "import sys; from tensorscope.cli.main import main; code = main(); "
        "sys.exit(code or any(name.split('.')[0] in ('torch', 'PySide6') for name in sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", start, "query", str(recording), "memory", "--json"], capture_output=True, timeout=240, check=False)
    assert (done.returncode, done.stderr) == (0, b"")
