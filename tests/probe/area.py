"""A shared area as the host makes it, and a plain reader of what the probe wrote there, for tests."""

import mmap
import os
import struct
from collections import defaultdict
from dataclasses import dataclass, field
from typing import Any

from tensorscope.protocol import area as layout
from tensorscope.protocol.definitions import PartJoiner, split_definitions
from tensorscope.protocol.records import LAYOUT, RECORD_SIZE, DefinitionKind, RecordKind

U32 = struct.Struct("<I")
CODES = {"u1": "B", "i1": "b", "u2": "H", "u4": "I", "i4": "i", "u8": "Q", "i8": "q", "f8": "d"}


@dataclass
class Recorded:
    """Everything in an area: records by kind (each a dict with ``thread``), in block order, and definitions decoded."""

    records: dict[RecordKind, list[dict[str, Any]]] = field(default_factory=lambda: defaultdict(list))
    definitions: dict[DefinitionKind, dict[int, bytes]] = field(default_factory=lambda: defaultdict(dict))
    messages: list[bytes] = field(default_factory=list)
    blocks: list[tuple[int, int, int, int, int]] = field(default_factory=list)  # state, kind, thread, sequence, committed

    @property
    def operators(self) -> list[dict[str, Any]]:
        return self.records[RecordKind.OPERATOR]

    def string(self, identity: int) -> str:
        payload = self.definitions[DefinitionKind.STRING][identity]
        return payload[4 : 4 + U32.unpack_from(payload)[0]].decode()

    def shape(self, identity: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
        payload = self.definitions[DefinitionKind.SHAPE][identity]
        (dimensions,) = U32.unpack_from(payload)
        numbers = struct.unpack_from(f"<{2 * dimensions}q", payload, 8)
        return numbers[:dimensions], numbers[dimensions:]

    def code(self, identity: int) -> tuple[str, str]:
        payload = self.definitions[DefinitionKind.CODE][identity]
        _, file, name = struct.unpack_from("<III", payload)
        return payload[12 : 12 + file].decode(), payload[12 + file : 12 + file + name].decode()

    def stack(self, identity: int) -> list[tuple[str, int, str]]:
        """(file, line, function), innermost first."""
        payload = self.definitions[DefinitionKind.STACK][identity]
        (count,) = U32.unpack_from(payload)
        pairs = struct.iter_unpack("<II", payload[4 : 4 + 8 * count])
        return [(self.code(code)[0], line, self.code(code)[1]) for code, line in pairs]

    def graph(self, identity: int) -> tuple[list[tuple[str, int]], list[tuple[int, int, int, int]]]:
        """Nodes as (name, parameter id), edges as (from, output_nr, to, input_nr)."""
        payload = self.definitions[DefinitionKind.GRAPH][identity]
        nodes, edges = struct.unpack_from("<II", payload)
        pairs = list(struct.iter_unpack("<II", payload[8 : 8 + 8 * nodes]))
        begin = 8 + 8 * nodes
        return [(self.string(name), parameter) for name, parameter in pairs], list(struct.iter_unpack("<IIII", payload[begin : begin + 16 * edges]))

    def backward(self, identity: int) -> tuple[int, tuple[int, ...], tuple[int, ...]]:
        """(graph id, sequence numbers, forward threads)."""
        payload = self.definitions[DefinitionKind.BACKWARD][identity]
        graph, nodes = struct.unpack_from("<II", payload)
        return graph, struct.unpack_from(f"<{nodes}q", payload, 24 + 8 * nodes), struct.unpack_from(f"<{nodes}I", payload, 24 + 16 * nodes)


class TestArea:
    """An area in a memfd, with its header as the host writes it."""

    __test__ = False

    def __init__(self, block_count: int = 200, block_size: int = layout.BLOCK_SIZE, *, reader_present: bool = True) -> None:
        self.size = layout.HEADER_SIZE + block_count * block_size
        self.block_size = block_size
        self.block_count = block_count
        self.fd = os.memfd_create("test area")
        os.ftruncate(self.fd, self.size)
        self.memory = mmap.mmap(self.fd, self.size)
        self.memory[0:8] = layout.MAGIC
        struct.pack_into("<IIII", self.memory, 8, block_size, block_count, 1, 0)
        self.set_word(layout.READER_PRESENT, int(reader_present))
        self._joiner = PartJoiner()

    def word(self, offset: int, code: str = "I") -> int:
        return int(struct.unpack_from(f"<{code}", self.memory, offset)[0])

    def set_word(self, offset: int, value: int, code: str = "I") -> None:
        struct.pack_into(f"<{code}", self.memory, offset, value)

    def read(self, into: Recorded | None = None, *, free_full: bool = False) -> Recorded:
        """All committed content, blocks in the order of their lending. ``free_full`` gives full blocks back, as the host does."""
        recorded = into or Recorded()
        blocks = []
        for number in range(self.block_count):
            at = layout.HEADER_SIZE + number * self.block_size
            blocks.append((*struct.unpack_from("<IIIII", self.memory, at), at))
        for state, kind, thread, sequence, committed, at in sorted(blocks, key=lambda block: block[3]):
            if state == layout.BLOCK_FREE:
                continue
            recorded.blocks.append((state, kind, thread, sequence, committed))
            content = bytes(self.memory[at + layout.BLOCK_HEADER_SIZE : at + layout.BLOCK_HEADER_SIZE + committed])
            if kind == layout.BLOCK_RECORDS:
                self._read_records(content, thread, recorded)
            else:
                self._read_definitions(content, recorded)
            if free_full and state == layout.BLOCK_FULL:
                self.set_word(at, layout.BLOCK_FREE)
        return recorded

    def close(self) -> None:
        self.memory.close()
        os.close(self.fd)

    @staticmethod
    def _read_records(content: bytes, thread: int, recorded: Recorded) -> None:
        assert len(content) % RECORD_SIZE == 0
        for at in range(0, len(content), RECORD_SIZE):
            kind = RecordKind(content[at])
            row: dict[str, Any] = {"thread": thread}
            for entry in LAYOUT[kind]:
                row[entry.name] = struct.unpack_from("<" + CODES[entry.type], content, at + entry.offset)[0]
            recorded.records[kind].append(row)

    def _read_definitions(self, content: bytes, recorded: Recorded) -> None:
        for piece in split_definitions(content):
            definition = self._joiner.join(piece)
            if definition is None:
                continue
            if definition.kind is DefinitionKind.MESSAGE:
                recorded.messages.append(definition.payload)
            else:
                recorded.definitions[definition.kind][definition.id] = definition.payload
