"""Saved tensors and plain attributes of a backward's nodes, read without unpacking anything.

``node._saved_x`` would unpack: under checkpointing that runs the user's forward again. ``node._raw_saved_x.data`` gives the tensor as it was
saved, whatever hooks are on it (torch/csrc/autograd/python_variable.cpp, SavedVariable's ``data``). A ``_saved_x`` without a ``_raw_saved_x`` is
no tensor but a number, flag or list of the operator's call; of those only torch's own are read, no code of the user's.
"""

from collections.abc import Callable, Iterator
from types import GetSetDescriptorType
from typing import Any

from tensorscope.agent.watch import Watch

RAW: str = "_raw_saved_"
PLAIN: str = "_saved_"
MOST_VALUES: int = 16
"""Of a list that is told."""
WRAPPED: int = 1 << 64
"""Generated code gives -1 as the largest unsigned number."""


class Graphs:
    def __init__(self, watch: Watch) -> None:
        self._watch = watch
        self._tensor_class: type = watch.torch.Tensor
        self._saved_names: dict[type, tuple[str, ...]] = {}
        self._plain_names: dict[type, tuple[str, ...]] = {}
        self.root: Callable[[], Any] = getattr(watch.probe, "graph_root", watch.torch._C._current_autograd_node)
        """The root of the backward that begins: the node that runs then, which the Python probe has to remember."""
        self.is_detailed = False
        """Saved tensors are told for every backward, not only for new shapes: somebody is stepping."""

    def walk(self, root: Any) -> list[Any]:
        """All nodes from ``root`` on, in the order of the probe's walk: index here = index in the graph's definition.

        Wrappers of nodes are not interned: the list keeps each alive, and hashing is by object.
        """
        order = [root]
        index = {root: 0}
        at = 0
        while at < len(order):
            for following, _ in order[at].next_functions:
                if following is not None and following not in index:
                    index[following] = len(order)
                    order.append(following)
            at += 1
        return order

    def tell(self, graph: int, backward: int, nodes: list[Any]) -> None:
        details = [
            {
                "index": index,
                "class": type(node).__name__,
                "saved": [self._describe(name, tensor) for name, tensor in self.saved_tensors(node)],
                "attributes": self.attributes(node),
            }
            for index, node in enumerate(nodes)
        ]
        self._watch.tell("graph_details", graph=graph, backward=backward, nodes=details)

    def saved_tensors(self, node: Any) -> Iterator[tuple[str, Any]]:
        """(name, tensor) of what a node has saved and still holds. A tensor given to the caller must not be kept."""
        for attribute in self._names_of(type(node)):
            try:
                raw = getattr(node, attribute)
            except (RuntimeError, AttributeError):
                continue
            items = raw if isinstance(raw, (tuple, list)) else (raw,)
            name = attribute.removeprefix(RAW)
            for position, item in enumerate(items):
                tensor = saved_data(item)
                if self._tensor_class in type(tensor).__mro__:
                    yield (name if len(items) == 1 and item is raw else f"{name}[{position}]"), tensor

    def attributes(self, node: Any) -> dict[str, Any]:
        """What else a node keeps of its operator's call, such as ``dim`` or ``padding``, as JSON can say it; others are left out."""
        kind = type(node)
        if kind not in self._plain_names:
            names = (name for name in dir(kind) if name.startswith(PLAIN) and not hasattr(kind, f"_raw{name}"))
            self._plain_names[kind] = tuple(name for name in names if type(getattr(kind, name, None)) is GetSetDescriptorType)
        found = {}
        for name in self._plain_names[kind]:
            try:
                value = plain(getattr(node, name))
            except (RuntimeError, AttributeError, ValueError):
                continue
            if value is not None:
                found[name.removeprefix(PLAIN)] = value
        return found

    def _names_of(self, kind: type) -> tuple[str, ...]:
        if kind not in self._saved_names:
            self._saved_names[kind] = tuple(name for name in dir(kind) if name.startswith(RAW))
        return self._saved_names[kind]

    def _describe(self, name: str, tensor: Any) -> dict[str, Any]:
        info = self._watch.probe.tensor_info(tensor)
        keys = ("shape", "stride", "offset", "dtype", "storage", "data", "impl", "version")
        numel = 1
        for size in info["shape"]:
            numel *= size
        is_parameter = self._watch.torch.nn.Parameter in type(tensor).__mro__
        return {"name": name, **{key: info[key] for key in keys}, "nbytes": numel * info["itemsize"], "is_leaf_parameter": is_parameter}


def plain(value: Any) -> Any:
    """A flag, number, word or short list of them; ValueError for anything else."""
    if type(value) is int:
        return value - WRAPPED if value >= WRAPPED // 2 else value
    if type(value) is float:
        return value if value - value == 0 else str(value)
    if value is None or type(value) in (bool, str):
        return value
    if type(value) in (tuple, list) and len(value) <= MOST_VALUES:
        return [plain(one) for one in value]
    raise ValueError(type(value).__name__)


def saved_data(saved: Any) -> Any:
    """What a SavedTensor holds: the tensor as it was saved, whatever a hook of the user's packed it into, None once it is released."""
    try:
        return saved.data
    except (RuntimeError, AttributeError):
        return None
