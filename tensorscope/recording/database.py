"""Opening the SQLite file of a recording for writing: beside a stale one, on file systems without WAL, and back to a single file at the end."""

import contextlib
import fcntl
import sqlite3
from pathlib import Path
from time import time_ns
from typing import BinaryIO, Final

from tensorscope import __version__
from tensorscope.errors import TensorScopeError
from tensorscope.recording.format import APPLICATION_ID, SCHEMA, SQLITE_MAGIC

LOG_BYTES: Final = 32 << 20


def create(path: Path) -> sqlite3.Connection:
    """A new recording at ``path``, in place of an older recording there; usable from any one thread at a time.

    Raises TensorScopeError where nothing can be written, or where a file stands that is no recording.
    """
    check_replaceable(path)
    try:
        for suffix in ("", "-wal", "-shm", "-journal"):
            path.with_name(path.name + suffix).unlink(missing_ok=True)
        return _create(path)
    except (OSError, sqlite3.Error) as error:
        raise TensorScopeError(f"Cannot write a recording at {path}: {_reason(path, error)}.") from None


def check_replaceable(path: Path) -> None:
    """Raise TensorScopeError where something stands at ``path`` that is no recording of ours, or one that is still written.

    A device or a pipe is neither read nor replaced.
    """
    if path.exists() and not _is_replaceable(path):
        raise TensorScopeError(f"{path} exists and is no recording; choose another name.")
    if is_claimed(path):
        raise TensorScopeError(f"{path} is just now written by another run; choose another name.")


def claim(path: Path) -> BinaryIO:
    """Mark the recording as being written until the file is closed or this process ends. To be closed after the connection: SQLite's locks go with it."""
    file = path.open("rb")
    with contextlib.suppress(OSError):  # a file system without locks
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    return file


def is_claimed(path: Path) -> bool:
    """Whether a process that still runs writes a recording at ``path``, which is no pipe."""
    try:
        with path.open("rb") as file:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    except OSError:
        return False
    return False


def close_cleanly(connection: sqlite3.Connection) -> None:
    """Mark the recording as ended and leave one file, without a log beside it (unless somebody reads it just now)."""
    with connection:
        connection.execute("INSERT OR REPLACE INTO facts VALUES ('is_ended', 'true')")
    with contextlib.suppress(sqlite3.OperationalError):
        connection.execute("PRAGMA busy_timeout = 200")
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
        connection.execute("PRAGMA journal_mode = DELETE").fetchall()


def _create(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False, timeout=10)
    try:
        connection.execute("PRAGMA page_size = 65536")
        # Before WAL, so that the file itself, not its log, says what it is: a killed host's recording can be told from a foreign file and replaced.
        connection.executescript(f"BEGIN; {SCHEMA} INSERT INTO facts VALUES ('created_wall_ns', '{time_ns()}'); COMMIT;")
        try:
            connection.execute("PRAGMA journal_mode = WAL").fetchall()
        except sqlite3.OperationalError:  # a file system without shared memory: the rollback journal does it
            connection.execute("PRAGMA journal_mode = DELETE").fetchall()
        connection.execute("PRAGMA synchronous = NORMAL")
        connection.execute(f"PRAGMA journal_size_limit = {LOG_BYTES}").fetchall()  # a log that was larger once is cut when it begins anew
        connection.execute("INSERT INTO facts VALUES ('tensorscope_version', ?)", (f'"{__version__}"',))
    except BaseException:
        connection.close()
        raise
    return connection


def _is_replaceable(path: Path) -> bool:
    """Whether what stands at ``path`` is an empty file or a recording of ours."""
    if not path.is_file():
        return False
    try:
        with path.open("rb") as file:
            head = file.read(100)
    except OSError:
        return False
    return not head or (head.startswith(SQLITE_MAGIC) and int.from_bytes(head[68:72], "big") == APPLICATION_ID)


def _reason(path: Path, error: Exception) -> str:
    if not path.parent.is_dir():
        return f"there is no folder {path.parent}"
    if isinstance(error, OSError) and error.strerror:
        return error.strerror.lower()
    return str(error)
