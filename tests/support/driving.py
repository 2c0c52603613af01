"""Starts ``driven_window`` and waits until it stands as wanted."""

import contextlib
import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from queue import Empty, Queue
from time import monotonic
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
PATIENCE_S = 240.0


class Driven:
    """``state`` is what it told last."""

    def __init__(self, process: "subprocess.Popen[bytes]") -> None:
        self.process = process
        self.state: dict[str, Any] = {}
        self._lines: Queue[bytes] = Queue()
        self._reader = threading.Thread(target=self._read, name="driven-window")
        self._reader.start()

    def ask(self, line: str) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(line.encode() + b"\n")
        self.process.stdin.flush()

    def wait_for(self, is_so: Callable[[dict[str, Any]], Any], what: str) -> dict[str, Any]:
        """The first state, from now on, for which it is so."""
        deadline = monotonic() + PATIENCE_S
        while not self.state or not is_so(self.state):
            try:
                line = self._lines.get(timeout=1)
            except Empty:
                assert monotonic() < deadline, f"waited in vain for {what}; it stands at {self.state}"
                assert self.process.poll() is None or self._reader.is_alive() or not self._lines.empty(), f"ended before {what}; it stood at {self.state}"
                continue
            self.state = json.loads(line)
        return self.state

    def wait_for_end(self) -> int:
        code = self.process.wait(PATIENCE_S)
        self._reader.join(PATIENCE_S)
        for pipe in (self.process.stdin, self.process.stdout):
            assert pipe is not None
            pipe.close()
        return code

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            if line.startswith(b'{"welcome"'):  # what the script prints comes here as well
                self._lines.put(line)


Starter = Callable[..., Driven]


@pytest.fixture
def started(tmp_path: Path) -> Iterator[Starter]:
    """``started(*words, **variables)``: ``tensorscope WORDS…`` in the test's folder; what still runs at the end is killed, its script with it."""
    windows: list[Driven] = []

    def start(*words: str, **variables: str) -> Driven:
        environment = {**os.environ, "PYTHONPATH": str(ROOT), **variables}
        command = [sys.executable, "-m", "tests.support.driven_window", *words]
        process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=tmp_path, env=environment, start_new_session=True)
        windows.append(Driven(process))
        return windows[-1]

    yield start
    for window in windows:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(window.process.pid, signal.SIGKILL)
    for window in windows:
        window.wait_for_end()
