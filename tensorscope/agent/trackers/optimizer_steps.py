"""Optimizer steps and ``zero_grad``: marks, learning rates, iteration ends.

Steps come through torch's global step hooks, which stand inside ``Optimizer.step`` and add no frame to a traceback. Making an optimizer and
``zero_grad`` are seen through the probe's Wrapper.
"""

import sys
from _thread import get_ident
from collections.abc import Callable
from types import FrameType
from typing import Any

from tensorscope.agent.iterations import Iterations
from tensorscope.agent.optimizers import Optimizers, highest_rate_of, learning_rate_of
from tensorscope.agent.patches import Compiling, Item, Patches
from tensorscope.agent.storages import Storages
from tensorscope.agent.unseen_steps import UnseenSteps
from tensorscope.agent.updates import Updates
from tensorscope.agent.watch import Watch
from tensorscope.protocol.records import MarkKind


class OptimizerTracker:
    name = "optimizers"

    def __init__(
        self,
        watch: Watch,
        compiling: Compiling,
        optimizers: Optimizers,
        iterations: Iterations,
        unseen_steps: UnseenSteps,
        storages: Storages,
        updates: Updates | None,
    ) -> None:
        self._watch = watch
        self._optimizers = optimizers
        self._iterations = iterations
        self._unseen_steps = unseen_steps
        self._storages = storages
        self._updates = updates
        self._patches = Patches(compiling, shows="zero_grad")
        self._hidden = Patches(compiling, is_guarded=True)
        self._handles: list[Any] = []
        self._begun_ns: dict[int, list[int]] = {}  # by thread, the outermost step first
        self.steps = 0

    def install(self) -> None:
        guard, wrapper, torch = self._watch.guard, self._watch.probe.Wrapper, self._watch.torch
        module: Any = sys.modules["torch.optim.optimizer"]  # torch.optim deletes the name
        self._handles = [
            module.register_optimizer_step_pre_hook(self._hook(self._before_step)),
            module.register_optimizer_step_post_hook(self._hook(self._after_step)),
        ]
        for hooks, handle in zip((module._global_optimizer_pre_hooks, module._global_optimizer_post_hooks), self._handles, strict=True):
            self._hidden.replace_at(Item(hooks, handle.id), self._watch.untraced)  # which Dynamo could not look into
        made, zero_optimizer, zero_module = (guard(self.name, function) for function in (self._made, self._zeroed_optimizer, self._zeroed_module))
        now = self._watch.now_ns
        self._patches.replace(torch.optim.Optimizer, "__init__", lambda original: wrapper(original, None, made))
        self._patches.replace(torch.optim.Optimizer, "zero_grad", lambda original: wrapper(original, lambda args, kwargs: now(), zero_optimizer))
        self._patches.replace(torch.nn.Module, "zero_grad", lambda original: wrapper(original, lambda args, kwargs: now(), zero_module))

    def remove(self) -> None:
        """While some thread is inside a step, torch may be going over the hooks, and taking one out would raise in the script.

        Then ours stay, and take themselves off at their next run: see ``_hook``.
        """
        self._patches.undo()
        if not any(map(count_steps, sys._current_frames().values())):
            self._take_hooks_off()

    def _hook(self, function: Callable[..., Any]) -> Callable[[Any, Any, Any], None]:
        guarded = self._watch.guard(self.name, function)

        def hook(optimizer: Any, args: Any, kwargs: Any) -> None:
            if not self._watch.is_off(self.name):
                guarded(optimizer, args, kwargs)
            elif self._is_last_hook():  # torch asks for no hook after the last, so it does not notice
                self._take_hooks_off()

        return hook

    def _take_hooks_off(self) -> None:
        for handle in self._handles:
            handle.remove()
        self._handles.clear()

    def _is_last_hook(self) -> bool:
        module: Any = sys.modules["torch.optim.optimizer"]
        hooks = (module._global_optimizer_pre_hooks, module._global_optimizer_post_hooks)
        return all(next(reversed(kept), None) == handle.id for kept, handle in zip(hooks, self._handles, strict=False))

    def _made(self, token: Any, args: Any, kwargs: Any, result: Any, raised: bool) -> None:
        self._iterations.has_optimizer = True
        if args and not raised:
            now = self._watch.now_ns()
            self._watch.probe.mark(MarkKind.OPTIMIZER_MADE, now, now, a=self._optimizers.id_of(args[0]))

    def _before_step(self, optimizer: Any, args: Any, kwargs: Any) -> None:
        begun_ns = self._begun_ns.setdefault(get_ident(), [])
        if begun_ns:
            del begun_ns[count_steps(sys._getframe()) - 1 :]  # those of steps that raised
        if self._updates is not None and not begun_ns:
            self._updates.step_begins(optimizer)
        begun_ns.append(self._watch.now_ns())

    def _after_step(self, optimizer: Any, args: Any, kwargs: Any) -> None:
        end_ns = self._watch.now_ns()
        begun_ns = self._begun_ns.get(get_ident(), [])
        begin_ns = begun_ns.pop() if begun_ns else end_ns
        if begun_ns:
            return  # a step that a subclass's step has called
        if self._updates is not None:
            self._updates.step_ended(optimizer)
        identity = self._optimizers.id_of(optimizer)
        rate = learning_rate_of(optimizer)
        self.steps += 1
        first = rate if rate is not None else float("nan")
        self._watch.probe.mark(MarkKind.OPTIMIZER_STEP, begin_ns, end_ns, a=identity, x=first, y=highest_rate_of(optimizer))
        self._unseen_steps.saw(identity)
        self._iterations.step_ends(identity, rate)
        self._optimizers.tell_if_changed(optimizer)
        self._storages.tell_sampled(self._iterations.index)
        self._watch.cost(end_ns)
        self._iterations.stop_at_limit(self._optimizers.count)

    def _zeroed_optimizer(self, begin_ns: int, args: Any, kwargs: Any, result: Any, raised: bool) -> None:
        self._watch.probe.mark(MarkKind.ZERO_GRAD, begin_ns, self._watch.now_ns(), a=self._optimizers.id_of(args[0]) if args else 0)

    def _zeroed_module(self, begin_ns: int, args: Any, kwargs: Any, result: Any, raised: bool) -> None:
        self._watch.probe.mark(MarkKind.ZERO_GRAD, begin_ns, self._watch.now_ns())


def count_steps(innermost: FrameType) -> int:
    """Calls of ``Optimizer.step`` that a thread is inside, as torch wraps them: the frames that go over the hooks."""
    frame: FrameType | None = innermost
    count = 0
    while frame is not None:
        count += frame.f_code.co_name == "wrapper" and frame.f_globals.get("__name__") == "torch.optim.optimizer"
        frame = frame.f_back
    return count
