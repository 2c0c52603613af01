"""What records name by number: strings, code objects, stacks, shapes, threads, graphs; and the trackers' messages."""

import struct
import sys
from _thread import get_ident, get_native_id
from types import CodeType, FrameType
from typing import Final

from tensorscope.agent.python_probe.area import CAPACITY, AreaWriter
from tensorscope.protocol.definitions import ENTRY_HEADER, PART_HEADER
from tensorscope.protocol.records import DefinitionKind

MESSAGE_HEADER: Final = struct.Struct("<III")
LARGEST: Final = CAPACITY - ENTRY_HEADER.size - PART_HEADER.size - 8
MAX_FRAMES: Final = 128

GraphShape = tuple[tuple[tuple[int, int], ...], tuple[tuple[int, int, int, int], ...]]
"""Nodes (name, parameter) and edges (from, output_nr, to, input_nr)."""


class Definitions:
    """Every thing is defined once; code objects are kept, so that no address is used again."""

    def __init__(self, area: AreaWriter) -> None:
        self._area = area
        self._strings: dict[str, int] = {}
        self._codes: dict[int, tuple[int, CodeType]] = {}  # by address: equal code objects may stand in different files
        self._lines: dict[tuple[int, int], tuple[int, int]] = {}  # (code, instruction) → (code's number, line)
        self._stacks: dict[tuple[tuple[int, int], ...], int] = {}
        self._shapes: dict[tuple[tuple[int, ...], tuple[int, ...]], int] = {}
        self._graphs: dict[GraphShape, int] = {}
        self._threads: dict[int, int] = {}
        self._messages = 0
        self._wholes = 0

    def string(self, text: str) -> int:
        number = self._strings.get(text)
        if number is None:
            number = self._strings[text] = len(self._strings) + 1
            data = text.encode("utf-8", "backslashreplace")
            self._write(DefinitionKind.STRING, number, struct.pack("<I", len(data)) + data)
        return number

    def shape(self, sizes: tuple[int, ...], strides: tuple[int, ...]) -> int:
        number = self._shapes.get((sizes, strides))
        if number is None:
            number = self._shapes[sizes, strides] = len(self._shapes) + 1
            self._write(DefinitionKind.SHAPE, number, struct.pack(f"<II{2 * len(sizes)}q", len(sizes), 0, *sizes, *strides))
        return number

    def thread(self) -> int:
        """This thread's number, counting from 1."""
        ident = get_ident()
        number = self._threads.get(ident)
        if number is None:
            number = self._threads[ident] = len(self._threads) + 1
            name = b"main" if number == 1 else b""
            self._write(DefinitionKind.THREAD, number, struct.pack("<QI", get_native_id(), len(name)) + name)
        return number

    def stack(self, frame: FrameType | None) -> int:
        """Of ``frame`` and those around it; 0 for none."""
        found: list[tuple[int, int]] = []
        while frame is not None and len(found) < MAX_FRAMES:
            code = frame.f_code
            key = id(code), frame.f_lasti
            line = self._lines.get(key)
            if line is None:
                line = self._lines[key] = self._code(code), frame.f_lineno or 0
            found.append(line)
            frame = frame.f_back
        stack = tuple(found)
        number = self._stacks.get(stack)
        if number is None and stack:
            number = self._stacks[stack] = len(self._stacks) + 1
            self._write(DefinitionKind.STACK, number, struct.pack("<I", len(stack)) + b"".join(struct.pack("<II", *one) for one in stack))
        return number or 0

    def graph(self, shape: GraphShape) -> tuple[int, bool]:
        """A graph's number, and whether its shape is new."""
        number = self._graphs.get(shape)
        if number is not None:
            return number, False
        number = self._graphs[shape] = len(self._graphs) + 1
        nodes, edges = shape
        head = struct.pack("<II", len(nodes), len(edges))
        self._write(
            DefinitionKind.GRAPH, number, head + b"".join(struct.pack("<II", *node) for node in nodes) + b"".join(struct.pack("<IIII", *edge) for edge in edges)
        )
        return number, True

    def backward(self, number: int, graph: int, begin_ns: int, parent: int, nodes: list[tuple[int, int]], thread: int) -> None:
        """``nodes``: (address, sequence number) of each."""
        count = len(nodes)
        payload = struct.pack("<IIqq", graph, count, begin_ns, parent)
        payload += struct.pack(f"<{count}Q{count}q{count}I", *(node[0] for node in nodes), *(node[1] for node in nodes), *[thread] * count)
        self._write(DefinitionKind.BACKWARD, number, payload)

    def message(self, body: bytes) -> None:
        self._messages += 1
        step = LARGEST - MESSAGE_HEADER.size
        parts = [body[at : at + step] for at in range(0, len(body), step)]
        for part, data in enumerate(parts):
            self._entry(DefinitionKind.MESSAGE, self._messages, MESSAGE_HEADER.pack(part, len(parts), len(data)) + data)

    def _code(self, code: CodeType) -> int:
        known = self._codes.get(id(code))
        number = len(self._codes) + 1 if known is None else known[0]
        if known is None:
            self._codes[id(code)] = number, code
            name = getattr(code, "co_qualname", code.co_name) if sys.version_info >= (3, 11) else code.co_name
            filename, qualname = code.co_filename.encode("utf-8", "backslashreplace"), name.encode("utf-8", "backslashreplace")
            self._write(DefinitionKind.CODE, number, struct.pack("<III", code.co_firstlineno, len(filename), len(qualname)) + filename + qualname)
        return number

    def _write(self, kind: DefinitionKind, number: int, payload: bytes) -> None:
        if len(payload) <= LARGEST:
            self._entry(kind, number, payload)
            return
        self._wholes += 1
        pieces = [payload[at : at + LARGEST] for at in range(0, len(payload), LARGEST)]
        for part, data in enumerate(pieces):
            self._entry(DefinitionKind.PART, number, PART_HEADER.pack(self._wholes, kind, part, len(pieces), len(data), 0) + data)

    def _entry(self, kind: DefinitionKind, number: int, payload: bytes) -> None:
        padding = -(ENTRY_HEADER.size + len(payload)) % 8
        self._area.definition(ENTRY_HEADER.pack(ENTRY_HEADER.size + len(payload) + padding, kind, number, 0) + payload + bytes(padding))
