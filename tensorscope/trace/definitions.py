"""What definition entries mean: strings, code objects, stacks, shapes, threads and graphs, each under its id."""

import struct
from collections.abc import Callable, Mapping, Set
from typing import Any, Final

import numpy as np

from tensorscope.errors import ProtocolError
from tensorscope.protocol.definitions import Definition
from tensorscope.protocol.records import DefinitionKind
from tensorscope.protocol.source_files import STANDARD_INPUT
from tensorscope.trace.clock import ClockView
from tensorscope.trace.snapshot import Backward, CodeLine, GraphShape, Shape

U32: Final = struct.Struct("<I")
CODE_HEAD: Final = struct.Struct("<III")
PAIR: Final = struct.Struct("<II")
THREAD_HEAD: Final = struct.Struct("<QI")
BACKWARD_HEAD: Final = struct.Struct("<IIqq")
GRAPH_BYTES_A_PAYLOAD_BYTE: Final = 2
BACKWARD_BYTES: Final = 800  # of an object and its three arrays, besides what is in them; measured
UNKNOWN_CODE: Final = ("?", "?", 0)


class Definitions:
    """All definitions so far. One writer; the getters give copies or immutable values and need the trace's lock."""

    def __init__(self) -> None:
        self.strings: dict[int, str] = {}
        self.shapes: dict[int, Shape] = {}
        self.threads: dict[int, str] = {}
        self._codes: dict[int, tuple[str, str, int]] = {}  # (filename, qualified name, first line)
        self._stacks: dict[int, tuple[tuple[int, int], ...]] = {}  # (code id, line), innermost first
        self._graphs: dict[int, tuple[tuple[int, ...], Any, Any]] = {}  # name ids, parameters, edges
        self._backwards: dict[int, Backward] = {}  # begin_ns monotonic
        self._newest_backward = 0
        self.backward_bytes = 0  # held in arrays of backwards
        self.graph_bytes = 0  # held in graphs, about
        self._unknown_nodes: dict[int, tuple[Any, Any, Any]] = {}
        self._stack_cache: dict[int, tuple[CodeLine, ...]] = {}
        self._cached_prefixes: tuple[str, ...] = ()
        self._backward_cache: dict[int, Backward] = {}
        self._backward_clock: ClockView | None = None
        self._readers: dict[DefinitionKind, Callable[[int, bytes], None]] = {
            DefinitionKind.STRING: self._add_string,
            DefinitionKind.CODE: self._add_code,
            DefinitionKind.STACK: self._add_stack,
            DefinitionKind.SHAPE: self._add_shape,
            DefinitionKind.THREAD: self._add_thread,
            DefinitionKind.GRAPH: self._add_graph,
            DefinitionKind.BACKWARD: self._add_backward,
        }

    def add(self, definition: Definition) -> None:
        """Take in one definition that is not a message; raises ProtocolError if its payload does not fit its kind."""
        try:
            self._readers[definition.kind](definition.id, definition.payload)
        except (struct.error, ValueError, OverflowError) as error:
            raise ProtocolError(f"{definition.kind.name.lower()} definition {definition.id} does not fit: {error}") from None

    def stacks(self, library_prefixes: tuple[str, ...]) -> dict[int, tuple[CodeLine, ...]]:
        """Every stack with its frames resolved; a frame is the user's if its file lies under none of the prefixes."""
        if library_prefixes != self._cached_prefixes:
            self._stack_cache = {}
            self._cached_prefixes = library_prefixes
        if len(self._stack_cache) < len(self._stacks):
            for stack in self._stacks.keys() - self._stack_cache.keys():
                if all(code in self._codes for code, _ in self._stacks[stack]):
                    self._stack_cache[stack] = tuple(self._code_line(code, line) for code, line in self._stacks[stack])
        unresolved = {
            stack: tuple(self._code_line(code, line) for code, line in self._stacks[stack]) for stack in self._stacks.keys() - self._stack_cache.keys()
        }
        return {**self._stack_cache, **unresolved}

    def graphs(self) -> dict[int, GraphShape]:
        return {
            graph: GraphShape(tuple(self.strings.get(name, "?") for name in names), parameters, edges)
            for graph, (names, parameters, edges) in self._graphs.items()
        }

    @property
    def newest_backward(self) -> int:
        """The id of the backward that began last, which counts from 1; 0 for none."""
        return self._newest_backward

    def backwards(self, clock: ClockView) -> dict[int, Backward]:
        """Every backward with its begin in run time."""
        if clock != self._backward_clock:
            self._backward_cache = {}
            self._backward_clock = clock
        for identity in self._backwards.keys() - self._backward_cache.keys():
            raw = self._backwards[identity]
            self._backward_cache[identity] = Backward(
                raw.id, raw.graph, clock.run_time(raw.begin_ns), raw.parent, raw.node_addresses, raw.sequence_nrs, raw.forward_threads
            )
        return dict(sorted(self._backward_cache.items()))

    def retire_backwards(self, span: tuple[int, int]) -> set[int]:
        """Let go of the addresses and numbers of the backwards that began in a span of monotonic time; the ids of those.

        They stay on the list, with nothing known of their nodes (stride 0: no memory).
        """
        retired = {identity for identity, backward in self._backwards.items() if span[0] < backward.begin_ns <= span[1] and backward.sequence_nrs.strides[0]}
        for identity in retired:
            known = self._backwards[identity]
            count = len(known.sequence_nrs)
            if count not in self._unknown_nodes:
                self._unknown_nodes[count] = (np.broadcast_to(np.uint64(0), count), np.broadcast_to(np.int64(-1), count), np.broadcast_to(np.uint32(0), count))
            self._backwards[identity] = Backward(identity, known.graph, known.begin_ns, known.parent, *self._unknown_nodes[count])
            self._backward_cache.pop(identity, None)
            self.backward_bytes -= BACKWARD_BYTES + 20 * count
        return retired

    def forget_backwards(self, span: tuple[int, int], known: Set[int]) -> None:
        """Take those off the list that began in a span of monotonic time and are not among ``known``."""
        gone = [identity for identity, backward in self._backwards.items() if identity not in known and span[0] < backward.begin_ns <= span[1]]
        for identity in gone:
            backward = self._backwards.pop(identity)
            self._backward_cache.pop(identity, None)
            if backward.sequence_nrs.strides[0]:
                self.backward_bytes -= BACKWARD_BYTES + 20 * len(backward.sequence_nrs)

    def retire_graphs(self) -> None:
        """Let go of the graphs that only retired backwards had."""
        used = {backward.graph for backward in self._backwards.values() if backward.sequence_nrs.strides[0]}
        before = len(self._graphs)
        self._graphs = {graph: shape for graph, shape in self._graphs.items() if graph in used}
        if before:
            self.graph_bytes = self.graph_bytes * len(self._graphs) // before

    def _code_line(self, code: int, line: int) -> CodeLine:
        filename, function, first_line = self._codes.get(code, UNKNOWN_CODE)
        is_file = filename == STANDARD_INPUT or not filename.startswith(("<", "?"))
        is_users = is_file and not filename.startswith(self._cached_prefixes)
        return CodeLine(filename, line, function, is_users, first_line)

    def _add_string(self, identity: int, payload: bytes) -> None:
        self.strings[identity] = _text(payload, 4, U32.unpack_from(payload)[0])

    def _add_code(self, identity: int, payload: bytes) -> None:
        first_line, filename_length, name_length = CODE_HEAD.unpack_from(payload)
        at = CODE_HEAD.size
        self._codes[identity] = (_text(payload, at, filename_length), _text(payload, at + filename_length, name_length), first_line)

    def _add_stack(self, identity: int, payload: bytes) -> None:
        (count,) = U32.unpack_from(payload)
        _need(payload, 4 + 8 * count)
        self._stacks[identity] = tuple(PAIR.iter_unpack(payload[4 : 4 + 8 * count]))

    def _add_shape(self, identity: int, payload: bytes) -> None:
        (dimensions,) = U32.unpack_from(payload)
        numbers = struct.unpack_from(f"<{2 * dimensions}q", payload, 8)
        self.shapes[identity] = Shape(numbers[:dimensions], numbers[dimensions:])

    def _add_thread(self, identity: int, payload: bytes) -> None:
        _, length = THREAD_HEAD.unpack_from(payload)
        self.threads[identity] = _text(payload, THREAD_HEAD.size, length)

    def _add_graph(self, identity: int, payload: bytes) -> None:
        nodes, edges = PAIR.unpack_from(payload)
        _need(payload, 8 + 8 * nodes + 16 * edges)
        pairs = np.frombuffer(payload, "<u4", 2 * nodes, 8).reshape(-1, 2)
        links = np.frombuffer(payload, "<u4", 4 * edges, 8 + 8 * nodes).reshape(-1, 4)
        if edges and int(links[:, [0, 2]].max()) >= nodes:
            raise ValueError("an edge leads to no node")
        self.graph_bytes += GRAPH_BYTES_A_PAYLOAD_BYTE * len(payload)
        self._graphs[identity] = (tuple(pairs[:, 0].tolist()), pairs[:, 1].copy(), links.copy())

    def _add_backward(self, identity: int, payload: bytes) -> None:
        graph, nodes, begin_ns, parent = BACKWARD_HEAD.unpack_from(payload)
        at = BACKWARD_HEAD.size
        _need(payload, at + 20 * nodes)
        addresses = np.frombuffer(payload, "<u8", nodes, at)
        numbers = np.frombuffer(payload, "<i8", nodes, at + 8 * nodes)
        threads = np.frombuffer(payload, "<u4", nodes, at + 16 * nodes)
        self._newest_backward = max(self._newest_backward, identity)
        self._backwards[identity] = Backward(identity, graph, begin_ns, parent, addresses, numbers, threads)
        self.backward_bytes += BACKWARD_BYTES + 20 * nodes


def library_prefixes(facts: Mapping[str, Any]) -> tuple[str, ...]:
    """The paths of ``facts`` under which a file is not the user's, each ending in a separator."""
    prefixes = facts.get("library_prefixes") or ()
    return tuple(prefix if prefix.endswith("/") else f"{prefix}/" for prefix in prefixes if isinstance(prefix, str))


def _text(payload: bytes, at: int, length: int) -> str:
    _need(payload, at + length)
    return payload[at : at + length].decode("utf-8", "backslashreplace")


def _need(payload: bytes, length: int) -> None:
    if length > len(payload):
        raise ValueError(f"{length} bytes announced, {len(payload)} there")
