"""What one line makes in every iteration stays alive: memory grows with the number of iterations."""

from collections.abc import Iterator
from typing import Final

import numpy as np
from numpy.typing import NDArray

from tensorscope.analysis.blocks import JoinedBlocks, device_keys, join_blocks
from tensorscope.analysis.categories import categorise
from tensorscope.analysis.iterations import iteration_at, iteration_bounds
from tensorscope.analysis.operators import source_of
from tensorscope.analysis.results import CATEGORIES, Finding, Related, Source
from tensorscope.language import tr
from tensorscope.trace.schema import ALLOCATIONS
from tensorscope.trace.snapshot import Snapshot
from tensorscope.units import format_bytes

ENOUGH: Final = 4  # iterations of which something is left
LARGE: Final = 1 << 20  # bytes from which it is a warning: a history of losses is small, and meant
KEPT_ON_PURPOSE: Final = tuple(CATEGORIES.index(name) for name in ("parameter", "buffer", "optimizer_state", "gradient"))


def piling_up(snapshot: Snapshot) -> Iterator[Finding]:
    """Of blocks made in iterations that ended at least two ago, those still alive, by the line that made them; a line counts when most iterations left one."""
    bounds = [bound for bound in iteration_bounds(snapshot) if bound[3]]
    if len(bounds) < ENOUGH + 2:
        return
    for key in device_keys(snapshot):
        joined = join_blocks(snapshot, key)
        is_left = (joined.is_live | (joined.end_ns > bounds[-1][2])) & (joined.begin_ns < bounds[-2][1])
        if not _by_line(snapshot, bounds, joined, np.flatnonzero(is_left)):
            continue
        is_left &= ~np.isin(categorise(snapshot, joined), KEPT_ON_PURPOSE)
        piles = _by_line(snapshot, bounds, joined, np.flatnonzero(is_left))
        if piles:
            yield _finding(snapshot, piles)


def _by_line(
    snapshot: Snapshot, bounds: list[tuple[int, int, int, bool]], joined: JoinedBlocks, rows: NDArray[np.intp]
) -> dict[Source, list[tuple[int, int, int]]]:
    """(iteration, size, begin) of these blocks by the line that made them, where that is a pile."""
    made_in = iteration_at(bounds, joined.begin_ns[rows])
    stacks = snapshot.table(ALLOCATIONS).column("stack")[joined.row[rows]]
    by_line: dict[Source, list[tuple[int, int, int]]] = {}
    for iteration, size, stack, begin in zip(made_in.tolist(), joined.size[rows].tolist(), stacks.tolist(), joined.begin_ns[rows].tolist(), strict=True):
        source = source_of(snapshot, stack)
        if source is not None and iteration >= 0:
            by_line.setdefault(source, []).append((iteration, size, begin))
    return {source: made for source, made in by_line.items() if _is_pile({one[0] for one in made}, len(bounds))}


def _is_pile(iterations: set[int], ended: int) -> bool:
    return len(iterations) >= ENOUGH and 2 * len(iterations) >= ended - 2


def _finding(snapshot: Snapshot, piles: dict[Source, list[tuple[int, int, int]]]) -> Finding:
    """One for all lines: they are usually kept by the same thing. The line that comes last in an iteration is nearest to what keeps them."""
    order = sorted(piles, key=lambda source: max(begin for _, _, begin in piles[source]), reverse=True)
    total = sum(size for made in piles.values() for _, size, _ in made)
    count = len({iteration for made in piles.values() for iteration, _, _ in made})
    names = _holders(snapshot)
    held = tr("; {names} holds some of it").format(names=names) if names else ""
    return Finding(
        rule="piling-up",
        severity="warning" if total >= LARGE else "info",
        message=tr(
            "{bytes} made in {count} past iterations are still alive and grow with every one{held}. Keep numbers, or detached copies of what is needed."
        ).format(bytes=format_bytes(total), count=count, held=held),
        source=order[0],
        related=tuple(Related(source, tr("made here, and still alive")) for source in order[1:3]),
        iteration=min(iteration for made in piles.values() for iteration, _, _ in made),
        last_iteration=max(iteration for made in piles.values() for iteration, _, _ in made),
        evidence={"bytes": total, "iterations": count, "holders": names},
        certainty=0.8,
        time_ns=snapshot.end_ns,
    )


def _holders(snapshot: Snapshot) -> str:
    """The container that holds most tensors in the newest look that found any: ``outputs`` of ``outputs[0]``, ``outputs[1]`` …"""
    looks = [message for message in snapshot.storages if message.get("storages")]
    counts: dict[str, int] = {}
    for storage in looks[-1].get("storages", ()) if looks else ():
        for tensor in storage.get("tensors", ()):
            for name in tensor.get("names", ()):
                container = str(name).partition("[")[0]
                if container != name:
                    counts[container] = counts.get(container, 0) + 1
    most = max(counts, key=counts.__getitem__, default="")
    return most if counts.get(most, 0) >= ENOUGH else ""
