"""Writes records and definitions into the shared area (its bytes: ``protocol.area``) from Python.

Whoever writes puts its bytes into a queue and empties the queue unless somebody else is at it: no thread waits for another, and a signal handler or a
finaliser that comes in between adds to the same queue. The area is mapped through ``ctypes``, since ``mmap`` would keep a descriptor among the script's own.
"""

import ctypes
import os
import time
from _thread import allocate_lock
from collections import deque
from typing import Final

from tensorscope.protocol.area import (
    BLOCK_DEFINITIONS,
    BLOCK_FREE,
    BLOCK_FULL,
    BLOCK_HEADER_SIZE,
    BLOCK_PREPARED,
    BLOCK_RECORDS,
    BLOCK_SIZE,
    BLOCK_WRITING,
    COST,
    DEFINITION_RESERVE,
    DROPPED,
    ENABLED,
    EVENTS,
    HEADER_SIZE,
    HEARTBEAT,
    NEXT_SEQUENCE,
    READER_PRESENT,
)
from tensorscope.protocol.records import RECORD_SIZE

CAPACITY: Final = BLOCK_SIZE - BLOCK_HEADER_SIZE
ROOM: Final = {BLOCK_RECORDS: CAPACITY // RECORD_SIZE * RECORD_SIZE, BLOCK_DEFINITIONS: CAPACITY}
STATE, KIND, THREAD, SEQUENCE, COMMITTED = range(5)  # words of a block's header
MAX_WAITING_BYTES: Final = 16 << 20
WINDOW_NS, LONGEST_WAIT_NS, FRESH_NS = 1_000_000_000, 50_000_000, 100_000_000  # as the native probe
NAP_S: Final = 0.0002
PROT_READ_WRITE: Final = 3
MAP_SHARED: Final = 1


class AreaWriter:
    def __init__(self, descriptor: int, size: int) -> None:
        """Map the area; the descriptor stays the caller's. Raises OSError."""
        library = ctypes.CDLL(None, use_errno=True)
        library.mmap.restype = ctypes.c_void_p
        library.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int, ctypes.c_int, ctypes.c_int, ctypes.c_long]
        address = library.mmap(None, size, PROT_READ_WRITE, MAP_SHARED, descriptor, 0)
        if address is None or address == ctypes.c_void_p(-1).value:
            number = ctypes.get_errno()
            raise OSError(number, os.strerror(number))
        self._bytes = memoryview((ctypes.c_ubyte * size).from_address(address)).cast("B")
        self._words = self._bytes.cast("I")
        self._long_words = self._bytes.cast("Q")
        self._count = (size - HEADER_SIZE) // BLOCK_SIZE
        self._reserve = min(self._count // 2, DEFINITION_RESERVE)
        self._blocks: dict[tuple[int, int], list[int]] = {}  # (kind, thread) → [block, used bytes]
        self._queue: deque[tuple[int, int, bytes]] = deque()
        self._waiting: deque[bytes] = deque()
        self._waiting_bytes = 0
        self._lock = allocate_lock()
        self._window_begin_ns = self._waited_ns = 0
        self._is_off = False

    def is_on(self) -> bool:
        return not self._is_off and self._words[ENABLED // 4] == 1

    def go_off(self) -> None:
        """For good: after ``stop`` and in a forked child, which shares the memory."""
        self._is_off = True

    def switch_off(self) -> None:
        """Write the word as the host does at detaching."""
        if not self._is_off:
            self._words[ENABLED // 4] = 0

    def records(self, thread: int, records: bytes) -> None:
        """Write whole records of one thread."""
        self._put(BLOCK_RECORDS, thread, records)

    def definition(self, entry: bytes) -> None:
        """Write one whole entry that fits a block."""
        self._put(BLOCK_DEFINITIONS, 0, entry)

    def drop(self, events: int) -> None:
        self._long_words[DROPPED // 8] += events

    def add_cost(self, duration_ns: int) -> None:
        self._long_words[COST // 8] += duration_ns

    def _put(self, kind: int, thread: int, data: bytes) -> None:
        self._queue.append((kind, thread, data))
        while self._queue and self._lock.acquire(False):
            try:
                while self._queue:
                    self._write(*self._queue.popleft())
            finally:
                self._lock.release()

    def _write(self, kind: int, thread: int, data: bytes) -> None:
        if not self.is_on():
            return
        if kind == BLOCK_DEFINITIONS:
            self._waiting.append(data)
            self._waiting_bytes += len(data)
            self._flush_definitions()
            return
        for at in range(0, len(data), ROOM[kind]):  # more than a block holds is cut between records
            part = data[at : at + ROOM[kind]]
            block = self._block(kind, thread, len(part))
            if block is None:
                self.drop(len(part) // RECORD_SIZE)
            else:
                self._append(block, part)
                self._long_words[EVENTS // 8] += len(part) // RECORD_SIZE

    def _flush_definitions(self) -> None:
        while self._waiting:
            block = self._block(BLOCK_DEFINITIONS, 0, len(self._waiting[0]))
            if block is None:
                break
            entry = self._waiting.popleft()
            self._waiting_bytes -= len(entry)
            self._append(block, entry)
        while self._waiting_bytes > MAX_WAITING_BYTES:
            self._waiting_bytes -= len(self._waiting.pop())
            self.drop(1)

    def _append(self, block: list[int], data: bytes) -> None:
        at = HEADER_SIZE + block[0] * BLOCK_SIZE + BLOCK_HEADER_SIZE + block[1]
        self._bytes[at : at + len(data)] = data
        block[1] += len(data)
        self._words[self._word(block[0], COMMITTED)] = block[1]

    def _block(self, kind: int, thread: int, needed: int) -> list[int] | None:
        """A block with room for ``needed`` bytes; None where there is none."""
        block = self._blocks.get((kind, thread))
        if block is not None and block[1] + needed <= ROOM[kind]:
            return block
        if block is not None:
            self._words[self._word(block[0], STATE)] = BLOCK_FULL
            del self._blocks[kind, thread]
        index = self._take(kind)
        if index is None:
            return None
        self._lend(index, kind, thread)
        block = self._blocks[kind, thread] = [index, 0]
        return block

    def _take(self, kind: int) -> int | None:
        index = self._free(kind)
        if index is not None or kind == BLOCK_DEFINITIONS:
            return index
        if not self._words[READER_PRESENT // 4]:
            return self._oldest()
        return self._wait(kind)

    def _free(self, kind: int) -> int | None:
        first = self._reserve if kind == BLOCK_RECORDS else 0
        return next((index for index in range(first, self._count) if self._words[self._word(index, STATE)] == BLOCK_FREE), None)

    def _oldest(self) -> int | None:
        """Flight recorder: nobody reads, so the oldest full block of records is lost, and counted."""
        full = [
            index
            for index in range(self._reserve, self._count)
            if self._words[self._word(index, STATE)] == BLOCK_FULL and self._words[self._word(index, KIND)] == BLOCK_RECORDS
        ]
        if not full:
            return None
        oldest = min(full, key=lambda index: self._words[self._word(index, SEQUENCE)])
        self.drop(self._words[self._word(oldest, COMMITTED)] // RECORD_SIZE)
        return oldest

    def _wait(self, kind: int) -> int | None:
        """The script waits for the host at most 50 ms in any second, and only while the host's heart beats."""
        while True:
            now = time.monotonic_ns()
            if now - self._window_begin_ns > WINDOW_NS:
                self._window_begin_ns, self._waited_ns = now, 0
            if now - self._long_words[HEARTBEAT // 8] >= FRESH_NS or self._waited_ns >= LONGEST_WAIT_NS:
                return None
            time.sleep(NAP_S)
            self._waited_ns += time.monotonic_ns() - now
            index = self._free(kind)
            if index is not None:
                return index

    def _lend(self, index: int, kind: int, thread: int) -> None:
        head = self._word(index, STATE)
        self._words[head] = BLOCK_PREPARED
        self._words[head + COMMITTED] = 0
        self._words[head + KIND] = kind
        self._words[head + THREAD] = thread
        sequence = self._words[NEXT_SEQUENCE // 4]
        self._words[NEXT_SEQUENCE // 4] = (sequence + 1) & 0xFFFFFFFF
        self._words[head + SEQUENCE] = sequence
        self._words[head] = BLOCK_WRITING

    @staticmethod
    def _word(index: int, word: int) -> int:
        return (HEADER_SIZE + index * BLOCK_SIZE) // 4 + word
