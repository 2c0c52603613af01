"""In a forked child all of ours is off. Triggers stand where training begins: the first call of a module with gradients enabled, or of the engine."""

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Final

from tensorscope.agent.patches import Attribute, Compiling, Patches
from tensorscope.agent.watch import Watch

LAST: Final = -1_000_000  # of multiprocessing's finalizers: children of the child are joined before


class Triggers:
    """They stand until one of them is called. DataLoader workers, which may well call modules, start nothing."""

    def __init__(self, watch: Watch, begins: Callable[[], None]) -> None:
        """``watch`` is the parent's. ``begins()`` is called at most once, on the thread that trains, when no trigger stands any more; it must not raise."""
        self._watch = watch
        self._begins = begins
        self._is_over = False
        self._compiling = Compiling(watch)
        self._patches = Patches(self._compiling)

    def install(self) -> None:
        torch = self._watch.torch
        self._stand(torch.nn.Module, "__call__", wants_gradients=True)
        self._stand(torch.autograd, "_engine_run_backward", wants_gradients=False)
        self._stand(torch.autograd.graph, "_engine_run_backward", wants_gradients=False)
        self._compiling.install()

    def _stand(self, owner: Any, name: str, *, wants_gradients: bool) -> None:
        place, make = Attribute(owner, name), self._watch.probe.Trigger
        if place.get() is not None:
            self._patches.replace_at(place, lambda original: make(original, lambda: self._called(place), wants_gradients=wants_gradients))

    def _called(self, place: Attribute) -> Any:
        """What stands at ``place`` from now on."""
        is_first, self._is_over = not self._is_over, True
        if is_first:
            self._compiling.remove()
            self._patches.undo()
            if not _is_data_loader_worker():
                self._begins()
        return place.get()


def _is_data_loader_worker() -> bool:
    worker = sys.modules.get("torch.utils.data._utils.worker")
    return worker is not None and vars(worker).get("_worker_info") is not None


@contextmanager
def fresh_copy(library: str) -> Iterator[str]:
    """A path of the same library that this process has not loaded: loaded from there, all its state begins anew."""
    descriptor = os.memfd_create("tensorscope-probe", os.MFD_CLOEXEC)
    try:
        with open(library, "rb") as file:
            os.sendfile(descriptor, file.fileno(), 0, os.fstat(file.fileno()).st_size)
        yield f"/proc/{os.getpid()}/fd/{descriptor}"
    finally:
        os.close(descriptor)


def when_process_ends(end: Callable[[], None]) -> None:
    """``multiprocessing`` ends a child of its own with ``os._exit``, after its finalizers."""
    process, util = sys.modules.get("multiprocessing.process"), sys.modules.get("multiprocessing.util")
    if process is not None and util is not None and process.parent_process() is not None:
        util.Finalize(None, end, exitpriority=LAST)
