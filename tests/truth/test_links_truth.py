"""What belongs to a selection, cell by cell of the table in docs/architecture.md, in a recorded run that wrote down where its tensors lay."""

from collections.abc import Callable
from dataclasses import dataclass

import pytest

from tensorscope.analysis.graph import backward_graph, last_backward
from tensorscope.analysis.join import node_name
from tensorscope.analysis.operators import call_index
from tensorscope.analysis.results import BackwardGraph, GraphNode
from tensorscope.session.replay import ReplaySession
from tensorscope.trace.snapshot import Snapshot
from tensorscope.viewmodel.line_costs import line_costs
from tensorscope.viewmodel.linked import Linked
from tensorscope.viewmodel.linking import linked
from tensorscope.viewmodel.workspace import (
    BlockSelection,
    ModuleSelection,
    NodeSelection,
    OperatorSelection,
    ParameterSelection,
    Selection,
    SourceSelection,
    StorageSelection,
)
from tests.truth.harness import SCRIPTS, Recording

SCRIPT = SCRIPTS / "links.py"
LINES = SCRIPT.read_text(encoding="utf-8").splitlines()
FIRST, TANH, SECOND = 'kept["hidden"] = self.first(x)', 'kept["active"] = torch.tanh(kept["hidden"])', 'kept["out"] = self.second(kept["active"])'
MADE, LOSS, STEP = "self.second = nn.Linear(4, 2)", 'loss = net(kept["x"]).square().mean()', "optimizer.step()"


@dataclass(frozen=True)
class Run:
    snapshot: Snapshot
    graph: BackwardGraph
    addresses: dict[str, int]

    def node(self, label: str) -> GraphNode:
        return next(node for node in self.graph.nodes if label_of(node) == label)

    def told(self, links: Linked, kind: str) -> set[str]:
        """The links of a kind in words: texts of lines, names of nodes, operators and storages."""
        assert {number for number, _ in links.nodes} <= {self.graph.backward}
        assert {line.file for line in links.lines} <= {str(SCRIPT)}
        if kind == "lines":
            return {LINES[line.line - 1].strip() for line in links.lines}
        if kind == "nodes":
            return {label_of(node) for node in self.graph.nodes if node.id in links.nodes_of(self.graph.backward)}
        if kind == "operators":
            index = call_index(self.snapshot)
            return {node_name(self.snapshot.name(int(index.name[index.find_one(one)]))).removeprefix("aten::") for one in links.operators}
        if kind == "storages":
            return {name for name, data in self.addresses.items() if links.has_storage(data, self.seen_ns)}
        return set(links.parameters)

    @property
    def seen_ns(self) -> int:
        """When all of them lived: at the last step's end."""
        return int(self.snapshot.iterations[-1]["time_ns"])


def label_of(node: GraphNode) -> str:
    return f"{node.name} {node.parameter or node.module}".strip()


@pytest.fixture(scope="module")
def run(recorded: Callable[[str], Recording]) -> Run:
    recording = recorded("links.py")
    session = ReplaySession(recording.file)
    try:
        snapshot = session.snapshot(session.ranks()[0].rank)
    finally:
        session.close()
    number = last_backward(snapshot)
    assert number == 3
    return Run(snapshot, backward_graph(snapshot, number), recording.truth)


def selections(run: Run) -> dict[str, Selection]:
    second, active = run.node("AddmmBackward0 second"), run.addresses["active"]
    allocated = next(life for life in linked(run.snapshot, StorageSelection(active, run.seen_ns), None).storages)
    return {
        "node": NodeSelection(3, second.id),
        "accumulator": NodeSelection(3, run.node("AccumulateGrad second.weight").id),
        "operator": OperatorSelection(second.operator),
        "module": ModuleSelection("second"),
        "parameter": ParameterSelection("second.weight"),
        "storage": StorageSelection(active, run.seen_ns),
        "block": BlockSelection(active, allocated.begin_ns, "cpu"),
        "weight": StorageSelection(run.addresses["second.weight"], run.seen_ns),
        "line": SourceSelection(str(SCRIPT), line_of(TANH)),
        "making line": SourceSelection(str(SCRIPT), line_of(MADE)),
    }


def line_of(text: str) -> int:
    return next(number for number, line in enumerate(LINES, 1) if line.strip() == text)


WEIGHT, GRADIENT, BIAS = "second.weight", "second.weight.grad", "second.bias"
ADDMM, TANH_NODE, TRANSPOSED, GATHERS = "AddmmBackward0 second", "TanhBackward0", "TBackward0 second", "AccumulateGrad second.weight"
USES_OF_ACTIVE = {"tanh", "linear", "AddmmBackward0", "TanhBackward0"}
CELLS: dict[str, dict[str, set[str]]] = {
    "node": {
        "lines": {SECOND}, "nodes": {ADDMM}, "operators": {"addmm", "AddmmBackward0"},
        "storages": {"active", WEIGHT, BIAS, "out", "second.bias.grad"}, "parameters": {WEIGHT, BIAS},
    },
    "accumulator": {"lines": {SECOND}, "nodes": {GATHERS}, "operators": {"AccumulateGrad"}, "storages": {GRADIENT}, "parameters": {WEIGHT}},
    "operator": {"lines": {SECOND}, "nodes": {ADDMM}, "operators": {"addmm"}, "storages": {"active", WEIGHT, BIAS, "out"}, "parameters": {WEIGHT, BIAS}},
    "module": {
        "lines": {SECOND}, "nodes": {ADDMM, TRANSPOSED, GATHERS, "AccumulateGrad second.bias"},
        "operators": {"addmm", "t", "AddmmBackward0", "TBackward0", "AccumulateGrad"}, "storages": {"active", WEIGHT, BIAS}, "parameters": {WEIGHT, BIAS},
    },
    "parameter": {
        "lines": {SECOND, STEP}, "nodes": {GATHERS}, "operators": {"AccumulateGrad", "linear", "AddmmBackward0", "add_"},
        "storages": {WEIGHT, GRADIENT}, "parameters": {WEIGHT},
    },
    "storage": {"lines": {TANH, SECOND}, "nodes": {ADDMM, TANH_NODE}, "operators": USES_OF_ACTIVE, "storages": {"active"}, "parameters": set()},
    "block": {"lines": {TANH, SECOND}, "nodes": {ADDMM, TANH_NODE}, "operators": USES_OF_ACTIVE, "storages": {"active"}, "parameters": set()},
    "weight": {
        "lines": {MADE, SECOND, STEP}, "nodes": {ADDMM, GATHERS}, "operators": {"empty", "detach", "uniform_", "linear", "AddmmBackward0", "add_"},
        "storages": {WEIGHT}, "parameters": {WEIGHT},
    },
    "line": {"lines": {TANH}, "nodes": {TANH_NODE}, "operators": {"tanh", "TanhBackward0"}, "storages": {"active"}, "parameters": set()},
    "making line": {
        "lines": {MADE}, "nodes": {GATHERS, "AccumulateGrad second.bias"}, "operators": {"AccumulateGrad"},
        "storages": {WEIGHT, BIAS}, "parameters": {WEIGHT, BIAS},
    },
}  # fmt: skip


@pytest.mark.parametrize(("chosen", "kind"), [(chosen, kind) for chosen, kinds in CELLS.items() for kind in kinds])
def test_what_belongs_to_a_selection_is_found(run: Run, chosen: str, kind: str) -> None:
    assert run.told(linked(run.snapshot, selections(run)[chosen], None), kind) == CELLS[chosen][kind]


def test_an_address_that_came_again_is_another_storage(run: Run) -> None:
    life = linked(run.snapshot, StorageSelection(run.addresses["active"], run.seen_ns), None).storages[0]
    first = run.snapshot.backwards[1].begin_ns
    assert run.snapshot.iterations[-2]["time_ns"] < life.begin_ns < run.seen_ns < life.end_ns
    assert not life.has(run.addresses["active"], first)


def test_a_line_that_calls_none_stands_for_what_was_called_below_it(run: Run) -> None:
    links = linked(run.snapshot, SourceSelection(str(SCRIPT), line_of("main()")), None)
    assert links.nodes_of(3) >= {node.id for node in run.graph.nodes if node.source is not None}


def test_the_cursor_says_which_iteration_is_meant(run: Run) -> None:
    earlier = linked(run.snapshot, SourceSelection(str(SCRIPT), line_of(TANH)), int(run.snapshot.iterations[1]["time_ns"]))
    assert {backward for backward, _ in earlier.nodes} == {1}
    assert not earlier.operators & linked(run.snapshot, SourceSelection(str(SCRIPT), line_of(TANH)), None).operators


def test_nothing_belongs_to_what_is_not_on_record(run: Run) -> None:
    nothing = Linked()
    assert linked(run.snapshot, None, None) == nothing
    assert linked(run.snapshot, NodeSelection(99, 0), None) == nothing
    assert linked(run.snapshot, ParameterSelection("lost"), None) == Linked(parameters=("lost",))
    assert linked(run.snapshot, SourceSelection("/nowhere.py", 3), None).nodes == frozenset()


def test_a_line_keeps_what_its_nodes_saved_and_counts_what_it_called(run: Run) -> None:
    """float32: x [5, 3]; tanh's result and the second layer's input, both ``active`` [5, 4]; what is squared, ``out`` [5, 2]. Weights are parameters."""
    costs = line_costs(run.snapshot, None)
    by_line = {LINES[line - 1].strip(): cost for line, cost in costs.of_file(str(SCRIPT)).items()}
    assert {line: cost.saved_bytes for line, cost in by_line.items() if cost.saved_bytes} == {FIRST: 60, TANH: 80, SECOND: 80, LOSS: 40}
    assert {line: by_line[line].operators for line in (FIRST, TANH, SECOND, LOSS)} == {FIRST: 1, TANH: 1, SECOND: 1, LOSS: 2}


def test_a_line_that_did_not_run_in_the_iteration_means_its_last_run(run: Run) -> None:
    """Such as the other player's of a GAN."""
    line = SourceSelection(str(SCRIPT), line_of('kept["once"] = torch.full((3,), 2.0).exp()'))
    links = linked(run.snapshot, line, None)
    assert run.told(links, "operators") == {"full", "exp"}
    assert run.told(links, "storages") == {"once"}
    assert not linked(run.snapshot, line, run.snapshot.backwards[1].begin_ns).operators
