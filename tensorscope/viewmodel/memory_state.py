"""Everything the memory panel shows of one snapshot, computed off the GUI thread; what has not changed is taken from the result before."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType

from tensorscope.analysis.iterations import iterations, phases
from tensorscope.analysis.memory import default_device, devices, memory_timeline
from tensorscope.language import tr
from tensorscope.trace.snapshot import Snapshot
from tensorscope.units import plural
from tensorscope.viewmodel.caches import NAMERS
from tensorscope.viewmodel.linked import NOTHING, Linked
from tensorscope.viewmodel.memory import MemoryModel, hide_categories, peak_moment, prepare_memory, show_modules
from tensorscope.viewmodel.memory_groups import Grouping
from tensorscope.viewmodel.memory_modules import module_lane
from tensorscope.viewmodel.memory_names import BlockNamer
from tensorscope.viewmodel.memory_ranks import other_ranks
from tensorscope.viewmodel.memory_selection import SelectedBlocks, selected_blocks
from tensorscope.viewmodel.memory_side import BlockList, block_list
from tensorscope.viewmodel.timeline_cache import TIMELINES
from tensorscope.viewmodel.workspace import Selection


@dataclass(frozen=True, slots=True)
class MemoryRequest:
    """What the panel asks for. ``device`` None: the one with the highest peak; ``cursor_ns`` None: the newest moment."""

    device: str | None
    hidden: frozenset[int]
    cursor_ns: int | None
    selection: Selection | None
    linked: Linked = NOTHING
    grouping: Grouping = "block"  # of the blocks live at the cursor
    since_ns: int | None = None  # the other moment, with which the cursor's is compared
    has_ranks: bool = True  # the curves of the job's other ranks


@dataclass(frozen=True, slots=True)
class MemoryState:
    snapshot: Snapshot
    request: MemoryRequest
    devices: tuple[str, ...]
    model: MemoryModel
    namer: BlockNamer
    selected: SelectedBlocks
    at_cursor: BlockList
    below: BlockList  # what stands below the categories: the largest at the peak, or what changed since the other moment


def compute_memory(snapshot: Snapshot, request: MemoryRequest, before: MemoryState | None, ranks: Mapping[int, Snapshot] = MappingProxyType({})) -> MemoryState:
    """Raises TensorScopeError for a device without memory on record. ``ranks``: the newest of every rank of the job."""
    is_same = before is not None and before.snapshot is snapshot
    namer = before.namer if before is not None and is_same else NAMERS.get(snapshot, None)
    names = devices(snapshot)
    device = request.device or (before.model.timeline.device if before is not None and is_same and before.request.device is None else _default(snapshot, names))
    if before is not None and is_same and before.model.timeline.device == device:
        model = hide_categories(before.model, request.hidden)
    else:
        timeline = TIMELINES.get(snapshot, device) or memory_timeline(snapshot, device)
        model = prepare_memory(timeline, iterations(snapshot), phases(snapshot), snapshot.end_ns, request.hidden, notice=_notice(snapshot))
    selected = selected_blocks(request.selection, model.timeline, namer, request.linked)
    if before is not None and is_same and before.selected.module == selected.module:
        model = show_modules(model, before.model.modules, selected.module)
    else:
        model = show_modules(model, module_lane(namer, selected.module), selected.module)
    if not request.has_ranks:
        model = replace(model, others=())
    elif before is None or not is_same or not before.request.has_ranks or before.model.timeline is not model.timeline:
        model = replace(model, others=other_ranks(ranks, snapshot, device))
    cursor_ns = model.end_ns if request.cursor_ns is None else request.cursor_ns
    peak = peak_moment(model)
    at_cursor = block_list(model, namer, cursor_ns, request.grouping, request.since_ns)
    if request.since_ns is not None:
        below = block_list(model, namer, cursor_ns, "line", request.since_ns)
    elif (
        before is not None and is_same and before.request.hidden == request.hidden and before.model.timeline is model.timeline and before.below.since_ns is None
    ):
        below = before.below
    else:
        below = block_list(model, namer, peak.time_ns if peak else cursor_ns, "line")
    return MemoryState(snapshot, request, names, model, namer, selected, at_cursor, below)


def _default(snapshot: Snapshot, names: tuple[str, ...]) -> str:
    """The device with the highest peak; with one alone there is nothing to compare."""
    return names[0] if len(names) == 1 else default_device(snapshot)


def _notice(snapshot: Snapshot) -> str:
    """Why the curve may be off, "" when it is not."""
    dropped = snapshot.health.dropped_events
    return tr("{dropped} dropped: the curve may be off").format(dropped=plural(dropped, "event")) if dropped else ""
