"""Hooks that the script registers on modules and tensors: where, and how many there are by then."""

from collections.abc import Callable
from functools import partial
from typing import Any, Final

from tensorscope.agent.frames import instance_dict
from tensorscope.agent.modules import Modules
from tensorscope.agent.patches import Compiling, Patches
from tensorscope.agent.watch import Watch
from tensorscope.protocol.records import MarkKind

OF_MODULES: Final = {
    "register_forward_hook": "_forward_hooks",
    "register_forward_pre_hook": "_forward_pre_hooks",
    "register_full_backward_hook": "_backward_hooks",
    "register_full_backward_pre_hook": "_backward_pre_hooks",
}
"""What registers a hook on a module, and the dictionary of the module that keeps it."""


class HookTracker:
    name = "hooks"

    def __init__(self, watch: Watch, compiling: Compiling, modules: Modules) -> None:
        self._watch = watch
        self._modules = modules
        self._patches = Patches(compiling, is_guarded=True)

    def install(self) -> None:
        wrapper, torch = self._watch.probe.Wrapper, self._watch.torch
        on_tensor = self._watch.guard(self.name, self._on_tensor)
        for name, kept_in in OF_MODULES.items():
            on_module = self._watch.guard(self.name, self._on_module(kept_in))
            self._patches.replace(torch.nn.Module, name, partial(_wrapped, wrapper, on_module))
        self._patches.replace(torch.Tensor, "register_hook", lambda original: wrapper(original, None, on_tensor))

    def remove(self) -> None:
        self._patches.undo()

    def _on_module(self, kept_in: str) -> Callable[..., None]:
        def registered(token: Any, args: Any, kwargs: Any, result: Any, raised: bool) -> None:
            if args and not raised:
                count = len(instance_dict(args[0]).get(kept_in) or ())
                now = self._watch.now_ns()
                self._watch.probe.mark(MarkKind.MODULE_HOOK, now, now, a=self._modules.known_id(args[0]), x=float(count))

        return registered

    def _on_tensor(self, token: Any, args: Any, kwargs: Any, result: Any, raised: bool) -> None:
        if args and not raised:
            now = self._watch.now_ns()
            self._watch.probe.mark(MarkKind.TENSOR_HOOK, now, now, b=self._watch.probe.tensor_info(args[0])["data"])


def _wrapped(wrapper: Any, after: Callable[..., None], original: Any) -> Any:
    return wrapper(original, None, after)
