"""How a window reaches the host of a job: over its Unix socket, or through ``ssh`` and the relay on another machine."""

import contextlib
import os
import shlex
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Callable
from pathlib import Path
from time import monotonic, sleep
from typing import IO, Final, Protocol

from tensorscope.errors import TensorScopeError
from tensorscope.language import tr
from tensorscope.session.ending import Ending, ending_here, ending_told
from tensorscope.session.jobs import Job

READ_BYTES: Final = 1 << 20
ANSWER_S: Final = 10.0
MAX_BANNER_BYTES: Final = 64 * 1024
CONNECT_S: Final = 20
NO_SUCH_COMMAND: Final = (126, 127)  # as a shell says it


class Connection(Protocol):
    """Bytes to and from a host. ``hang_up`` may be called from any thread and ends a ``read`` that waits."""

    @property
    def target(self) -> str:
        """What ``tensorscope attach`` takes to come here again."""
        ...

    @property
    def is_local(self) -> bool: ...
    @property
    def max_banner_bytes(self) -> int:
        """What may come before the host's first word."""
        ...

    def read(self) -> bytes:
        """Some bytes; none at the end. Raises OSError."""
        ...

    def write(self, data: bytes) -> None: ...
    def was_greeted(self) -> None:
        """The host has answered: from now on it may be silent for as long as it likes."""
        ...

    def trouble(self) -> str:
        """After the end: a sentence on what kept the host from answering."""
        ...

    def ending(self, host_pid: int, is_cancelled: Callable[[], bool]) -> Ending:
        """After the end of a connection that had been greeted: what became of the job. May take long."""
        ...

    def hang_up(self) -> None: ...
    def close(self) -> None: ...


class SocketConnection:
    """To a job of this user on this machine."""

    is_local = True
    max_banner_bytes = 0

    def __init__(self, job: Job) -> None:
        """Raises TensorScopeError where nobody listens."""
        self.target = job.name
        self._socket = connected(job)
        self._socket.settimeout(ANSWER_S)
        self._job = job

    def read(self) -> bytes:
        return self._socket.recv(READ_BYTES)

    def write(self, data: bytes) -> None:
        self._socket.sendall(data)

    def was_greeted(self) -> None:
        self._socket.settimeout(None)

    def trouble(self) -> str:
        return silent(self._job)

    def ending(self, host_pid: int, is_cancelled: Callable[[], bool]) -> Ending:
        return ending_here(self._job.name, host_pid, is_cancelled)

    def hang_up(self) -> None:
        with contextlib.suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        self._socket.close()


class SshConnection:
    """To a job on another machine: ``ssh HOST tensorscope relay JOB``. Who may do that is SSH's business, and so are passwords: it asks on the terminal."""

    is_local = False
    max_banner_bytes = MAX_BANNER_BYTES

    def __init__(self, host: str, job: str, remote_command: str) -> None:
        """Raises TensorScopeError where there is no ssh."""
        self.target = f"{host}:{job}"
        self._host = host
        self._command = remote_command
        self._remote = f"{remote_command} relay {shlex.quote(job)}"
        words = ssh_words(host, self._remote)
        self._complaints: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115 - closed in close()
        self._process = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._complaints)
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._writing, self._reading = self._process.stdin.fileno(), self._process.stdout.fileno()

    def read(self) -> bytes:
        return os.read(self._reading, READ_BYTES)

    def write(self, data: bytes) -> None:
        view = memoryview(data)
        while view:
            view = view[os.write(self._writing, view) :]

    def was_greeted(self) -> None:
        """ssh has limits of its own."""

    def trouble(self) -> str:
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(ANSWER_S)
        self._complaints.seek(0)
        return ssh_trouble(self._host, self._command, self._process.returncode, self._complaints.read().decode(errors="replace"))

    def ending(self, host_pid: int, is_cancelled: Callable[[], bool]) -> Ending:
        return Ending() if is_cancelled() else ending_told(ssh_words(self._host, self._remote, is_silent=True), self.max_banner_bytes)

    def hang_up(self) -> None:
        self._process.terminate()

    def close(self) -> None:
        self._process.terminate()
        with self._process:  # closes the pipes and waits
            pass
        self._complaints.close()


def connected(job: Job) -> socket.socket:
    """A connection to the host of a job; raises TensorScopeError where nobody listens."""
    connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        _wait_for(job.socket)
        connection.connect(str(job.socket))
    except OSError:
        connection.close()
        raise TensorScopeError(silent(job)) from None
    return connection


def silent(job: Job) -> str:
    return tr("The host of job {name} does not answer; is process {pid} stopped?").format(name=job.name, pid=job.pid)


def _wait_for(path: Path) -> None:
    """A host that claimed its job's name a moment ago is about to listen."""
    deadline = monotonic() + ANSWER_S
    while not path.exists() and monotonic() < deadline:
        sleep(0.02)


def ssh_words(host: str, command: str, *, is_silent: bool = False) -> list[str]:
    """The command line; ``is_silent``: it asks for no password. Raises TensorScopeError where there is no ssh or ``host`` cannot be one."""
    ssh = shutil.which("ssh")
    if ssh is None:
        raise TensorScopeError(tr("There is no ssh here; install it (openssh-client), or give a job of this machine."))
    if not host or host.startswith("-") or any(letter.isspace() for letter in host):
        raise TensorScopeError(tr("{host} is no name of a machine; give HOST:JOB.").format(host=host or '""'))
    silence = ["-o", "BatchMode=yes"] if is_silent else []
    return [ssh, "-T", *silence, "-o", f"ConnectTimeout={CONNECT_S}", host, command]


def ssh_trouble(host: str, command: str, code: int | None, complaints: str) -> str:
    """Why ssh or the far command ended with this exit code."""
    lines = [line.strip().rstrip(".") for line in complaints.splitlines() if line.strip()]
    last = lines[-1].removeprefix("tensorscope: ") if lines else ""
    if code in NO_SUCH_COMMAND:
        told = tr("There is no {command} on the PATH of {host}; give its path there: --remote-command ~/venv/bin/tensorscope")
        return told.format(command=command, host=host)
    if code == 255:
        return tr("ssh could not reach {host}: {reason}.").format(host=host, reason=last or tr("it said nothing"))
    return tr("The relay on {host} ended: {reason}.").format(host=host, reason=last or tr("exit code {code}").format(code=code))
