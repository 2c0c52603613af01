"""Update norms (``--updates``): how far each optimizer step moves each parameter, exactly, from a copy of the weights made just before it.

That costs a second copy of the weights while a step runs, and two passes over them. Parameters beyond the budget take turns, step by step.
Only memory on the CPU can be read; the norms of other parameters stay unknown, which is told once.
"""

from typing import Any, Final

from tensorscope.agent.optimizers import Optimizers
from tensorscope.agent.watch import Watch

MOST_BYTES: Final = 1 << 30
"""Of copies, for the step of one optimizer."""
NOT_READ: Final = "not all parameters lie in the CPU's memory: the update norms of the others are not known"


class Updates:
    def __init__(self, watch: Watch, optimizers: Optimizers) -> None:
        self._watch = watch
        self._optimizers = optimizers

    def step_begins(self, optimizer: Any) -> None:
        begin_ns = self._watch.now_ns()
        try:
            _, _, unreadable = self._watch.probe.copy_weights(self._optimizers.id_of(optimizer), self._optimizers.parameter_ids(optimizer), MOST_BYTES)
        except RuntimeError as error:  # the Python probe
            self._watch.warn("updates", str(error))
            return
        if unreadable:
            self._watch.warn("updates", NOT_READ)
        self._watch.cost(begin_ns, is_counted=True)

    def step_ended(self, optimizer: Any) -> None:
        self._watch.probe.write_updates(self._optimizers.id_of(optimizer), self._watch.probe.last_backward())
