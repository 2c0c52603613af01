"""The frozen results that analyses give and panels, queries and exports read. Times are run time in ns; bytes are bytes; ids as in the trace.

``iteration`` and ``backward`` numbers here are 0-based over the run (probe's backward id − 1, counting only outermost and nested alike, in order).
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Literal

import numpy as np
from numpy.typing import NDArray

CATEGORIES: Final = ("parameter", "buffer", "optimizer_state", "input", "gradient", "activation", "temporary", "unknown")
PhaseKind = Literal["forward", "backward", "optimizer", "other"]
Severity = Literal["error", "warning", "info"]
Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Source:
    file: str  # absolute path
    line: int
    function: str = ""

    def __str__(self) -> str:
        return f"{self.file}:{self.line}"


@dataclass(frozen=True, slots=True)
class Iteration:
    index: int
    begin_ns: int
    end_ns: int
    is_ended: bool
    forward_ns: int
    backward_ns: int
    optimizer_ns: int
    peak_allocated_bytes: int | None  # of the device with the highest peak
    learning_rate: float | None
    first_index: int | None = None  # of a row that stands for several: the first of them; times of phases are then means, the peak is the highest
    shortest_ns: int | None = None
    longest_ns: int | None = None


@dataclass(frozen=True, slots=True)
class Phase:
    kind: PhaseKind
    iteration: int
    begin_ns: int
    end_ns: int


@dataclass(frozen=True, slots=True)
class SavedTensor:
    name: str
    shape: tuple[int, ...]
    dtype: str
    nbytes: int  # of the elements
    storage: int  # StorageImpl address
    data: int
    version: int
    is_parameter: bool


@dataclass(frozen=True, slots=True)
class GraphNode:
    id: int  # index in the backward's graph
    name: str  # such as AddmmBackward0
    thread: int
    sequence_nr: int  # -1: none
    module: str  # FQN of the innermost module call its forward operator ran in, "" outside
    module_class: str
    call: int  # module call id (equal for nodes of one call), 0 outside
    source: Source | None  # forward line
    stack: int
    operator: int  # id of the forward operator that made it, 0 unknown
    saved: tuple[SavedTensor, ...]
    saved_bytes: int | None  # None: not known for this backward
    forward_ns: int | None
    backward_ns: int | None  # None: not run (yet)
    begin_ns: int | None
    end_ns: int | None
    parameter: str  # of an AccumulateGrad, "" elsewhere
    output_shape: tuple[int, ...] | None  # of the forward operator's (first) output
    has_raised: bool = False  # the backward ended with an exception that left this node
    output_dtype: str = ""  # of the same output, "" unknown
    attributes: tuple[tuple[str, str], ...] = ()  # what else it keeps of its operator's call: (name, value as JSON), such as ("dim", "-1")


@dataclass(frozen=True, slots=True)
class GraphEdge:
    source: int  # node id; backward runs from source to target
    target: int
    output_nr: int  # position in source's next_functions
    input_nr: int


@dataclass(frozen=True, slots=True)
class ModuleCallNode:
    """A module call that holds nodes of a backward: the tree that the graph is grouped by."""

    call: int
    parent: int  # 0: outermost
    module: str
    module_class: str


@dataclass(frozen=True, slots=True)
class BackwardGraph:
    backward: int  # 0-based
    iteration: int
    begin_ns: int
    end_ns: int | None
    nodes: tuple[GraphNode, ...]
    edges: tuple[GraphEdge, ...]
    roots: tuple[int, ...]
    calls: tuple[ModuleCallNode, ...]


@dataclass(frozen=True, slots=True)
class BackwardSummary:
    backward: int
    iteration: int
    begin_ns: int
    end_ns: int | None
    node_count: int
    graph: int  # shape id
    is_nested: bool


@dataclass(frozen=True, slots=True)
class GradientTable:
    """Columns over rows in order of (backward, stage, parameter)."""

    parameters: tuple[str, ...]  # names, in depth order (nearest the input first); index = ``parameter``
    modules: tuple[str, ...]  # FQN of the module of each parameter
    iteration: Ints
    backward: Ints
    parameter: Ints
    stage: NDArray[np.uint8]  # 1 raw, 2 unscaled, 3 clipped
    time_ns: Ints
    norm: Floats
    max_abs: Floats
    nonfinite: Ints
    numel: Ints
    weight_norm: Floats  # nan: unknown
    update_norm: Floats


@dataclass(frozen=True, slots=True)
class MemoryBlocks:
    """Every allocation of one device that is on record, one row each. ``end_ns`` is the snapshot's end (and ``is_live``) for those never freed."""

    address: NDArray[np.uint64]
    size: Ints
    begin_ns: Ints
    end_ns: Ints
    is_live: NDArray[np.bool_]
    category: NDArray[np.uint8]  # index into CATEGORIES
    op: NDArray[np.uint64]
    stack: NDArray[np.uint32]
    module_call: NDArray[np.uint32]


@dataclass(frozen=True, slots=True)
class Refusal:
    """The allocator found no room (out of memory)."""

    time_ns: int
    wanted_bytes: int  # as rounded by the allocator
    free_bytes: int  # of the device


@dataclass(frozen=True, slots=True)
class MemoryTimeline:
    """The memory of one device over the run. Curve arrays are step functions: value ``i`` holds from ``times_ns[i]`` to ``times_ns[i + 1]``."""

    device: str
    blocks: MemoryBlocks
    times_ns: Ints  # [t]
    allocated_bytes: Ints  # [t]
    category_bytes: Ints  # [len(CATEGORIES), t]
    reserved_bytes: Ints | None  # [t]; None where the allocator reserves nothing (CPU)
    requested_bytes: Ints | None
    peak_index: int  # index into times_ns of the first maximum; -1 when empty
    capacity_bytes: int | None
    unknown_frees: int = 0  # frees of blocks that are not on record, ignored
    lost_frees: int = 0  # blocks whose address came again without a free on record: they end there
    refusals: tuple[Refusal, ...] = ()


@dataclass(frozen=True, slots=True)
class StorageTensor:
    names: tuple[str, ...]
    shape: tuple[int, ...]
    stride: tuple[int, ...]
    offset: int
    dtype: str
    is_view: bool
    is_contiguous: bool
    version: int
    begin_byte: int
    end_byte: int
    requires_grad: bool
    impl: int
    base: int = 0  # impl of the tensor that it is a view of; 0: none


@dataclass(frozen=True, slots=True)
class StorageRow:
    id: int  # StorageImpl address at seen_ns
    data: int
    device: str
    nbytes: int
    category: str
    is_external: bool
    seen_ns: int
    last_writer: str  # operator name, "" unknown
    last_writer_source: Source | None
    made_by: str
    made_source: Source | None
    module: str
    tensors: tuple[StorageTensor, ...]
    holders: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class StorageView:
    seen_ns: int
    reason: str
    iteration: int
    is_complete: bool
    rows: tuple[StorageRow, ...]


@dataclass(frozen=True, slots=True)
class Related:
    """Another line that a finding is about."""

    source: Source
    role: str  # a few words: "written in place here"


@dataclass(frozen=True, slots=True)
class Finding:
    """A diagnosed problem. What it is about, beside its line, is chosen with it: a node, else a parameter; the cursor goes to ``time_ns``."""

    rule: str  # such as "missing-zero-grad"
    severity: Severity
    message: str  # one sentence
    source: Source | None  # the culprit
    related: tuple[Related, ...] = ()  # at most 2
    iteration: int | None = None  # the first it was seen in; None: not tied to one
    last_iteration: int | None = None  # the last, where it is another
    evidence: Mapping[str, Any] = field(default_factory=dict)  # plain JSON, units in the names
    certainty: float = 1.0  # 0 to 1
    backward: int | None = None
    node: int | None = None  # id in the graph of ``backward``
    parameter: str = ""
    time_ns: int | None = None  # run time
