"""The processes below the launched one that import torch: met at the door, ranks from their first backward on, seen to their end."""

import contextlib
import os
import socket
from collections.abc import Callable, Mapping
from threading import Condition
from time import monotonic_ns
from typing import Any

from tensorscope.errors import TensorScopeError
from tensorscope.protocol.area import DEFAULT_BLOCK_COUNT
from tensorscope.protocol.children import WATCH_VERSION
from tensorscope.recording.writer import RecordingWriter
from tensorscope.session import status as texts
from tensorscope.session.door import Door
from tensorscope.session.exit_watch import ExitWatch
from tensorscope.session.probe_shelf import ProbeShelf, why_unwatched
from tensorscope.session.rank_table import RankTable
from tensorscope.session.watched import Owner, WatchedProcess
from tensorscope.trace.last_operator import last_operator
from tensorscope.trace.retention import Keep


class Children:
    """Any thread. What its processes say goes on to ``owner``."""

    def __init__(
        self,
        ranks: RankTable,
        recording: RecordingWriter,
        keep: Keep,
        probes: ProbeShelf,
        owner: Owner,
        warn: Callable[[str], None],
        watching: Mapping[str, Any],
    ) -> None:
        """Open the door. ``watching``: the options that each of them is watched with. Raises TensorScopeError where there can be none."""
        self._ranks = ranks
        self._recording = recording
        self._keep = keep
        self._probes = probes
        self._owner = owner
        self._warn = warn
        self._watching = watching
        self._changed = Condition()
        self._alive: dict[int, WatchedProcess] = {}  # by pid
        self._idle: WatchedProcess | None = None  # the first that never trained, while it may have to stand for all
        self._is_closing = False
        self.visits = 0
        self._exits = ExitWatch(self._ended)
        self._door = Door(self._visited)

    @property
    def door(self) -> str:
        """The path of the socket."""
        return self._door.path

    def wait_for_ranks(self, timeout_s: float) -> bool:
        """Wait until no child that trains runs any more; False if the time is up."""
        with self._changed:
            return self._changed.wait_for(lambda: not any(process.trains for process in self._alive.values()), timeout_s)

    def signal(self, number: int) -> None:
        """To every rank that runs."""
        with self._changed:
            for pid, process in self._alive.items():
                if process.trains:
                    with contextlib.suppress(ProcessLookupError):
                        os.kill(pid, number)

    def close(self) -> None:
        """Let nobody in any more; those who still run are let go. Idempotent."""
        self._is_closing = True
        self._door.close()
        self._exits.close()
        with self._changed:
            left, self._alive = list(self._alive.values()), {}
        for process in left:
            process.let_go()
            process.drain()
            if not process.trains:
                process.close()

    def meet_command_end(self, launched: WatchedProcess) -> None:
        """After ``close``: where no process was watched that trains, the first that imported torch stands for all."""
        if self._idle is not None and not launched.trains and all(not process.trains for process in self._ranks.processes):
            self._ranks.admit(self._idle, {})
            self._idle = None
        if self.visits == 0:
            self._warn("Nothing is recorded: no Python below the command imported torch, or it ran with -I, -S or -E, which cannot be watched.")

    # the door, and the threads of its visitors

    def _visited(self, connection: socket.socket, pid: int) -> None:
        process = WatchedProcess(None, self._recording, self._keep, self, pid)
        with self._changed:
            self.visits += 1
            self._alive[pid] = process
        process.connect(connection)
        self._exits.add(pid)

    def heard(self, process: WatchedProcess, message: dict[str, Any]) -> None:
        match message["type"]:
            case "knock":
                self._answer(process, message)
            case "trains":
                self._ranks.admit(process, message)
            case "leaves":
                process.abandon()
        self._owner.heard(process, message)

    def stops(self, process: WatchedProcess, message: dict[str, Any]) -> bool:
        return self._owner.stops(process, message)

    def changed(self) -> None:
        self._owner.changed()

    def closed(self, process: WatchedProcess) -> None:
        self._owner.closed(process)

    def _answer(self, process: WatchedProcess, knock: dict[str, Any]) -> None:
        interpreter = str(knock.get("executable") or "")
        path = None
        if knock.get("version") == WATCH_VERSION:
            try:
                path = self._probes.path(interpreter, lambda: process.say({"type": "wait"}), lambda: self._is_closing)
            except TensorScopeError as error:
                self._warn(why_unwatched(interpreter, error))
        if path is None:
            process.say({"type": "leave"})
        else:
            process.say({"type": "watch", "probe": str(path), **self._watching, "blocks": DEFAULT_BLOCK_COUNT})

    # the end of a child, on the thread that sees exits

    def _ended(self, pid: int, code: int | None) -> None:
        with self._changed:
            process = self._alive.get(pid)
        if process is None:
            return
        process.drain()
        told = process.trace.exit
        if told is None if code is None else code < 0:
            process.drain(is_killed=True)
        exceptions = process.trace.exceptions
        last = last_operator(process.trace.snapshot()) if code is not None and code < 0 else None
        process.end(texts.ended_unseen(told) if code is None else texts.ended(code, exceptions[-1] if exceptions else None, last))
        if code is not None:
            process.add_message(texts.exit_message(code, monotonic_ns()))
        elif told is None:
            process.add_message(texts.unseen_exit_message(monotonic_ns()))
        with self._changed:
            self._alive.pop(pid, None)
            if not process.trains and self._idle is None and process.is_watching:
                self._idle = process
            elif not process.trains:
                process.close()
            self._changed.notify_all()
        self._owner.changed()
