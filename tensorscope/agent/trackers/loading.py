"""``load_state_dict``: a mark, with how many tied parameters it untied (``assign=True`` puts a tensor of its own under each name)."""

from typing import Any

from tensorscope.agent.modules import Modules, names_of_parameters
from tensorscope.agent.patches import Compiling, Patches
from tensorscope.agent.watch import Watch
from tensorscope.protocol.records import MarkKind


class LoadingTracker:
    name = "load_state_dict"

    def __init__(self, watch: Watch, compiling: Compiling, modules: Modules) -> None:
        self._watch = watch
        self._modules = modules
        self._patches = Patches(compiling, is_guarded=True)

    def install(self) -> None:
        before, after = self._watch.guard(self.name, self._begins), self._watch.guard(self.name, self._ended)
        self._patches.replace(self._watch.torch.nn.Module, "load_state_dict", lambda original: self._watch.probe.Wrapper(original, before, after))

    def remove(self) -> None:
        self._patches.undo()

    def _begins(self, args: Any, kwargs: Any) -> tuple[int, list[list[str]]]:
        ties = [names for names in names_of_parameters(args[0]) if len(names) > 1] if args else []
        if ties:
            self._modules.id_of(args[0])  # so that the names which are one are on record
        return self._watch.now_ns(), ties

    def _ended(self, token: tuple[int, list[list[str]]] | None, args: Any, kwargs: Any, result: Any, raised: bool) -> None:
        if not args or token is None or raised:
            return
        begin_ns, ties = token
        now = {name: place for place, names in enumerate(names_of_parameters(args[0])) for name in names} if ties else {}
        lost = sum(len({now.get(name, -1) for name in names}) > 1 for names in ties)
        self._watch.probe.mark(MarkKind.LOAD, begin_ns, self._watch.now_ns(), a=self._modules.known_id(args[0]), x=float(lost))
        if lost:
            self._modules.rescan()
