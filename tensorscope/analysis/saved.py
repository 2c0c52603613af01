"""What each node of a backward saved, from this backward's own details or from those of an equal one."""

import json
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tensorscope.analysis.operators import TensorIndex, tensor_index
from tensorscope.analysis.results import SavedTensor
from tensorscope.trace.schema import TENSORS
from tensorscope.trace.snapshot import Snapshot

Makers = NDArray[np.uint64]


class SavedTensors:
    """Saved tensors of the nodes of one backward. Those of an equal graph are taken only for nodes whose operator saw the same shapes and types."""

    def __init__(self, snapshot: Snapshot, backward: int, makers: Makers, donor: int | None, donor_makers: Makers) -> None:
        self._is_own = donor == backward
        details = snapshot.graph_details.get(donor, {}) if donor is not None else {}
        self._nodes: dict[int, Mapping[str, Any]] = {int(node["index"]): node for node in details.get("nodes", ())}
        self._makers, self._donor_makers = makers, donor_makers
        self._snapshot = snapshot
        self._tensors: TensorIndex | None = None
        if not self._is_own and self._nodes:
            self._tensors = tensor_index(snapshot, np.concatenate((makers, donor_makers)))

    def of(self, node: int) -> tuple[SavedTensor, ...] | None:
        """The saved tensors of a node; None where they are not known. Borrowed ones have no storage, address or version but for parameters."""
        entry = self._nodes.get(node)
        if entry is None or not (self._is_own or self._is_same(node)):
            return None
        return tuple(_saved_tensor(one, self._is_own) for one in entry.get("saved", ()))

    def attributes_of(self, node: int) -> tuple[tuple[str, str], ...]:
        """What else a node keeps of its operator's call, its values as JSON."""
        entry = self._nodes.get(node)
        if entry is None or not (self._is_own or self._is_same(node)):
            return ()
        return tuple((str(name), json.dumps(value)) for name, value in entry.get("attributes", {}).items())

    def _is_same(self, node: int) -> bool:
        mine, theirs = int(self._makers[node]), int(self._donor_makers[node])
        return bool(mine and theirs) and self._signature(mine) == self._signature(theirs) != ()

    def _signature(self, operator: int) -> tuple[tuple[int, ...], ...]:
        if self._tensors is None:
            return ()
        rows, tensors = self._tensors.of(operator), self._snapshot.table(TENSORS)
        columns = [tensors.column(name)[rows].tolist() for name in ("role", "argument", "shape", "dtype")]
        return tuple(zip(*columns, strict=True))


def details_donor(snapshot: Snapshot, backward: int) -> int | None:
    """The backward (probe's id) whose details stand for this one: itself, else the nearest with the same graph; None if there is none."""
    if backward in snapshot.graph_details:
        return backward
    known = snapshot.backwards.get(backward)
    if known is None:
        return None
    equal = [other for other in snapshot.graph_details if other in snapshot.backwards and snapshot.backwards[other].graph == known.graph]
    return min(equal, key=lambda other: abs(other - backward), default=None)


def saved_bytes(saved: tuple[SavedTensor, ...]) -> int:
    """Bytes of the elements of all saved tensors, one saved twice counted once."""
    distinct = {(one.data, one.shape, one.dtype) if one.data else (place, one.shape, one.dtype): one.nbytes for place, one in enumerate(saved)}
    return sum(distinct.values())


def _saved_tensor(entry: Mapping[str, Any], is_own: bool) -> SavedTensor:
    is_parameter = bool(entry.get("is_leaf_parameter"))
    has_identity = is_own or is_parameter
    return SavedTensor(
        name=str(entry.get("name", "")),
        shape=tuple(int(size) for size in entry.get("shape", ())),
        dtype=str(entry.get("dtype", "")),
        nbytes=int(entry.get("nbytes") or 0),
        storage=int(entry.get("storage") or 0) if has_identity else 0,
        data=int(entry.get("data") or 0) if has_identity else 0,
        version=int(entry.get("version") or 0) if is_own else 0,
        is_parameter=is_parameter,
    )
