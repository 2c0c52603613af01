"""What the trackers told in messages: facts, modules, parameters, optimizers, iterations, storages, holds, exceptions, exit."""

import struct
from collections.abc import Callable
from sys import intern
from typing import Any, Final

from tensorscope.errors import ProtocolError
from tensorscope.protocol.messages import decode
from tensorscope.trace.clock import Clock, ClockView
from tensorscope.trace.health import HealthCounter

Message = dict[str, Any]
PART_HEAD: Final = struct.Struct("<III")  # part, parts, length
MAX_PARTS: Final = 65_536
BYTES_A_JSON_BYTE: Final = 4  # what a decoded message takes, about


class MessageParts:
    """Joins the parts of a message; memory is bounded by what one message may hold."""

    def __init__(self) -> None:
        self._waiting: dict[int, dict[int, bytes]] = {}

    def add(self, number: int, payload: bytes) -> bytes | None:
        """The whole message's JSON once its last part is there; raises ProtocolError if a part does not fit."""
        if len(payload) < PART_HEAD.size:
            raise ProtocolError(f"message {number} is too short")
        part, parts, length = PART_HEAD.unpack_from(payload)
        if not 0 < parts <= MAX_PARTS or part >= parts or PART_HEAD.size + length > len(payload):
            raise ProtocolError(f"message {number} has an impossible part {part} of {parts} with {length} bytes")
        collected = self._waiting.setdefault(number, {})
        collected[part] = payload[PART_HEAD.size : PART_HEAD.size + length]
        if len(collected) < parts:
            return None
        del self._waiting[number]
        return b"".join(collected[index] for index in range(parts))


class Told:
    """All messages so far, by what they say. Times stay monotonic here; ``at_run_time`` converts copies."""

    def __init__(self, clock: Clock, health: HealthCounter) -> None:
        self._clock = clock
        self._health = health
        self.facts: Message = {}
        self.modules: dict[int, Message] = {}
        self.parameters: dict[int, Message] = {}
        self.optimizers: dict[int, Message] = {}
        self.graph_details: dict[int, Message] = {}
        self.iterations: list[Message] = []
        self.iteration_count = 0  # told so far; old ones may be rolled up
        self.storages: list[Message] = []
        self.exceptions: list[Message] = []
        self.holds: list[Message] = []
        self.outputs: list[Message] = []
        self.exit: Message | None = None
        self.newest_ns = 0
        self.detail_bytes = 0  # of the messages that ``retire`` may let go, about
        self._takers: dict[str, Callable[[Message], None]] = {
            "facts": self._take_facts,
            "module": lambda message: _put(self.modules, message),
            "parameter": self._take_parameter,
            "optimizer": lambda message: _put(self.optimizers, message),
            "graph_details": lambda message: self.graph_details.__setitem__(int(message["backward"]), message),
            "iteration": self._take_iteration,
            "storages": lambda message: self.storages.append(message),
            "exception": self.exceptions.append,
            "held": self._take_held,
            "output": self.outputs.append,
            "resumed": lambda message: self._clock.close_hold(int(message["time_ns"])),
            "tracker_off": lambda message: self._health.tracker_off(str(message["tracker"]), str(message["reason"])),
            "exit": self._take_exit,
        }

    def add(self, body: bytes) -> Message:
        """Take in one whole message; raises ProtocolError if it cannot be understood. Unknown types pass: a newer agent may tell more."""
        message = decode(body)
        self.take(message)
        if message["type"] in ("storages", "graph_details"):
            self.detail_bytes += len(body) * BYTES_A_JSON_BYTE
        return message

    def retire(self, span: tuple[int, int], backwards: set[int]) -> None:
        """Let go of the storages seen at iteration ends in a span of monotonic time, and of the details of some backwards' graphs."""
        before = len(self.storages) + len(self.graph_details)
        self.storages = [message for message in self.storages if message.get("reason") != "iteration" or not span[0] < int(message["time_ns"]) <= span[1]]
        self.graph_details = {backward: details for backward, details in self.graph_details.items() if backward not in backwards}
        if before:
            self.detail_bytes = self.detail_bytes * (len(self.storages) + len(self.graph_details)) // before

    def take(self, message: Message) -> None:
        taker = self._takers.get(message["type"])
        if taker is None:
            return
        try:
            taker(message)
            time_ns = int(message.get("time_ns") or 0)
        except (KeyError, TypeError, ValueError, OverflowError) as error:
            raise ProtocolError(f"message of type {message['type']} lacks or garbles {error}") from None
        self._clock.saw(time_ns)
        self.newest_ns = max(self.newest_ns, time_ns)

    def _take_facts(self, message: Message) -> None:
        self.facts = {**self.facts, **message}
        if "begin_ns" in message or "origin_ns" in message:
            self._clock.set_begin(int(self.facts.get("origin_ns") or self.facts["begin_ns"]))

    def _take_parameter(self, message: Message) -> None:
        """A parameter told anew keeps the aliases that it once had and lost, as ``former_aliases``."""
        before = self.parameters.get(int(message["id"]), {})
        former = {*before.get("former_aliases", ()), *before.get("aliases", ())} - set(message.get("aliases", ()))
        _put(self.parameters, {**message, "former_aliases": sorted(former)} if former else message)

    def _take_iteration(self, message: Message) -> None:
        """One told again has had a further optimizer's step."""
        told = {**{intern(key): value for key, value in message.items()}, "index": int(message["index"]), "time_ns": int(message["time_ns"])}
        known = self.iterations[-1]["index"] if self.iterations else -1
        if self.iterations and known == told["index"]:
            self.iterations.pop()
        else:
            self.iteration_count = max(self.iteration_count, told["index"]) + 1
        if told["index"] > known + 1:  # those between are not on record: this row stands for them as well
            told = {"first_index": known + 1, "iterations": told["index"] - known, **told}
        self.iterations.append(told)

    def _take_held(self, message: Message) -> None:
        if not any(message["time_ns"] == held["time_ns"] for held in self.holds[-4:]):
            self.holds.append(message)
            self._clock.open_hold(int(message["time_ns"]))

    def _take_exit(self, message: Message) -> None:
        """The host's word about the exit adds to the agent's: only the host knows of a signal."""
        self.exit = {**message, **(self.exit or {}), "code": message["code"]}


class RunTimes:
    """Copies of a growing list of messages with ``time_ns`` in run time, made once each while the clock stays the same."""

    def __init__(self, source: list[Message]) -> None:
        self._source = source
        self._clock: ClockView | None = None
        self._done: tuple[Message, ...] = ()
        self._newest: Message | None = None  # the one in the source that was done last; it may have been told again since

    def view(self, clock: ClockView) -> tuple[Message, ...]:
        if clock != self._clock or len(self._done) > len(self._source):
            self._done, self._clock = (), clock
        if self._done and self._source[len(self._done) - 1] is not self._newest:
            self._done = self._done[:-1]
        if len(self._done) < len(self._source):
            self._done += tuple(at_run_time(message, clock) for message in self._source[len(self._done) :])
            self._newest = self._source[-1]
        return self._done


def at_run_time(message: Message, clock: ClockView) -> Message:
    """The message with its ``time_ns`` in run time; itself where it has none."""
    return {**message, "time_ns": clock.run_time(int(message["time_ns"]))} if message.get("time_ns") else message


def _put(by_id: dict[int, Message], message: Message) -> None:
    by_id[int(message["id"])] = message
