"""The one frame that holds events outside the rings: in recordings, and wherever a session is relayed.

A frame, little-endian::

      0  4s   magic "TSFR"
      4  u16  version (1)
      6  u16  zero
      8  u32  header length h
     12  u32  zero
     16  u64  length of all columns together, padding included
     24  …    header: UTF-8 JSON object, padded with zeros to 8 bytes
      …  …    the columns one after the other: rows × item size bytes each, padded with zeros to 8 bytes

Header keys: ``kind`` ("rows", "definitions", "message"), ``table`` ("" unless rows), ``rank``, ``rows``, ``columns`` [[name, type], …] with the type names of
``protocol.records`` (``u1 i8 f8`` …; ``r64`` is a whole record), ``first_ns`` and ``last_ns`` (monotonic, 0: none), ``iteration`` and ``last_iteration`` (those
running at its first and last row). "definitions" and "message" have one column ``bytes`` of type ``u1``: entries as in ``protocol.definitions``, or a message's
JSON.

Decoding looks at every length and type before it uses it; what does not fit raises ProtocolError. Columns are given as views into the payload.
"""

import json
import struct
from dataclasses import dataclass
from typing import Any, Final

from tensorscope.errors import ProtocolError

MAGIC: Final = b"TSFR"
VERSION: Final = 1
HEAD: Final = struct.Struct("<4sHHIIQ")
ITEM_SIZES: Final = {"u1": 1, "i1": 1, "u2": 2, "i2": 2, "u4": 4, "i4": 4, "u8": 8, "i8": 8, "f4": 4, "f8": 8, "r64": 64}
KINDS: Final = ("rows", "definitions", "message")
MAX_HEADER_BYTES: Final = 64 * 1024
MAX_COLUMNS: Final = 64
MAX_ROWS: Final = 1 << 30


@dataclass(frozen=True, slots=True)
class FrameColumn:
    name: str
    type: str
    data: bytes | memoryview  # rows × item size


@dataclass(frozen=True, slots=True)
class Frame:
    kind: str
    table: str
    rank: int
    rows: int
    columns: tuple[FrameColumn, ...]
    first_ns: int = 0
    last_ns: int = 0
    iteration: int = 0
    last_iteration: int = 0


def bytes_frame(kind: str, data: bytes, *, rank: int = 0, iteration: int = 0) -> Frame:
    """A frame of definitions or of one message."""
    return Frame(kind, "", rank, len(data), (FrameColumn("bytes", "u1", data),), iteration=iteration, last_iteration=iteration)


def encode_frame(frame: Frame) -> bytes:
    header = json.dumps(
        {
            "kind": frame.kind,
            "table": frame.table,
            "rank": frame.rank,
            "rows": frame.rows,
            "columns": [[column.name, column.type] for column in frame.columns],
            "first_ns": frame.first_ns,
            "last_ns": frame.last_ns,
            "iteration": frame.iteration,
            "last_iteration": frame.last_iteration,
        },
        separators=(",", ":"),
    ).encode()
    parts: list[bytes | memoryview] = [header, bytes(-len(header) % 8)]
    body = 0
    for column in frame.columns:
        size = len(column.data)
        if size != frame.rows * ITEM_SIZES[column.type]:
            raise ProtocolError(f"column {column.name} of {_name(frame.kind, frame.table)} has {size} bytes for {frame.rows} rows of {column.type}")
        parts += [column.data, bytes(-size % 8)]
        body += size + -size % 8
    return b"".join((HEAD.pack(MAGIC, VERSION, 0, len(header), 0, body), *parts))


def decode_frame(payload: bytes | memoryview) -> Frame:
    """The frame in ``payload``, which must be whole and hold nothing else; raises ProtocolError saying what does not fit."""
    view = memoryview(payload)
    if len(view) < HEAD.size:
        raise ProtocolError(f"frame is cut: {len(view)} bytes")
    magic, version, zero, header_length, zero_too, body_length = HEAD.unpack_from(view)
    if magic != MAGIC:
        raise ProtocolError("frame has a wrong beginning")
    if version != VERSION:
        raise ProtocolError(f"frame has version {version}, this TensorScope reads version {VERSION}")
    body_at = HEAD.size + header_length + -header_length % 8
    if zero or zero_too or header_length > MAX_HEADER_BYTES or body_at + body_length != len(view):
        raise ProtocolError(f"frame has impossible lengths: header {header_length}, columns {body_length}, {len(view)} bytes in all")
    return _frame(_header(view[HEAD.size : HEAD.size + header_length]), view[body_at:])


def _header(data: memoryview) -> dict[str, Any]:
    try:
        header = json.loads(bytes(data))
    except (ValueError, RecursionError) as error:
        raise ProtocolError(f"frame header is not JSON: {error}") from None
    if not isinstance(header, dict) or header.get("kind") not in KINDS or not isinstance(header.get("table"), str):
        raise ProtocolError("frame header says no known kind")
    return header


def _frame(header: dict[str, Any], body: memoryview) -> Frame:
    name = _name(header["kind"], header["table"])
    rows = _number(header, "rows", name, MAX_ROWS)
    described = header.get("columns")
    if not isinstance(described, list) or len(described) > MAX_COLUMNS:
        raise ProtocolError(f"frame {name} has no list of columns")
    columns = []
    at = 0
    for entry in described:
        match entry:
            case [str() as column, str() as kind] if kind in ITEM_SIZES:
                size = rows * ITEM_SIZES[kind]
            case _:
                raise ProtocolError(f"frame {name} has a column of no known type: {entry!r:.80}")
        if at + size + -size % 8 > len(body):
            raise ProtocolError(f"frame {name} is cut in column {column!r:.80}")
        columns.append(FrameColumn(column, kind, body[at : at + size]))
        at += size + -size % 8
    if at != len(body) or len({column.name for column in columns}) != len(columns):
        raise ProtocolError(f"frame {name} holds more than its columns, or one twice")
    if header["kind"] != "rows" and [(column.name, column.type) for column in columns] != [("bytes", "u1")]:
        raise ProtocolError(f"frame {name} must have the one column bytes")
    limits = {"rank": 1 << 16, "first_ns": 1 << 63, "last_ns": 1 << 63, "iteration": 1 << 63, "last_iteration": 1 << 63}
    numbers = {key: _number(header, key, name, limit) for key, limit in limits.items()}
    return Frame(header["kind"], header["table"], rows=rows, columns=tuple(columns), **numbers)


def _number(header: dict[str, Any], key: str, name: str, limit: int) -> int:
    value = header.get(key)
    if type(value) is not int or not 0 <= value < limit:
        raise ProtocolError(f"frame {name} has an impossible {key}: {value!r:.80}")
    return value


def _name(kind: str, table: str) -> str:
    return f"{kind} {table[:80]}".strip()
