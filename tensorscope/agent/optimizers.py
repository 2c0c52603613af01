"""The optimizers that have been made or have stepped: their ids, held weakly, and what the host is told of each."""

from collections.abc import Callable, Iterator
from typing import Any, Final
from weakref import ref

from tensorscope.agent.frames import instance_dict
from tensorscope.agent.parameters import Parameters
from tensorscope.agent.watch import Watch

MAX_GROUPS: Final = 64
"""Parameter groups whose settings are told."""


class Optimizers:
    def __init__(self, watch: Watch, parameters: Parameters, on_leaf: Callable[[Any], None]) -> None:
        self._watch = watch
        self._parameters = parameters
        self._on_leaf = on_leaf
        self._known: dict[int, tuple[int, ref[Any]]] = {}
        self._told: dict[int, tuple[int, int]] = {}
        self._next_id = 1

    def id_of(self, optimizer: Any) -> int:
        known = self._known.get(id(optimizer))
        if known is not None and known[1]() is optimizer:
            return known[0]
        identity, self._next_id = self._next_id, self._next_id + 1
        self._known[id(optimizer)] = (identity, ref(optimizer))
        return identity

    @property
    def count(self) -> int:
        """How many live."""
        return sum(1 for _ in self.living())

    def living(self) -> Iterator[tuple[int, Any]]:
        for address, (identity, weak) in list(self._known.items()):
            optimizer = weak()
            if optimizer is None:
                del self._known[address]
                self._told.pop(identity, None)
            else:
                yield identity, optimizer

    def tell_if_changed(self, optimizer: Any) -> int:
        """Tell the host of an optimizer whose parameters or state are more than last time; its id. Unknown parameters get their names."""
        identity = self.id_of(optimizer)
        groups = groups_of(optimizer)
        sizes = (sum(len(group["params"]) for group in groups), len(state_of(optimizer)))
        if self._told.get(identity) == sizes:
            return identity
        self._told[identity] = sizes
        held = [tensor for group in groups for tensor in group["params"]]
        for tensor in held:
            if self._parameters.find(tensor) is None:
                self._on_leaf(tensor)
        self._watch.tell(
            "optimizer",
            id=identity,
            name=self._watch.frames.name_of(optimizer),
            parameters=self.parameter_ids(optimizer),
            groups=[_settings(group) for group in groups[:MAX_GROUPS]],
            state_bytes=sum(self._watch.probe.tensor_info(tensor)["nbytes"] for _, _, tensor in state_tensors(optimizer, self._watch.torch.Tensor)),
            **{"class": type(optimizer).__name__},
        )
        return identity

    def parameter_ids(self, optimizer: Any) -> list[int]:
        """Ids of those of its parameters that are known."""
        known = [self._parameters.find(tensor) for group in groups_of(optimizer) for tensor in group["params"]]
        return [parameter.id for parameter in known if parameter is not None]


def groups_of(optimizer: Any) -> list[dict[str, Any]]:
    groups = instance_dict(optimizer).get("param_groups")
    return groups if isinstance(groups, list) else []


def state_of(optimizer: Any) -> dict[Any, Any]:
    state = instance_dict(optimizer).get("state")
    return state if isinstance(state, dict) else {}


def learning_rate_of(optimizer: Any) -> float | None:
    """Of the first group; None where it is not a plain number (a tensor is not read)."""
    groups = groups_of(optimizer)
    rate = groups[0].get("lr") if groups else None
    return float(rate) if isinstance(rate, (int, float)) else None


def highest_rate_of(optimizer: Any) -> float:
    """Of all groups; nan where one is not a plain number."""
    rates = [group.get("lr") for group in groups_of(optimizer)]
    numbers = [float(rate) for rate in rates if isinstance(rate, (int, float))]
    return max(numbers) if numbers and len(numbers) == len(rates) else float("nan")


def _settings(group: dict[str, Any]) -> dict[str, Any]:
    """A group's plain numbers, such as lr and weight_decay, and the count of its parameters."""
    return {"count": len(group["params"]), **{key: value for key, value in group.items() if type(key) is str and type(value) in (int, float, bool)}}


def state_tensors(optimizer: Any, tensor_class: type) -> Iterator[tuple[Any, str, Any]]:
    """(parameter, key, tensor) of an optimizer's state; lists such as LBFGS's history with their index in the key."""
    for parameter, entries in list(state_of(optimizer).items()):
        if not isinstance(entries, dict):
            continue
        for key, value in list(entries.items()):
            items = [(str(key), value)] if not isinstance(value, list) else [(f"{key}[{index}]", item) for index, item in enumerate(value)]
            for name, item in items:
                if tensor_class in type(item).__mro__:
                    yield parameter, name, item
