"""From hand-written rows and definitions to a snapshot."""

import math

import pytest

from tensorscope.errors import ProtocolError
from tensorscope.protocol.definitions import Definition
from tensorscope.protocol.records import DefinitionKind, GradientStage, MarkKind
from tensorscope.trace.ingest import batches_of_records
from tensorscope.trace.schema import ALLOCATIONS, GRADIENTS, MODULE_CALLS, NODES, OPERATORS, TENSORS
from tensorscope.trace.snapshot import CodeLine, Shape
from tests.support.trace_builder import BEGIN_NS, TraceBuilder


def test_rows_of_each_kind_reach_their_table_with_thread_and_rank() -> None:
    snapshot = (
        TraceBuilder()
        .operator("aten::mm", begin=10, end=20, sequence_nr=4, thread=3)
        .tensor(shape=(2, 3), nbytes=24, thread=3)
        .alloc(address=0x1000, size=24, time=12, op=1)
        .gradient(2, backward=1, norm=3.0, time=30, stage=GradientStage.CLIPPED)
        .snapshot()
    )
    operators = snapshot.table(OPERATORS)
    assert operators.column("thread").tolist() == [3]
    assert operators.column("rank").tolist() == [0]
    assert (operators.column("begin_ns").tolist(), operators.column("end_ns").tolist()) == ([10], [20])
    assert operators.column("sequence_nr").tolist() == [4]
    assert snapshot.name(int(operators.column("name")[0])) == "aten::mm"
    assert snapshot.shapes[int(snapshot.table(TENSORS).column("shape")[0])] == Shape((2, 3), (3, 1))
    assert snapshot.table(ALLOCATIONS).column("address").tolist() == [0x1000]
    gradients = snapshot.table(GRADIENTS)
    assert gradients.column("sum_squares").tolist() == [9.0]
    assert math.isnan(gradients.column("weight_sum_squares")[0])
    assert snapshot.end_ns == 30


def test_the_source_line_is_the_innermost_of_the_users_files() -> None:
    stack = [("/usr/lib/torch/nn.py", 3, "forward"), ("/user/model.py", 12, "Net.forward"), ("/user/train.py", 40, "main")]
    snapshot = TraceBuilder().operator("aten::mm", begin=1, end=2, stack=stack).snapshot()
    number = int(snapshot.table(OPERATORS).column("stack")[0])
    assert snapshot.stacks[number][0] == CodeLine("/usr/lib/torch/nn.py", 3, "forward", False, 1)
    assert snapshot.source(number) == CodeLine("/user/model.py", 12, "Net.forward", True, 1)


def test_a_file_beside_a_library_folder_of_like_name_is_the_users() -> None:
    snapshot = TraceBuilder(library_prefixes=["/venv"]).operator("f", begin=1, end=2, stack=[("/venv2/train.py", 1, "main")]).snapshot()
    assert snapshot.stacks[1][0].is_users


def test_a_running_operator_is_there_until_its_whole_record_comes() -> None:
    builder = TraceBuilder().operator("aten::add", begin=5, end=6).operator("aten::mm", begin=10, end=0, id=9)
    assert builder.snapshot().table(OPERATORS).column("end_ns").tolist() == [6, 0]
    operators = builder.operator("aten::mm", begin=10, end=25, id=9).snapshot().table(OPERATORS)
    assert operators.column("id").tolist() == [1, 9]
    assert operators.column("end_ns").tolist() == [6, 25]


def test_nodes_and_module_calls_may_be_open_as_well() -> None:
    snapshot = TraceBuilder().module_call(1, begin=3, end=0).node("MmBackward0", backward=1, index=0, begin=4, end=0).snapshot()
    assert snapshot.table(MODULE_CALLS).column("end_ns").tolist() == [0]
    assert snapshot.table(NODES).column("end_ns").tolist() == [0]
    assert len(snapshot.table(NODES)) == 1


def test_graphs_and_backwards_come_back_as_they_were() -> None:
    snapshot = (
        TraceBuilder()
        .graph(4, ["AddmmBackward0", "torch::autograd::AccumulateGrad"], [(0, 1, 1, 0)], parameters=[0, 7])
        .backward(4, begin=50, addresses=[0x10, 0x20], sequence_nrs=[11, -1], threads=[1, 2], parent=0)
        .snapshot()
    )
    graph, backward = snapshot.graphs[4], snapshot.backwards[1]
    assert graph.names == ("AddmmBackward0", "torch::autograd::AccumulateGrad")
    assert graph.parameters.tolist() == [0, 7]
    assert graph.edges.tolist() == [[0, 1, 1, 0]]
    assert (backward.graph, backward.begin_ns) == (4, 50)
    assert backward.node_addresses.tolist() == [0x10, 0x20]
    assert backward.sequence_nrs.tolist() == [11, -1]
    assert backward.forward_threads.tolist() == [1, 2]


def test_messages_come_in_parts_and_in_run_time() -> None:
    snapshot = (
        TraceBuilder()
        .message({"type": "module", "id": 3, "fqn": "layers.0", "class": "Linear", "parent": 1, "root": 1, "source": ""}, parts=4)
        .mark(MarkKind.HOLD, begin=100, end=400)
        .message({"type": "iteration", "index": 0, "time_ns": 500, "learning_rate": 0.1, "optimizers": [1]})
        .message({"type": "tracker_off", "tracker": "names", "reason": "KeyError: 1"})
        .message({"type": "from the future", "x": 1})
        .message({"type": "exit", "code": 0, "time_ns": 600})
        .snapshot()
    )
    assert snapshot.modules[3]["fqn"] == "layers.0"
    assert snapshot.iterations[0]["time_ns"] == 200
    assert snapshot.held_ns == 300
    assert snapshot.exit == {"type": "exit", "code": 0, "time_ns": 300}
    assert snapshot.end_ns == 300
    assert snapshot.health.trackers_off == (("names", "KeyError: 1"),)


def test_what_does_not_fit_is_counted_and_the_rest_goes_on() -> None:
    trace = TraceBuilder().trace()
    bad = [
        Definition(DefinitionKind.STRING, 5, b"\xff\0\0\0abc"),
        Definition(DefinitionKind.STACK, 5, b"\xff\xff\xff\x7f"),
        Definition(DefinitionKind.SHAPE, 5, b"\xff\xff\xff\xff\0\0\0\0"),
        Definition(DefinitionKind.GRAPH, 5, b"\1\0\0\0\1\0\0\0" + b"\1\0\0\0\0\0\0\0" + b"\0\0\0\0" * 2 + b"\7\0\0\0\0\0\0\0"),
        Definition(DefinitionKind.MESSAGE, 9, b"\0\0\0\0\1\0\0\0\2\0\0\0[]"),
        Definition(DefinitionKind.MESSAGE, 10, b"\5\0\0\0\1\0\0\0\0\0\0\0"),
        Definition(DefinitionKind.STRING, 6, b"\2\0\0\0ok\0\0"),
    ]
    trace.add_definitions(bad)
    snapshot = trace.snapshot()
    assert snapshot.health.damaged_frames == 6
    assert snapshot.strings == {6: "ok"}


def test_a_block_of_half_a_record_is_refused_and_unknown_kinds_are_counted() -> None:
    with pytest.raises(ProtocolError, match="70 bytes"):
        batches_of_records(bytes(70), 1)
    batches, unknown = batches_of_records(b"\xee" * 64 + bytes(64), 1)
    assert (batches, unknown) == ([], 2)


def test_a_snapshot_stays_as_it_was() -> None:
    builder = TraceBuilder().operator("aten::mm", begin=1, end=2)
    trace = builder.trace()
    before = trace.snapshot()
    for thread, content in TraceBuilder().operator("aten::add", begin=3, end=4).blocks():
        trace.add_batches(batches_of_records(content, thread)[0])
    assert len(before.table(OPERATORS)) == 1
    assert before.table(OPERATORS).column("begin_ns").tolist() == [1]
    assert trace.snapshot().table(OPERATORS).column("begin_ns").tolist() == [1, 3]


def test_the_run_ends_with_the_script_and_not_with_its_interpreter() -> None:
    builder = TraceBuilder().operator("aten::mm", begin=1, end=20).alloc(address=0x1000, size=24, time=5)
    builder.message({"type": "exit", "code": 0, "time_ns": 100}).free(address=0x1000, time=3_000)
    trace = builder.trace()
    trace.add_message({"type": "exit", "code": 0, "signal": 0, "time_ns": BEGIN_NS + 9_000})  # the host's word, when the process is gone
    snapshot = trace.snapshot()
    assert snapshot.end_ns == 100
    assert snapshot.exit is not None
    assert snapshot.exit["time_ns"] == 100


def test_a_thread_that_computes_on_after_the_last_line_belongs_to_the_run() -> None:
    builder = TraceBuilder().message({"type": "exit", "code": 0, "time_ns": 100}).operator("aten::mm", begin=150, end=400)
    assert builder.snapshot().end_ns == 400


def test_a_killed_script_ends_when_the_host_says_so() -> None:
    trace = TraceBuilder().operator("aten::mm", begin=1, end=20).trace()
    trace.add_message({"type": "exit", "code": 137, "signal": 9, "time_ns": BEGIN_NS + 50})
    assert trace.snapshot().end_ns == 50


def test_the_cost_is_what_was_counted_or_the_trackers_spans_where_they_are_more() -> None:
    builder = TraceBuilder()
    builder.mark(MarkKind.TRACKER, begin=10, end=20).mark(MarkKind.TRACKER, begin=5, end=30).mark(MarkKind.TRACKER, begin=40, end=50)
    builder.operator("aten::mm", begin=60, end=140)
    trace = builder.trace()
    assert trace.snapshot().cost_ns == trace.cost_ns == 25 + 10
    assert trace.overhead_ratio(None) == 140 / 105
    trace.set_counters(dropped_events=0, cost_ns=40)
    assert trace.snapshot().cost_ns == 40
    assert trace.overhead_ratio(BEGIN_NS + 200) == 200 / 160
