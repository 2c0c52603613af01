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
    MESSAGE   u32 part; u32 parts; UTF-8 JSON bytes of that part, to be joined in order (``protocol.messages``); length u32 first
"""

import struct
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from tensorscope.errors import ProtocolError
from tensorscope.protocol.records import DefinitionKind

ENTRY_HEADER: Final = struct.Struct("<IB3xII")


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
