"""Finds the native probe for an interpreter and its torch, and has it built before the launch.

The work is done by ``agent/build.py``, run by path with the user's interpreter: its torch and headers count, not ours. Where the native probe cannot be
built, the one in Python serves (``agent/python_probe``), unless the user wants the native one only.
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
BUILD_TIMEOUT_S: Final = 900
NO_TORCH: Final = "no_torch"

PYTHON_PROBE: Final = Path("python")
"""Stands for the probe in Python where a native one would have the path of its library."""

ANY, NATIVE, PYTHON = "", "native", "python"
"""Which probe the user wants: the native one or else the one in Python; the native one only; the one in Python."""


class Probe(Protocol):
    """The probe of one interpreter."""

    @property
    def is_built(self) -> bool: ...
    @property
    def note(self) -> str:
        """Why the Python probe stands in for the native one, in a sentence; "" where it does not."""
        ...

    def build(self, is_cancelled: Callable[[], bool]) -> Path | None:
        """The built probe, None where the script runs unwatched (no torch) or the build was cancelled. Raises TensorScopeError if it cannot be built."""
        ...


class InterpreterProbe:
    """What ``agent/build.py --check`` said, and the build. One object serves every start of a script."""

    def __init__(self, interpreter: str, answer: dict[str, Any], wanted: str = ANY) -> None:
        """Raises TensorScopeError where only the native probe is wanted and something that its build needs is not there."""
        self._interpreter = interpreter
        self._wanted = wanted
        self.note = ""
        self.has_torch = answer["error"] != NO_TORCH
        self.path: Path | None = None
        if not self.has_torch:
            self.is_built = True
        elif wanted == PYTHON:
            self.is_built, self.path = True, PYTHON_PROBE
        elif answer["state"] == "error":
            self._stand_in(answer["message"])
        else:
            self.is_built, self.path = answer["state"] == "cached", Path(answer["library"])

    def build(self, is_cancelled: Callable[[], bool]) -> Path | None:
        if self.is_built:
            return self.path
        is_late = _after(BUILD_TIMEOUT_S)
        try:
            answer = _ask(self._interpreter, (), lambda: is_cancelled() or is_late())
        except TensorScopeError as error:
            answer = {"state": "error", "message": str(error)}
        if answer is None and not is_late():
            return None
        if answer is None:
            answer = {"state": "error", "message": f"The compiler did not end within {BUILD_TIMEOUT_S // 60} minutes."}
        if answer["state"] == "error":
            self._stand_in(answer["message"])
        else:
            self.is_built, self.path = True, Path(answer["library"])
        return self.path

    def _stand_in(self, reason: str) -> None:
        if self._wanted == NATIVE:
            raise TensorScopeError(reason)
        self.is_built, self.path = True, PYTHON_PROBE
        self.note = f"{reason} Until then the slower probe in Python watches, which sees no allocations and cannot stop in a backward."


def find_probe(interpreter: str, wanted: str = ANY) -> InterpreterProbe:
    """Look for the probe and for what its build needs; raises TensorScopeError where the interpreter does not answer, or as InterpreterProbe.

    An interpreter without torch needs none: its script will fail, or do without torch, as it does without us.
    """
    answer = _ask(interpreter, ("--check",), _after(CHECK_TIMEOUT_S))
    if answer is None:
        raise TensorScopeError(f"{interpreter} did not answer within {CHECK_TIMEOUT_S} s.")
    return InterpreterProbe(interpreter, answer, wanted)


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
    return dict(answer)


def _after(seconds: float) -> Callable[[], bool]:
    end = time.monotonic() + seconds
    return lambda: time.monotonic() > end
