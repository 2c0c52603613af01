"""The fixed-size records that the probe writes into rings, described once for both sides of the border.

Every record is ``RECORD_SIZE`` bytes, little-endian; byte 0 is its kind. The C++ mirror is ``agent/probe/records.h``; ``tests/test_records.py``
compares the two. The thread of a record stands in its block's header. Times are CLOCK_MONOTONIC nanoseconds. Ids: 0 means none.

An operator id is ``thread << 40 | count`` (unique in a process); its parent is the enclosing operator of the same thread. Backward nodes
(``evaluate_function`` wrappers) take ids from the same space, so operators run inside a node have the node's id as parent.
``thread`` is ``at::RecordFunction::currentThreadId()``, so it equals an operator's ``forward_thread``.
"""

from enum import IntEnum, IntFlag
from typing import Final, NamedTuple

RECORD_SIZE: Final = 64


class RecordKind(IntEnum):
    OPERATOR = 1
    TENSOR = 2
    ALLOCATION = 3
    NODE = 4
    MODULE_CALL = 5
    MARK = 6
    GRADIENT = 7
    HISTOGRAM = 8


class Field(NamedTuple):
    """One field: its offset in bytes, its type (a NumPy type string without byte order: ``u1 i4 u8 f8`` …), its name."""

    name: str
    type: str
    offset: int


class Scope(IntEnum):
    """``at::RecordScope`` of an operator."""

    FUNCTION = 0
    BACKWARD_FUNCTION = 1
    TORCHSCRIPT_FUNCTION = 2
    USER_SCOPE = 7


class OperatorFlag(IntFlag):
    OURS = 1  # run by TensorScope itself: left out of every picture
    COMPILING = 2  # run while Dynamo compiles
    GRAD_ENABLED = 4
    RAISED = 8


class TensorRole(IntEnum):
    INPUT = 1  # op = operator id
    OUTPUT = 2  # op = operator id
    ROOT_INPUT = 3  # passed into a root module's call: op = module call id


class TensorFlag(IntFlag):
    IS_VIEW = 1
    REQUIRES_GRAD = 2
    IS_LEAF_PARAMETER = 4  # registered as a parameter
    NO_STORAGE = 8  # sparse, meta, functional wrappers: data and nbytes are 0


class AllocationAction(IntEnum):
    ALLOC = 1
    FREE = 2  # size 0 where unknown (CPU): joined by address
    SEGMENT_ALLOC = 3
    SEGMENT_FREE = 4
    SEGMENT_MAP = 5
    SEGMENT_UNMAP = 6
    OOM = 7
    SNAPSHOT = 8
    FREE_REQUESTED = 9
    FREE_COMPLETED = 10
    BEFORE = 11  # existed before the probe came
    BEFORE_FREED = 12  # such a block was found gone: it ends here, unless its address has come again


class MarkKind(IntEnum):
    BACKWARD = 1  # a = backward id, b = graph id, x = number of nodes, flags 1: it raised; one a graph task, written at its end
    OPTIMIZER_STEP = 2  # a = optimizer id, x = learning rate of the first group, y = the highest of all groups (nan unknown)
    ZERO_GRAD = 3  # a = optimizer id (0: a module's)
    CLIP = 4  # a = last backward id, x = limit, y = total norm before (nan unknown)
    UNSCALE = 5  # a = optimizer id, x = scale
    SCALER_SKIP = 6  # a = optimizer id: GradScaler skipped this optimizer's step
    HOLD = 7  # begin..end = time held; a = backward id
    TRACKER = 8  # begin..end = time spent in a tracker of ours (cost)
    EXCEPTION = 9
    OPTIMIZER_MADE = 10  # a = optimizer id; its construction
    MODULE_HOOK = 11  # a = module id (0: not known yet), x = hooks of its kind on that module now; one was registered
    TENSOR_HOOK = 12  # b = the tensor's data pointer; a hook was registered on it
    LOAD = 13  # a = module id, x = parameters that were one under several names before and are several now; load_state_dict
    SAVE = 14  # a = bytes of the storages that were written, b = bytes of the elements of the tensors saved; torch.save


class GradientStage(IntEnum):
    RAW = 1
    UNSCALED = 2
    CLIPPED = 3
    UPDATE = 4  # no gradient: how far an optimizer's step moved the parameter, and what it was before


HISTOGRAM_POWERS: Final = (-32, 7)
"""Bins are powers of two of the magnitude: 2^p ≤ |x| < 2^(p+1), the first and the last one with what is beyond.

Negative numbers come first, from the largest magnitude to the smallest, then positive ones from the smallest to the largest: 80 bins in the order of
the numbers themselves. The bin of 1.0 is 40 + 32, that of -1.0 is 39 - 32. Complex numbers count by their magnitude.
"""

HISTOGRAM_ROW_BINS: Final = 8


LAYOUT: Final[dict[RecordKind, tuple[Field, ...]]] = {
    RecordKind.OPERATOR: (
        Field("scope", "u1", 1),
        Field("flags", "u2", 2),
        Field("name", "u4", 4),
        Field("id", "u8", 8),
        Field("parent", "u8", 16),
        Field("begin_ns", "i8", 24),
        Field("end_ns", "i8", 32),  # 0 while running (flushed at a hold or found after a crash)
        Field("sequence_nr", "i8", 40),  # -1: none
        Field("stack", "u4", 48),
        Field("module_call", "u4", 52),
        Field("forward_thread", "u4", 56),
        Field("input_count", "u2", 60),
        Field("output_count", "u2", 62),
    ),
    RecordKind.TENSOR: (
        Field("role", "u1", 1),
        Field("argument", "u2", 2),  # position among the flattened tensors of the call
        Field("shape", "u4", 4),
        Field("op", "u8", 8),
        Field("impl", "u8", 16),  # TensorImpl address
        Field("storage", "u8", 24),  # StorageImpl address
        Field("data", "u8", 32),  # the storage's data pointer
        Field("nbytes", "u8", 40),
        Field("offset", "i8", 48),  # storage_offset in elements
        Field("dtype", "u1", 56),  # c10::ScalarType
        Field("device_type", "u1", 57),
        Field("device_index", "i1", 58),
        Field("flags", "u1", 59),
        Field("version", "u4", 60),
    ),
    RecordKind.ALLOCATION: (
        Field("action", "u1", 1),
        Field("device_type", "u1", 2),
        Field("device_index", "i1", 3),
        Field("module_call", "u4", 4),
        Field("op", "u8", 8),  # innermost operator or node of this thread
        Field("address", "u8", 16),
        Field("size", "u8", 24),
        Field("time_ns", "i8", 32),
        Field("stream", "u8", 40),
        Field("pool", "u8", 48),
        Field("stack", "u4", 56),  # of the outermost operator of this thread
    ),
    RecordKind.NODE: (
        Field("flags", "u1", 1),  # COMPILING and RAISED of OperatorFlag
        Field("name", "u4", 4),
        Field("node", "u8", 8),  # Node address
        Field("id", "u8", 16),
        Field("parent", "u8", 24),
        Field("begin_ns", "i8", 32),
        Field("end_ns", "i8", 40),
        Field("sequence_nr", "i8", 48),
        Field("backward", "u4", 56),  # our backward id, counting from 1 in order of the first node
        Field("index", "u4", 60),  # index in the graph's definition + 1; 0: not in it
    ),
    RecordKind.MODULE_CALL: (
        Field("flags", "u1", 1),  # 1: raised
        Field("module", "u4", 4),
        Field("call", "u4", 8),
        Field("parent", "u4", 12),
        Field("begin_ns", "i8", 16),
        Field("end_ns", "i8", 24),
        Field("stack", "u4", 32),
    ),
    RecordKind.MARK: (
        Field("mark", "u1", 1),
        Field("flags", "u2", 2),
        Field("stack", "u4", 4),
        Field("begin_ns", "i8", 8),
        Field("end_ns", "i8", 16),
        Field("a", "u8", 24),
        Field("b", "u8", 32),
        Field("x", "f8", 40),
        Field("y", "f8", 48),
        Field("module_call", "u4", 56),
    ),
    RecordKind.GRADIENT: (
        Field("stage", "u1", 1),
        Field("flags", "u2", 2),  # 1: statistics unknown (device tensor not read): norm and max are nan
        Field("parameter", "u4", 4),
        Field("backward", "u4", 8),
        Field("nonfinite", "u4", 12),  # saturates
        Field("time_ns", "i8", 16),
        Field("sum_squares", "f8", 24),  # of |x|², in double, over finite elements only where nonfinite > 0
        Field("max_abs", "f8", 32),
        Field("numel", "u8", 40),
        Field("weight_sum_squares", "f8", 48),  # nan: unknown
        Field("update_sum_squares", "f8", 56),  # nan: unknown
    ),
    RecordKind.HISTOGRAM: (
        Field("stage", "u1", 1),
        Field("row", "u2", 2),  # its counts are those of the bins from row * HISTOGRAM_ROW_BINS on; rows without any count are not told
        Field("parameter", "u4", 4),
        Field("backward", "u4", 8),
        Field("zeros", "u4", 12),  # sampled elements that are 0, in no bin; the same in each row
        Field("sampled", "u4", 16),  # elements that were looked at, evenly spaced over the gradient; zeros and those not finite included
        Field("nonfinite", "u4", 20),  # sampled elements in no bin because they are not finite
        Field("time_ns", "i8", 24),
        *(Field(f"count{bin}", "u4", 32 + 4 * bin) for bin in range(HISTOGRAM_ROW_BINS)),
    ),
}


class DefinitionKind(IntEnum):
    """Variable-size definitions, in ring blocks of their own, never dropped. See ``protocol.definitions`` for the bytes."""

    STRING = 1
    CODE = 2
    STACK = 3
    SHAPE = 4
    THREAD = 5
    GRAPH = 6
    BACKWARD = 7
    MESSAGE = 8
    PART = 9
