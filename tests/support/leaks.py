"""What must be gone when a test ends: threads, child processes and top-level widgets, each counted before and after."""

import gc
import os
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

SESSION_VARIABLE = "TENSORSCOPE_TEST_SESSION"  # inherited by every process a test starts, so that orphans are found as well
GRACE_S = 30.0


def living_threads() -> set[threading.Thread]:
    return {thread for thread in threading.enumerate() if not isinstance(thread, threading._DummyThread)}


def started_processes(session: str) -> dict[int, str]:
    """Processes (pid → command) that are children of this one or carry the session's mark, zombies included."""
    mark = f"{SESSION_VARIABLE}={session}".encode()
    own = os.getpid()
    found = {}
    for folder in _process_folders():
        pid = int(folder.name)
        try:
            parent = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
            is_ours = parent == own or mark in (folder / "environ").read_bytes().split(b"\0")
            if pid != own and is_ours:
                found[pid] = (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace").strip() or "(zombie)"
        except (OSError, ValueError):
            continue  # ended while we looked, or not ours to read
    return found


def _process_folders() -> Iterator[Path]:
    return (folder for folder in Path("/proc").iterdir() if folder.name.isdigit())


def top_level_widgets() -> list[Any]:
    """Top-level Qt widgets that exist now, deferred deletions done; empty where no test has loaded Qt."""
    widgets = sys.modules.get("PySide6.QtWidgets")
    if widgets is None or widgets.QApplication.instance() is None:
        return []
    core = sys.modules["PySide6.QtCore"]
    core.QCoreApplication.sendPostedEvents(None, core.QEvent.Type.DeferredDelete)
    return list(widgets.QApplication.topLevelWidgets())


def leaked_widgets(before: list[Any]) -> list[str]:
    """Names of top-level widgets that were not there before; what only waits for the garbage collector is no leak."""
    if all(widget in before for widget in top_level_widgets()):
        return []
    gc.collect()
    return [f"{type(widget).__name__} {widget.objectName()!r}" for widget in top_level_widgets() if widget not in before]


def left_over(now: Callable[[], Any], is_gone: Callable[[Any], bool]) -> Any:
    """``now()`` as soon as ``is_gone`` says so, at the latest after the time of grace: threads and processes may be on their way out."""
    deadline = time.monotonic() + GRACE_S
    state = now()
    while not is_gone(state) and time.monotonic() < deadline:
        time.sleep(0.02)
        state = now()
    return state
