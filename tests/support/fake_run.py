"""Starts sessions over the fake debuggee."""

import json
import os
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from tensorscope.session.launch import LaunchOptions
from tensorscope.session.live import LiveSession
from tensorscope.trace.retention import Keep

PATIENCE_S = 240.0  # only keeps a test that hangs from hanging for ever; no test depends on how long something takes
FAKE = Path(__file__).with_name("fake_debuggee.py")
INTERPRETER = """#!/bin/sh
case "$1" in
*build.py) echo '{{"state": "cached", "library": "/dev/null", "error": "", "message": ""}}' ;;
*) exec "{python}" "{fake}" "$@" ;;
esac
"""


class BuiltProbe:
    """A probe that is there."""

    is_built = True
    note = ""

    def __init__(self, path: str = "/dev/null") -> None:
        self._path = Path(path)

    def build(self, is_cancelled: Callable[[], bool]) -> Path:
        return self._path


def fake_options(folder: Path, plan: Sequence[Sequence[Any]], **more: Any) -> LaunchOptions:
    """Options that run the fake debuggee through ``plan``."""
    interpreter = folder / "python"
    if not interpreter.exists():
        interpreter.write_text(INTERPRETER.format(python=sys.executable, fake=FAKE))
        interpreter.chmod(0o755)
    script = folder / "plan.json"
    script.write_text(json.dumps(plan))
    return LaunchOptions(str(script), interpreter=str(interpreter), **more)


def fake_session(folder: Path, plan: Sequence[Sequence[Any]], *, keep: Keep | None = None, **more: Any) -> LiveSession:
    return LiveSession(fake_options(folder, plan, **more), folder / "run.tscope", BuiltProbe(), keep)


def wait_until(condition: Callable[[], object]) -> None:
    """Wait for a condition; fails the test when it does not come true."""
    end = time.monotonic() + PATIENCE_S
    while not condition():
        assert time.monotonic() < end, "it did not come true in time"
        time.sleep(0.005)


def is_running(pid: int) -> bool:
    """Whether a process runs (a zombie does not)."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def children_of_fake(folder: Path) -> list[int]:
    """Pids of running fake debuggees of this folder's plan."""
    wanted = str(folder / "plan.json").encode()
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            words = (process / "cmdline").read_bytes().split(b"\0")
        except OSError:
            continue
        if str(FAKE).encode() in words and wanted in words and int(process.name) != os.getpid():
            found.append(int(process.name))
    return found
