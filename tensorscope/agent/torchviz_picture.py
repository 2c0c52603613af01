"""torchviz's own picture of the backward that is held, on request: it needs live nodes, so ``make_dot`` runs here.

torchviz reads ``saved_tensors`` of custom Functions, which raises once they are released and runs a checkpoint's forward again. It therefore gets
stand-ins that have a node's name, its edges and, of an accumulator, its tensor: all that it draws by default, and nothing that computes.
"""

from collections.abc import Sequence
from typing import Any, Final

from tensorscope.agent.parameters import Parameters
from tensorscope.agent.watch import Watch

MISSING: Final = "torchviz cannot be imported in the script's environment (pip install torchviz): {reason}"
TOO_DEEP: Final = "torchviz walks a graph by recursion, and this one is deeper than Python allows: export DOT, which needs no recursion."


def torchviz_picture(watch: Watch, parameters: Parameters, backward: int, roots: int) -> dict[str, str]:
    """``dot``: the picture for graphviz; or ``cannot``: a sentence. ``roots``: how many the backward began with. Call it while the backward is held."""
    try:
        from torchviz import make_dot
    except Exception as error:  # whatever an import may raise, also a warning made an error
        return {"cannot": MISSING.format(reason=error)}
    nodes = watch.probe.live_nodes([], backward)
    made, leaves = _stand_ins(nodes)
    results = tuple(_Result(made[root], _shape_of(root)) for root in nodes[:roots])
    names = {known.fqn: leaf for leaf in leaves if (known := parameters.find(leaf)) is not None}
    try:
        with watch.torch._C.DisableTorchFunction():
            return {"dot": make_dot(results, names).source}
    except RecursionError:
        return {"cannot": TOO_DEEP}
    except Exception as error:  # torchviz's trouble is told, never the script's
        return {"cannot": f"torchviz raised {type(error).__name__}: {error}"}


class _Result:
    """In place of the tensor that a root made: nobody but the script may hold that."""

    def __init__(self, grad_fn: Any, shape: tuple[int, ...]) -> None:
        self.grad_fn = grad_fn
        self._shape = shape

    def size(self) -> tuple[int, ...]:
        return self._shape

    def _is_view(self) -> bool:
        return False


def _shape_of(root: Any) -> tuple[int, ...]:
    """Of the tensor whose gradient it takes; () where torch does not tell."""
    taken = getattr(root, "_input_metadata", ())
    return tuple(taken[0].shape) if taken else ()


def _stand_ins(nodes: Sequence[Any]) -> tuple[dict[Any, Any], list[Any]]:
    """(by node, the leaf tensors of all). A class a name: torchviz takes a node's name from its type."""
    kinds: dict[str, type] = {}
    made = {node: kinds.setdefault(name, type(name, (), {}))() for node in nodes for name in (type(node).__name__,)}
    leaves = []
    for node, stand_in in made.items():
        stand_in.next_functions = tuple((made.get(following), number) for following, number in node.next_functions)
        if type(node).__name__ == "AccumulateGrad":
            stand_in.variable = node.variable
            leaves.append(node.variable)
    return made, leaves
