"""A debuggee without torch: speaks bootstrap's command line, hands over a shared area and writes blocks as the probe does.

Run by path as if it were the interpreter: ``fake_debuggee.py …/bootstrap.py --control-fd N … -- PLAN``; PLAN is a JSON file, a list of steps:

    ["operators", n]            n operators of 10 ns, with their names
    ["iteration", index]        an iteration's end
    ["message", {...}]          any message
    ["garbage", kind]           a record of an unknown kind, or a definition that does not fit
    ["hold"]                    wait while armed like the gate: tells ``held``, then obeys the socket
    ["hold_once"]               the same for one node, armed or not
    ["wait", seconds]  ["wait_armed"]  ["wait_off"]  ["forever"]
    ["print", text]  ["raise", signal]  ["exit", code]

It imports nothing of TensorScope above the protocol, as the real agent.
"""

import array
import contextlib
import json
import mmap
import os
import signal
import socket
import struct
import sys
import time
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from tensorscope.protocol import area, messages
from tensorscope.protocol.definitions import ENTRY_HEADER
from tensorscope.protocol.records import RECORD_SIZE, DefinitionKind, RecordKind

BLOCKS = 16


class Writer:
    """One block for records and one for definitions at a time, as the probe lends them."""

    def __init__(self) -> None:
        self.fd = os.memfd_create("fake")
        self.size = area.HEADER_SIZE + BLOCKS * area.BLOCK_SIZE
        os.ftruncate(self.fd, self.size)
        self.map = mmap.mmap(self.fd, self.size)
        self.map[:8] = area.MAGIC
        self.words = memoryview(self.map).cast("I")
        self.longs = memoryview(self.map).cast("Q")
        self.words[2], self.words[3], self.words[area.ENABLED // 4] = area.BLOCK_SIZE, BLOCKS, 1
        self.current = {area.BLOCK_RECORDS: -1, area.BLOCK_DEFINITIONS: -1}
        self.names: dict[str, int] = {}
        self.operators = self.message_count = 0

    def word(self, offset: int) -> int:
        return self.words[offset // 4]

    def append(self, kind: int, data: bytes) -> None:
        block = self.current[kind]
        room = area.BLOCK_SIZE - area.BLOCK_HEADER_SIZE
        if block >= 0 and self._head(block)[4] + len(data) > room:
            self.words[self._at(block)] = area.BLOCK_FULL
            block = -1
        if block < 0:
            block = self.current[kind] = self._lend(kind)
        committed = self.words[self._at(block) + 4]
        at = self._at(block) * 4 + area.BLOCK_HEADER_SIZE + committed
        self.map[at : at + len(data)] = data
        self.words[self._at(block) + 4] = committed + len(data)
        self.longs[area.EVENTS // 8] += 1

    def define(self, kind: DefinitionKind, identity: int, payload: bytes) -> None:
        payload += bytes(-len(payload) % 8)
        self.append(area.BLOCK_DEFINITIONS, ENTRY_HEADER.pack(ENTRY_HEADER.size + len(payload), kind, identity, 0) + payload)

    def message(self, message: dict[str, Any]) -> None:
        self.message_count += 1
        body = json.dumps(message).encode()
        self.define(DefinitionKind.MESSAGE, self.message_count, struct.pack("<III", 0, 1, len(body)) + body)

    def operator(self) -> None:
        if "aten::mm" not in self.names:
            self.names["aten::mm"] = 1
            self.define(DefinitionKind.STRING, 1, struct.pack("<I", 8) + b"aten::mm")
        self.operators += 1
        record = bytearray(RECORD_SIZE)
        record[0] = RecordKind.OPERATOR
        now = time.monotonic_ns()
        struct.pack_into("<IQQqqq", record, 4, 1, self.operators, 0, now, now + 10, -1)
        self.append(area.BLOCK_RECORDS, bytes(record))

    def _lend(self, kind: int) -> int:
        while True:
            for block in range(BLOCKS):
                if self.words[self._at(block)] == area.BLOCK_FREE:
                    self.words[area.NEXT_SEQUENCE // 4] += 1
                    at = self._at(block)
                    self.words[at + 1 : at + 5] = memoryview(struct.pack("=IIII", kind, 7, self.word(area.NEXT_SEQUENCE), 0)).cast("I")
                    self.words[at] = area.BLOCK_WRITING
                    return block
            time.sleep(0.001)

    def _at(self, block: int) -> int:
        return (area.HEADER_SIZE + block * area.BLOCK_SIZE) // 4

    def _head(self, block: int) -> list[int]:
        return self.words[self._at(block) : self._at(block) + 5].tolist()


def main() -> None:
    options = sys.argv[2 : sys.argv.index("--")]
    plan = json.loads(Path(sys.argv[sys.argv.index("--") + 1]).read_text())
    control = socket.socket(fileno=int(options[options.index("--control-fd") + 1]))
    writer = Writer()
    control.sendmsg([messages.encode({"type": "hello"})], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [writer.fd]))])
    writer.message({"type": "facts", "begin_ns": time.monotonic_ns(), "script": "fake.py", "torch_version": "none", "pid": os.getpid()})
    for name, *values in plan:
        STEPS[name](writer, control, *values)


def hold(writer: Writer, control: socket.socket, *, is_forced: bool = False) -> None:
    position = 0
    while writer.word(area.ARMED) or is_forced:
        now = time.monotonic_ns()
        place = {"backward": 1, "node_index": position, "node": 1, "name": "AddBackward0", "sequence_nr": position, "position": position, "count": 5}
        told = {"gradients_in": [], "saved": [], "finished": None, "time_ns": now}
        writer.message({"type": "held", **place, **told})
        control.sendall(messages.encode({"type": "held", **place, **told}))
        head = control.recv(4, socket.MSG_WAITALL)
        if len(head) < 4:
            return
        command = json.loads(control.recv(struct.unpack("<I", head)[0], socket.MSG_WAITALL))["type"]
        writer.message({"type": "resumed", "time_ns": time.monotonic_ns()})
        with contextlib.suppress(OSError):  # the host may have gone right after its word
            control.sendall(messages.encode({"type": "resumed", "time_ns": time.monotonic_ns()}))
        if command != "step" or is_forced:
            return
        position += 1


def wait_until(condition: Any) -> None:
    while not condition():
        time.sleep(0.002)


def garbage(writer: Writer, control: socket.socket, kind: str) -> None:
    if kind == "record":
        writer.append(area.BLOCK_RECORDS, b"\xff" * RECORD_SIZE)
    else:
        writer.define(DefinitionKind.STACK, 1, struct.pack("<I", 2**31))


def end_by_signal(writer: Writer, control: socket.socket, number: int) -> None:
    os.kill(os.getpid(), number)
    signal.pause()


STEPS: dict[str, Any] = {
    "operators": lambda writer, control, count: [writer.operator() for _ in range(count)],
    "iteration": lambda writer, control, index: writer.message(
        {"type": "iteration", "index": index, "time_ns": time.monotonic_ns(), "learning_rate": 0.1, "optimizers": [1]}
    ),
    "message": lambda writer, control, message: writer.message(message),
    "garbage": garbage,
    "hold": hold,
    "hold_once": lambda writer, control: hold(writer, control, is_forced=True),
    "wait": lambda writer, control, seconds: time.sleep(seconds),
    "wait_armed": lambda writer, control: wait_until(lambda: writer.word(area.ARMED)),
    "wait_off": lambda writer, control: wait_until(lambda: not writer.word(area.ENABLED)),
    "forever": lambda writer, control: wait_until(lambda: False),
    "print": lambda writer, control, text: print(text, flush=True),
    "touch": lambda writer, control, path: Path(path).touch(),
    "raise": end_by_signal,
    "exit": lambda writer, control, code: sys.exit(code),
}

if __name__ == "__main__":
    main()
