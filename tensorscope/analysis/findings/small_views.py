"""Small views keep large storages alive: the numbers shown are few, the memory held is much."""

from collections.abc import Iterator, Sequence
from typing import Final

import numpy as np

from tensorscope.analysis.operators import source_of
from tensorscope.analysis.results import Finding, Source, StorageRow, StorageTensor
from tensorscope.analysis.storages import storage_view
from tensorscope.language import tr
from tensorscope.protocol.records import TensorRole
from tensorscope.trace.schema import OPERATORS, TENSORS
from tensorscope.trace.snapshot import Snapshot
from tensorscope.units import format_bytes

LARGE: Final = 1 << 20  # bytes wasted from which it is worth a word
SHARE: Final = 10  # storage over what its views touch


def small_views(snapshot: Snapshot) -> Iterator[Finding]:
    """In the newest look: storages of which all tensors that are left are views on less than a tenth."""
    if not _may_waste(snapshot):
        return
    view = storage_view(snapshot)
    bases = _unnamed_bases(snapshot)
    kept = ((row, [one for one in row.tensors if one.impl not in bases]) for row in view.rows)
    wasteful = [(row, own) for row, own in kept if own and all(one.is_view for one in own) and row.nbytes >= SHARE * max(_touched(own), 1)]
    held, shown = sum(row.nbytes for row, _ in wasteful), sum(_touched(own) for _, own in wasteful)
    if held - shown < LARGE:
        return
    largest, own = max(wasteful, key=lambda pair: pair[0].nbytes)
    name = next((name for one in own for name in one.names), tr("a view"))
    yield Finding(
        rule="small-views",
        severity="warning",
        message=tr("{count} views of {shown} in all keep {held} of storage alive (such as {name}). Keep copies instead: .clone().").format(
            count=len(wasteful), shown=format_bytes(shown), held=format_bytes(held), name=name
        ),
        source=_made_view(snapshot, largest, own) or largest.made_source,
        iteration=view.iteration if view.iteration >= 0 else None,
        evidence={"storages": len(wasteful), "shown_bytes": shown, "held_bytes": held, "name": name},
        certainty=0.9,
        time_ns=view.seen_ns,
    )


def _may_waste(snapshot: Snapshot) -> bool:
    """Whether the newest look has enough bytes in storages with a named view; the whole answer takes longer."""
    looks = [message for message in snapshot.storages if message.get("storages")]
    storages = looks[-1].get("storages", ()) if looks else ()
    viewed = (one for one in storages if any(tensor.get("is_view") and tensor.get("names") for tensor in one.get("tensors", ())))
    return sum(int(one.get("nbytes") or 0) for one in viewed) >= LARGE


def _touched(tensors: Sequence[StorageTensor]) -> int:
    """Bytes from the first to the last that any of a storage's tensors can touch."""
    return max(one.end_byte for one in tensors) - min(one.begin_byte for one in tensors)


def _unnamed_bases(snapshot: Snapshot) -> set[int]:
    """Tensors that no variable holds and that live on only because a view refers to its base."""
    looks = [message for message in snapshot.storages if message.get("storages")]
    tensors = [one for storage in (looks[-1].get("storages", ()) if looks else ()) for one in storage.get("tensors", ())]
    bases = {int(one.get("base") or 0) for one in tensors}
    return {impl for one in tensors if not one.get("names") and (impl := int(one.get("impl") or 0)) in bases}


def _made_view(snapshot: Snapshot, row: StorageRow, own: Sequence[StorageTensor]) -> Source | None:
    """The line of the newest operator that gave the view out."""
    tensors, operators = snapshot.table(TENSORS), snapshot.table(OPERATORS)
    impls = np.array([one.impl for one in own], np.uint64)
    is_one = (tensors.column("role") == TensorRole.OUTPUT) & np.isin(tensors.column("impl"), impls) & (tensors.column("data") == np.uint64(row.data))
    rows = np.flatnonzero(np.isin(operators.column("id"), tensors.column("op")[is_one]))
    rows = rows[np.argsort(operators.column("end_ns")[rows], kind="stable")]
    return source_of(snapshot, int(operators.column("stack")[rows[-1]])) if len(rows) else None
