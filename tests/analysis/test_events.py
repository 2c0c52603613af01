"""The tree of events, opened level by level."""

from tensorscope.analysis.events import ROOT, EventKind, EventTree
from tests.analysis.test_graph import linear
from tests.support.trace_builder import TraceBuilder


def outline(tree: EventTree, event: int = ROOT, depth: int = 0) -> list[str]:
    lines = []
    for row in tree.children(event):
        lines.append("  " * depth + f"{row.label} {row.begin_ns}..{row.end_ns}")
        if row.has_children:
            lines += outline(tree, row.id, depth + 1)
        else:
            assert tree.children(row.id) == ()
    return lines


def iteration(builder: TraceBuilder, index: int, time: int) -> TraceBuilder:
    return builder.message({"type": "iteration", "index": index, "time_ns": time, "learning_rate": None, "optimizers": []})


def test_everything_that_ran_hangs_under_iteration_phase_and_module() -> None:
    builder = iteration(linear().operator("aten::rand", begin=1, end=3), 0, 70).operator("aten::item", begin=80, end=85)
    builder.message({"type": "exit", "code": 0, "time_ns": 90})
    assert outline(EventTree(builder.snapshot())) == [
        "Before the first iteration 0..5",
        "  other 0..5",
        "    aten::rand 1..3",
        "Iteration 0 5..70",
        "  forward 5..30",
        "    Net 5..30",
        "      fc (Linear) 6..29",
        "        aten::linear 7..28",
        "          aten::t 8..10",
        "          aten::addmm 11..20",
        "  backward 40..60",
        "    AddmmBackward0 41..45",
        "Outside of iterations 70..90",
        "  other 70..90",
        "    aten::item 80..85",
    ]


def test_rows_know_their_operator_call_node_and_iteration() -> None:
    tree = EventTree(linear().snapshot())
    forward, backward = tree.children(tree.children()[0].id)
    (net,) = tree.children(forward.id)
    (layer,) = tree.children(net.id)
    (operator,) = tree.children(layer.id)
    (node,) = tree.children(backward.id)
    assert [row.kind for row in (forward, net, operator, node)] == [EventKind.PHASE, EventKind.MODULE, EventKind.OPERATOR, EventKind.NODE]
    assert (layer.call, operator.operator, node.backward, node.node) == (2, 1, 0, 0)
    assert {row.iteration for row in (forward, layer, operator, node)} == {0}
    assert operator.duration_ns == 21


def test_memory_deltas_count_what_stays_allocated_at_the_end_of_the_row() -> None:
    builder = linear().alloc(address=0x10, size=100, time=12).alloc(address=0x20, size=30, time=13).free(address=0x20, time=19)
    tree = EventTree(builder.free(address=0x10, time=43).snapshot())
    forward, backward = tree.children(tree.children()[0].id)
    assert (forward.memory_delta_bytes, backward.memory_delta_bytes) == (100, -100)


def test_work_inside_a_node_hangs_under_it_and_modules_recomputed_there_under_their_own() -> None:
    builder = linear()
    node = builder.last_node
    builder.operator("AddmmBackward0", begin=42, end=44, parent=node, scope=1)
    tree = EventTree(builder.snapshot())
    (row,) = tree.children(tree.children(tree.children()[0].id)[1].id)
    assert [child.label for child in tree.children(row.id)] == ["AddmmBackward0"]


def test_an_operator_in_a_module_that_an_operator_called_hangs_under_the_module() -> None:
    builder = TraceBuilder().message({"type": "module", "id": 1, "fqn": "fc", "class": "Linear", "parent": 0, "root": 1, "source": ""})
    builder.operator("Checkpointed", begin=10, end=50).module_call(1, begin=20, end=40)
    builder.operator("aten::linear", begin=25, end=30, parent=1, module_call=1)
    tree = EventTree(builder.snapshot())
    (module,) = [row for phase in tree.children(tree.children()[-1].id) for row in tree.children(phase.id) if row.kind is EventKind.MODULE]
    assert [row.label for row in tree.children(module.id)] == ["aten::linear"]


def test_the_path_to_an_operator_opens_every_row_above_it() -> None:
    tree = EventTree(linear().snapshot())
    assert [tree.row(event).label for event in tree.path_to(3)] == ["Iteration 0", "forward", "Net", "fc (Linear)", "aten::linear", "aten::addmm"]
    assert tree.path_to(99) == ()


def test_an_empty_run_has_an_empty_tree() -> None:
    assert EventTree(TraceBuilder().snapshot()).children() == ()


def test_a_run_without_iterations_is_one_row() -> None:
    assert outline(EventTree(TraceBuilder().operator("aten::add", begin=1, end=3).snapshot())) == [
        "Outside of iterations 0..3",
        "  other 0..3",
        "    aten::add 1..3",
    ]


def test_a_rows_own_time_is_what_lies_in_no_row_under_it() -> None:
    """The tree above: linear 7..28 holds t 8..10 and addmm 11..20."""
    tree = EventTree(linear().snapshot())
    (group,) = tree.children()
    forward = tree.children(group.id)[0]
    (net,) = tree.children(forward.id)
    (layer,) = tree.children(net.id)
    (operator,) = tree.children(layer.id)
    assert [tree.self_ns(row) for row in (group, forward, net, layer, operator)] == [0, 0, 2, 2, 10]
    assert [tree.self_ns(row) for row in tree.children(operator.id)] == [2, 9]


def test_what_runs_on_several_threads_at_once_is_not_taken_twice() -> None:
    builder = TraceBuilder().operator("outer", begin=0, end=100).operator("a", begin=10, end=50, parent=1).operator("b", begin=30, end=60, parent=1)
    tree = EventTree(builder.snapshot())
    (group,) = tree.children()
    (outer,) = tree.children(tree.children(group.id)[0].id)
    assert tree.self_ns(outer) == 50
