"""Reads a debuggee's shared area in tests, from the descriptions in ``protocol`` alone: what the host's own reader is checked against."""

import json
import mmap
import struct
import time
from dataclasses import dataclass, field
from typing import Any

from tensorscope.protocol import area
from tensorscope.protocol.definitions import Definition, PartJoiner, split_definitions
from tensorscope.protocol.records import LAYOUT, RECORD_SIZE, DefinitionKind, RecordKind

FORMATS = {"u1": "B", "i1": "b", "u2": "H", "u4": "I", "i8": "q", "u8": "Q", "f8": "d"}


@dataclass
class Collected:
    """All that an area has told so far."""

    records: dict[RecordKind, list[dict[str, Any]]] = field(default_factory=lambda: {kind: [] for kind in RecordKind})
    definitions: list[Definition] = field(default_factory=list)
    messages: list[dict[str, Any]] = field(default_factory=list)

    def told(self, kind: str) -> list[dict[str, Any]]:
        return [message for message in self.messages if message["type"] == kind]

    def marks(self, kind: int) -> list[dict[str, Any]]:
        return [mark for mark in self.records[RecordKind.MARK] if mark["mark"] == kind]

    def strings(self) -> dict[int, str]:
        found = (definition for definition in self.definitions if definition.kind is DefinitionKind.STRING)
        return {definition.id: _text(definition.payload) for definition in found}


class AreaReader:
    """Maps an area; ``drain`` takes what is committed and gives full blocks back. Call it at least every 20 ms while the debuggee writes."""

    def __init__(self, descriptor: int) -> None:
        self._map = mmap.mmap(descriptor, 0)
        magic, block_size, self._block_count = struct.unpack_from("<8sII", self._map, 0)
        assert magic == area.MAGIC
        assert block_size == area.BLOCK_SIZE
        self._read: dict[tuple[int, int], int] = {}
        self._joiner = PartJoiner()
        self._parts: dict[int, dict[int, bytes]] = {}
        self.collected = Collected()
        self.write_word(area.READER_PRESENT, 1)

    def word(self, offset: int) -> int:
        return int(struct.unpack_from("<I", self._map, offset)[0])

    def write_word(self, offset: int, value: int) -> None:
        struct.pack_into("<I", self._map, offset, value)

    def drain(self) -> None:
        struct.pack_into("<Q", self._map, area.HEARTBEAT, time.monotonic_ns())
        blocks = []
        for number in range(self._block_count):
            at = area.HEADER_SIZE + number * area.BLOCK_SIZE
            state, kind, thread, sequence, committed = struct.unpack_from("<IIIII", self._map, at)
            if state != area.BLOCK_FREE:
                blocks.append((sequence, at, state, kind, thread, committed))
        for sequence, at, state, kind, thread, committed in sorted(blocks):
            done = self._read.get((at, sequence), 0)
            start = at + area.BLOCK_HEADER_SIZE
            self._take(bytes(self._map[start + done : start + committed]), kind, thread)
            self._read[at, sequence] = committed
            if state == area.BLOCK_FULL:
                del self._read[at, sequence]
                self.write_word(at, area.BLOCK_FREE)

    def close(self) -> None:
        self._map.close()

    def _take(self, content: bytes, kind: int, thread: int) -> None:
        if kind == area.BLOCK_RECORDS:
            for at in range(0, len(content), RECORD_SIZE):
                self._take_record(content[at : at + RECORD_SIZE], thread)
            return
        for piece in split_definitions(content):
            definition = self._joiner.join(piece)
            if definition is None:
                continue
            self.collected.definitions.append(definition)
            if definition.kind is DefinitionKind.MESSAGE:
                self._take_message(definition)

    def _take_record(self, record: bytes, thread: int) -> None:
        kind = RecordKind(record[0])
        fields = {entry.name: struct.unpack_from("<" + FORMATS[entry.type], record, entry.offset)[0] for entry in LAYOUT[kind]}
        self.collected.records[kind].append({**fields, "thread": thread})

    def _take_message(self, definition: Definition) -> None:
        part, parts, length = struct.unpack_from("<III", definition.payload)
        held = self._parts.setdefault(definition.id, {})
        held[part] = definition.payload[12 : 12 + length]
        if len(held) == parts:
            del self._parts[definition.id]
            self.collected.messages.append(json.loads(b"".join(held[number] for number in range(parts))))


def _text(payload: bytes) -> str:
    (length,) = struct.unpack_from("<I", payload)
    return payload[4 : 4 + length].decode()
