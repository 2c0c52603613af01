"""Steps of optimizers that no hook of ours meets, because the whole step is compiled code: seen by what they leave behind.

Compiled code that writes into a tensor tells autograd so: the tensor's version counts up. Where the weights of an optimizer that never stepped in Python
have other versions than at the last look, it has stepped. Only looked at once Dynamo has compiled something: without it every step meets a hook, and what
else writes into weights (sharpness-aware optimizers between two backwards) is no step.
"""

from typing import Any, Final

from tensorscope.agent.optimizers import Optimizers, groups_of
from tensorscope.agent.watch import Watch

COMPILED_STEP: Final = "The step of {name} is compiled: iterations end where the next backward begins, and learning rates are not seen."


class UnseenSteps:
    def __init__(self, watch: Watch, optimizers: Optimizers) -> None:
        self._watch = watch
        self._optimizers = optimizers
        self._seen: set[int] = set()
        self._versions: dict[int, int] = {}

    def saw(self, optimizer: int) -> None:
        """This one steps in Python."""
        self._seen.add(optimizer)

    def look(self, has_compiled: bool) -> list[int]:
        """The ids of those that have stepped unseen since the last look."""
        stepped = []
        for identity, optimizer in self._optimizers.living():
            version = None if identity in self._seen else version_of_weights(optimizer)
            if version is None:
                continue
            before = self._versions.get(identity)
            self._versions[identity] = version
            if has_compiled and before is not None and version != before:
                self._watch.warn("optimizer steps", COMPILED_STEP.format(name=type(optimizer).__name__))
                self._optimizers.tell_if_changed(optimizer)
                stepped.append(identity)
        return stepped


def version_of_weights(optimizer: Any) -> int | None:
    """The version of an optimizer's first weight that has one; reading it disturbs nothing."""
    for group in groups_of(optimizer):
        for tensor in group["params"]:
            if tensor.requires_grad and not tensor.is_inference():
                return int(tensor._version)
    return None
