"""A process that was spawned as a DataLoader's worker trains nothing: all of ours goes off when its loop begins."""

import sys
from collections.abc import Callable
from typing import Final

from tensorscope.agent.patches import Compiling, Patches
from tensorscope.agent.watch import Watch

MODULE: Final = "torch.utils.data._utils.worker"


class DataWorkerTracker:
    name = "data workers"

    def __init__(self, watch: Watch, compiling: Compiling, begins: Callable[[], None]) -> None:
        """``begins()``: this process is a worker."""
        self._watch = watch
        self._begins = begins
        self._patches = Patches(compiling)

    def install(self) -> None:
        worker = sys.modules.get(MODULE)
        if worker is not None:
            self._patches.replace(worker, "_worker_loop", lambda original: self._watch.probe.Wrapper(original, lambda args, kwargs: self._begins()))

    def remove(self) -> None:
        self._patches.undo()
