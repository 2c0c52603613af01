"""The probe for every interpreter that is met in a job: the launched one's is known; another's is looked for, and built, when its process knocks."""

from collections.abc import Callable
from pathlib import Path
from threading import Lock

from tensorscope.errors import TensorScopeError
from tensorscope.session.build import ANY, Probe, find_probe


class ProbeShelf:
    """Any thread; processes of one interpreter wait for one build."""

    def __init__(self, interpreter: str, probe: Probe | None, wanted: str = ANY) -> None:
        """``wanted``: which probe, as in ``find_probe``."""
        self._probes: dict[str, Probe] = {} if probe is None else {interpreter: probe}
        self._locks: dict[str, Lock] = {}
        self._lock = Lock()
        self._wanted = wanted

    def path(self, interpreter: str, builds: Callable[[], None], is_cancelled: Callable[[], bool]) -> Path | None:
        """The probe for an interpreter; None where it has no torch, or the build was cancelled. ``builds()`` is called when it takes long.

        Raises TensorScopeError where it cannot be built.
        """
        with self._lock:
            lock = self._locks.setdefault(interpreter, Lock())
        if not lock.acquire(blocking=False):
            builds()
            lock.acquire()
        try:
            probe = self._probes.get(interpreter)
            if probe is None:
                builds()
                probe = self._probes[interpreter] = find_probe(interpreter, self._wanted)
            elif not probe.is_built:
                builds()
            return probe.build(is_cancelled)
        finally:
            lock.release()


def why_unwatched(interpreter: str, error: TensorScopeError) -> str:
    """The sentence for a process that runs without being watched."""
    return f"A process of {interpreter} is not watched: {error}"
