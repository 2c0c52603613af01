"""The bytes of definitions (strings, code objects, stacks, shapes, graphs) and of tracker messages in definition blocks.

A definition block is a run of entries, each padded to 8 bytes::

    u32 size      whole entry, header and padding included
    u8  kind      DefinitionKind
    u8[3]         zero
    u32 id        counts from 1 within its kind (MESSAGE: the message's number)
    u32 reserved  zero
    payload

Payloads, little-endian:

    STRING    UTF-8 bytes; length u32 first
    CODE      u32 first_line; u32 filename_length; u32 qualname_length; filename; qualname
    STACK     u32 count; count × (u32 code id, u32 line), innermost frame first
    SHAPE     u32 dimensions; u32 zero; i64 sizes[d]; i64 strides[d]
    THREAD    id = RecordFunction thread id; u64 native thread id; u32 name_length; name
    GRAPH     u32 nodes; u32 edges; nodes × (u32 name string id, u32 parameter id or 0);
              edges × (u32 from node, u32 output_nr (position in next_functions), u32 to node, u32 input_nr). Equal shapes are defined once.
    BACKWARD  one a backward, id = backward id: u32 graph id; u32 nodes; i64 begin_ns; i64 parent backward id or 0;
              u64 node address[n]; i64 sequence_nr[n]; u32 forward thread[n] (RecordFunction thread id)
    MESSAGE   u32 part; u32 parts; u32 length; UTF-8 JSON bytes of that part, to be joined in order (``protocol.messages``)
    PART      a piece of a definition that does not fit one block (a graph of 10,000 nodes): u32 whole (a number of its own), u32 kind of the
              whole, u32 part, u32 parts, u32 length, u32 zero, bytes. Header id = id of the whole. ``PartJoiner`` puts them together.
"""

import struct
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from tensorscope.errors import ProtocolError
from tensorscope.protocol.records import DefinitionKind

ENTRY_HEADER: Final = struct.Struct("<IB3xII")
PART_HEADER: Final = struct.Struct("<IIIIII")  # whole, kind, part, parts, length, zero


@dataclass(frozen=True, slots=True)
class Definition:
    kind: DefinitionKind
    id: int
    payload: bytes


def split_definitions(block: bytes) -> Iterator[Definition]:
    """Split the committed bytes of a definition block; raises ProtocolError at the first entry that does not fit."""
    at = 0
    while at < len(block):
        if at + ENTRY_HEADER.size > len(block):
            raise ProtocolError(f"definition block is cut at byte {at}")
        size, kind, identity, _ = ENTRY_HEADER.unpack_from(block, at)
        if size < ENTRY_HEADER.size or size % 8 or at + size > len(block):
            raise ProtocolError(f"definition at byte {at} has the impossible size {size}")
        try:
            known = DefinitionKind(kind)
        except ValueError:
            raise ProtocolError(f"definition at byte {at} has the unknown kind {kind}") from None
        yield Definition(known, identity, block[at + ENTRY_HEADER.size : at + size])
        at += size


class PartJoiner:
    """Joins PART definitions into the whole ones they are pieces of; passes all others through. One a process's definitions, in order of arrival."""

    def __init__(self) -> None:
        self._pieces: dict[int, list[bytes | None]] = {}

    def join(self, definition: Definition) -> Definition | None:
        """The definition itself, the whole one when its last piece came, else None; raises ProtocolError for a piece that does not fit."""
        if definition.kind is not DefinitionKind.PART:
            return definition
        if len(definition.payload) < PART_HEADER.size:
            raise ProtocolError(f"a piece of definition {definition.id} is too short")
        whole, kind, part, parts, length, _ = PART_HEADER.unpack_from(definition.payload)
        pieces = self._pieces.setdefault(whole, [None] * min(parts, 1 << 16))
        if part >= len(pieces) or len(pieces) != parts or PART_HEADER.size + length > len(definition.payload):
            raise ProtocolError(f"piece {part} of {parts} of definition {definition.id} does not fit")
        pieces[part] = definition.payload[PART_HEADER.size : PART_HEADER.size + length]
        found = [piece for piece in pieces if piece is not None]
        if len(found) < parts:
            return None
        del self._pieces[whole]
        try:
            return Definition(DefinitionKind(kind), definition.id, b"".join(found))
        except ValueError:
            raise ProtocolError(f"definition {definition.id} in pieces has the unknown kind {kind}") from None
