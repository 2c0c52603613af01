"""Where the tensors lay that the nodes of a backward saved: as seen in this very backward, else worked out from an equal one.

Details are read once for each shape of graph. In an equal backward a saved tensor was an input or output of its node's forward operator at some place; the
tensor at the same place of this backward's operator is the one that was saved here.
"""

from typing import Any, Final

import numpy as np

from tensorscope.analysis.join import ForwardJoin
from tensorscope.analysis.operators import TensorIndex, call_index, tensor_index
from tensorscope.analysis.saved import details_donor
from tensorscope.trace.schema import TENSORS
from tensorscope.trace.snapshot import Snapshot

_SIGNATURE: Final = ("role", "argument", "shape", "dtype")


def saved_addresses(snapshot: Snapshot, backward: int) -> dict[int, tuple[int, ...]]:
    """Addresses of the storages of each node's saved tensors (backward is 0-based); nodes of which nothing is known are left out."""
    own = backward + 1
    donor = details_donor(snapshot, own)
    if donor is None:
        return {}
    saved = {int(node["index"]): [int(one.get("data") or 0) for one in node.get("saved", ())] for node in snapshot.graph_details[donor].get("nodes", ())}
    if donor == own:
        return {node: tuple(filter(None, data)) for node, data in saved.items() if any(data)}
    join = ForwardJoin(snapshot, call_index(snapshot))
    mine, theirs = join.makers(own), join.makers(donor)
    tensors = tensor_index(snapshot, np.concatenate((mine, theirs)))
    found = {}
    for node, data in saved.items():
        if node < min(len(mine), len(theirs)) and mine[node] and theirs[node]:
            places = _same_places(snapshot, tensors, int(theirs[node]), int(mine[node]))
            found[node] = tuple(dict.fromkeys(places[one] for one in data if places.get(one)))
    return {node: data for node, data in found.items() if data}


def _same_places(snapshot: Snapshot, tensors: TensorIndex, theirs: int, mine: int) -> dict[int, int]:
    """Address at one operator → address at the same place of another; empty where they did not see tensors of the same shapes and types."""
    table = snapshot.table(TENSORS)
    rows, others = tensors.of(theirs), tensors.of(mine)
    if _signature(table, rows) != _signature(table, others):
        return {}
    return dict(zip(table.column("data")[rows].tolist(), table.column("data")[others].tolist(), strict=True))


def _signature(table: Any, rows: np.ndarray[tuple[int, ...], np.dtype[np.intp]]) -> list[tuple[int, ...]]:
    return list(zip(*(table.column(name)[rows].tolist() for name in _SIGNATURE), strict=True))
