"""What a trace lets go of when it grows over its budget: detail of iterations that are neither among the first nor among the last, by whole blocks;
where that is not enough (a long iteration, a script without any) the oldest detail there is, for the budget holds in every case.

Never let go: marks, iterations, and of the allocations all but the small ones whose block of rows holds both their birth and their end,
so "live at t" stays true to a block everywhere else. Gradients are thinned where they outgrow a share of their own (``thinning``).
"""

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from tensorscope.protocol.records import AllocationAction
from tensorscope.trace.clock import FOREVER
from tensorscope.trace.columns import Block, TableStore
from tensorscope.trace.health import ByPlace, HealthCounter
from tensorscope.trace.schema import ALLOCATIONS, MODULE_CALLS, NODES, OPERATORS, TENSORS

DETAIL: Final = (OPERATORS.name, TENSORS.name, NODES.name, MODULE_CALLS.name)
LARGE_BYTES: Final = 1 << 20


@dataclass(frozen=True, slots=True)
class Keep:
    """Budgets, and how many iterations are kept in full at both ends."""

    memory_bytes: int = 1 << 30
    disk_bytes: int = 4 << 30
    first: int = 3
    last: int = 20
    check_rows: int = 200_000  # look at the memory budget after as many new rows


def retired_span(iteration_ends_ns: Sequence[int], keep: Keep) -> tuple[int, int] | None:
    """The monotonic times between which detail may go, or None where every iteration is one of the first or the last."""
    if len(iteration_ends_ns) <= keep.first + keep.last:
        return None
    begin = iteration_ends_ns[keep.first - 1] if keep.first else 0
    return begin, iteration_ends_ns[len(iteration_ends_ns) - keep.last - 1]


def spans_by_worth(iteration_ends_ns: Sequence[int], keep: Keep) -> Iterator[tuple[int, int]]:
    """Spans of monotonic time whose detail may go, the least worth first: the middle iterations, all but the first ones, everything."""
    middle = retired_span(iteration_ends_ns, keep)
    if middle is not None:
        yield middle
    if 0 < keep.first <= len(iteration_ends_ns):
        yield iteration_ends_ns[keep.first - 1], FOREVER
    yield 0, FOREVER


def retire(
    stores: Mapping[str, TableStore],
    span: tuple[int, int],
    iteration_ends_ns: Sequence[int],
    budget_bytes: int,
    health: HealthCounter | ByPlace,
    spared: Sequence[tuple[int, int]] = (),
) -> None:
    """Let go of detail blocks, the oldest first, until the stores are three quarters of the budget or nothing more may go.

    ``spared`` are spans of monotonic time that are kept: no block that touches one goes.
    """
    surplus = sum(store.size_bytes for store in stores.values()) - budget_bytes * 3 // 4
    candidates = sorted(
        (
            (block.last_ns, name, block)
            for name in (*DETAIL, ALLOCATIONS.name)
            for block in stores[name].blocks[:-1]
            if not block.is_light and _lies_in(block, span) and not touches(block, spared)
        ),
        key=lambda candidate: candidate[0],
    )
    replaced: dict[str, dict[int, Block | None]] = {}
    for _, name, block in candidates:
        if surplus <= 0:
            break
        lighter = without_small_allocations(block) if name == ALLOCATIONS.name else None
        left = lighter.rows if lighter is not None else 0
        if left == block.rows:
            block.is_light = lighter is not None
            continue
        surplus -= block.size_bytes - (lighter.size_bytes if lighter is not None else 0)
        replaced.setdefault(name, {})[id(block)] = lighter
        health.retired(block.rows - left, range(bisect_left(iteration_ends_ns, block.first_ns), bisect_left(iteration_ends_ns, block.last_ns) + 1))
    for name, by_id in replaced.items():
        store = stores[name]
        store.replace_blocks([new for block in store.blocks if (new := by_id.get(id(block), block)) is not None])


def without_small_allocations(block: Block) -> Block:
    """The block without the small allocations that are both made and freed in it."""
    actions = block.arrays["action"][: block.rows]
    addresses = block.arrays["address"][: block.rows]
    sizes = block.arrays["size"][: block.rows]
    is_kept = ~is_short_and_small(actions, addresses, sizes)
    arrays = {name: array[: block.rows][is_kept] for name, array in block.arrays.items()}
    return Block(arrays, int(np.count_nonzero(is_kept)), block.first_ns, block.last_ns, is_light=True)


def is_short_and_small(actions: NDArray[Any], addresses: NDArray[Any], sizes: NDArray[Any]) -> NDArray[np.bool_]:
    """Rows that are an ALLOC below LARGE_BYTES or the FREE of the same address that follows it."""
    order = np.argsort(addresses, kind="stable")
    first, second = order[:-1], order[1:]
    is_pair = (
        (addresses[first] == addresses[second])
        & (actions[first] == AllocationAction.ALLOC)
        & (actions[second] == AllocationAction.FREE)
        & (sizes[first] < LARGE_BYTES)
    )
    chosen = np.zeros(len(actions), np.bool_)
    chosen[first[is_pair]] = True
    chosen[second[is_pair]] = True
    return chosen


def _lies_in(block: Block, span: tuple[int, int]) -> bool:
    return span[0] < block.first_ns and block.last_ns <= span[1]


def touches(block: Block, spans: Sequence[tuple[int, int]]) -> bool:
    """Whether a block has rows in any of some spans of monotonic time."""
    return any(block.first_ns <= end and begin <= block.last_ns for begin, end in spans)
