"""``query FILE ranks``: the ranks of a job beside each other: their memory at a moment, their time an iteration, the spread of their gradients."""

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from tensorscope.analysis.memory import default_device
from tensorscope.analysis.moments import iteration_end, moment_ns
from tensorscope.analysis.rank_gradients import desynchronised, rank_norms
from tensorscope.analysis.rank_memory import RankMemory, memory_across
from tensorscope.analysis.rank_times import are_one_job, rank_times, slow_iterations
from tensorscope.protocol.records import GradientStage
from tensorscope.trace.snapshot import Snapshot

Ranks = Mapping[int, Snapshot]


def across_view(ranks: Ranks, iteration: int | None, device: str | None, at: str | None) -> dict[str, Any]:
    """``iteration`` leaves only its rows, and memory at its end; ``at`` is a moment of each rank's own run. Raises TensorScopeError for no such moment."""
    return {
        "memory": memory_rows(ranks, device or default_device(next(iter(ranks.values()))), at, iteration),
        "iterations": [row for row in _iterations(ranks) if iteration in (None, row["iteration"])],
        "gradients": [row for row in _gradients(ranks) if iteration in (None, row["iteration"])],
        "desynchronised": desynchronised_rows(ranks),
    }


def memory_rows(ranks: Ranks, device: str, at: str | None, iteration: int | None) -> list[dict[str, Any]]:
    """One row a rank with memory on record."""
    rows = []
    for rank, memory in memory_across(ranks, device).items():
        highest = int(memory.allocated_bytes.max(initial=0))
        at_ns = _moment(ranks[rank], memory, at, iteration)
        step = int(np.searchsorted(memory.times_ns, at_ns, "right")) - 1
        held = highest if at in (None, "peak") and iteration is None else int(memory.allocated_bytes[step]) if step >= 0 else 0
        rows.append({"rank": rank, "device": memory.device, "at_ns": at_ns, "allocated_bytes": held, "peak_allocated_bytes": highest})
    return rows


def desynchronised_rows(ranks: Ranks) -> list[dict[str, Any]]:
    """Parameters whose gradients differ between ranks that reduce them."""
    return [{"parameter": one.parameter, "iteration": one.iteration, "norms": _by_rank(one.norms)} for one in desynchronised(ranks)]


def _iterations(ranks: Ranks) -> Iterator[dict[str, Any]]:
    times = {rank: rank_times(snapshot) for rank, snapshot in ranks.items()}
    slow = {rank: set(numbers.tolist()) for rank, numbers in slow_iterations(times).items()} if are_one_job(ranks) else {}
    rows = [
        {
            "iteration": int(one.index[place]),
            "rank": rank,
            "begin_ns": int(one.begin_ns[place]),
            "end_ns": int(one.end_ns[place]),
            "iteration_ns": round(float(one.whole_ns[place])),
            "own_ns": round(float(one.own_ns[place])) if np.isfinite(one.own_ns[place]) else None,
            "is_slow": int(one.index[place]) in slow.get(rank, ()),
        }
        for rank, one in times.items()
        for place in range(len(one.index))
    ]
    yield from sorted(rows, key=lambda row: (row["iteration"], row["rank"]))


def _gradients(ranks: Ranks) -> Iterator[dict[str, Any]]:
    for stage in GradientStage:
        across = rank_norms(ranks, stage)
        for column in range(len(across.iteration)) if across is not None else ():
            assert across is not None
            norms = across.norms[:, column]
            yield {
                "iteration": int(across.iteration[column]),
                "parameter": across.parameters[int(across.parameter[column])],
                "stage": stage.name.lower(),
                "min_norm": float(norms.min()),
                "max_norm": float(norms.max()),
                "norms": _by_rank(dict(zip(across.ranks, norms.tolist(), strict=True))),
            }


def _moment(snapshot: Snapshot, memory: RankMemory, at: str | None, iteration: int | None) -> int:
    if at not in (None, "peak"):
        return moment_ns(snapshot, at, memory.device)
    if at is None and iteration is not None:
        return iteration_end(snapshot, iteration)
    return int(memory.times_ns[int(memory.allocated_bytes.argmax())]) if len(memory.times_ns) else 0


def _by_rank(norms: Mapping[int, float]) -> dict[str, float]:
    return {str(rank): norm for rank, norm in norms.items()}
