"""The agent: made before the script starts, awake from the script's import of torch to its end or to the host's detaching."""

import atexit
import os
import sys
import time
from collections.abc import Callable
from importlib.machinery import ExtensionFileLoader
from importlib.util import module_from_spec, spec_from_file_location
from types import ModuleType
from typing import Any

from tensorscope.agent.control import Area, Control
from tensorscope.agent.descendants import handing_on_from
from tensorscope.agent.exceptions import exception_message
from tensorscope.agent.forked import when_process_ends
from tensorscope.agent.frames import Frames, library_prefixes
from tensorscope.agent.lastwords import write_last_words
from tensorscope.agent.options import PYTHON, Options
from tensorscope.agent.place_in_job import place_in_job
from tensorscope.agent.runner import Ending, exit_code, working_directory
from tensorscope.agent.site.handing_on import HandingOn
from tensorscope.agent.watch import Watch
from tensorscope.agent.watched import Watched
from tensorscope.agent.watcher import ImportWatcher
from tensorscope.protocol.source_files import STANDARD_INPUT

try:  # here, since nothing of ours can be imported once the script runs
    from tensorscope.agent.python_probe.probe import PythonProbe
except ImportError:  # Python built without libffi
    PythonProbe = None  # type: ignore[assignment,misc]


class Agent(Ending):
    """``_watched`` is all that follows torch: None before torch is there and after detaching.

    ``wait_in_child(watched)`` is called in a forked child of a process that is watched, or will be once it imports torch (None).
    ``heir`` is the agent of that child, once it trains.
    """

    wait_in_child: Callable[[Watched | None], None] | None = None
    heir: "Agent | None" = None

    def __init__(
        self,
        options: Options,
        control: Control,
        area: Area,
        *,
        begin_ns: int = 0,
        handing_on: HandingOn | None = None,
        deleters: list[int] | None = None,
    ) -> None:
        """``begin_ns``: when the process began, where that is not now. ``handing_on``: of a process that runs by itself, not in our runner.

        ``deleters``: of all probes that were in this process before, whose blocks still live; its own joins them.
        """
        now_ns = time.monotonic_ns()
        self._options = options
        self._control = control
        self._area = area
        self._is_child = handing_on is not None
        self.handing_on = handing_on
        self.deleters = deleters if deleters is not None else []
        self._begin_ns = begin_ns or now_ns
        self._wall_begin_ns = time.time_ns() - (now_ns - self._begin_ns)
        self._pid = os.getpid()
        self.torch_watcher = ImportWatcher("torch", self._on_torch)
        self._untold: list[dict[str, Any]] = []
        self._is_awake = False
        self._watched: Watched | None = None
        self._is_forked = False  # this is the child of the process that was watched
        self._has_told_end = False

    def start(self) -> None:
        area = {"blocks": self._area.blocks, "area_size": self._area.size}
        self._control.hello({"pid": self._pid, "begin_ns": self._begin_ns, **area, "facts": self._facts()}, self._area)
        os.register_at_fork(after_in_child=self._leave_in_child)
        atexit.register(self.shut_down)
        if self._options.door:
            self.handing_on = handing_on_from(self._options.door)
        self.torch_watcher.install()

    def exception(self, error: BaseException) -> None:
        if self.heir is not None:
            self.heir.exception(error)
        elif not self._is_forked:
            self._guarded(lambda: self._tell_exception(error))

    def end(self, code: int) -> None:
        if self.heir is not None:
            self.heir.end(code)
        elif not self._is_forked:
            self._has_told_end = True
            self._guarded(lambda: self._tell_end({"code": code, "time_ns": time.monotonic_ns()}))

    def _facts(self) -> dict[str, Any]:
        torch = sys.modules.get("torch")
        return {
            "type": "facts",
            "python_version": sys.version.split()[0],
            "torch_version": str(torch.__version__) if torch is not None else "",
            "script": STANDARD_INPUT if self._options.script == "-" and not self._options.is_module else self._options.script,
            "argv": [self._options.script, *self._options.arguments],
            "cwd": working_directory(),
            "pid": self._pid,
            "executable": sys.executable,
            "updates": self._options.has_updates,
            "probe": "python" if self._options.probe == PYTHON else "native",
            "begin_ns": self._begin_ns,
            "wall_begin_ns": self._wall_begin_ns,
            "library_prefixes": [prefix for prefix in library_prefixes() if prefix.startswith("/")],
            "cuda": bool(torch is not None and torch.backends.cuda.is_built()),
        }

    def _on_torch(self, torch: ModuleType) -> None:
        if os.getpid() == self._pid:
            self._guarded(lambda: self._wake(torch))

    def _wake(self, torch: ModuleType) -> None:
        begin_ns = time.monotonic_ns()
        self._is_awake = True
        probe = PythonProbe(torch) if self._options.probe == PYTHON else load_probe(self._options.probe)
        prefixes = library_prefixes()
        probe.set_library_prefixes([prefix for prefix in prefixes if prefix.startswith("/")])
        probe.start(self._area.descriptor, self._area.size, stacks=self._options.has_stacks)
        if self._area.is_whole():
            self._area.close()
        for deleter in self.deleters:
            probe.know_deleter(deleter)
        self.deleters.append(probe.deleter())
        watch = Watch(probe, torch, self._control, Frames(prefixes, probe.frame_locals))
        watch.on_training = self._train
        facts = self._facts()
        watch.tell(facts.pop("type"), **facts)
        is_worker = self._leave_worker if self._is_child else None
        self._watched = Watched(watch, self._detach, self._options.breaks, self._options.iterations, is_worker, has_updates=self._options.has_updates)
        self._watched.install()
        watch.cost(begin_ns)

    def _train(self) -> None:
        """The process's first backward: it is a rank of the job from now on, and has a whole area."""
        self._area.grow()
        self._area.close()
        self._control.send({"type": "trains", **place_in_job()})
        if self._is_child:
            when_process_ends(self.shut_down)

    def _leave_worker(self) -> None:
        """The process is a DataLoader's worker: nothing of it is wanted, and the host gives the area's memory back."""
        self._detach()
        self._area.close()
        self._control.send({"type": "leaves"})
        self._control.hang_up()

    def _detach(self) -> None:
        """Take every patch and hook off and switch the probe off. The script goes on as if we had never been there."""
        if self.handing_on is not None:
            self.handing_on.end()
        self.torch_watcher.remove()
        if self._watched is not None:
            watched, self._watched = self._watched, None
            watched.remove()

    def _tell_exception(self, error: BaseException) -> None:
        message = exception_message(error, self._watched.watch.frames.is_users if self._watched else lambda filename: True)
        if self._watched is None:
            self._untold.append({"type": "exception", **message, "time_ns": time.monotonic_ns()})
        else:
            self._watched.exception(message)

    def _tell_end(self, fields: dict[str, Any]) -> None:
        if self._watched is not None:
            self._watched.end(fields)
        elif not self._is_awake:
            self.torch_watcher.remove()
            write_last_words(self._area, [self._facts(), *self._untold, {"type": "exit", **fields}])

    def shut_down(self) -> None:
        """The process goes: nothing of ours may run after the interpreter's state is gone. Idempotent."""
        if os.getpid() == self._pid:
            if self._is_child and self._watched is not None and not self._has_told_end:
                self._guarded(self._tell_childs_end)
            self._guarded(self._detach)

    def _tell_childs_end(self) -> None:
        """Nobody but the interpreter has seen the exception that ended a process which is not in our runner. Its exit code the host learns by itself."""
        error = sys.exc_info()[1] or getattr(sys, "last_exc", None) or getattr(sys, "last_value", None)
        if isinstance(error, Exception):
            self._tell_exception(error)
        self._tell_end({"code": exit_code(error) if error is not None else 0, "time_ns": time.monotonic_ns()})

    def _leave_in_child(self) -> None:
        """A forked child is off: the probe has switched itself off, and the host must not wait for the child's copy of the socket."""
        if self._is_forked:
            return
        self._is_forked = True
        self._control.close()
        self._area.close()
        self.torch_watcher.remove()
        watched, self._watched = self._watched, None
        if watched is not None:
            self._guarded(watched.remove)
        wait = self.wait_in_child
        if wait is not None and (watched is not None or not self._is_awake):
            self._guarded(lambda: wait(watched))

    def _guarded(self, step: Callable[[], None]) -> None:
        try:
            step()
        except Exception as error:
            self._control.send({"type": "reply", "trouble": f"{type(error).__name__}: {error}"})


def load_probe(path: str) -> Any:
    """The native probe, as a module that stands in no ``sys.modules``."""
    loader = ExtensionFileLoader("_tensorscope_probe", path)
    spec = spec_from_file_location(loader.name, path, loader=loader)
    assert spec is not None
    module = module_from_spec(spec)
    loader.exec_module(module)
    sys.modules.pop(loader.name, None)  # a module of one-phase init puts itself there: faulthandler would list it in the script's last words
    return module
