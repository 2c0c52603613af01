"""Where in the script a parameter's memory was made and used: the line that built its layer, the line whose operator takes it in."""

from collections.abc import Sequence

import numpy as np

from tensorscope.analysis.operators import source_of
from tensorscope.analysis.results import Source
from tensorscope.analysis.writers import find_writers
from tensorscope.protocol.records import AllocationAction, TensorRole
from tensorscope.trace.schema import ALLOCATIONS, OPERATORS, TENSORS
from tensorscope.trace.snapshot import Snapshot


def made_at(snapshot: Snapshot, parameters: Sequence[int]) -> Source | None:
    """The line that made the first of these parameters whose making is on record."""
    pointers = [int(known.get("data") or 0) for one in parameters if (known := snapshot.parameters.get(one))]
    begins = [_allocated_ns(snapshot, pointer) for pointer in pointers]
    for maker, _ in find_writers(snapshot, pointers, begins, snapshot.end_ns):
        if maker.source is not None:
            return maker.source
    return None


def _allocated_ns(snapshot: Snapshot, address: int) -> int:
    """When the memory at an address was allocated last, -1 where that is not on record: what lay there before is another story."""
    table = snapshot.table(ALLOCATIONS)
    is_one = (table.column("address") == np.uint64(address)) & (table.column("action") == AllocationAction.ALLOC)
    times = table.column("time_ns")[is_one]
    return int(times.max()) if len(times) else -1


def used_at(snapshot: Snapshot, parameters: Sequence[int], before_ns: int) -> Source | None:
    """The line of the last forward operator before a moment that took one of these parameters in."""
    tensors, operators = snapshot.table(TENSORS), snapshot.table(OPERATORS)
    pointers = [int(known.get("data") or 0) for one in parameters if (known := snapshot.parameters.get(one))]
    takes = (tensors.column("role") == TensorRole.INPUT) & np.isin(tensors.column("data"), np.array([one for one in pointers if one], np.uint64))
    is_user = np.isin(operators.column("id"), tensors.column("op")[takes]) & (operators.column("stack") != 0)
    rows = np.flatnonzero(is_user & (operators.column("begin_ns") < before_ns) & (operators.column("module_call") != 0))
    rows = rows[np.argsort(operators.column("begin_ns")[rows], kind="stable")]
    return source_of(snapshot, int(operators.column("stack")[rows[-1]])) if len(rows) else None
