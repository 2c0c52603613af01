"""What became of a job whose host says nothing more: asked of its note, which outlives the host, or through the relay of its machine."""

import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from time import monotonic, sleep
from typing import Final

from tensorscope import __version__
from tensorscope.errors import ProtocolError, TensorScopeError
from tensorscope.protocol.stream import StreamDecoder
from tensorscope.session.jobs import jobs

LOOK_S: Final = 0.05
PATIENCE_S: Final = 10.0  # a host that hung up is about to note how its script ended
ASK_S: Final = 30.0


@dataclass(frozen=True, slots=True)
class Ending:
    outcome: str = ""  # how the script ended, as its host saw it; "" where it did not
    does_run: bool | None = None  # whether the script runs on; None: not known
    recording: str = ""
    machine: str = ""


def ending_here(name: str, host_pid: int, is_cancelled: Callable[[], bool]) -> Ending:
    """Of a job of this machine. Waits while its host still lives and has said nothing."""
    deadline = monotonic() + PATIENCE_S
    while True:
        job = next((job for job in jobs() if job.name == name and job.pid == host_pid), None)
        if job is None:
            return Ending()
        if job.outcome or not job.is_served:
            return Ending(job.outcome, None if job.outcome else any(_runs(pid) for pid in job.script_pids), job.recording)
        if is_cancelled() or monotonic() > deadline:
            return Ending()
        sleep(LOOK_S)


def ending_told(words: list[str], max_banner_bytes: int) -> Ending:
    """Of a job of another machine: what its relay refuses it with. ``words`` is the command that runs the relay; nothing is asked on the terminal."""
    try:
        told = subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, timeout=ASK_S, check=False).stdout
        items = StreamDecoder(__version__, max_banner_bytes=max_banner_bytes).feed(told)
    except (OSError, subprocess.TimeoutExpired, ProtocolError, TensorScopeError):
        return Ending()
    first = items[0] if items else None
    if not isinstance(first, dict) or first.get("type") != "refused" or not first.get("outcome"):
        return Ending()
    return Ending(str(first["outcome"]), None, str(first.get("recording") or ""), str(first.get("machine") or ""))


def _runs(pid: int) -> bool:
    """Whether a process runs; one that has ended and is not waited for does not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (OSError, IndexError):
        return False
