"""The host's view of the shared area: maps the received memory, copies what the probe committed, gives full blocks back.

The one Linux-only file of the reading side. Words are read and written whole through aligned NumPy arrays; a lock taken and released between a word and
the bytes it guards orders them on processors that may reorder reads (aarch64).
"""

import contextlib
import mmap
import os
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from threading import Lock
from typing import Final

import numpy as np

from tensorscope.errors import ProtocolError
from tensorscope.protocol import area

STATE, KIND, THREAD, SEQUENCE, COMMITTED = range(5)
HEAD: Final = struct.Struct("<III")
RUNNING: Final = struct.Struct("<IIIqQ")
CONTENT_BYTES: Final = area.BLOCK_SIZE - area.BLOCK_HEADER_SIZE


@dataclass(frozen=True, slots=True)
class Chunk:
    """Bytes that the probe committed to one block since the last look."""

    kind: int  # area.BLOCK_RECORDS or area.BLOCK_DEFINITIONS
    thread: int
    content: bytes


@dataclass(frozen=True, slots=True)
class Running:
    """What a thread runs: its outermost operator, or a node."""

    thread: int
    id: int
    name: int  # string id
    stack: int
    begin_ns: int
    is_node: bool


class AreaMap:
    """One debuggee's area. ``collect`` belongs to one thread; the words may be written by any."""

    def __init__(self, fd: int) -> None:
        """Map the area; the descriptor stays the caller's. Raises ProtocolError if it is none of ours."""
        size = os.fstat(fd).st_size
        if size < area.HEADER_SIZE:
            raise ProtocolError(f"the shared area has only {size} bytes")
        self._map = mmap.mmap(fd, size)
        self._words = np.frombuffer(self._map, np.uint32, area.HEADER_SIZE // 4)
        self._long_words = np.frombuffer(self._map, np.uint64, area.HEADER_SIZE // 8)
        self._room = (size - area.HEADER_SIZE) // area.BLOCK_SIZE  # blocks that the file has room for
        self._read = np.zeros(0, np.uint32)  # bytes of each block's content that were copied
        self._blocks = np.zeros((0, 5), np.uint32)
        if self._map[:8] != area.MAGIC or self._words[2] != area.BLOCK_SIZE or self.word(area.BLOCK_COUNT) > self._room:
            self.close()
            raise ProtocolError("the shared area has a wrong beginning")
        self._grow()
        self._barrier = Lock()

    def collect(self) -> Iterator[Chunk]:
        """What is new in all blocks, in the order in which the blocks were lent. A full block is given back once it is copied."""
        self._grow()
        states = self._blocks[:, STATE].copy()  # before the committed bytes: those of a block that is full by then are final
        with self._barrier:
            heads = self._blocks.copy()
        with self._barrier:
            is_fresh = (states == area.BLOCK_FULL) | ((states == area.BLOCK_WRITING) & (heads[:, COMMITTED] > self._read))
        fresh = np.flatnonzero(is_fresh)
        for index in fresh[np.argsort(heads[fresh, SEQUENCE])].tolist():
            yield from self._collect_block(index, int(states[index]), heads[index].tolist())

    def running(self) -> list[Running]:
        """What each thread runs, or ran when the process was killed. Belongs to the thread that collects."""
        self._grow()
        begins = range(area.HEADER_SIZE, area.HEADER_SIZE + len(self._read) * area.BLOCK_SIZE, area.BLOCK_SIZE)
        heads = (self._map[begin : begin + area.BLOCK_HEADER_SIZE] for begin in begins)
        return [running for head in heads if (running := _running(head)) is not None]

    def _grow(self) -> None:
        """The area may have more blocks than when we last looked."""
        count = min(self.word(area.BLOCK_COUNT), self._room)
        if count > len(self._read):
            self._blocks = np.ndarray((count, 5), np.uint32, self._map, area.HEADER_SIZE, (area.BLOCK_SIZE, 4))
            self._read = np.concatenate((self._read, np.zeros(count - len(self._read), np.uint32)))

    def _collect_block(self, index: int, state: int, head: list[int]) -> Iterator[Chunk]:
        begin, end = int(self._read[index]), min(head[COMMITTED], CONTENT_BYTES)
        at = area.HEADER_SIZE + index * area.BLOCK_SIZE + area.BLOCK_HEADER_SIZE
        content = self._map[at + begin : at + end]
        self._read[index] = end
        if state == area.BLOCK_FULL:
            self._read[index] = 0
            with self._barrier:
                self._blocks[index, STATE] = area.BLOCK_FREE
        if content:
            yield Chunk(head[KIND], head[THREAD], content)

    @property
    def block_count(self) -> int:
        """Of the blocks that were there at the last look."""
        return len(self._read)

    def set_word(self, offset: int, value: int) -> None:
        """Store a u32 word of the header (ENABLED, ARMED, READER_PRESENT)."""
        self._words[offset // 4] = value

    def word(self, offset: int) -> int:
        return int(self._words[offset // 4])

    def beat(self, monotonic_ns: int) -> None:
        self._long_words[area.HEARTBEAT // 8] = monotonic_ns

    def counter(self, offset: int) -> int:
        """A u64 word of the header (DROPPED, COST, EVENTS)."""
        return int(self._long_words[offset // 8])

    def close(self) -> None:
        """Unmap. A process that runs on without us keeps the area mapped: all but its header is given back to the system."""
        with contextlib.suppress(OSError):
            self._map.madvise(mmap.MADV_REMOVE, area.HEADER_SIZE)
        del self._words, self._long_words
        if hasattr(self, "_blocks"):
            del self._blocks
        self._map.close()


def _running(head: bytes) -> Running | None:
    """What a block's header says of its thread."""
    state, kind, thread = HEAD.unpack_from(head)
    name, stack, flags, begin_ns, identity = RUNNING.unpack_from(head, area.RUNNING_NAME)
    if state != area.BLOCK_WRITING or kind != area.BLOCK_RECORDS or begin_ns <= 0:
        return None
    return Running(thread, identity, name, stack, begin_ns, bool(flags & 1))
