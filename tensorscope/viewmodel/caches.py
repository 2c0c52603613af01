"""What several panels want of the same snapshot, and how to let go of all of it."""

from __future__ import annotations

from typing import Final

from tensorscope.viewmodel.graph_cache import GRAPHS
from tensorscope.viewmodel.line_costs import LineCosts, line_costs
from tensorscope.viewmodel.memory_names import BlockNamer
from tensorscope.viewmodel.snapshot_cache import SnapshotCache
from tensorscope.viewmodel.timeline_cache import TIMELINES

NAMERS: Final[SnapshotCache[None, BlockNamer]] = SnapshotCache(lambda snapshot, _: BlockNamer(snapshot), kept=1)
LINE_COSTS: Final[SnapshotCache[int | None, LineCosts]] = SnapshotCache(line_costs, kept=2)  # by the cursor


def clear_caches() -> None:
    """No snapshot is kept any longer."""
    for cache in (GRAPHS, TIMELINES, NAMERS, LINE_COSTS):
        cache.clear()
