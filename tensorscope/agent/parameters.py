"""Every parameter, buffer and bare leaf that has a name: its id, its name, and the tensor behind it, held weakly."""

from collections.abc import Iterator
from typing import Any
from weakref import ref

from tensorscope.agent.watch import Watch


class Parameter:
    """One known tensor. ``fqn`` has its root's prefix already."""

    __slots__ = ("aliases", "data", "fqn", "id", "is_buffer", "module", "shape", "tensor")

    def __init__(self, identity: int, fqn: str, module: int, is_buffer: bool) -> None:
        self.id = identity
        self.fqn = fqn
        self.aliases: list[str] = []
        self.module = module
        self.is_buffer = is_buffer
        self.tensor: ref[Any] | None = None
        self.data = -1
        self.shape: tuple[int, ...] = ()

    def is_alive(self) -> bool:
        return self.tensor is not None and self.tensor() is not None


class Parameters:
    """Ids are kept per name, so a leaf that is made anew each iteration (an adversarial input) stays one parameter."""

    def __init__(self, watch: Watch) -> None:
        self._watch = watch
        self._by_name: dict[str, Parameter] = {}
        self._by_address: dict[int, Parameter] = {}
        self._next_id = 1

    def find(self, tensor: object) -> Parameter | None:
        known = self._by_address.get(id(tensor))
        return known if known is not None and known.tensor is not None and known.tensor() is tensor else None

    def by_id(self, identity: int) -> Parameter | None:
        return next((known for known in self._by_name.values() if known.id == identity), None)

    def free_name(self, name: str) -> str:
        """``name``, or ``name_2`` and so on while another living tensor has it."""
        free, number = name, 2
        while free in self._by_name and self._by_name[free].is_alive():
            free, number = f"{name}_{number}", number + 1
        return free

    def living(self) -> Iterator[tuple[Parameter, Any]]:
        """Known tensors that still live, with a strong reference each for as long as the caller keeps it."""
        for known in list(self._by_address.values()):
            tensor = known.tensor() if known.tensor is not None else None
            if tensor is not None:
                yield known, tensor

    def add(self, tensor: Any, fqn: str, aliases: list[str], module: int, is_buffer: bool) -> Parameter:
        """Register a tensor under its name, and tell the host what is new about it."""
        known = self.find(tensor)
        if known is None:
            known = self._by_name.get(fqn)
            if known is None or known.is_alive():
                known = Parameter(self._next_id, fqn, module, is_buffer)
                self._next_id += 1
            self._hold(known, tensor)
        self._by_name.pop(known.fqn, None)
        is_renamed = known.fqn != fqn or known.aliases != aliases or known.module != module
        known.fqn, known.aliases, known.module, known.is_buffer = fqn, aliases, module, is_buffer
        self._by_name[fqn] = known
        self._tell(known, tensor, is_renamed)
        return known

    def new_id(self) -> int:
        """An id for a tensor that is no parameter but is told of beside them."""
        self._next_id += 1
        return self._next_id - 1

    def _hold(self, known: Parameter, tensor: Any) -> None:
        address = id(tensor)
        by_address = self._by_address

        def forget(gone: Any) -> None:
            held = by_address.get(address)
            if held is not None and held.tensor is gone:
                del by_address[address]

        known.tensor = ref(tensor, self._watch.untraced(forget))
        known.data = -1
        self._by_address[address] = known
        if not known.is_buffer:
            self._watch.probe.register_parameter(tensor, known.id)

    def _tell(self, known: Parameter, tensor: Any, is_renamed: bool) -> None:
        info = self._watch.probe.tensor_info(tensor)
        shape = tuple(info["shape"])
        if known.data == info["data"] and known.shape == shape and not is_renamed:
            return
        known.data, known.shape = info["data"], shape
        numel = 1
        for size in shape:
            numel *= size
        self._watch.tell(
            "parameter",
            id=known.id,
            fqn=known.fqn,
            aliases=known.aliases,
            shape=list(shape),
            dtype=info["dtype"],
            numel=numel,
            module=known.module,
            device=info["device"],
            is_buffer=known.is_buffer,
            impl=info["impl"],
            storage=info["storage"],
            data=info["data"],
        )
