"""What trackers ask of a probe and the one in Python cannot do: holding a backward, update norms, and everything about allocations. Asking changes nothing."""

from collections.abc import Callable
from typing import Any


class Unavailable:
    def set_on_backward_end(self, callback: Callable[[int], None] | None) -> None: ...
    def set_on_retained(self, callback: Callable[[], None] | None) -> None: ...
    def register_retained(self, tensor: Any, parameter: int) -> None: ...
    def retains_grad(self, tensor: Any) -> bool:
        return False

    def set_on_hold(self, callback: Callable[..., None] | None) -> None: ...
    def set_on_node_end(self, callback: Callable[..., None] | None) -> None: ...
    def set_on_judge(self, callback: Callable[..., int] | None) -> None: ...
    def set_on_breakpoints_changed(self, callback: Callable[[int], None] | None) -> None: ...
    def set_breakpoints(self, active: int, by_gradient: int, limits: list[tuple[bool, float, float]], are_others: bool) -> None: ...
    def breakpoints_taken(self, number: int) -> None: ...
    def arm(self, value: int) -> None: ...
    def ask_histograms(self, wanted: bool) -> None: ...
    def write_block(self, action: int, address: int, size: int) -> None: ...
    def know_deleter(self, address: int) -> None: ...

    def breakpoints_wanted(self) -> int:
        return 0

    def held_place(self) -> tuple[str, int, int] | None:
        return None

    def held_gradients(self) -> list[Any]:
        return []

    def backward_of_task(self, graph_task: int) -> int:
        return 0

    def deleter(self) -> int:
        return 0

    def watched_block_count(self) -> int:
        return 0

    def observing_ns(self) -> int:
        return 0

    def open_blocks(self) -> list[tuple[int, int]]:
        return []

    def attach_cuda(self) -> None:
        raise RuntimeError("The Python probe sees no allocations. Install the package g++ for the native one.")

    def copy_weights(self, step: int, parameters: list[int], most_bytes: int) -> tuple[int, int, int]:
        raise RuntimeError("the probe in Python cannot read update norms: --updates needs the native one")

    def write_updates(self, step: int, backward: int) -> int:
        return 0
