"""``torch.save``: how many bytes its tensors show, and how many their storages have, all of which are written."""

from collections.abc import Iterator
from typing import Any, Final

from tensorscope.agent.patches import Compiling, Patches
from tensorscope.agent.watch import Watch
from tensorscope.protocol.records import MarkKind

_bases: Final[Any] = type.__dict__["__mro__"].__get__
MAX_ITEMS: Final = 10_000
"""Things looked at in what is saved."""


class SavingTracker:
    name = "torch.save"

    def __init__(self, watch: Watch, compiling: Compiling) -> None:
        self._watch = watch
        self._patches = Patches(compiling)
        self._tensor_class: type = watch.torch.Tensor

    def install(self) -> None:
        torch, now = self._watch.torch, self._watch.now_ns
        wrapped = self._watch.probe.Wrapper(torch.serialization.save, lambda args, kwargs: now(), self._watch.guard(self.name, self._saved))
        for owner in (torch.serialization, torch):
            self._patches.replace(owner, "save", lambda original: wrapped)

    def remove(self) -> None:
        self._patches.undo()

    def _saved(self, begin_ns: int, args: Any, kwargs: Any, result: Any, raised: bool) -> None:
        if raised:
            return
        end_ns = self._watch.now_ns()
        shown, storages = 0, {}
        for tensor in self._tensors(args[0] if args else kwargs.get("obj")):
            info = self._watch.probe.tensor_info(tensor)
            storages[info["storage"]] = int(info["nbytes"])
            count = int(info["itemsize"])
            for size in info["shape"]:
                count *= size
            shown += count
        self._watch.probe.mark(MarkKind.SAVE, begin_ns, end_ns, a=sum(storages.values()), b=shown)
        self._watch.cost(end_ns)

    def _tensors(self, saved: object) -> Iterator[Any]:
        """In plain containers, each once; runs no code of the user's."""
        waiting, seen = [saved], set[int]()
        while waiting and len(seen) < MAX_ITEMS:
            item = waiting.pop()
            if id(item) in seen:
                continue
            seen.add(id(item))
            kinds = _bases(type(item))
            if self._tensor_class in kinds:
                yield item
            elif dict in kinds:
                waiting += dict.values(item)  # type: ignore[arg-type]
            elif type(item) in (list, tuple):
                waiting += item  # type: ignore[arg-type]
