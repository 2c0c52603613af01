"""The begin of every backward: iterations of hand-written training, names of leaves, details of the graph."""

from tensorscope.agent.graphs import Graphs
from tensorscope.agent.iterations import Iterations
from tensorscope.agent.leaves import Leaves
from tensorscope.agent.optimizers import Optimizers
from tensorscope.agent.patches import Compiling
from tensorscope.agent.retained import Retained
from tensorscope.agent.statements import Statements
from tensorscope.agent.storages import Storages
from tensorscope.agent.unseen_steps import UnseenSteps
from tensorscope.agent.watch import Watch

FIRST_ITERATIONS = 3


class BackwardTracker:
    name = "graphs"

    def __init__(
        self,
        watch: Watch,
        compiling: Compiling,
        optimizers: Optimizers,
        iterations: Iterations,
        unseen_steps: UnseenSteps,
        leaves: Leaves,
        retained: Retained,
        graphs: Graphs,
        storages: Storages,
        statements: Statements,
    ) -> None:
        self._watch = watch
        self._compiling = compiling
        self._optimizers = optimizers
        self._iterations = iterations
        self._unseen_steps = unseen_steps
        self._leaves = leaves
        self._retained = retained
        self._graphs = graphs
        self._storages = storages
        self._statements = statements
        self._has_begun = False

    def install(self) -> None:
        self._watch.probe.set_on_unknown_leaves(self._watch.guard_from_c(self.name, self._name_leaves))
        self._watch.probe.set_on_retained(self._watch.guard_from_c(self.name, self._retained.name))
        self._watch.probe.set_on_backward_begin(self._watch.guard_from_c(self.name, self._begins))

    def remove(self) -> None:
        self._watch.probe.set_on_unknown_leaves(None)
        self._watch.probe.set_on_retained(None)
        self._watch.probe.set_on_backward_begin(None)

    def _begins(self, backward: int, graph: int, is_new_shape: bool) -> None:
        begin_ns = self._watch.now_ns()
        if not self._has_begun:
            self._has_begun = True
            self._watch.on_training()
            self._statements.tell()
        running = self._watch.probe.running_backward(backward)
        if running is None or running[1] == 0:
            self._outermost_begins(begin_ns if running is None else running[0])
        is_detailed = self._graphs.is_detailed or self._iterations.index < FIRST_ITERATIONS
        self._watch.probe.ask_histograms(is_detailed)
        if is_new_shape or is_detailed:
            self._graphs.tell(graph, backward, self._graphs.walk(self._graphs.root()))
        self._watch.cost(begin_ns, is_counted=True)

    def _outermost_begins(self, begin_ns: int) -> None:
        if self._iterations.has_optimizer:
            unseen = self._unseen_steps.look(self._compiling.has_compiled)
            if unseen and not self._iterations.has_stepped:
                self._iterations.unseen_step_ends(unseen, begin_ns)
                self._storages.tell_sampled(self._iterations.index)
            self._iterations.next_begins()
        elif self._iterations.backward_begins(self._watch.probe.current_source(), begin_ns):
            self._storages.tell_sampled(self._iterations.index - 1)
        self._iterations.stop_at_limit(self._optimizers.count)

    def _name_leaves(self) -> None:
        for node in self._graphs.walk(self._graphs.root()):
            if type(node).__name__ == "AccumulateGrad":
                variable = node.variable
                if variable is not None:
                    self._leaves.name(variable)
