"""Finds the native probe for an interpreter and its torch, and has it built before the launch.

The work is done by ``agent/build.py``, run by path with the user's interpreter: its torch and headers count, not ours.
"""

import json
import os
import signal
import subprocess
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final, Protocol

from tensorscope.errors import TensorScopeError

BUILD_SCRIPT: Final = Path(__file__).resolve().parent.parent / "agent" / "build.py"
POLL_S: Final = 0.05
CHECK_TIMEOUT_S: Final = 60
NO_TORCH: Final = "no_torch"


class Probe(Protocol):
    """The probe of one interpreter."""

    @property
    def is_built(self) -> bool: ...
    def build(self, is_cancelled: Callable[[], bool]) -> Path | None:
        """The built probe, None where the script runs unwatched (no torch) or the build was cancelled. Raises TensorScopeError if it cannot be built."""
        ...


class InterpreterProbe:
    """What ``agent/build.py --check`` said, and the build."""

    def __init__(self, interpreter: str, answer: dict[str, Any]) -> None:
        self._interpreter = interpreter
        self.has_torch = answer["error"] != NO_TORCH
        self.is_built = answer["state"] == "cached" or not self.has_torch
        self.path = Path(answer["library"]) if self.has_torch else None

    def build(self, is_cancelled: Callable[[], bool]) -> Path | None:
        if self.is_built:
            return self.path
        answer = _ask(self._interpreter, (), is_cancelled)
        if answer is None:
            return None
        self.is_built = True
        return Path(answer["library"])


def find_probe(interpreter: str) -> InterpreterProbe:
    """Look for the probe and for what its build needs; raises TensorScopeError saying what to install.

    An interpreter without torch needs none: its script will fail, or do without torch, as it does without us.
    """
    answer = _ask(interpreter, ("--check",), _after(CHECK_TIMEOUT_S))
    if answer is None:
        raise TensorScopeError(f"{interpreter} did not answer within {CHECK_TIMEOUT_S} s.")
    return InterpreterProbe(interpreter, answer)


def _ask(interpreter: str, arguments: Sequence[str], is_cancelled: Callable[[], bool]) -> dict[str, Any] | None:
    """Run ``agent/build.py``; its answer, or None where it was cancelled."""
    try:
        process = subprocess.Popen(
            [interpreter, str(BUILD_SCRIPT), *arguments], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True
        )
    except OSError as error:
        raise TensorScopeError(f"{interpreter} could not be started: {(error.strerror or str(error)).lower()}.") from None
    with process:
        while True:
            try:
                output, complaints = process.communicate(timeout=POLL_S)
                break
            except subprocess.TimeoutExpired:
                if is_cancelled():
                    os.killpg(process.pid, signal.SIGKILL)  # the compiler as well
                    return None
    return _answer(output, complaints, interpreter)


def _answer(output: bytes, complaints: bytes, interpreter: str) -> dict[str, Any]:
    try:
        answer = json.loads(output.splitlines()[-1])
    except (ValueError, IndexError):
        last = complaints.decode(errors="replace").strip().splitlines()[-1:] or ["it said nothing"]
        raise TensorScopeError(f"The probe could not be prepared with {interpreter}: {last[0]}") from None
    if answer["state"] == "error" and answer["error"] != NO_TORCH:
        raise TensorScopeError(answer["message"])
    return dict(answer)


def _after(seconds: float) -> Callable[[], bool]:
    end = time.monotonic() + seconds
    return lambda: time.monotonic() > end
