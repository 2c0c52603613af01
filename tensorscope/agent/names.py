"""What live tensors are called: parameters and buffers, their gradients, optimizer state, the user's variables and what is in them."""

from typing import Any, Final

from tensorscope.agent.frames import items_of
from tensorscope.agent.optimizers import Optimizers, state_tensors
from tensorscope.agent.parameters import Parameters
from tensorscope.agent.watch import Watch

MAX_ITEMS: Final = 2_000
"""Items looked at in one container: a list of a million tensors is named by its first ones."""


class Found:
    """Names, categories and holders by tensor, for one moment. Holds the named tensors alive: let go of it at once."""

    def __init__(self) -> None:
        self.tensors: dict[int, Any] = {}
        self._names: dict[int, list[str]] = {}
        self._categories: dict[int, str] = {}
        self._holders: dict[int, list[str]] = {}

    def add(self, tensor: Any, name: str, holder: str, category: str = "") -> None:
        key = id(tensor)
        self.tensors[key] = tensor
        names, holders = self._names.setdefault(key, []), self._holders.setdefault(key, [])
        if name not in names:
            names.append(name)
        if holder and holder not in holders:
            holders.append(holder)
        if category and key not in self._categories:
            self._categories[key] = category

    def of(self, tensor: Any) -> list[str]:
        return self._names.get(id(tensor), [])

    def category(self, tensor: Any) -> str:
        return self._categories.get(id(tensor), "")

    def holders(self, tensor: Any) -> list[str]:
        return self._holders.get(id(tensor), [])


class Names:
    def __init__(self, watch: Watch, parameters: Parameters, optimizers: Optimizers) -> None:
        self._watch = watch
        self._parameters = parameters
        self._optimizers = optimizers
        self._tensor_class: type = watch.torch.Tensor

    def collect(self) -> Found:
        found = Found()
        names: dict[int, str] = {}
        for known, tensor in self._parameters.living():
            names[id(tensor)] = known.fqn
            is_bare = known.module == 0
            kind = "buffer" if known.is_buffer else "parameter"
            found.add(tensor, known.fqn, "" if is_bare else f"{kind} {known.fqn}", kind)
            gradient = None if known.is_buffer else self._watch.gradient_of(tensor)
            if gradient is not None:
                found.add(gradient, f"{known.fqn}.grad", f"gradient of {known.fqn}", "gradient")
        self._add_optimizer_state(found, names)
        self._add_variables(found)
        return found

    def _add_optimizer_state(self, found: Found, names: dict[int, str]) -> None:
        for _, optimizer in self._optimizers.living():
            class_name = type(optimizer).__name__
            for parameter, key, tensor in state_tensors(optimizer, self._tensor_class):
                of = names.get(id(parameter), "?")
                found.add(tensor, f"{of}.{key}", f"{class_name} state {key} of {of}", "optimizer_state")

    def _add_variables(self, found: Found) -> None:
        for where, variables in self._watch.frames.scopes():
            suffix = f" in {where}()" if where else ""
            kind = "local" if where else "global"
            for name, value in list(variables.items()):
                if name.startswith("__"):
                    continue
                if self._is_tensor(value):
                    found.add(value, name, f"{kind} {name}{suffix}")
                else:
                    self._add_items(found, name, value, f"{kind} {name}{suffix}", depth=2)

    def _add_items(self, found: Found, name: str, value: object, holder: str, depth: int) -> None:
        for count, (path, item) in enumerate(items_of(name, value)):
            if count >= MAX_ITEMS:
                return
            if self._is_tensor(item):
                found.add(item, path, holder)
            elif depth > 1 and type(item) in (list, tuple, dict):
                self._add_items(found, path, item, holder, depth - 1)

    def _is_tensor(self, value: object) -> bool:
        return self._tensor_class in type.__dict__["__mro__"].__get__(type(value))
