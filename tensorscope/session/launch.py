"""Starts the debuggee: the user's interpreter, our bootstrap by its path, and a socket pair of which the debuggee inherits one end.

The debuggee inherits stdin, stdout and stderr as they are, so on a terminal it has that very terminal (tqdm, pdb, input() and Ctrl+C work, also after the
host is gone), and into a file or pipe it writes without us in between. It stays in the host's process group: the terminal's signals reach it directly.
Where there is no probe, the script runs under plain Python.
"""

import contextlib
import os
import selectors
import shutil
import socket
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Protocol

from tensorscope.errors import TensorScopeError
from tensorscope.protocol.children import DOOR, PYTHON_PATH, python_path_with
from tensorscope.protocol.source_files import STANDARD_INPUT

BOOTSTRAP: Final = Path(__file__).resolve().parent.parent / "agent" / "bootstrap.py"
SITE_FOLDER: Final = str(BOOTSTRAP.parent / "site")


@dataclass(frozen=True, slots=True)
class LaunchOptions:
    """What to run and how."""

    script: str  # a file, or a module's name
    arguments: Sequence[str] = ()
    is_module: bool = False
    interpreter: str = field(default=sys.executable)
    has_stacks: bool = True
    has_updates: bool = False  # read how far each optimizer step moves the weights
    max_iterations: int | None = None  # after as many the probe goes off; the script goes on
    breaks: Sequence[str] = ()  # breakpoints (protocol.breakpoints) from the start
    is_command: bool = False  # any program: ``script`` is its name, and Python below it is watched
    captures_output: bool = False  # take down what the script prints
    probe: str = ""  # which one is wanted, for every process of the job: one of session.build's ANY, NATIVE, PYTHON
    descriptors: Sequence[int] = ()  # beside stdin, stdout and stderr: what we inherited and the script is to inherit

    @property
    def title(self) -> str:
        return "stdin" if self.is_stdin else self.script if self.is_module else Path(self.script).name

    @property
    def shown_title(self) -> str:
        """As Python calls it; ``title`` can be a file's name."""
        return STANDARD_INPUT if self.is_stdin else self.title

    @property
    def is_stdin(self) -> bool:
        """The script comes from standard input, as ``python -`` takes it."""
        return self.script == "-" and not self.is_module and not self.is_command


def check(options: LaunchOptions) -> None:
    """Raise TensorScopeError where the interpreter or the script is not there."""
    if options.is_command:
        if shutil.which(options.script) is None:
            raise TensorScopeError(f"There is no command {options.script}.")
        return
    if options.is_stdin and sys.stdin is not None and sys.stdin.isatty():
        raise TensorScopeError("Give a script's file, or pipe a script into standard input.")
    if not options.is_module and not options.is_stdin and not Path(options.script).exists():
        raise TensorScopeError(f"There is no script {options.script}.")
    interpreter = Path(options.interpreter)
    if not (interpreter.is_file() and os.access(interpreter, os.X_OK)):
        raise TensorScopeError(f"There is no interpreter {options.interpreter}; give --python the path of one.")


def inherited_descriptors() -> tuple[int, ...]:
    """What this process was given beside stdin, stdout and stderr; to be asked before anything is opened."""
    numbers = sorted(int(name) for name in os.listdir("/proc/self/fd"))
    found = []
    for number in numbers:
        with contextlib.suppress(OSError):  # the one with which the folder was read
            if number > 2 and os.get_inheritable(number):
                found.append(number)
    return tuple(found)


class Process(Protocol):
    """A process with an agent in it, as its host sees it."""

    control: socket.socket
    pid: int

    def poll(self) -> int | None: ...
    def wait(self, wake_fd: int | None = None, timeout: float | None = None) -> int | None: ...
    def signal(self, number: int) -> None: ...


class Debuggee:
    """The running script, a child of this process."""

    def __init__(self, options: LaunchOptions, probe: Path | None, door: str, stdout: int | None = None, stderr: int | None = None) -> None:
        """``door``: the socket for Python below it, "" where nobody watches; ``stdout``, ``stderr``: what it gets for ours, None: ours.

        Raises TensorScopeError where it cannot be started.
        """
        self.control, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_STREAM)
        is_watched = probe is not None and not options.is_command
        with theirs:
            if options.is_command:
                words = [options.script]
            elif probe is not None:
                words = [options.interpreter, *_watched_words(options, probe, theirs.fileno(), door), options.script]
            else:
                words = [options.interpreter, *_plain_words(options), options.script]
            passed = [*options.descriptors, *([theirs.fileno()] if is_watched else [])]
            try:
                self._process = subprocess.Popen(
                    [*words, *options.arguments], pass_fds=passed, env=environment(door if options.is_command else ""), stdout=stdout, stderr=stderr
                )
            except OSError as error:
                self.control.close()
                raise TensorScopeError(f"{words[0]} could not be started: {(error.strerror or str(error)).lower()}.") from None
        self.pid = self._process.pid

    def poll(self) -> int | None:
        """Exit code, negative for a signal; None while it runs."""
        return self._process.poll()

    def wait(self, wake_fd: int | None = None, timeout: float | None = None) -> int | None:
        """Wait for the end, for ``timeout`` seconds, or until ``wake_fd`` can be read; the exit code or None."""
        try:
            pidfd = os.pidfd_open(self.pid)
        except ProcessLookupError:  # another thread has just met its end
            return self._process.wait()
        try:
            with selectors.DefaultSelector() as selector:
                selector.register(pidfd, selectors.EVENT_READ)
                if wake_fd is not None:
                    selector.register(wake_fd, selectors.EVENT_READ)
                has_ended = any(key.fd == pidfd for key, _ in selector.select(timeout))
        finally:
            os.close(pidfd)
        return self._process.wait() if has_ended else None

    def signal(self, number: int) -> None:
        """Send a signal; one that has ended does not mind."""
        self._process.send_signal(number)


def environment(door: str) -> dict[str, str]:
    """Our own environment; with a door, Python finds it. Below a watched process an empty door keeps that one's from being handed on."""
    variables = dict(os.environ)
    if door:
        return {**variables, DOOR: door, PYTHON_PATH: python_path_with(SITE_FOLDER, variables.get(PYTHON_PATH))}
    return {**variables, DOOR: ""} if f"{DOOR}=".encode() in Path("/proc/self/environ").read_bytes() else variables


def _watched_words(options: LaunchOptions, probe: Path, control_fd: int, door: str) -> list[str]:
    words = [str(BOOTSTRAP), "--control-fd", str(control_fd), "--probe", str(probe), *(["--door", door] if door else [])]
    words += [] if options.has_stacks else ["--no-stacks"]
    words += ["--updates"] if options.has_updates else []
    words += ["--iterations", str(options.max_iterations)] if options.max_iterations else []
    words += [word for spec in options.breaks for word in ("--break", spec)]
    return [*words, *(["--module"] if options.is_module else []), "--"]


def _plain_words(options: LaunchOptions) -> list[str]:
    return ["-m"] if options.is_module else []
