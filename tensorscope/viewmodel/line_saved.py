"""How many bytes of saved tensors each source line keeps for a backward."""

from __future__ import annotations

from collections.abc import Iterable

from tensorscope.analysis.results import BackwardGraph
from tensorscope.analysis.saved import details_donor
from tensorscope.trace.snapshot import Snapshot

Place = tuple[str, int]  # file, line


def saved_by_line(snapshot: Snapshot, graphs: Iterable[BackwardGraph]) -> dict[Place, int]:
    """Bytes of the tensors that the nodes of each line saved, parameters and views of them left out; one saved by several of its nodes counts once."""
    totals: dict[Place, int] = {}
    parameters = {int(one.get("data") or 0) for one in snapshot.parameters.values() if not one.get("is_buffer")} - {0}
    for graph in graphs:
        donor = details_donor(snapshot, graph.backward + 1)
        details = snapshot.graph_details.get(donor, {}) if donor is not None else {}
        told = {int(node["index"]): node.get("saved", ()) for node in details.get("nodes", ())}
        known: set[tuple[object, ...]] = set()
        for node in graph.nodes:
            if node.source is None:
                continue
            place = (node.source.file, node.source.line)
            for number, (saved, one) in enumerate(zip(node.saved, told.get(node.id, ()), strict=False)):
                data = int(one.get("data") or 0)
                same = (place, data or (node.id, number), saved.shape, saved.dtype)
                if not saved.is_parameter and data not in parameters and same not in known:
                    known.add(same)
                    totals[place] = totals.get(place, 0) + saved.nbytes
    return totals
