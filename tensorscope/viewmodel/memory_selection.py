"""What the shared selection means on the memory timeline: which blocks it lights up, and which module its lane shows."""

from dataclasses import dataclass

import numpy as np

from tensorscope.analysis.graph import backward_graph
from tensorscope.analysis.results import MemoryBlocks, MemoryTimeline
from tensorscope.errors import TensorScopeError
from tensorscope.language import tr
from tensorscope.viewmodel.memory_blocks import row_of_block
from tensorscope.viewmodel.memory_names import BlockNamer
from tensorscope.viewmodel.workspace import BlockSelection, ModuleSelection, NodeSelection, ParameterSelection, Selection, StorageSelection


@dataclass(frozen=True, slots=True)
class SelectedBlocks:
    """``rows`` of the timeline's blocks with the words that stand at them."""

    rows: tuple[int, ...] = ()
    label: str = ""
    module: str = ""


def selected_blocks(selection: Selection | None, timeline: MemoryTimeline, namer: BlockNamer) -> SelectedBlocks:
    """Off the GUI thread: a node's saved tensors are looked up in its graph."""
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
            return _of_node(backward, node, timeline, namer)
        case _:
            return SelectedBlocks()


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


def _of_node(backward: int, node: int, timeline: MemoryTimeline, namer: BlockNamer) -> SelectedBlocks:
    try:
        graph = backward_graph(namer.snapshot, backward)
    except TensorScopeError:
        return SelectedBlocks()
    if not 0 <= node < len(graph.nodes):
        return SelectedBlocks()
    chosen = graph.nodes[node]
    found = [row_at_address(timeline.blocks, saved.data, graph.begin_ns) for saved in chosen.saved if not saved.is_parameter]
    rows = tuple(dict.fromkeys(row for row in found if row is not None))
    return SelectedBlocks(rows, tr("saved by {name}").format(name=chosen.name) if rows else "", chosen.module)
