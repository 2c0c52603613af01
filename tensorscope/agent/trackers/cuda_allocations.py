"""CUDA's allocations: the probe attaches to CUDA's allocator once the script has initialised CUDA."""

from tensorscope.agent.watch import Watch


class CudaAllocationTracker:
    name = "cuda_allocations"

    def __init__(self, watch: Watch) -> None:
        self._watch = watch

    def install(self) -> None:
        """Never initialises CUDA itself. What torch calls then must not raise: it would reach the script as a DeferredCudaCallError."""
        torch = self._watch.torch
        if torch.version.cuda is not None:
            torch.cuda._lazy_call(self._watch.guard(self.name, self._watch.probe.attach_cuda))

    def remove(self) -> None:
        """The probe cannot be detached from the allocator; its tracker returns first while off, and the guard before it."""
