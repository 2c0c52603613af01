"""Both sides of ``tensorscope relay``, which stands between ssh and a job's socket on the job's machine and only copies bytes."""

import contextlib
import os
import socket
import subprocess
import threading
from typing import Final

from tensorscope import __version__
from tensorscope.errors import TensorScopeError
from tensorscope.language import tr
from tensorscope.protocol.stream import preface
from tensorscope.session.connection import connected, ssh_trouble, ssh_words
from tensorscope.session.jobs import find_job
from tensorscope.session.wire import item

PIECE_BYTES: Final = 1 << 20


def relay(name: str, reading: int, writing: int) -> None:
    """Copy between the two descriptors and the job's socket until either side ends.

    A job that cannot be had is told as the host would tell it, so that the window says why.
    """
    try:
        connection = _connected(name)
    except TensorScopeError as error:
        _write(writing, preface(__version__) + item("refused", sentence=str(error).rstrip("."), **_outcome(name)))
        return
    with connection:
        # Ends with this process, also where nobody ends what it reads.
        threading.Thread(target=_copy_in, args=(reading, connection), name="tensorscope-relay", daemon=True).start()
        with contextlib.suppress(OSError):
            while data := connection.recv(PIECE_BYTES):
                _write(writing, data)


def list_remote(host: str, remote_command: str) -> str:
    """What ``relay`` without a job says on another machine: its jobs. Raises TensorScopeError where it cannot be asked."""
    done = subprocess.run(ssh_words(host, f"{remote_command} relay"), stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace", check=False)
    if done.returncode:
        raise TensorScopeError(ssh_trouble(host, remote_command, done.returncode, done.stderr))
    return done.stdout


def _connected(name: str) -> socket.socket:
    job = find_job(name)
    if not job.is_served:
        outcome = job.outcome or tr("its host was ended before its script")
        told = tr("Job {name} is over ({outcome}); its recording on {machine} is {path}")
        raise TensorScopeError(told.format(name=job.name, outcome=outcome, machine=socket.gethostname(), path=job.recording))
    return connected(job)


def _outcome(name: str) -> dict[str, str]:
    """How a job ended that is over, for a window that had been attached to it."""
    try:
        job = find_job(name)
    except TensorScopeError:
        return {}
    return {} if job.is_served else {"outcome": job.outcome, "recording": job.recording, "machine": socket.gethostname()}


def _copy_in(reading: int, connection: socket.socket) -> None:
    with contextlib.suppress(OSError):
        while data := os.read(reading, PIECE_BYTES):
            connection.sendall(data)
    with contextlib.suppress(OSError):
        connection.shutdown(socket.SHUT_RDWR)


def _write(descriptor: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(descriptor, view) :]
