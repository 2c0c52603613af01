"""One watched process: its connection, its trace, and whether it is held. A job has one or several of them; those that train are its ranks."""

import contextlib
import os
import socket
import threading
from collections.abc import Sequence
from queue import Empty, Queue
from time import monotonic, monotonic_ns
from typing import Any, Final, Protocol

from tensorscope.errors import ProtocolError, TensorScopeError
from tensorscope.language import tr
from tensorscope.recording.writer import RecordingWriter
from tensorscope.session import status as texts
from tensorscope.session.area_map import Chunk
from tensorscope.session.intake import Intake
from tensorscope.session.link import Link
from tensorscope.session.session import RunState, Status, StepKind
from tensorscope.trace.retention import Keep
from tensorscope.trace.trace import Trace

TORCHVIZ: Final = "torchviz_picture"
TORCHVIZ_PATIENCE_S: Final = 60
STEP_SHOWN_S: Final = 0.15  # a shorter step does not flicker through "Pausing"


class Owner(Protocol):
    """Who is told what a process says. Any of its threads calls."""

    def heard(self, process: "WatchedProcess", message: dict[str, Any]) -> None:
        """Over the socket."""

    def stops(self, process: "WatchedProcess", message: dict[str, Any]) -> bool:
        """A breakpoint holds it. True: nobody waits for that, it may go on."""

    def changed(self) -> None:
        """Its status is another, or there is more of its trace."""

    def closed(self, process: "WatchedProcess") -> None:
        """Its connection has ended."""


class WatchedProcess:
    """Any thread may call.

    ``number`` is the process's place in the recording; the launched one has 0. One that is not known to train yet has None: what comes from it waits.
    """

    def __init__(self, number: int | None, recording: RecordingWriter, keep: Keep, owner: Owner, pid: int = 0) -> None:
        self.number = number
        self.pid = pid
        self.trace = Trace(keep)
        self.link: Link | None = None
        self.events = 0
        self.trains = False
        self._recording = recording
        self._owner = owner
        self._intake = Intake(number, self.trace, recording)
        self._early: list[dict[str, Any]] = []  # what the host knew before there was a number
        self._end: Status | None = None
        self._lives_on = False  # without the connection
        self._lock = threading.RLock()
        self._state = RunState.RUNNING
        self._held: Status | None = None
        self._wants_hold = False
        self._pictures: Queue[dict[str, Any]] = Queue()
        self._stepping_since: float | None = None  # a step was asked for and no node is held yet
        self._step: StepKind = "node"

    def connect(self, connection: socket.socket | None) -> None:
        """Speak with its agent from now on; None: it has none."""
        self.link = Link(connection, self._heard, self._take, self._connection_ended)
        self.link.start()

    @property
    def is_watching(self) -> bool:
        """Whether it has handed over its area and still holds the connection."""
        return self.link is not None and self.link.is_watching

    @property
    def was_cut_off(self) -> bool:
        """Whether its descriptors of ours went while it ran on, before torch was there, and its agent could not even tell of its end."""
        return self._lives_on and self.is_watching and not self.trace.facts.get("torch_version") and self.trace.exit is None

    def admit(self, number: int) -> None:
        """It is part of the recording from now on, with all that has waited."""
        with self._lock:
            self.number = number
            early, self._early = self._early, []
        for message in early:
            self.add_message(message)
        self._intake.admit(number)

    @property
    def has_ended(self) -> bool:
        return self._end is not None

    @property
    def status(self) -> Status:
        """Running, pausing or held; how it ended, where it is known to have."""
        with self._lock:
            if self._end is not None:
                return self._end
            if self._state is RunState.PAUSING:
                return texts.pausing()
            if self._held is None:
                return texts.running(self.trace.iteration_count)
            since = self._stepping_since
            return texts.stepping(self._step) if since is not None and monotonic() - since > STEP_SHOWN_S else self._held

    # holding

    def pause(self, *, is_coming: bool = False) -> None:
        """Hold before the next node of any backward. ``is_coming``: its area is about to be handed over."""
        with self._lock:
            is_free = self._state is RunState.RUNNING or self._stepping_since is not None
            if self.link is not None and (self.is_watching or is_coming) and is_free:
                self._wants_hold = True
                self._state, self._held, self._stepping_since = RunState.PAUSING, None, None
                self.link.arm(1)
        self._owner.changed()

    def step(self, kind: StepKind) -> None:
        """Let the held node run and hold where the step is over; while running: pause. Presses while a step is under way count once."""
        with self._lock:
            if self._state is RunState.RUNNING:
                self.pause()
            elif self.link is not None and self._held is not None and self._stepping_since is None:
                self._stepping_since, self._step = monotonic(), kind
                self.link.send("step" if kind == "node" else f"step_{kind}")

    def set_breakpoints(self, specs: Sequence[str]) -> None:
        """In place of those before."""
        if self.link is not None:
            self.link.set_breakpoints(specs)

    def resume(self) -> None:
        with self._lock:
            if self.link is None or self._state is RunState.RUNNING:
                return
            is_held = self._held is not None and self._stepping_since is None
            self._wants_hold = False
            self._run_on()
            self.link.arm(0)
            if is_held:  # one that is on its way to a hold gets its word when it says so
                self.link.send("continue")
        self._owner.changed()

    def torchviz_picture(self, roots: int) -> str:
        """torchviz's picture of the backward that is held, for graphviz; waits for the agent, so not on a GUI thread. Raises TensorScopeError."""
        if self.link is None or self._held is None:
            raise TensorScopeError(tr("torchviz draws live tensors: pause with F6 inside a backward first."))
        while not self._pictures.empty():
            self._pictures.get()
        self.link.say({"type": TORCHVIZ, "roots": roots})
        try:
            answer = self._pictures.get(timeout=TORCHVIZ_PATIENCE_S)
        except Empty:
            raise TensorScopeError(tr("torchviz gave no picture in {seconds} s.").format(seconds=TORCHVIZ_PATIENCE_S)) from None
        if "dot" not in answer:
            raise TensorScopeError(str(answer.get("cannot") or tr("torchviz gave no picture.")))
        return str(answer["dot"])

    def let_go(self) -> None:
        """The probe goes off, the process runs on."""
        if self.link is not None:
            self.link.let_go()

    def say(self, message: dict[str, Any]) -> None:
        """Something else, over the socket."""
        if self.link is not None:
            self.link.say(message)

    # the end

    def end(self, status: Status) -> None:
        with self._lock:
            self._run_on()
            self._end = status

    def drain(self, *, is_killed: bool = False) -> None:
        """Hear and take all that is there by now and join both threads. Idempotent. ``is_killed``: what it was running has no end."""
        if self.link is not None:
            self.link.drain()
            if is_killed:
                self.link.take_running()
        self.note_counters()

    def abandon(self) -> None:
        """On the control thread: nothing of it is wanted any more."""
        if self.link is not None:
            self.link.abandon()

    def close(self) -> None:
        """Let go of its memory, after ``drain``. Idempotent."""
        if self.link is not None:
            self.link.close()

    # what the host knows

    def add_message(self, message: dict[str, Any]) -> None:
        """A message of the host's own."""
        with self._lock:
            number = self.number
            if number is None:
                self._early.append(message)
                return
        try:
            self.trace.add_message(message)
        except ProtocolError:
            self.trace.count_damage()
        else:
            self._recording.add_message(message, self.trace.iteration_count, number)

    def note_counters(self) -> None:
        counters = None if self.link is None else self.link.counters()
        if counters is not None:
            self.events, dropped_events, cost_ns = counters
            self.trace.set_counters(dropped_events=dropped_events, cost_ns=cost_ns)

    # what comes from it

    def _connection_ended(self) -> None:
        """On the control thread. A process that exits has no descriptors by then."""
        with contextlib.suppress(OSError):
            self._lives_on = bool(os.listdir(f"/proc/{self.pid}/fd"))
        self._owner.closed(self)

    def _heard(self, message: dict[str, Any]) -> None:
        """On the control thread: hello, held, resumed, troubles. Holds come through the rings as well, for trace and recording."""
        trouble = str(message.get("trouble") or "")
        match message["type"]:
            case "hello" if isinstance(message.get("facts"), dict):
                self.add_message({**message["facts"], "type": "facts"})
            case "reply" if message.get("to") == TORCHVIZ:
                self._pictures.put(message)
            case "reply" if trouble:
                self.add_message({"type": "tracker_off", "tracker": "agent", "reason": trouble})
            case "held":
                self._meet_hold(message)
            case "resumed" if self._stepping_since is None:
                with self._lock:
                    if self._held is not None:
                        self._run_on()
        self._owner.heard(self, message)
        self._owner.changed()

    def _meet_hold(self, message: dict[str, Any]) -> None:
        """A thread holds now: show it, or let it go at once where that is what the user wants by now."""
        is_passed = bool(message.get("stops")) and self._owner.stops(self, message)
        with self._lock:
            self._stepping_since = None
            self._wants_hold = (self._wants_hold or bool(message.get("stops"))) and not is_passed
            if self._wants_hold:
                self._state, self._held = RunState.HELD, texts.held(message)
            elif self.link is not None:
                self.link.arm(0)
                self.link.send("continue")

    def _run_on(self) -> None:
        self._state, self._held, self._stepping_since = RunState.RUNNING, None, None

    def _take(self, chunks: Sequence[Chunk]) -> None:
        """On the reader's thread."""
        self._intake.take(chunks)
        self.note_counters()
        self._owner.changed()


def since_ns(monotonic_moment_ns: int) -> int:
    """Time since a monotonic moment; 0 for none."""
    return max(monotonic_ns() - monotonic_moment_ns, 0) if monotonic_moment_ns else 0
