"""A session over a script that runs now: builds the probe, launches, reads, records, holds and lets go, and sees the end."""

import signal
import threading
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from time import monotonic_ns
from typing import Any, Final

from tensorscope.errors import TensorScopeError
from tensorscope.recording.copying import SavedCopy
from tensorscope.recording.writer import RecordingWriter
from tensorscope.session import status as texts
from tensorscope.session.announcer import Announcer
from tensorscope.session.build import Probe
from tensorscope.session.children import Children
from tensorscope.session.launch import Debuggee, LaunchOptions, Process, check
from tensorscope.session.output_log import ScriptOutput
from tensorscope.session.past import PastFetcher, source_in
from tensorscope.session.probe_shelf import ProbeShelf
from tensorscope.session.rank_table import RankTable
from tensorscope.session.run_facts import facts_message
from tensorscope.session.session import Changed, RankInfo, RunState, Status, StepKind
from tensorscope.session.steering import Steering
from tensorscope.session.stopping import Stopper
from tensorscope.session.wake_pipe import WakePipe
from tensorscope.session.watched import WatchedProcess
from tensorscope.trace.last_operator import last_operator
from tensorscope.trace.retention import Keep
from tensorscope.trace.shares import MemoryShares
from tensorscope.trace.snapshot import Snapshot

HELLO_S: Final = 3.0  # a script that was started a moment ago has its area soon
RANKS_LOOK_S: Final = 0.2
OVER: Final = (RunState.ENDED, RunState.CRASHED)


class LiveSession:
    """Implements ``session.Session``. The methods may be called from any thread; each of its threads ends with ``close``."""

    is_live = True

    def __init__(
        self,
        options: LaunchOptions,
        path: Path,
        probe: Probe | None,
        keep: Keep | None = None,
        passing_stop: Callable[[dict[str, Any]], None] | None = None,
    ) -> None:
        """Start. Raises TensorScopeError where there is no script, no interpreter, or no recording can be written.

        ``passing_stop`` is told of every stop at a breakpoint (on a control thread), and the script goes on. ``probe`` None: Python is not known beforehand.
        """
        check(options)
        self.path = path
        self.title = options.shown_title
        self.error: TensorScopeError | None = None  # why the script could not be started
        self.warning = ""
        self._options = options
        self._keep = keep or Keep()
        self._probe = probe
        self._recording = RecordingWriter(path, keep=keep, failed=self._warn)
        self._launched = WatchedProcess(0, self._recording, keep or Keep(), self)
        self._output = ScriptOutput(self._launched.add_message)
        self._ranks = RankTable(self._launched)
        probes = ProbeShelf(options.interpreter, probe, options.probe)
        watching = {"has_stacks": options.has_stacks, "has_updates": options.has_updates, "iterations": options.max_iterations}
        self._children = Children(self._ranks, self._recording, keep or Keep(), probes, self, self._warn, watching)
        self._lock = threading.RLock()
        self._steering = Steering(self._ranks, options.breaks, lambda: self._phase is None, self._warn)
        self._passing_stop = passing_stop
        self._phase: Status | None = texts.starting()  # before the script runs and once it is over; None: as its processes stand
        self._debuggee: Process | None = None
        self._recorded_counters: dict[int, tuple[int, int]] = {}
        self._announced = (0, 0)  # events, and times that the past came
        self._is_closing = False
        self._is_called_off = False  # ended before the script ran
        self._copy = SavedCopy(path)
        self._over = threading.Event()  # the script has ended or was let go, and everything of it is recorded
        self._stopper: Stopper | None = None
        self._wake = WakePipe()
        self._past = PastFetcher(source_in(path), self._ranks.numbered, self.changed)
        self._shares = MemoryShares(self._keep.memory_bytes)
        self._announcer = Announcer(self._describe)
        self._life = threading.Thread(target=self._live, name="tensorscope-life", daemon=True)
        self._life.start()

    @property
    def status(self) -> Status:
        with self._lock:
            return self._phase or self._ranks.status

    @property
    def note(self) -> str:
        """A sentence on what the run does without, known once the script runs: see ``session.build.Probe``."""
        return "" if self._probe is None else self._probe.note

    @property
    def pid(self) -> int | None:
        return None if self._debuggee is None else self._debuggee.pid

    def ranks(self) -> tuple[RankInfo, ...]:
        return self._ranks.infos(self._phase)

    def snapshot(self, rank: int | None = None) -> Snapshot:
        return self._ranks.process(rank).trace.snapshot()

    def listen(self, listener: Callable[[Changed], None]) -> Callable[[], None]:
        return self._announcer.listen(listener)

    def look_at(self, time_ns: int | None, rank: int | None = None) -> None:
        self._past.look_at(time_ns, rank)

    def keep_moment(self, time_ns: int, rank: int | None = None) -> None:
        self._ranks.process(rank).trace.flag(time_ns)

    def pause(self, rank: int | None = None) -> None:
        self._steering.pause(rank)

    def step_node(self, rank: int | None = None) -> None:
        self.step("node", rank)

    def step(self, kind: StepKind, rank: int | None = None) -> None:
        """As every session. Presses while a step is under way count once."""
        self._steering.step(kind, rank)

    @property
    def breakpoints(self) -> tuple[str, ...]:
        return self._steering.breakpoints

    def set_breakpoints(self, specs: Sequence[str]) -> None:
        with self._lock:
            self._steering.set_breakpoints(specs)

    def resume(self, rank: int | None = None) -> None:
        self._steering.resume(rank)

    def torchviz_picture(self, roots: int, rank: int | None = None) -> str:
        """See ``WatchedProcess.torchviz_picture``."""
        return self._ranks.process(rank).torchviz_picture(roots)

    def stop(self) -> None:
        """End the script: let go, then as ``Stopper`` does. Before it runs: do not start it."""
        self.resume()
        with self._lock:
            if self._debuggee is None:
                self._call_off(signal.SIGINT)
            debuggee = self._debuggee
            if self._stopper is None and debuggee is not None and not self._over.is_set():
                self._stopper = Stopper(lambda number: self._pass_on(debuggee, number), self._over, lambda: self._is_closing)

    def save_as(self, path: Path) -> None:
        """Copy the recording as it is now, and again when the script has ended. Raises TensorScopeError if that fails."""
        self._recording.flush()
        self._copy.save(path, is_over=self._over.is_set())

    def flush(self) -> None:
        """Bring what was taken in so far into the recording's file, and the counters."""
        counters = self._ranks.counters
        if counters != self._recorded_counters:
            self._recorded_counters = counters
            self._recording.set_facts(counters=counters)
        self._recording.flush()

    def signal(self, number: int) -> None:
        """Pass a signal on to the script; before it runs, one ends the session."""
        with self._lock:
            if self._debuggee is not None:
                self._pass_on(self._debuggee, number)
            else:
                self._call_off(number)

    def wait(self, timeout: float | None = None) -> bool:
        """Wait until the script has ended and is recorded; False if it still runs."""
        return self._over.wait(timeout)

    def wait_for_script(self, timeout: float | None = None) -> int | None:
        """After ``close``: wait for the end of the script that runs on; its exit code, negative for a signal, or None where the time is up."""
        code = self._debuggee.wait(timeout=timeout) if self._debuggee is not None else self.status.exit_code or 0
        if code is not None and self._debuggee is not None:
            self._output.drain()
        return code

    def close(self) -> None:
        """As every session; while the probe is still being built, the script starts unwatched."""
        with self._lock:
            self._is_closing = True
            self._wake.wake()
        self._life.join()
        if self._stopper is not None:
            self._stopper.join()
        self._past.close()
        self._announcer.close()
        self._wake.close()

    # the life of the script, on the thread "tensorscope-life"

    def _live(self) -> None:
        code = None
        try:
            code = self._launch_and_wait()
        except TensorScopeError as error:
            self._fail(error)
        except BaseException:
            self._fail(TensorScopeError("TensorScope itself failed to run the script; please report the traceback above."))
            raise
        finally:
            try:
                self._end(code)
            finally:  # whatever goes wrong with the recording, nobody waits for ever
                self._over.set()
                self._announcer.poke()

    def _launch_and_wait(self) -> int | None:
        """The exit code, or None where the session was closed before the end."""
        path = self._build_probe()
        self._launched.add_message(facts_message(self._options, self._keep))
        with self._lock:
            if self._is_called_off:
                return None
            options = replace(self._options, breaks=self._steering.breakpoints)
            is_watched = not self._is_closing and (path is not None or options.is_command)
            with self._output.standard_files(options.captures_output) as files:
                self._debuggee = self._start(options, path if is_watched else None, self._children.door if is_watched else "", files)
            self._launched.pid = self._debuggee.pid
            self._launched.connect(self._debuggee.control)
            self._set_status(None)
        code = self._debuggee.wait(self._wake.fd)
        if code is not None:
            self._launched_ended(code)
        return code

    def _build_probe(self) -> Path | None:
        if self._probe is None:
            return None
        if not self._probe.is_built:
            self._set_status(texts.building())
        return self._probe.build(lambda: self._is_closing or self._is_called_off)

    def _launched_ended(self, code: int) -> None:
        """A rank may outlive the process that started it: it is watched to its own end."""
        self._launched.drain(is_killed=code < 0)
        self._output.end(lambda: self._is_closing)
        if self._launched.was_cut_off and not self._children.visits:
            self._warn(texts.closed_descriptors())
        self._note_exit(code)
        self._launched.end(self._told_end(code))
        while not self._is_closing and not self._children.wait_for_ranks(RANKS_LOOK_S):
            pass

    def _fail(self, error: TensorScopeError) -> None:
        self.error = error
        self._set_status(Status(RunState.CRASHED, str(error)))

    def _call_off(self, number: int) -> None:
        """End before the script runs, as if the signal had killed it."""
        if not self._over.is_set():
            self._is_called_off = True
            self._set_status(texts.ended(-number, None))

    def _end(self, code: int | None) -> None:
        self._children.close()
        if self._options.is_command:
            self._children.meet_command_end(self._launched)
        self._output.close()
        processes = self._ranks.processes
        for process in processes:
            if code is None and process.link is not None:
                process.link.wait_for_area(HELLO_S)
                process.let_go()
            process.drain()
        for process in processes:
            process.close()
        self._recording.set_facts(counters=self._ranks.counters)
        self._recording.close()
        self._copy.finish()
        if code is not None:
            self._set_status(self._ended(code))

    def _ended(self, code: int) -> Status:
        return texts.stopped(code) if self._stopper is not None and code != 0 else self._told_end(code)

    def _pass_on(self, debuggee: Process, number: int) -> None:
        """A signal for the launched process, or for those that outlived it."""
        if debuggee.poll() is None:
            debuggee.signal(number)
        else:
            self._children.signal(number)

    # what differs for a process that was not launched here

    def _start(self, options: LaunchOptions, probe: Path | None, door: str, files: tuple[int | None, int | None]) -> Process:
        """``files``: its stdout and stderr, None for ours."""
        return Debuggee(options, probe, door, *files)

    def _note_exit(self, code: int) -> None:
        self._launched.add_message(texts.exit_message(code, monotonic_ns()))

    def _told_end(self, code: int) -> Status:
        exceptions = self._launched.trace.exceptions
        last = last_operator(self._launched.trace.snapshot()) if code < 0 else None
        return texts.ended(code, exceptions[-1] if exceptions else None, last)

    # what comes from the processes, on threads of theirs

    def heard(self, process: WatchedProcess, message: dict[str, Any]) -> None:
        trouble = message.get("trouble")
        if message["type"] == "hello" and trouble:
            self._warn(f"Nothing is recorded: {trouble}." if process is self._launched else f"A process is not watched: {trouble}.")
        elif message["type"] == "hello" and process is not self._launched:
            self._steering.met(process)
        elif message["type"] == "trains" and process is self._launched:
            self._ranks.admit(process, message)

    def stops(self, process: WatchedProcess, message: dict[str, Any]) -> bool:
        if self._passing_stop is None:
            return False
        self._passing_stop(message)
        return True

    def changed(self) -> None:
        self._shares.settle([process.trace for process in self._ranks.processes])
        self._announcer.poke()

    def closed(self, process: WatchedProcess) -> None:
        """The launched process's end is seen by its exit code."""

    # steps

    def _set_status(self, status: Status | None) -> None:
        with self._lock:
            self._phase = status
        self._announcer.poke()

    def _warn(self, sentence: str) -> None:
        self.warning = self.warning or sentence
        self._announcer.poke()

    def _describe(self) -> Changed:
        status, ranks = self.status, self._ranks
        events = ranks.events
        has_new, self._announced = (events, self._past.arrivals) != self._announced, (events, self._past.arrivals)
        return Changed(
            status=status,
            has_new_events=has_new,
            events=events,
            dropped_events=ranks.dropped_events,
            overhead_ratio=ranks.process(None).trace.overhead_ratio(monotonic_ns() if status.state not in OVER else None),
            recording_bytes=self._recording.size_bytes,
            warning=self.warning or self.note,
            memory_bytes=sum(process.trace.size_bytes for process in ranks.processes),
            past=self._past.note,
        )
