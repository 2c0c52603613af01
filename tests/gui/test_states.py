"""Every state of a run has a sentence and a next step, and its picture can be looked at: TENSORSCOPE_STATE_PICTURES names a folder for them."""

import os
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtWidgets import QApplication

from tensorscope.session.session import Changed, RunState, Status
from tensorscope.trace.snapshot import Snapshot
from tensorscope.trace.trace import Trace
from tensorscope.viewmodel.run_advice import advice
from tests.gui.conftest import Opener
from tests.support.demo_trace import demo_snapshot
from tests.support.fake_session import FakeSession

FULL = demo_snapshot()
BARE = Trace().snapshot()
OOM = {"exception": "torch.OutOfMemoryError", "message": "CUDA out of memory.", "source": "/home/me/train.py:61"}
ERROR = {"exception": "ValueError", "message": "no", "source": "/home/me/train.py:61"}


def told(facts: Mapping[str, Any], base: Snapshot = BARE, **more: Any) -> Snapshot:
    return replace(base, facts=dict(facts), **more)


WITH_TORCH = {**FULL.facts, "torch_version": "2.13.0"}
STATES: dict[str, tuple[Status, Snapshot, str]] = {
    "starting": (Status(RunState.STARTING, "Starting"), BARE, "Operators appear as soon as the script imports torch."),
    "building": (Status(RunState.BUILDING, "Building the probe, once for this torch"), BARE, "The script starts when the probe is compiled"),
    "no torch yet": (Status(RunState.RUNNING, "Running"), told({"python_version": "3.11"}), "as soon as the script imports torch"),
    "no backward yet": (Status(RunState.RUNNING, "Running"), told(WITH_TORCH), "No backward yet"),
    "python probe": (Status(RunState.RUNNING, "Running, iteration 3"), told({**WITH_TORCH, "probe": "python"}, FULL), "Install g++"),
    "running": (Status(RunState.RUNNING, "Running, iteration 7"), FULL, "F6 holds"),
    "pausing": (Status(RunState.PAUSING, "Pausing at the next node"), FULL, "F5 lets it run on"),
    "held": (Status(RunState.HELD, "Held before node 45 of 134", held=dict(FULL.holds[-1])), FULL, "F10 runs this node"),
    "finished": (Status(RunState.ENDED, "Ended, exit code 0", exit_code=0), FULL, "Ctrl+Shift+S keeps the run"),
    "ended without torch": (Status(RunState.ENDED, "Ended, exit code 0", exit_code=0), told({"python_version": "3.11"}), "never imported torch"),
    "ended without backward": (Status(RunState.ENDED, "Ended, exit code 0", exit_code=0), told(WITH_TORCH), "No backward() ran"),
    "crashed": (Status(RunState.CRASHED, "Ended by ValueError, train.py:61", exit_code=1), replace(FULL, exceptions=(ERROR,)), "F8 goes to"),
    "out of memory": (Status(RunState.CRASHED, "Ended by OutOfMemoryError", exit_code=1), replace(FULL, exceptions=(OOM,)), "P goes to the peak"),
    "killed": (Status(RunState.CRASHED, "Killed by SIGKILL", exit_code=137), replace(FULL, facts=WITH_TORCH, exceptions=()), "what ran last"),
    "ended before torch": (Status(RunState.CRASHED, "Ended, exit code 3", exit_code=3), BARE, "before torch was imported"),
    "attached, its past comes": (Status(RunState.STARTING, "Attached to train; its history comes"), told(WITH_TORCH), "comes first"),
    "replay without torch": (Status(RunState.REPLAY, "Ended, exit code 0", exit_code=0), told({"python_version": "3.11"}), "never imported torch"),
    "detached": (Status(RunState.GONE, "Detached; attach again: tensorscope attach train"), FULL, "What came stays here"),
    "replay": (Status(RunState.REPLAY, "Ended, exit code 0", exit_code=0), FULL, "node by node"),
    "replay of a crash": (Status(RunState.REPLAY, "Ended by ValueError, train.py:61", exit_code=1), replace(FULL, exceptions=(ERROR,)), "F8 goes to"),
}


@pytest.mark.parametrize("name", STATES)
def test_every_state_says_what_to_do_next(name: str) -> None:
    status, snapshot, words = STATES[name]
    assert words in advice(status, None, snapshot)


def test_every_kind_of_state_is_among_them() -> None:
    assert {status.state for status, *_ in STATES.values()} == set(RunState)


def test_a_host_that_cannot_keep_up_says_so_and_recorded_time_is_told_from_now() -> None:
    slow = Changed(STATES["running"][0], True, 1000, 20, None, 0)
    assert "cannot keep up" in advice(slow.status, slow, FULL)
    assert "cannot keep up" not in advice(slow.status, replace(slow, dropped_events=0), FULL)
    assert "End returns to now" in advice(slow.status, None, FULL, is_looking_back=True)


@pytest.mark.parametrize("theme", ["dark", "light"])
@pytest.mark.parametrize("size", [(1600, 900), (1280, 720)])
def test_the_window_shows_every_state(open_window: Opener, tmp_path: Path, theme: str, size: tuple[int, int]) -> None:
    folder = Path(os.environ.get("TENSORSCOPE_STATE_PICTURES") or tmp_path)
    chosen = STATES if "TENSORSCOPE_STATE_PICTURES" in os.environ else {name: STATES[name] for name in ("starting", "crashed", "detached")}
    for name, (status, snapshot, words) in chosen.items():
        window = open_window(FakeSession(snapshot, status, is_live=status.state is not RunState.REPLAY), size, theme)
        assert words in window.status_bar.advice
        assert words in (window.toolbar.chips[0].view.hint if window.toolbar.chips[0].view is not None else "")
        assert window.grab().save(str(folder / f"{name.replace(' ', '-')}-{theme}-{size[0]}.png"))
        window.close()
        QApplication.processEvents()
