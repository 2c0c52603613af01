"""Other tools' files as recordings: converted once into the cache, so that every command takes them."""

from __future__ import annotations

import hashlib
import json
import os
import re
import struct
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from tensorscope.errors import TensorScopeError
from tensorscope.protocol.definitions import ENTRY_HEADER
from tensorscope.protocol.records import LAYOUT, RECORD_SIZE, DefinitionKind, RecordKind
from tensorscope.recording.cuda_snapshot import CudaSnapshot, Event, Frames, is_cuda_snapshot, read_cuda_snapshot
from tensorscope.recording.format import SUFFIX
from tensorscope.recording.writer import RecordingWriter
from tensorscope.trace.ingest import batches_of_records

_KEPT: Final = 10
_VERSION: Final = 1  # of what is written here
_CUDA: Final = 1  # c10::DeviceType
_BEGIN_NS: Final = 1_000_000_000  # of the run on the recording's clock
_LIBRARY: Final = re.compile(r"^(.*[/\\](?:site-packages|dist-packages|lib[/\\]python3\.\d+)[/\\])")
_CODES: Final = {"u1": "B", "i1": "b", "u2": "H", "u4": "I", "i4": "i", "u8": "Q", "i8": "q"}
_ROWS_AT_ONCE: Final = 20_000


def as_recording(path: Path) -> Path:
    """``path`` itself, or the recording that was made of it. Raises TensorScopeError."""
    if not is_cuda_snapshot(path):
        return path
    kept = _place_of(path)
    if not kept.exists():
        snapshot = read_cuda_snapshot(path)
        fresh = kept.with_name(f"{kept.stem}-{os.getpid()}{SUFFIX}")
        _write(fresh, path, snapshot)
        fresh.replace(kept)
        _prune(kept.parent)
    return kept


def _prune(folder: Path) -> None:
    """Keep the newest few: the others can be made again."""
    by_age = sorted(folder.glob(f"*{SUFFIX}"), key=lambda file: file.stat().st_mtime_ns, reverse=True)
    for old in by_age[_KEPT:]:
        old.unlink(missing_ok=True)


def _place_of(path: Path) -> Path:
    folder = Path(os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")) / "tensorscope" / "imported"
    try:
        told = path.stat()
        folder.mkdir(parents=True, exist_ok=True)
    except FileNotFoundError:
        raise TensorScopeError(f"There is no file {path}.") from None
    except OSError as error:
        raise TensorScopeError(f"Cannot read {path} into {folder}: {(error.strerror or str(error)).lower()}.") from None
    identity = hashlib.sha256(f"{_VERSION} {path.resolve()} {told.st_size} {told.st_mtime_ns}".encode()).hexdigest()[:16]
    return folder / f"{path.stem}-{identity}{SUFFIX}"


def _write(target: Path, path: Path, snapshot: CudaSnapshot) -> None:
    stacks = _Stacks()
    rows = [_row(event, stacks) for event in snapshot.events]
    facts = {
        "type": "facts",
        "begin_ns": _BEGIN_NS,
        "wall_begin_ns": snapshot.begin_ns,
        "script": path.name,
        "imported": "CUDA memory snapshot",
        "library_prefixes": sorted({match[1] for event in snapshot.events for file, *_ in event.frames if (match := _LIBRARY.match(file))}),
    }
    writer = RecordingWriter(target)
    try:
        messages = [facts, {"type": "exit", "code": 0, "time_ns": _BEGIN_NS + snapshot.end_ns}]
        writer.add_definitions(_block(stacks.entries, messages), 0)
        for begin in range(0, len(rows), _ROWS_AT_ONCE):
            writer.add_batches(batches_of_records(b"".join(rows[begin : begin + _ROWS_AT_ONCE]), 1)[0], 0)
    finally:
        writer.close()


class _Stacks:
    """Gives stacks their ids, and the definitions that go with them."""

    def __init__(self) -> None:
        self.entries: list[tuple[DefinitionKind, int, bytes]] = []
        self._stacks: dict[Frames, int] = {(): 0}
        self._codes: dict[tuple[str, str], int] = {}

    def id_of(self, frames: Frames) -> int:
        if frames not in self._stacks:
            pairs = [(self._code(file, function), line) for file, line, function in frames]
            self._stacks[frames] = len(self._stacks)
            self.entries.append(
                (DefinitionKind.STACK, self._stacks[frames], struct.pack("<I", len(pairs)) + b"".join(struct.pack("<II", *pair) for pair in pairs))
            )
        return self._stacks[frames]

    def _code(self, file: str, function: str) -> int:
        if (file, function) not in self._codes:
            self._codes[file, function] = len(self._codes) + 1
            name, qualified = file.encode(), function.encode()
            self.entries.append((DefinitionKind.CODE, len(self._codes), struct.pack("<III", 1, len(name), len(qualified)) + name + qualified))
        return self._codes[file, function]


def _row(event: Event, stacks: _Stacks) -> bytes:
    values = {
        "action": event.action,
        "device_type": _CUDA,
        "device_index": event.device,
        "address": event.address,
        "size": event.size,
        "time_ns": _BEGIN_NS + event.time_ns,
        "stream": event.stream,
        "stack": stacks.id_of(event.frames),
    }
    record = bytearray(RECORD_SIZE)
    record[0] = RecordKind.ALLOCATION
    for field in LAYOUT[RecordKind.ALLOCATION]:
        struct.pack_into("<" + _CODES[field.type], record, field.offset, values.get(field.name, 0))
    return bytes(record)


def _block(entries: Iterable[tuple[DefinitionKind, int, bytes]], messages: Iterable[dict[str, object]]) -> bytes:
    """A definition block: codes, stacks, messages."""
    bodies = [(number, json.dumps(message).encode()) for number, message in enumerate(messages, 1)]
    told = [(DefinitionKind.MESSAGE, number, struct.pack("<III", 0, 1, len(body)) + body) for number, body in bodies]
    parts = []
    for kind, identity, payload in (*entries, *told):
        padded = payload + bytes(-len(payload) % 8)
        parts.append(ENTRY_HEADER.pack(ENTRY_HEADER.size + len(padded), kind, identity, 0) + padded)
    return b"".join(parts)
