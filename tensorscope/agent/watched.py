"""All that watches a debuggee once torch is there: the trackers, what they share, and their order."""

from collections.abc import Callable, Sequence
from typing import Any

from tensorscope.agent.breakpoints import Breakpoints
from tensorscope.agent.graphs import Graphs
from tensorscope.agent.iterations import Iterations
from tensorscope.agent.leaves import Leaves
from tensorscope.agent.modules import Modules
from tensorscope.agent.optimizers import Optimizers
from tensorscope.agent.parameters import Parameters
from tensorscope.agent.patches import Compiling
from tensorscope.agent.retained import Retained
from tensorscope.agent.statements import Statements
from tensorscope.agent.stepping import Stepping
from tensorscope.agent.steps import Steps
from tensorscope.agent.storages import Storages
from tensorscope.agent.trackers.backwards import BackwardTracker
from tensorscope.agent.trackers.clipping import ClippingTracker
from tensorscope.agent.trackers.cuda_allocations import CudaAllocationTracker
from tensorscope.agent.trackers.data_workers import DataWorkerTracker
from tensorscope.agent.trackers.hooks import HookTracker
from tensorscope.agent.trackers.loading import LoadingTracker
from tensorscope.agent.trackers.module_calls import ModuleCallTracker
from tensorscope.agent.trackers.module_making import ModuleMakingTracker
from tensorscope.agent.trackers.optimizer_steps import OptimizerTracker
from tensorscope.agent.trackers.saving import SavingTracker
from tensorscope.agent.trackers.scaler import ScalerTracker
from tensorscope.agent.trackers.tracker import Tracker
from tensorscope.agent.unseen_steps import UnseenSteps
from tensorscope.agent.updates import Updates
from tensorscope.agent.watch import Watch
from tensorscope.protocol.records import MarkKind


class Watched:
    def __init__(
        self,
        watch: Watch,
        detach: Callable[[], None],
        breaks: Sequence[str],
        iterations: int = 0,
        is_worker: Callable[[], None] | None = None,
        *,
        has_updates: bool = False,
    ) -> None:
        """``iterations``: after as many the probe goes off; 0: never. ``is_worker()``: the process turns out to be a DataLoader's; None: it can be none.

        ``has_updates``: read how far each optimizer step moves the weights.
        """
        self.watch = watch
        self.compiling = Compiling(watch)
        self.parameters = Parameters(watch)
        self.modules = Modules(watch, self.parameters)
        self.leaves = Leaves(watch, self.parameters, self.modules)
        self.optimizers = Optimizers(watch, self.parameters, self.leaves.name)
        self.iterations = Iterations(watch, self.compiling, iterations)
        self.unseen_steps = UnseenSteps(watch, self.optimizers)
        self.graphs = Graphs(watch)
        self.storages = Storages(watch, self.parameters, self.optimizers, self.iterations, self.graphs)
        self._detach = detach
        breakpoints = Breakpoints(watch, self.modules, self.parameters, self.iterations)
        updates = Updates(watch, self.optimizers) if has_updates else None
        steps = OptimizerTracker(watch, self.compiling, self.optimizers, self.iterations, self.unseen_steps, self.storages, updates)
        self.trackers: list[Tracker] = [
            ModuleCallTracker(watch, self.modules, self.compiling),
            steps,
            ClippingTracker(watch, self.compiling),
            ScalerTracker(watch, self.compiling, self.optimizers, self.iterations, steps),
            CudaAllocationTracker(watch),
            ModuleMakingTracker(watch, self.modules, self.compiling),
            LoadingTracker(watch, self.compiling, self.modules),
            HookTracker(watch, self.compiling, self.modules),
            SavingTracker(watch, self.compiling),
            BackwardTracker(
                watch,
                self.compiling,
                self.optimizers,
                self.iterations,
                self.unseen_steps,
                self.leaves,
                Retained(watch, self.parameters),
                self.graphs,
                self.storages,
                Statements(watch),
            ),
            Stepping(watch, self.graphs, self.parameters, self.storages, detach, Steps(watch, self.modules, self.iterations), breakpoints, breaks),
            *([DataWorkerTracker(watch, self.compiling, is_worker)] if is_worker is not None else []),
        ]

    def install(self) -> None:
        self.watch.on_switched_off = self._undo
        self.watch.probe.set_failure_handler(self.watch.switch_off)
        self.watch.probe.set_on_switched_off(self.watch.outside_dynamo(self._detach))
        for tracker in self.trackers:
            try:
                tracker.install()
            except Exception as error:
                self.watch.switch_off(tracker.name, error)
        self.compiling.install()

    def remove(self) -> None:
        """Undo all of it and stop the probe. Idempotent."""
        self.watch.leave()
        self.watch.probe.set_on_switched_off(None)
        self.compiling.remove()
        if self.storages.before is not None:
            self.storages.before.remove()
        for tracker in reversed(self.trackers):
            tracker.remove()
        self.watch.probe.stop()

    def exception(self, message: dict[str, Any]) -> None:
        now = self.watch.now_ns()
        self.watch.probe.flush_open()
        self.watch.tell("exception", **message, time_ns=now)
        self.watch.probe.mark(MarkKind.EXCEPTION, now, now)
        self.storages.tell("exception")

    def end(self, fields: dict[str, Any]) -> None:
        unseen = self.unseen_steps.look(self.compiling.has_compiled)
        if unseen and not self.iterations.has_stepped:
            self.iterations.unseen_step_ends(unseen, self.watch.now_ns())
        self.iterations.script_ends()
        self.storages.tell("exit")
        self.watch.tell("exit", **fields)

    def _undo(self, name: str) -> None:
        for tracker in self.trackers:
            if tracker.name == name:
                tracker.remove()
