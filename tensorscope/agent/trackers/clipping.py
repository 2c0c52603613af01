"""Gradient clipping: a mark with the limit and the norm before, and statistics after of the gradients that were clipped.

Which those are is seen by their versions, since clipping writes in place: a generator of parameters is used up by the call and cannot be asked.
"""

from typing import Any

from tensorscope.agent.patches import Compiling, Patches
from tensorscope.agent.watch import Watch
from tensorscope.protocol.records import GradientStage, MarkKind


class ClippingTracker:
    name = "clipping"

    def __init__(self, watch: Watch, compiling: Compiling) -> None:
        self._watch = watch
        self._patches = Patches(compiling, shows="gradient clipping")

    def install(self) -> None:
        now, versions, wrapper = self._watch.now_ns, self._watch.probe.gradient_versions, self._watch.probe.Wrapper
        utilities = self._watch.torch.nn.utils
        for function, limit in (("clip_grad_norm_", "max_norm"), ("clip_grad_value_", "clip_value")):
            after = self._watch.guard(self.name, self._after(limit))
            wrapped = wrapper(vars(utilities.clip_grad)[function], lambda args, kwargs: (now(), versions()), after)
            for owner in (utilities.clip_grad, utilities):
                self._patches.replace(owner, function, self._same(wrapped))

    def remove(self) -> None:
        self._patches.undo()

    @staticmethod
    def _same(wrapped: Any) -> Any:
        return lambda original: wrapped

    def _after(self, limit_name: str) -> Any:
        def clipped(token: tuple[int, dict[int, int]], args: Any, kwargs: Any, result: Any, raised: bool) -> None:
            if raised:
                return
            begin_ns, versions = token
            probe = self._watch.probe
            limit = kwargs.get(limit_name, args[1] if len(args) > 1 else None)
            backward = probe.last_backward()
            norm = self._norm_before(result)
            probe.mark(MarkKind.CLIP, begin_ns, self._watch.now_ns(), a=backward, x=_number(limit), y=norm)
            written = [parameter for parameter, version in probe.gradient_versions().items() if versions.get(parameter) != version]
            probe.write_gradients(GradientStage.CLIPPED, backward, written)

        return clipped

    def _norm_before(self, result: Any) -> float:
        """The total norm that ``clip_grad_norm_`` gives, read without a torch operator; nan where it cannot be."""
        if type(result) is not self._watch.torch.Tensor:
            return float("nan")
        stats = self._watch.probe.tensor_stats(result)
        return _number(stats.get("mean"))


def _number(value: Any) -> float:
    return float(value) if isinstance(value, (int, float)) else float("nan")
