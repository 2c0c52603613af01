"""Tensors that are no leaves and keep their gradient (``retain_grad``): found at the begin of a backward that will write it, by the variables that hold them.

The call itself is not watched: ``retain_grad`` is a C method that every tensor inherits, and a replacement could be seen. The node that made the tensor
has a hook for the gradient but does not know the tensor.
"""

from collections.abc import Iterator
from typing import Any

from tensorscope.agent.frames import items_of
from tensorscope.agent.parameters import Parameters
from tensorscope.agent.watch import Watch


class Retained:
    def __init__(self, watch: Watch, parameters: Parameters) -> None:
        self._watch = watch
        self._parameters = parameters
        self._ids: dict[str, int] = {}

    def name(self) -> None:
        """Register every one that a variable holds, under its name: the same one in each iteration."""
        seen: set[int] = set()
        for name, tensor in self._found():
            if id(tensor) not in seen:
                seen.add(id(tensor))
                self._watch.probe.register_retained(tensor, self._id_of(name, tensor))

    def _found(self) -> Iterator[tuple[str, Any]]:
        probe, tensor_class = self._watch.probe, self._watch.torch.Tensor
        for _, variables in self._watch.frames.scopes():
            for name, value in list(variables.items()):
                for path, item in ((name, value), *items_of(name, value)):
                    if not path.startswith("_") and tensor_class in type(item).__mro__ and probe.retains_grad(item):
                        yield path, item

    def _id_of(self, name: str, tensor: Any) -> int:
        name = self._parameters.free_name(name)
        identity = self._ids.get(name)
        if identity is None:
            identity = self._ids[name] = self._parameters.new_id()
            info = self._watch.probe.tensor_info(tensor)
            numel = 1
            for size in info["shape"]:
                numel *= size
            self._watch.tell(
                "parameter",
                id=identity,
                fqn=name,
                aliases=[],
                shape=list(info["shape"]),
                dtype=info["dtype"],
                numel=numel,
                module=0,
                device=info["device"],
                is_buffer=False,
                impl=0,
                storage=0,
                data=0,
                is_retained=True,
            )
        return identity
