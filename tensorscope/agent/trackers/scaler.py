"""GradScaler: unscaled gradients and steps that it skips."""

from typing import Any

from tensorscope.agent.frames import instance_dict
from tensorscope.agent.iterations import Iterations
from tensorscope.agent.optimizers import Optimizers, learning_rate_of
from tensorscope.agent.patches import Compiling, Patches
from tensorscope.agent.trackers.optimizer_steps import OptimizerTracker
from tensorscope.agent.watch import Watch
from tensorscope.protocol.records import GradientStage, MarkKind


class ScalerTracker:
    name = "scaler"

    def __init__(self, watch: Watch, compiling: Compiling, optimizers: Optimizers, iterations: Iterations, steps: OptimizerTracker) -> None:
        self._watch = watch
        self._optimizers = optimizers
        self._iterations = iterations
        self._steps = steps
        self._patches = Patches(compiling, shows="GradScaler")

    def install(self) -> None:
        wrapper, scaler = self._watch.probe.Wrapper, self._watch.torch.amp.GradScaler
        unscaled, stepped = self._watch.guard(self.name, self._unscaled), self._watch.guard(self.name, self._stepped)
        now, steps = self._watch.now_ns, self._steps
        self._patches.replace(scaler, "unscale_", lambda original: wrapper(original, lambda args, kwargs: now(), unscaled))
        self._patches.replace(scaler, "step", lambda original: wrapper(original, lambda args, kwargs: (now(), steps.steps), stepped))

    def remove(self) -> None:
        self._patches.undo()

    def _unscaled(self, begin_ns: int, args: Any, kwargs: Any, result: Any, raised: bool) -> None:
        optimizer = args[1] if len(args) > 1 else kwargs.get("optimizer")
        if raised or optimizer is None or not instance_dict(args[0]).get("_enabled", False):
            return
        probe = self._watch.probe
        probe.mark(MarkKind.UNSCALE, begin_ns, self._watch.now_ns(), a=self._optimizers.id_of(optimizer), x=scale_of(args[0], probe))
        probe.write_gradients(GradientStage.UNSCALED, probe.last_backward(), self._optimizers.parameter_ids(optimizer))

    def _stepped(self, token: tuple[int, int], args: Any, kwargs: Any, result: Any, raised: bool) -> None:
        begin_ns, steps_before = token
        optimizer = args[1] if len(args) > 1 else kwargs.get("optimizer")
        if raised or optimizer is None or self._steps.steps != steps_before:
            return
        identity = self._optimizers.id_of(optimizer)
        self._watch.probe.mark(MarkKind.SCALER_SKIP, begin_ns, self._watch.now_ns(), a=identity)
        self._iterations.step_ends(identity, learning_rate_of(optimizer))
        self._iterations.stop_at_limit(self._optimizers.count)


def scale_of(scaler: Any, probe: Any) -> float:
    """The scale as a number; nan where it lies on a device (reading it would synchronise)."""
    scale = instance_dict(scaler).get("_scale")
    value = instance_dict(scaler).get("_init_scale") if scale is None else probe.tensor_stats(scale).get("mean")
    return float(value) if isinstance(value, (int, float)) else float("nan")
