"""Blocks that were there before the probe came: listed once, and looked at again from time to time, since their ends go past the probe.

A weak reference to a storage says that its memory is gone; it keeps nothing but the storage's small head. What ``resize_`` does to them stays unseen.
"""

from typing import Any, Final

from tensorscope.agent.watch import Watch
from tensorscope.protocol.records import AllocationAction

MAX_BLOCKS: Final = 1_000_000


class Before:
    def __init__(self, watch: Watch) -> None:
        self._watch = watch
        self._storage_class: Any = watch.torch.UntypedStorage
        self._addresses: dict[int, int] = {}  # by weak reference

    def tell(self, tensors: list[Any]) -> None:
        """List the CPU blocks of these tensors that an allocator of torch's gave."""
        probe = self._watch.probe
        storage_of = self._watch.torch._C.TensorBase.untyped_storage
        seen: set[int] = set()
        for tensor in tensors:
            info = probe.tensor_info(tensor)
            is_old = info["data"] and info["nbytes"] and not info["is_watched"] and not info["is_external"] and info["device"] == "cpu"
            if not is_old or info["storage"] in seen or len(seen) >= MAX_BLOCKS:
                continue
            seen.add(info["storage"])
            with self._watch.torch._C.DisableTorchFunction():
                weak = storage_of(tensor)._weak_ref()
            self._addresses[weak] = info["data"]
            probe.write_block(AllocationAction.BEFORE, info["data"], info["nbytes"])

    def note_ends(self) -> None:
        """Tell of those that are gone by now."""
        expired = self._storage_class._expired
        for weak in [weak for weak in self._addresses if expired(weak)]:
            self._watch.probe.write_block(AllocationAction.BEFORE_FREED, self._addresses.pop(weak), 0)
            self._storage_class._free_weak_ref(weak)

    def remove(self) -> None:
        while self._addresses:
            self._storage_class._free_weak_ref(self._addresses.popitem()[0])
