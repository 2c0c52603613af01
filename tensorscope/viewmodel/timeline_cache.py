"""Memory timelines, each made once a snapshot however many panels want it."""

from __future__ import annotations

from typing import Final

from tensorscope.analysis.memory import memory_timeline
from tensorscope.analysis.results import MemoryTimeline
from tensorscope.errors import TensorScopeError
from tensorscope.trace.snapshot import Snapshot
from tensorscope.viewmodel.snapshot_cache import SnapshotCache


def _timeline(snapshot: Snapshot, device: str) -> MemoryTimeline | None:
    try:
        return memory_timeline(snapshot, device)
    except TensorScopeError:
        return None


TIMELINES: Final[SnapshotCache[str, MemoryTimeline | None]] = SnapshotCache(_timeline, kept=2)
