"""Where in the script each module was put into another: one without parameters leaves no other trace of the line that made it.

Seen through torch's global registration hooks (torch.nn.modules.module), since ``nn.Module.__init__`` has to stay a function: torch.jit reads its source.
"""

import sys
from typing import Any, Final

from tensorscope.agent.modules import Modules
from tensorscope.agent.patches import Compiling, Item, Patches
from tensorscope.agent.watch import Watch

MAX_KNOWN: Final = 100_000
"""Modules whose line is kept; one takes the place of a dead one at its address."""


class ModuleMakingTracker:
    name = "module construction"

    def __init__(self, watch: Watch, modules: Modules, compiling: Compiling) -> None:
        self._watch = watch
        self._modules = modules
        self._hidden = Patches(compiling, is_guarded=True)
        self._handle: Any = None

    def install(self) -> None:
        module: Any = sys.modules["torch.nn.modules.module"]
        self._handle = module.register_module_module_registration_hook(self._watch.guard(self.name, self._registered))
        self._hidden.replace_at(Item(module._global_module_registration_hooks, self._handle.id), self._watch.untraced)  # which Dynamo could not look into

    def remove(self) -> None:
        self._hidden.undo()
        if self._handle is not None:
            self._handle.remove()
            self._handle = None

    def _registered(self, parent: Any, name: str, child: Any) -> None:
        if child is None or len(self._modules.made) >= MAX_KNOWN:
            return
        source = self._watch.probe.current_source()
        if source is not None:
            self._modules.made[id(child)] = (type(child).__name__, f"{source[0]}:{source[1]}")
