"""A served fake run, and a place for its socket."""

import contextlib
import shutil
import signal
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tensorscope.session.attached import HISTORY_BYTES, AttachedSession
from tensorscope.session.connection import SocketConnection
from tensorscope.session.jobs import JobNote, find_job
from tensorscope.session.live import OVER, LiveSession
from tensorscope.session.serve import JobServer
from tests.support.fake_run import PATIENCE_S


@pytest.fixture
def runtime(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A short folder for sockets, for this test and its children alone."""
    folder = tempfile.mkdtemp(prefix="ts-")
    monkeypatch.setenv("TENSORSCOPE_JOBS", folder)
    yield Path(folder)
    shutil.rmtree(folder)


@contextlib.contextmanager
def served(session: LiveSession, name: str = "fake", patience_s: float = PATIENCE_S) -> Iterator[JobServer]:
    """The session served inside the block; at its end the script is ended, if it still runs."""
    server = JobServer(session, JobNote(session.title, session.path, name))
    try:
        yield server
    finally:
        if session.status.state not in OVER:
            session.signal(signal.SIGKILL)
        session.wait(PATIENCE_S)
        server.close(patience_s)
        session.close()


class FarConnection(SocketConnection):
    """As if the job were on another machine."""

    is_local = False


def attached(folder: Path, job: str = "fake", history_bytes: int = HISTORY_BYTES, *, is_far: bool = False) -> AttachedSession:
    connection = (FarConnection if is_far else SocketConnection)(find_job(job))
    return AttachedSession(connection, lambda title: folder / "mirror.tscope", history_bytes=history_bytes)
