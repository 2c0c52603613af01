"""Makes a Trace or Snapshot from a few hand-written rows, through the same bytes that the probe writes.

All times given here are ns since the script's start (held time included, where a test has a HOLD mark); names, stacks and shapes are given plainly and
defined on first use::

    snapshot = (
        TraceBuilder()
        .operator("aten::mm", begin=10, end=20, stack=[("/user/train.py", 12, "main")])
        .tensor(op=1, role=TensorRole.OUTPUT, shape=(2, 3), storage=0x10, data=0x1000, nbytes=24)
        .alloc(address=0x1000, size=24, time=12, op=1)
        .mark(MarkKind.OPTIMIZER_STEP, begin=40, end=50, x=0.1)
        .message({"type": "iteration", "index": 0, "time_ns": 60, "learning_rate": 0.1, "optimizers": [1]})
        .snapshot()
    )

Row makers return the builder. Operators, nodes and module calls count their ids from 1 unless ``id`` or ``call`` is given; ``last_operator``,
``last_node`` and ``last_call`` tell the newest. Files under ``/usr/lib/`` and ``/venv/`` are a library's, all others the user's.
"""

import json
import struct
from collections.abc import Mapping, Sequence
from typing import Any

from tensorscope.protocol.definitions import ENTRY_HEADER, Definition
from tensorscope.protocol.records import (
    HISTOGRAM_ROW_BINS,
    LAYOUT,
    RECORD_SIZE,
    AllocationAction,
    DefinitionKind,
    GradientStage,
    MarkKind,
    OperatorFlag,
    RecordKind,
    Scope,
    TensorRole,
)
from tensorscope.trace.ingest import batches_of_records
from tensorscope.trace.snapshot import Snapshot
from tensorscope.trace.trace import Trace

BEGIN_NS = 1_000_000_000_000
NAN = float("nan")
Frames = Sequence[tuple[str, int, str]]
TIMES = frozenset({"begin_ns", "end_ns", "time_ns"})


class TraceBuilder:
    def __init__(self, *, library_prefixes: Sequence[str] = ("/usr/lib/", "/venv/"), **facts: Any) -> None:
        self._records: list[tuple[int, bytes]] = []  # (thread, record)
        self._definitions: list[Definition] = []
        self._ids: dict[tuple[DefinitionKind, Any], int] = {}
        self._counts: dict[DefinitionKind, int] = {}
        self._next = {"operator": 1, "call": 1, "message": 1, "backward": 1}
        self.last_operator = self.last_node = self.last_call = self.last_backward = 0
        self.dropped_events = self.cost_ns = 0
        default = {"type": "facts", "begin_ns": 0, "wall_begin_ns": 0, "script": "/user/train.py", "argv": ["train.py"], "cwd": "/user", "probe": "native"}
        self.message({**default, "python_version": "3.11.7", "torch_version": "2.13.0", "library_prefixes": list(library_prefixes), **facts})

    # rows

    def operator(self, name: str, *, begin: int, end: int, id: int = 0, parent: int = 0, scope: int = Scope.FUNCTION, flags: int = OperatorFlag.GRAD_ENABLED,
                 sequence_nr: int = -1, stack: Frames | int = (), module_call: int = 0, forward_thread: int = 0, thread: int = 1,
                 inputs: int = 0, outputs: int = 0) -> "TraceBuilder":  # fmt: skip
        self.last_operator = id or self._take("operator")
        return self._row(
            RecordKind.OPERATOR, thread, scope=scope, flags=flags, name=self.string(name), id=self.last_operator, parent=parent, begin_ns=begin, end_ns=end,
            sequence_nr=sequence_nr, stack=self.stack(stack), module_call=module_call, forward_thread=forward_thread, input_count=inputs, output_count=outputs,
        )  # fmt: skip

    def tensor(self, *, op: int = 0, role: int = TensorRole.OUTPUT, argument: int = 0, shape: Sequence[int] = (), stride: Sequence[int] | None = None,
               impl: int = 0, storage: int = 0, data: int = 0, nbytes: int = 0, offset: int = 0, dtype: int = 6, device_type: int = 0, device_index: int = -1,
               flags: int = 0, version: int = 0, thread: int = 1) -> "TraceBuilder":  # fmt: skip
        """A tensor of ``op`` (default: the newest operator). dtype 6 is float32 in ``c10::ScalarType``."""
        return self._row(
            RecordKind.TENSOR, thread, role=role, argument=argument, shape=self.shape(shape, stride), op=op or self.last_operator, impl=impl, storage=storage,
            data=data, nbytes=nbytes, offset=offset, dtype=dtype, device_type=device_type, device_index=device_index, flags=flags, version=version,
        )  # fmt: skip

    def alloc(self, *, address: int, size: int, time: int, op: int = 0, stack: Frames | int = (), module_call: int = 0, device_type: int = 0,
              device_index: int = -1, action: int = AllocationAction.ALLOC, stream: int = 0, pool: int = 0, thread: int = 1) -> "TraceBuilder":  # fmt: skip
        return self._row(
            RecordKind.ALLOCATION, thread, action=action, device_type=device_type, device_index=device_index, module_call=module_call, op=op, address=address,
            size=size, time_ns=time, stream=stream, pool=pool, stack=self.stack(stack),
        )  # fmt: skip

    def free(self, *, address: int, time: int, size: int = 0, op: int = 0, **more: Any) -> "TraceBuilder":
        return self.alloc(address=address, size=size, time=time, op=op, action=AllocationAction.FREE, **more)

    def node(self, name: str, *, backward: int, index: int, begin: int, end: int, id: int = 0, parent: int = 0, node: int = 0, sequence_nr: int = -1,
             flags: int = 0, thread: int = 1) -> "TraceBuilder":  # fmt: skip
        """One run of a node; ``backward`` counts from 1, ``index`` is the node's place in the graph from 0 (-1: not in it)."""
        self.last_node = self.last_operator = id or self._take("operator")
        return self._row(
            RecordKind.NODE, thread, flags=flags, name=self.string(name), node=node, id=self.last_node, parent=parent, begin_ns=begin, end_ns=end,
            sequence_nr=sequence_nr, backward=backward, index=index + 1,
        )  # fmt: skip

    def module_call(self, module: int, *, begin: int, end: int, call: int = 0, parent: int = 0, stack: Frames | int = (), flags: int = 0,
                    thread: int = 1) -> "TraceBuilder":  # fmt: skip
        self.last_call = call or self._take("call")
        return self._row(
            RecordKind.MODULE_CALL, thread, flags=flags, module=module, call=self.last_call, parent=parent, begin_ns=begin, end_ns=end, stack=self.stack(stack)
        )  # fmt: skip

    def mark(self, mark: MarkKind, *, begin: int, end: int = 0, a: int = 0, b: int = 0, x: float = 0.0, y: float = 0.0, flags: int = 0,
             stack: Frames | int = (), module_call: int = 0, thread: int = 1) -> "TraceBuilder":  # fmt: skip
        return self._row(
            RecordKind.MARK, thread, mark=mark, flags=flags, stack=self.stack(stack), begin_ns=begin, end_ns=end or begin, a=a, b=b, x=x, y=y,
            module_call=module_call,
        )  # fmt: skip

    def gradient(self, parameter: int, *, backward: int, norm: float, time: int, stage: int = GradientStage.RAW, max_abs: float = 0.0, nonfinite: int = 0,
                 numel: int = 1, weight_norm: float = NAN, update_norm: float = NAN, flags: int = 0, thread: int = 1) -> "TraceBuilder":  # fmt: skip
        return self._row(
            RecordKind.GRADIENT, thread, stage=stage, flags=flags, parameter=parameter, backward=backward, nonfinite=nonfinite, time_ns=time,
            sum_squares=norm * norm, max_abs=max_abs, numel=numel, weight_sum_squares=weight_norm * weight_norm, update_sum_squares=update_norm * update_norm,
        )  # fmt: skip

    def histogram(self, parameter: int, *, backward: int, time: int, counts: Mapping[int, int], zeros: int = 0, sampled: int = 0, nonfinite: int = 0,
                  stage: int = GradientStage.RAW, thread: int = 1) -> "TraceBuilder":  # fmt: skip
        """The rows of one histogram; ``counts`` by bin."""
        for row in sorted({0, *(place // HISTOGRAM_ROW_BINS for place in counts)}):
            bins = {f"count{place}": counts.get(row * HISTOGRAM_ROW_BINS + place, 0) for place in range(HISTOGRAM_ROW_BINS)}
            self._row(RecordKind.HISTOGRAM, thread, stage=stage, row=row, parameter=parameter, backward=backward, zeros=zeros, sampled=sampled,
                      nonfinite=nonfinite, time_ns=time, **bins)  # fmt: skip
        return self

    # definitions and messages

    def string(self, text: str) -> int:
        data = text.encode()
        return self._define(DefinitionKind.STRING, text, struct.pack("<I", len(data)) + data)

    def stack(self, frames: Frames | int) -> int:
        """The id of a stack given innermost frame first; an int is taken as the id itself; no frames: 0."""
        if isinstance(frames, int) or not frames:
            return frames if isinstance(frames, int) else 0
        pairs = [(self._code(file, function), line) for file, line, function in frames]
        return self._define(DefinitionKind.STACK, tuple(frames), struct.pack("<I", len(pairs)) + b"".join(struct.pack("<II", *pair) for pair in pairs))

    def shape(self, sizes: Sequence[int], strides: Sequence[int] | None = None) -> int:
        """The id of a shape; contiguous strides unless given."""
        strides = contiguous(sizes) if strides is None else tuple(strides)
        key = (tuple(sizes), strides)
        return self._define(DefinitionKind.SHAPE, key, struct.pack(f"<II{2 * len(sizes)}q", len(sizes), 0, *sizes, *strides))

    def thread(self, id: int, name: str) -> "TraceBuilder":
        data = name.encode()
        self._add(DefinitionKind.THREAD, id, struct.pack("<QI", 1000 + id, len(data)) + data)
        return self

    def graph(self, id: int, names: Sequence[str], edges: Sequence[tuple[int, int, int, int]], parameters: Sequence[int] | None = None) -> "TraceBuilder":
        """A graph shape: node names, edges (from, output_nr, to, input_nr), parameter ids (default all 0)."""
        pairs = zip((self.string(name) for name in names), parameters or [0] * len(names), strict=True)
        body = b"".join(struct.pack("<II", *pair) for pair in pairs) + b"".join(struct.pack("<IIII", *edge) for edge in edges)
        self._add(DefinitionKind.GRAPH, id, struct.pack("<II", len(names), len(edges)) + body)
        return self

    def backward(self, graph: int, *, begin: int, addresses: Sequence[int], sequence_nrs: Sequence[int] | None = None, threads: Sequence[int] | None = None,
                 id: int = 0, parent: int = 0) -> "TraceBuilder":  # fmt: skip
        """One backward (ids count from 1) over a graph defined before; sequence numbers default to -1, forward threads to 1."""
        count = len(addresses)
        self.last_backward = id or self._take("backward")
        head = struct.pack("<IIqq", graph, count, BEGIN_NS + begin, parent)
        numbers = sequence_nrs or [-1] * count
        body = struct.pack(f"<{count}Q{count}q{count}I", *addresses, *numbers, *(threads or [1] * count))
        self._add(DefinitionKind.BACKWARD, self.last_backward, head + body)
        return self

    def message(self, message: dict[str, Any], *, parts: int = 1) -> "TraceBuilder":
        """A tracker's message; its ``time_ns`` and ``begin_ns`` are given since the start like every other time here."""
        absolute = {**message, **{key: BEGIN_NS + message[key] for key in TIMES & message.keys()}}
        body = json.dumps(absolute).encode()
        number = self._take("message")
        size = -(-len(body) // parts)
        for part in range(parts):
            piece = body[part * size : (part + 1) * size]
            self._add(DefinitionKind.MESSAGE, number, struct.pack("<III", part, parts, len(piece)) + piece)
        return self

    # results

    def blocks(self) -> list[tuple[int, bytes]]:
        """The records as (thread, content of one record block), each run of rows of one thread a block, in order of writing."""
        runs: list[tuple[int, bytearray]] = []
        for thread, record in self._records:
            if not runs or runs[-1][0] != thread:
                runs.append((thread, bytearray()))
            runs[-1][1].extend(record)
        return [(thread, bytes(content)) for thread, content in runs]

    def definitions(self) -> list[Definition]:
        return list(self._definitions)

    def definition_block(self) -> bytes:
        """All definitions as the content of one definition block."""
        return b"".join(
            ENTRY_HEADER.pack(ENTRY_HEADER.size + len(entry.payload), entry.kind, entry.id, 0) + entry.payload for entry in self._definitions
        )  # fmt: skip

    def trace(self) -> Trace:
        trace = Trace()
        trace.add_definitions(self._definitions)
        for thread, content in self.blocks():
            batches, unknown = batches_of_records(content, thread)
            assert not unknown
            trace.add_batches(batches)
        trace.set_counters(dropped_events=self.dropped_events, cost_ns=self.cost_ns)
        return trace

    def snapshot(self) -> Snapshot:
        return self.trace().snapshot()

    # steps

    def _row(self, kind: RecordKind, row_thread: int, **values: Any) -> "TraceBuilder":
        record = bytearray(RECORD_SIZE)
        record[0] = kind
        for field in LAYOUT[kind]:
            value = values.pop(field.name)
            if field.name in TIMES and value:
                value += BEGIN_NS
            struct.pack_into("<" + CODES[field.type], record, field.offset, value)
        assert not values, f"no such fields: {values}"
        self._records.append((row_thread, bytes(record)))
        return self

    def _code(self, file: str, function: str) -> int:
        name, function_name = file.encode(), function.encode()
        payload = struct.pack("<III", 1, len(name), len(function_name)) + name + function_name
        return self._define(DefinitionKind.CODE, (file, function), payload)

    def _define(self, kind: DefinitionKind, key: Any, payload: bytes) -> int:
        known = self._ids.get((kind, key))
        if known is not None:
            return known
        self._counts[kind] = self._ids[kind, key] = self._counts.get(kind, 0) + 1
        self._add(kind, self._counts[kind], payload)
        return self._counts[kind]

    def _add(self, kind: DefinitionKind, identity: int, payload: bytes) -> None:
        self._definitions.append(Definition(kind, identity, payload + bytes(-len(payload) % 8)))

    def _take(self, counter: str) -> int:
        self._next[counter] += 1
        return self._next[counter] - 1


CODES = {"u1": "B", "i1": "b", "u2": "H", "u4": "I", "i4": "i", "u8": "Q", "i8": "q", "f8": "d"}


def contiguous(sizes: Sequence[int]) -> tuple[int, ...]:
    """Strides of a contiguous tensor, in elements."""
    strides: list[int] = []
    step = 1
    for size in reversed(sizes):
        strides.append(step)
        step *= max(size, 1)
    return tuple(reversed(strides))
