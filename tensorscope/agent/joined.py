"""The agent of a process that was running already: meets torch with live tensors, modules and optimizers."""

import atexit
from types import ModuleType

from tensorscope.agent.agent import Agent
from tensorscope.agent.before import Before
from tensorscope.agent.watched import Watched


class LateAgent(Agent):
    def _wake(self, torch: ModuleType) -> None:
        super()._wake(torch)
        watched = self._watched
        if watched is not None:
            watched.watch.guard("from before", lambda: adopt(watched))()


class JoinedAgent(LateAgent):
    @property
    def is_watching(self) -> bool:
        """Whether everything is in its place and the host is there."""
        return (self._watched is not None or not self._is_awake) and self._control.is_host_there()

    def leave(self) -> None:
        """Take everything off and say goodbye. Idempotent."""
        atexit.unregister(self.shut_down)
        if self._watched is not None:
            self._guarded(self._watched.iterations.script_ends)
        self._guarded(self._detach)
        self._control.hang_up()

    def shut_down(self) -> None:
        """The interpreter ends by itself: so does the run."""
        self.end(0)
        super().shut_down()


def adopt(watched: Watched) -> None:
    """Tell of all that exists already, as if it had been met when it was made."""
    watch = watched.watch
    begin_ns = watch.now_ns()
    tensors = watch.probe.live_instances(watch.torch.Tensor)
    saved = [tensor for node in watch.probe.live_nodes(tensors, 0) for _, tensor in watched.graphs.saved_tensors(node)]
    watched.storages.before = Before(watch)
    watched.storages.before.tell(tensors + saved)
    watched.modules.add_living()
    for optimizer in watch.probe.live_instances(watch.torch.optim.Optimizer):
        watched.iterations.has_optimizer = True
        watched.optimizers.tell_if_changed(optimizer)
    watch.cost(begin_ns)
    watched.storages.tell("iteration")
