"""Tells messages through the area when no probe is there to do it: the script ended, or failed, before it imported torch."""

import json
import os
import struct
from collections.abc import Iterable
from typing import Any, Final

from tensorscope.agent.control import Area
from tensorscope.protocol.area import BLOCK_DEFINITIONS, BLOCK_FULL, BLOCK_HEADER_SIZE, BLOCK_SIZE, HEADER_SIZE, NEXT_SEQUENCE
from tensorscope.protocol.records import DefinitionKind

ENTRY_HEADER: Final = struct.Struct("<IB3xII")  # as protocol.definitions has it, which would load dataclasses and inspect here


def write_last_words(area: Area, messages: Iterable[dict[str, Any]]) -> None:
    """Fill the first block, which nobody has used, with the messages that fit into it."""
    content = b""
    for number, message in enumerate(messages, start=1):
        body = json.dumps(message, separators=(",", ":")).encode()
        payload = struct.pack("<III", 0, 1, len(body)) + body
        size = ENTRY_HEADER.size + len(payload)
        padding = -size % 8
        entry = ENTRY_HEADER.pack(size + padding, DefinitionKind.MESSAGE, number, 0) + payload + bytes(padding)
        if BLOCK_HEADER_SIZE + len(content) + len(entry) <= BLOCK_SIZE:
            content += entry
    os.pwrite(area.descriptor, content, HEADER_SIZE + BLOCK_HEADER_SIZE)
    os.pwrite(area.descriptor, struct.pack("<IIII", BLOCK_DEFINITIONS, 0, 0, len(content)), HEADER_SIZE + 4)
    os.pwrite(area.descriptor, struct.pack("<I", 1), NEXT_SEQUENCE)
    os.pwrite(area.descriptor, struct.pack("<I", BLOCK_FULL), HEADER_SIZE)
