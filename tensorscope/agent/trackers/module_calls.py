"""Puts the probe's ModuleCall in the place of ``nn.Module.__call__``."""

from tensorscope.agent.importer import as_machinery
from tensorscope.agent.modules import Modules
from tensorscope.agent.patches import Compiling, Patches
from tensorscope.agent.watch import Watch


class ModuleCallTracker:
    name = "modules"

    def __init__(self, watch: Watch, modules: Modules, compiling: Compiling) -> None:
        self._watch = watch
        self._modules = modules
        self._patches = Patches(compiling)

    def install(self) -> None:
        identify = self._watch.guard_from_c(self.name, self._modules.id_of)
        make = self._watch.probe.ModuleCall
        self._patches.replace(self._watch.torch.nn.Module, "__call__", lambda original: make(original, as_machinery(lambda module: identify(module) or 0)))

    def remove(self) -> None:
        self._patches.undo()
