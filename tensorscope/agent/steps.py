"""How far a step goes: to the next node, out of the module, out of the block around it, to the next iteration."""

from typing import Final

from tensorscope.agent.iterations import Iterations
from tensorscope.agent.modules import Modules
from tensorscope.agent.watch import Watch

RUN: Final = 0
HOLD_AT_NEXT_NODE: Final = 1
ASK_AT_EVERY_NODE: Final = 3
COMMANDS: Final = ("step", "step_module", "step_out", "step_iteration")


class Steps:
    """One step at a time. Where a module is not known (0), all such nodes of one backward count as one module."""

    def __init__(self, watch: Watch, modules: Modules, iterations: Iterations) -> None:
        self._watch = watch
        self._modules = modules
        self._kind = ""
        self._backward = 0
        self._module = 0
        iterations.on_index.append(self._iteration_begins)

    def begin(self, kind: str, backward: int, module: int) -> None:
        """Let go from a node of this backward and module. Any other command than a step's ends the step under way."""
        self._kind, self._backward = kind, backward
        self._module = self._modules.block_of(module) if kind == "step_out" else module
        words = {"step": HOLD_AT_NEXT_NODE, "step_module": ASK_AT_EVERY_NODE, "step_out": ASK_AT_EVERY_NODE}
        self._watch.probe.arm(words.get(kind, RUN))

    def end(self) -> None:
        """A node is held, for whatever reason."""
        if self._kind:
            self._kind = ""
            self._watch.probe.arm(RUN)

    def module_name(self, module: int) -> str | None:
        return self._modules.fqn_of(module)

    @property
    def asks(self) -> bool:
        """Whether ``is_over`` decides about every node."""
        return self._kind in ("step_module", "step_out")

    def is_over(self, backward: int, module: int) -> bool:
        """Whether the step ends before a node."""
        if backward != self._backward:
            return True
        if self._kind == "step_out" and self._module:
            return self._module not in self._modules.around(module)
        return module != self._module

    def _iteration_begins(self) -> None:
        if self._kind == "step_iteration":
            self._kind = ""
            self._watch.probe.arm(HOLD_AT_NEXT_NODE)
