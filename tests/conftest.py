"""The house rules of all tests: Qt without a screen, a cache of their own, and nothing left behind by any test."""

import os

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")  # torch's threads in our children must not spin on cores that others need

import contextlib
import fcntl
import pickle
import signal
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.support.leaks import SESSION_VARIABLE, leaked_widgets, left_over, living_threads, started_processes, top_level_widgets
from tests.truth.harness import SAMPLES, SCRIPTS, Recording, record

SESSION = os.environ[SESSION_VARIABLE] = uuid.uuid4().hex  # a new one in every process that runs tests


@pytest.fixture(scope="session")
def probe_cache(pytestconfig: pytest.Config) -> Path:
    """Where built probes are kept from test to test: they are keyed by source and torch build, so keeping them is safe."""
    return Path(pytestconfig.cache.mkdir("probe"))


@pytest.fixture(autouse=True)
def private_cache(tmp_path_factory: pytest.TempPathFactory, probe_cache: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache folder for this test alone, in which only the built probe is shared; child processes inherit it."""
    cache = tmp_path_factory.mktemp("cache")
    (cache / "tensorscope").mkdir()
    (cache / "tensorscope" / "probe").symlink_to(probe_cache, target_is_directory=True)
    monkeypatch.setenv("XDG_CACHE_HOME", str(cache))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(cache / "config"))
    return cache


@pytest.fixture(autouse=True)
def nothing_is_left_behind() -> Iterator[None]:
    """Fails a test that leaves a thread, a process (orphans and zombies included) or a top-level widget."""
    threads, processes, widgets = living_threads(), started_processes(SESSION), top_level_widgets()
    yield
    new_widgets = leaked_widgets(widgets)
    new_processes = {
        pid: command
        for pid, command in left_over(lambda: started_processes(SESSION), lambda found: found.keys() <= processes.keys()).items()
        if pid not in processes
    }
    new_threads = left_over(living_threads, lambda found: found <= threads) - threads
    for pid in new_processes:
        _kill(pid)
    assert not new_widgets, f"widgets left behind: {new_widgets}"
    assert not new_processes, f"processes left behind: {new_processes}"
    assert not new_threads, f"threads left behind: {new_threads}"


def _kill(pid: int) -> None:
    with contextlib.suppress(OSError):
        os.kill(pid, signal.SIGKILL)


@pytest.fixture(scope="session")
def qapp() -> Any:
    """The one QApplication of the test session."""
    from PySide6.QtWidgets import QApplication

    return QApplication.instance() or QApplication(["tensorscope-tests"])


@pytest.fixture(scope="session")
def recorded(tmp_path_factory: pytest.TempPathFactory, probe_cache: Path) -> Callable[[str], Recording]:
    """``recorded("graphs.py")``: the recording of a truth script or a sample, made once a session, by the first process that asks for it."""
    folder = tmp_path_factory.getbasetemp()
    folder = (folder.parent if "PYTEST_XDIST_WORKER" in os.environ else folder) / "recorded"
    folder.mkdir(exist_ok=True)
    known: dict[str, Recording] = {}

    def get(name: str) -> Recording:
        if name not in known:
            with (folder / f"{name}.lock").open("w") as lock:
                fcntl.flock(lock, fcntl.LOCK_EX)
                known[name] = _recorded_once(name, folder / name)
        return known[name]

    return get


def _recorded_once(name: str, folder: Path) -> Recording:
    known = folder / "recording.pickle"
    if not known.exists():
        folder.mkdir(exist_ok=True)
        recording = record(SAMPLES / name if (SAMPLES / name).exists() else SCRIPTS / name, folder)
        known.write_bytes(pickle.dumps(recording))
        return recording
    return pickle.loads(known.read_bytes())  # type: ignore[no-any-return]


@pytest.fixture(autouse=True)
def _no_word_from_qt(request: pytest.FixtureRequest) -> Iterator[None]:
    """Qt's own warnings fail the test that caused them."""
    if "qapp" not in request.fixturenames:
        yield
        return
    from PySide6.QtCore import QtMsgType, qInstallMessageHandler

    said: list[str] = []
    previous = qInstallMessageHandler(lambda kind, _, text: said.append(text) if kind != QtMsgType.QtDebugMsg else None)
    yield
    qInstallMessageHandler(previous)
    unexpected = [text for text in said if text != "This plugin does not support propagateSizeHints()"]  # of the offscreen platform
    assert not unexpected, f"Qt said: {unexpected}"


def pytest_runtest_setup(item: pytest.Item) -> None:
    if item.get_closest_marker("cuda"):
        import torch

        if not torch.cuda.is_available():
            pytest.skip("needs a CUDA device")
