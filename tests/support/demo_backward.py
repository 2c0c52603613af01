"""The pretended backward: nodes run in autograd's order, make gradients and let go of what was saved."""

import math
import random
from dataclasses import dataclass, field

import numpy as np

from tensorscope.protocol.records import GradientStage, MarkKind, Scope
from tensorscope.trace.schema import GRADIENTS, MARKS, NODES
from tensorscope.trace.snapshot import Backward, GraphShape
from tests.support.demo_model import MadeNode, Model
from tests.support.demo_run import THREAD, Block, Run, Value


@dataclass(slots=True)
class Graph:
    """The nodes of one backward in walk order; AccumulateGrad nodes have a parameter and no MadeNode."""

    names: list[str] = field(default_factory=list)
    parameters: list[int] = field(default_factory=list)
    made: list[MadeNode | None] = field(default_factory=list)
    edges: list[tuple[int, int, int, int]] = field(default_factory=list)  # from, output_nr, to, input_nr

    def shape(self) -> GraphShape:
        return GraphShape(tuple(self.names), np.array(self.parameters, np.uint32), np.array(self.edges, np.uint32).reshape(-1, 4))

    def targets(self, index: int) -> list[int]:
        return [target for source, _, target, _ in self.edges if source == index]


def walk(model: Model, root: Value) -> Graph:
    """Nodes reachable from the loss, the loss's own first, each once."""
    graph = Graph()
    index_of: dict[str, int] = {}

    def visit(value: Value) -> int:
        key = value.node or f"parameter:{value.parameter}"
        if key in index_of:
            return index_of[key]
        index = index_of[key] = len(graph.names)
        made = model.nodes.get(key)
        graph.names.append(made.name if made else "AccumulateGrad")
        graph.parameters.append(value.parameter)
        graph.made.append(made)
        for output_nr, before in enumerate(made.inputs if made else ()):
            if before is not None:
                graph.edges.append((index, output_nr, visit(before), 0))
        return index

    visit(root)
    return graph


class BackwardRun:
    """One backward of the pretended run."""

    def __init__(self, run: Run, model: Model, graph: Graph, number: int, graph_id: int) -> None:
        self.run, self.model, self.graph, self.number, self.graph_id = run, model, graph, number, graph_id
        self.begin_ns = run.now
        self.order = self._order()
        self.gradients: dict[int, Block] = {}
        self.ran = 0

    def definition(self) -> Backward:
        count = len(self.graph.names)
        numbers = [made.sequence if made else -1 for made in self.graph.made]
        addresses = np.arange(count, dtype=np.uint64) * 256 + 0x6000_0000
        return Backward(self.number, self.graph_id, self.begin_ns, 0, addresses, np.array(numbers, np.int64), np.full(count, THREAD, np.uint32))

    def position_of(self, name: str, count: int) -> int:
        """How many nodes run before the ``count``-th (from 1) of that name."""
        return [position for position, index in enumerate(self.order) if self.graph.names[index] == name][count - 1]

    def run_nodes(self, stop_after: int | None = None) -> None:
        """Run the nodes in order, all or the first ``stop_after``."""
        for index in self.order[:stop_after]:
            self._run_node(index)
        if stop_after is None:
            self.run.rows.add(
                MARKS, mark=MarkKind.BACKWARD, begin_ns=self.begin_ns, end_ns=self.run.now, a=self.number, b=self.graph_id, x=len(self.graph.names)
            )

    def write_gradients(self, iteration: int, stage: GradientStage, scale: float) -> None:
        """GRADIENT rows: norms that fall with training, larger near the output, h.1 growing."""
        noise = random.Random(iteration)
        for identity, parameter in self.model.parameters.items():
            fqn = str(parameter["fqn"])
            numel = self.model.values[fqn].nbytes // 4
            depth = identity / len(self.model.parameters)
            norm = 0.02 * math.sqrt(numel) ** 0.6 * (0.3 + depth) / (1 + 0.25 * iteration) * noise.uniform(0.7, 1.4) * scale
            if fqn.startswith("h.1.attn.proj"):
                norm *= 1.9**iteration
            self.run.rows.add(
                GRADIENTS,
                stage=stage,
                parameter=identity,
                backward=self.number,
                time_ns=self.run.now,
                sum_squares=norm * norm,
                max_abs=norm / math.sqrt(numel) * 4,
                numel=numel,
                weight_sum_squares=float(numel) * 4e-4,
                update_sum_squares=math.nan,
            )

    def _order(self) -> list[int]:
        """Ready nodes by falling sequence number; AccumulateGrad as soon as it is ready."""
        waiting = dict.fromkeys(range(len(self.graph.names)), 0)
        for _, _, target, _ in self.graph.edges:
            waiting[target] += 1
        ready, order = [0], []
        while ready:
            ready.sort(key=lambda index: made.sequence if (made := self.graph.made[index]) else math.inf)
            index = ready.pop()
            order.append(index)
            for target in self.graph.targets(index):
                waiting[target] -= 1
                if not waiting[target]:
                    ready.append(target)
        return order

    def _run_node(self, index: int) -> None:
        run, made = self.run, self.graph.made[index]
        identity = run.next_operator()
        begin = run.now
        run.open.append(identity)
        if made is None:
            run.now += 2_000
        else:
            self._run_made(index, made)
        run.open.pop()
        self.ran += 1
        run.rows.add(
            NODES,
            name=run.string(self.graph.names[index]),
            node=0x6000_0000 + 256 * index,
            id=identity,
            begin_ns=begin,
            end_ns=run.now,
            sequence_nr=made.sequence if made else -1,
            backward=self.number,
            index=index + 1,
        )

    def _run_made(self, index: int, made: MadeNode) -> None:
        run = self.run
        with run.operator(made.name, micros=1, scope=Scope.BACKWARD_FUNCTION, sequence=made.sequence):
            targets = self.graph.targets(index)
            for position, name in enumerate(made.operators):
                with run.operator(name, micros=made.micros / len(made.operators)):
                    for number, target in enumerate(targets if made.makes else ()):
                        if number % len(made.operators) == position:
                            self._make_gradient(target, made, number)
        for target in targets if not made.makes else ():
            if index in self.gradients and target not in self.gradients:
                self.gradients[target] = self.gradients[index]
                self.gradients[target].holders += 1
        if index in self.gradients:
            self._let_go(self.gradients.pop(index))
        for _, value in made.saved:
            self._let_go(value.block)

    def _make_gradient(self, target: int, made: MadeNode, number: int) -> None:
        if target not in self.gradients:
            value = next(value for value in (made.inputs[number],) if value is not None)
            self.gradients[target] = self.run.allocate(value.nbytes)
            self.gradients[target].holders = 1

    def _let_go(self, block: Block) -> None:
        block.holders -= 1
        if block.holders <= 0:
            self.run.free(block)
