"""Names for leaves that no known module has: parameters of modules not met yet, and bare leaf tensors such as ``w`` in hand-written training."""

from collections.abc import Callable
from typing import Any, Final

from tensorscope.agent.modules import Modules
from tensorscope.agent.parameters import Parameters
from tensorscope.agent.watch import Watch

MAX_HEAP_PASSES: Final = 50
"""Each costs tens of milliseconds; a script that makes parameters without end has had its share after these."""


class Leaves:
    def __init__(self, watch: Watch, parameters: Parameters, modules: Modules) -> None:
        self._watch = watch
        self._parameters = parameters
        self._modules = modules
        self._passes_left = MAX_HEAP_PASSES
        self._parameter_class: type = watch.torch.nn.Parameter
        self._is_of_a_transform: Callable[[Any], bool] = watch.torch._C._functorch.is_functorch_wrapped_tensor

    def name(self, tensor: Any) -> None:
        """Register a leaf that is not known yet, under its module's name or its variable's."""
        if self._parameters.find(tensor) is not None or self._is_of_a_transform(tensor):
            return
        if self._parameter_class in type(tensor).__mro__ and self._is_in_a_module(tensor):
            return
        name = self._watch.frames.name_of(tensor) or "leaf"
        self._parameters.add(tensor, self._parameters.free_name(name), [], 0, False)

    def _is_in_a_module(self, tensor: Any) -> bool:
        self._modules.rescan()
        if self._parameters.find(tensor) is not None:
            return True
        if self._passes_left <= 0:
            return False
        self._passes_left -= 1
        holder = self._modules.holder_of(tensor)
        if holder is None:
            return False
        self._modules.add_tree(self._modules.topmost(holder))
        return self._parameters.find(tensor) is not None
