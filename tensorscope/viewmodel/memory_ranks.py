"""The memory of the other ranks, as faint curves over the shown rank's timeline and as lines beside it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np

from tensorscope.analysis.rank_memory import RankMemory, rank_memory
from tensorscope.analysis.results import Ints
from tensorscope.language import tr
from tensorscope.trace.snapshot import Snapshot
from tensorscope.viewmodel.reduction import StepCurve

MOST_RANKS: Final = 16


@dataclass(frozen=True, slots=True)
class RankCurve:
    """``curve`` is known until ``end_ns``; after it, nothing is there."""

    rank: int
    label: str
    device: str
    curve: StepCurve
    end_ns: int

    def bytes_at(self, time_ns: int) -> int:
        return self.curve.value_at(time_ns) if time_ns <= self.end_ns else 0

    def columns(self, edges_ns: Ints) -> Ints:
        """The highest in each column [w]; 0 after its end."""
        return np.where(edges_ns[:-1] <= self.end_ns, self.curve.extremes(edges_ns).high, 0)


def other_ranks(ranks: Mapping[int, Snapshot], shown: Snapshot, device: str) -> tuple[RankCurve, ...]:
    """The curves of all ranks but the shown one, the first few of very many. For a worker."""
    others = [rank for rank, snapshot in ranks.items() if snapshot is not shown][:MOST_RANKS]
    found = (rank_memory(rank, ranks[rank], device) for rank in others)
    return tuple(_curve(memory, device) for memory in found if memory is not None)


def _curve(memory: RankMemory, device: str) -> RankCurve:
    beside = "" if memory.device == device else f" {memory.device}"
    label = tr("rank {rank}").format(rank=memory.rank) + beside
    return RankCurve(memory.rank, label, memory.device, StepCurve(memory.times_ns, memory.allocated_bytes), memory.end_ns)
