"""What the shared selection means on the memory timeline: which blocks it lights up, and which module its lane shows."""

from dataclasses import dataclass

import numpy as np

from tensorscope.analysis.results import MemoryBlocks, MemoryTimeline
from tensorscope.analysis.saved_addresses import saved_addresses
from tensorscope.language import tr
from tensorscope.units import plural
from tensorscope.viewmodel.graph_cache import GRAPHS
from tensorscope.viewmodel.linked import NOTHING, Linked
from tensorscope.viewmodel.memory_blocks import row_of_block
from tensorscope.viewmodel.memory_names import BlockNamer
from tensorscope.viewmodel.workspace import BlockSelection, ModuleSelection, NodeSelection, ParameterSelection, Selection, StorageSelection


@dataclass(frozen=True, slots=True)
class SelectedBlocks:
    """``rows`` of the timeline's blocks with the words that stand at them."""

    rows: tuple[int, ...] = ()
    label: str = ""
    module: str = ""


def selected_blocks(selection: Selection | None, timeline: MemoryTimeline, namer: BlockNamer, links: Linked = NOTHING) -> SelectedBlocks:
    """Off the GUI thread. ``links`` are those of the selection, once they are known."""
    match selection:
        case BlockSelection(address, begin_ns, device) if device == timeline.device:
            row = row_of_block(timeline.blocks, address, begin_ns)
            return SelectedBlocks() if row is None else _described(row, timeline, namer)
        case StorageSelection(data, seen_ns):
            row = row_at_address(timeline.blocks, data, seen_ns)
            return SelectedBlocks() if row is None else _described(row, timeline, namer)
        case ModuleSelection(module):
            return SelectedBlocks(module=module)
        case ParameterSelection(parameter):
            return _of_parameter(parameter, timeline, namer)
        case NodeSelection(backward, node):
            return _of_node(backward, node, timeline, namer) or _of_links(links, timeline, namer)
        case _:
            return _of_links(links, timeline, namer)


def row_at_address(blocks: MemoryBlocks, address: int, time_ns: int) -> int | None:
    """The block that began at an address and was live at a moment."""
    is_there = (blocks.address == np.uint64(address)) & (blocks.begin_ns <= time_ns) & ((blocks.end_ns > time_ns) | blocks.is_live)
    rows = np.flatnonzero(is_there)
    return int(rows[-1]) if len(rows) else None


def _described(row: int, timeline: MemoryTimeline, namer: BlockNamer) -> SelectedBlocks:
    block = namer.describe(timeline, [row], int(timeline.blocks.begin_ns[row]))[0]
    return SelectedBlocks((row,), block.name, block.module)


def _of_parameter(name: str, timeline: MemoryTimeline, namer: BlockNamer) -> SelectedBlocks:
    known = next((one for one in namer.snapshot.parameters.values() if one.get("fqn") == name), None)
    row = row_at_address(timeline.blocks, int(known.get("data") or 0), namer.snapshot.end_ns) if known else None
    return SelectedBlocks(() if row is None else (row,), name, name.rpartition(".")[0])


def _of_node(backward: int, node: int, timeline: MemoryTimeline, namer: BlockNamer) -> SelectedBlocks | None:
    """What a node saved, but for parameters; None where that is nothing, or not known."""
    graph = GRAPHS.get(namer.snapshot, backward)
    chosen = next((one for one in graph.nodes if one.id == node), None) if graph is not None else None
    if graph is None or chosen is None:
        return None
    parameters = {int(one.get("data") or 0) for one in namer.snapshot.parameters.values()}
    saved = saved_addresses(namer.snapshot, backward).get(node, ())
    found = [row_at_address(timeline.blocks, data, graph.begin_ns) for data in saved if data not in parameters]
    rows = tuple(dict.fromkeys(row for row in found if row is not None))
    return SelectedBlocks(rows, tr("saved by {name}").format(name=chosen.name), chosen.module) if rows else None


def _of_links(links: Linked, timeline: MemoryTimeline, namer: BlockNamer) -> SelectedBlocks:
    """The blocks of the storages that a node, an operator or a line stands for."""
    found = (row_at_address(timeline.blocks, life.data, max(life.begin_ns, 0)) for life in links.storages)
    rows = tuple(dict.fromkeys(row for row in found if row is not None))
    if len(rows) == 1:
        return _described(rows[0], timeline, namer)
    return SelectedBlocks(rows, tr("{blocks} of the selection").format(blocks=plural(len(rows), "block")) if rows else "")
