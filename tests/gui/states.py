"""Every state a run can be in, over the hand-made run or an empty one, with words of the sentence that the window says in it."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from tensorscope.session.session import RunState, Status
from tensorscope.trace.snapshot import Snapshot
from tensorscope.trace.trace import Trace
from tests.support.demo_run import SCRIPT, line_of
from tests.support.demo_trace import demo_snapshot

HELD: Final = demo_snapshot()
RUNNING: Final = replace(HELD, holds=())
ENDED: Final = demo_snapshot(is_held=False)
BARE: Final = Trace().snapshot()
RAISED_NS: Final = RUNNING.end_ns
EXIT: Final = {"type": "exit", "time_ns": RAISED_NS}
OOM: Final = {
    "exception": "torch.OutOfMemoryError",
    "message": "CUDA out of memory. Tried to allocate 512.00 MiB. GPU 0 has a total capacity of 640.00 MiB of which 24.00 MiB is free.",
    "source": f"{SCRIPT}:{line_of('return self.lm_head')}",
    "time_ns": RAISED_NS,
    "frames": [[str(SCRIPT), line_of("logits = model("), "main"], [str(SCRIPT), line_of("return self.lm_head"), "GPT.forward"]],
}
ERROR: Final = {
    "exception": "ValueError",
    "message": "Expected input batch_size (8) to match target batch_size (7).",
    **{key: OOM[key] for key in ("source", "time_ns", "frames")},
}
WITH_PYTHON: Final = {"python_version": "3.11", "script": str(SCRIPT), "argv": [str(SCRIPT)], "captures_output": True}
WITH_TORCH: Final = {**HELD.facts}


def told(facts: Mapping[str, Any], base: Snapshot = BARE, **more: Any) -> Snapshot:
    return replace(base, facts=dict(facts), **more)


def crashed(error: Mapping[str, Any] | None, code: int) -> Snapshot:
    return replace(RUNNING, exceptions=() if error is None else (error,), exit={**EXIT, "code": code, "signal": max(code - 128, 0)})


STATES: Final[dict[str, tuple[Status, Snapshot, str]]] = {
    "starting": (Status(RunState.STARTING, "Starting"), BARE, "Operators appear as soon as the script imports torch."),
    "building": (Status(RunState.BUILDING, "Building the probe, once for this torch"), BARE, "The script starts when the probe is compiled"),
    "no torch yet": (Status(RunState.RUNNING, "Running"), told(WITH_PYTHON), "as soon as the script imports torch"),
    "no backward yet": (Status(RunState.RUNNING, "Running"), told(WITH_TORCH), "No backward yet"),
    "python probe": (Status(RunState.RUNNING, "Running, iteration 3"), told({**WITH_TORCH, "probe": "python"}, RUNNING), "Install g++"),
    "running": (Status(RunState.RUNNING, "Running, iteration 7"), RUNNING, "F6 holds"),
    "pausing": (Status(RunState.PAUSING, "Pausing at the next node"), RUNNING, "F5 lets it run on"),
    "held": (Status(RunState.HELD, "Held before node 45 of 134", held=dict(HELD.holds[-1])), HELD, "F10 runs this node"),
    "finished": (Status(RunState.ENDED, "Ended, exit code 0", exit_code=0), ENDED, "Ctrl+Shift+S keeps the run"),
    "ended without torch": (Status(RunState.ENDED, "Ended, exit code 0", exit_code=0), told(WITH_PYTHON, exit={**EXIT, "code": 0}), "never imported torch"),
    "ended without backward": (Status(RunState.ENDED, "Ended, exit code 0", exit_code=0), told(WITH_TORCH, exit={**EXIT, "code": 0}), "No backward() ran"),
    "crashed": (Status(RunState.CRASHED, "Ended by ValueError, train.py:61", exit_code=1), crashed(ERROR, 1), "F8 goes to"),
    "out of memory": (Status(RunState.CRASHED, "Ended by OutOfMemoryError", exit_code=1), crashed(OOM, 1), "P goes to the peak"),
    "killed": (Status(RunState.CRASHED, "Killed by SIGKILL", exit_code=137), crashed(None, 137), "what ran last"),
    "ended before torch": (Status(RunState.CRASHED, "Ended, exit code 3", exit_code=3), replace(BARE, exit={**EXIT, "code": 3}), "before torch was imported"),
    "attached, its past comes": (Status(RunState.STARTING, "Attached to train; its history comes"), told(WITH_TORCH), "comes first"),
    "replay without torch": (Status(RunState.REPLAY, "Ended, exit code 0", exit_code=0), told(WITH_PYTHON, exit={**EXIT, "code": 0}), "never imported torch"),
    "detached": (Status(RunState.GONE, "Detached; attach again: tensorscope attach train"), RUNNING, "What came stays here"),
    "replay": (Status(RunState.REPLAY, "Ended, exit code 0", exit_code=0), ENDED, "node by node"),
    "replay of a crash": (Status(RunState.REPLAY, "Ended by ValueError, train.py:61", exit_code=1), crashed(ERROR, 1), "F8 goes to"),
}
