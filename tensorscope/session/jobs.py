"""The served jobs of this user on this machine: one note and one socket each, in a folder that only the user can enter.

The host of a job holds a lock on its note for as long as it lives, so a note without a lock is of a job that has ended, whatever its host came to.
Notes of the last jobs stay: they say what happened and where the recording is.
"""

import contextlib
import fcntl
import json
import os
import re
import stat
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Final

from tensorscope.errors import TensorScopeError
from tensorscope.language import tr

NOTE, SOCKET = ".job", ".sock"
KEPT_NOTES: Final = 20
MAX_NAME: Final = 40
MAX_SOCKET_PATH: Final = 107  # of sockaddr_un


@dataclass(frozen=True, slots=True)
class Job:
    name: str
    title: str
    pid: int  # of its host
    recording: str
    script_pids: tuple[int, ...] = ()
    outcome: str = ""  # how the script ended, as a status says it
    is_served: bool = False  # its host lives
    folder: str = ""

    @property
    def socket(self) -> Path:
        return Path(self.folder) / (self.name + SOCKET)


class JobNote:
    """The claim of a name by the host of a job; ``close`` leaves the note behind."""

    def __init__(self, title: str, recording: Path, name: str | None = None) -> None:
        """Claim ``name``, or one made from the title. Raises TensorScopeError where the name is taken or no folder can be had."""
        folder = _own_folder()
        wanted = _checked(name) if name is not None else _name_of(title)
        chosen, self._fd = _claim(folder, wanted, is_fixed=name is not None)
        self.job = Job(chosen, title, os.getpid(), str(recording.resolve()), folder=str(folder), is_served=True)
        with contextlib.suppress(FileNotFoundError):
            self.job.socket.unlink()
        self._write()
        _forget_old(folder)

    def update(self, **changes: Any) -> None:
        """Note what became known: ``script_pids``, ``outcome``."""
        self.job = replace(self.job, **changes)
        self._write()

    def close(self) -> None:
        with contextlib.suppress(FileNotFoundError):
            self.job.socket.unlink()
        os.close(self._fd)

    def _write(self) -> None:
        told = {key: value for key, value in asdict(self.job).items() if key not in ("is_served", "folder")}
        body = json.dumps(told).encode()
        os.pwrite(self._fd, body, 0)
        os.ftruncate(self._fd, len(body))


def jobs() -> list[Job]:
    """All jobs that are known, those that are served first, then the newest."""
    found = [(job.is_served, changed, job) for folder in _folders() if _is_private(folder) for job, changed in _jobs_in(folder)]
    return [job for *_, job in sorted(found, key=lambda entry: entry[:2], reverse=True)]


def find_job(text: str) -> Job:
    """The job with this name, or the pid of its host or script; raises TensorScopeError where there is none."""
    known = jobs()
    is_number = text.isdecimal() and len(text) < 12
    fits: Callable[[Job], bool] = (lambda job: int(text) in (job.pid, *job.script_pids)) if is_number else (lambda job: job.name == text)
    found = next((job for job in known if fits(job)), None)
    if found is not None:
        return found
    served = ", ".join(job.name for job in known if job.is_served)
    if served:
        raise TensorScopeError(tr("There is no job {job}; served are: {names}.").format(job=text, names=served))
    raise TensorScopeError(tr("There is no job {job}, and none is served; start one with tensorscope serve train.py.").format(job=text))


def list_text(known: list[Job]) -> str:
    """A line a job, for people."""
    if not known:
        return tr("No job is served; start one with tensorscope serve train.py.") + "\n"
    rows = [(job.name, str(job.pid), job.title, tr("served") if job.is_served else job.outcome or tr("its host is gone")) for job in known]
    widths = [max(len(row[column]) for row in rows) for column in range(3)]
    return "".join("  ".join([*(cell.ljust(width) for cell, width in zip(row, widths, strict=False)), row[3]]) + "\n" for row in rows)


def _folders() -> list[Path]:
    """Where jobs may be noted, the best first: a login without XDG_RUNTIME_DIR must find the jobs of one that has it. TENSORSCOPE_JOBS names another place."""
    if chosen := os.environ.get("TENSORSCOPE_JOBS"):
        return [Path(chosen)]
    runtime = os.environ.get("XDG_RUNTIME_DIR", "")
    user = os.getuid()
    candidates = [Path(runtime) / "tensorscope"] if runtime else []
    candidates += [Path(f"/run/user/{user}/tensorscope"), Path(f"/tmp/tensorscope-{user}")]
    return list(dict.fromkeys(folder for folder in candidates if len(str(folder)) + 1 + MAX_NAME + len(SOCKET) + 3 <= MAX_SOCKET_PATH))


def _own_folder() -> Path:
    for folder in _folders():
        with contextlib.suppress(OSError):
            folder.mkdir(mode=0o700, exist_ok=True)
        if _is_private(folder):
            return folder
    raise TensorScopeError(tr("There is no private folder for the job's socket: {folder} is another user's.").format(folder=_folders()[-1]))


def _is_private(folder: Path) -> bool:
    try:
        about = folder.lstat()
    except OSError:
        return False
    return stat.S_ISDIR(about.st_mode) and about.st_uid == os.getuid() and not about.st_mode & 0o077


def _claim(folder: Path, wanted: str, *, is_fixed: bool) -> tuple[str, int]:
    name = wanted
    for number in range(2, 1000):
        descriptor = _lock(folder / (name + NOTE))
        if descriptor is not None:
            return name, descriptor
        if is_fixed:
            raise TensorScopeError(tr("There is a job {name} already; give --name another.").format(name=name))
        name = f"{wanted[: MAX_NAME - 4]}-{number}"
    raise TensorScopeError(tr("There are too many jobs {name}; give --name another.").format(name=wanted))


def _lock(path: Path) -> int | None:
    """The note, opened and locked; None where another has the lock."""
    while True:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if path.exists() and os.fstat(descriptor).st_ino == path.stat().st_ino:  # nobody has put it away meanwhile
                return descriptor
        except BlockingIOError:
            os.close(descriptor)
            return None
        os.close(descriptor)


def _jobs_in(folder: Path) -> Iterator[tuple[Job, int]]:
    for path in folder.glob(f"*{NOTE}"):
        with contextlib.suppress(OSError, ValueError, TypeError, KeyError), path.open("rb") as file:
            told = json.load(file)
            changed = os.fstat(file.fileno()).st_mtime_ns
            yield _job(told, folder, is_served=_is_locked(file.fileno())), changed


def _job(told: dict[str, Any], folder: Path, *, is_served: bool) -> Job:
    pids = tuple(int(pid) for pid in told["script_pids"])
    return Job(str(told["name"]), str(told["title"]), int(told["pid"]), str(told["recording"]), pids, str(told["outcome"]), is_served, str(folder))


def _is_locked(descriptor: int) -> bool:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    return False


def _forget_old(folder: Path) -> None:
    ended = sorted((path for path in folder.glob(f"*{NOTE}")), key=lambda path: path.stat().st_mtime_ns)
    for path in ended[:-KEPT_NOTES]:
        descriptor = _lock(path)
        if descriptor is not None:
            path.unlink()
            with contextlib.suppress(FileNotFoundError):
                path.with_suffix(SOCKET).unlink()
            os.close(descriptor)


def _checked(name: str) -> str:
    if not re.fullmatch(rf"[A-Za-z_][A-Za-z0-9_.-]{{0,{MAX_NAME - 1}}}", name):
        raise TensorScopeError(tr("--name needs letters, digits, _ . and -, up to {most}, a letter first; not {name}.").format(most=MAX_NAME, name=name))
    return name


def _name_of(title: str) -> str:
    stem = title.removesuffix(".py").rpartition("/")[2]
    name = re.sub(r"[^A-Za-z0-9_.-]+", "-", stem).strip("-.")[: MAX_NAME - 4] or "job"
    return name if re.match(r"[A-Za-z_]", name) else f"job-{name}"[: MAX_NAME - 4]
