"""Any script at all says and computes, byte for byte, what it does without TensorScope, and its recording counts what it did.

Each script runs many small cases and prints of each a hash of what it left behind (scripts/cases.py), so a difference names its case.
"""

import json
import re
import shutil
import signal
import sys
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from tensorscope.cli.query_ops import graph_view
from tensorscope.cli.query_run import gradients_view, summary
from tensorscope.session.replay import ReplaySession
from tests.truth.harness import COMMAND, Ended, run
from tests.truth.test_graph_truth import as_autograd_has_it, as_recorded

FOLDER = Path(__file__).resolve().parent
SCRIPTS = FOLDER / "scripts"
HAVE_BACKWARDS = ("tensors", "modules", "functional", "loops", "jit", "failures")
OTHERS = ("profilers", "observers", "compiled", "inductor", "generated", "dags", "libraries", "interpreter", "large")
DIFFERS_BY_ITSELF = re.compile(r"0x[0-9a-f]+|USDT:.*|[VWI]\d{4} [\d:.]+( \d+)?")
"""What two runs under plain Python print differently: addresses, and times and process ids in torch's own log lines."""


def plain_and(command: list[object], words: list[object], folder: Path, variables: Mapping[str, str] | None = None) -> tuple[Ended, Ended]:
    """The script under plain Python and under ``command``, side by side, in folders of their own."""
    folders = [folder / "plain", folder / "watched"]
    for place in folders:
        place.mkdir()
    with ThreadPoolExecutor(2) as pool:
        plain = pool.submit(run, [sys.executable, *words], folders[0], variables)
        watched = pool.submit(run, [*command, *words], folders[1], variables)
        return plain.result(), watched.result()


def lines(text: bytes) -> list[str]:
    return DIFFERS_BY_ITSELF.sub("…", text.decode()).splitlines()


def assert_same(plain: Ended, watched: Ended) -> None:
    assert lines(watched.stdout) == lines(plain.stdout)
    assert lines(watched.stderr) == lines(plain.stderr)
    assert watched.code == plain.code


def summary_of(recording: Path) -> dict[str, Any]:
    session = ReplaySession(recording)
    try:
        return summary(session.snapshot())
    finally:
        session.close()


def assert_sound(told: dict[str, Any]) -> None:
    """Nothing was lost, and no part of TensorScope gave up; some stand aside, and say so, once torch.compile has compiled."""
    assert [off for off in told["trackers_off"] if "torch.compile has compiled" not in off["reason"]] == []
    assert (told["dropped_events"], told["damaged_frames"]) == (0, 0)
    assert told["unknown_frees"] == {"cpu": 0}


def assert_counts_as_declared(told: dict[str, Any], stdout: bytes) -> None:
    """Backwards and iterations are those that the cases say of themselves, by hand, in the line that the script ends with."""
    declared = [line for line in stdout.decode().splitlines() if line.startswith("backwards ")]
    assert declared == [f"backwards {told['backwards']} iterations {told['iterations']}"]


@pytest.fixture(scope="module")
def ends_plainly() -> dict[str, Ended]:
    """How scripts ended under plain Python, as far as they have run."""
    return {}


def same_when_watched(command: list[object], script: str, folder: Path, known: dict[str, Ended]) -> Ended:
    """Asserts it; the plain run is made once for all ways to watch."""
    words: list[object] = [SCRIPTS / f"{script}.py"]
    if script not in known:
        known[script], watched = plain_and(command, words, folder)
    else:
        (folder / "watched").mkdir()
        watched = run([*command, *words], folder / "watched")
    assert_same(known[script], watched)
    return watched


@pytest.mark.parametrize("script", [*HAVE_BACKWARDS, *OTHERS])
def test_a_script_is_the_same_when_recorded_and_the_recording_is_sound(script: str, tmp_path: Path, ends_plainly: dict[str, Ended]) -> None:
    if script == "inductor" and not shutil.which("g++"):
        pytest.skip("inductor needs a C++ compiler")
    recording = tmp_path / "run.tscope"
    watched = same_when_watched([*COMMAND, "record", "-o", recording], script, tmp_path, ends_plainly)
    assert watched.code == 0
    told = summary_of(recording)
    assert_sound(told)
    assert_counts_as_declared(told, watched.stdout)
    assert told["exit_code"] == 0
    assert_graphs_as_declared(recording, watched.stdout)


def assert_graphs_as_declared(recording: Path, stdout: bytes) -> None:
    """Nodes, edges and gradients' norms of each backward are those that a script (scripts/dags.py) has found by itself."""
    declared = [json.loads(line.removeprefix("graph ")) for line in stdout.decode().splitlines() if line.startswith("graph ")]
    session = ReplaySession(recording)
    try:
        snapshot = session.snapshot()
        for backward, (nodes, edges, norms) in enumerate(declared):
            assert as_recorded(graph_view(snapshot, None, backward)) == as_autograd_has_it({"nodes": nodes, "edges": edges})
            found = {row["parameter"].rpartition(".")[2]: row["norm"] for row in gradients_view(snapshot, None, backward)}
            assert found == pytest.approx({str(place): float(norm) for place, norm in enumerate(norms)}, rel=1e-9, abs=1e-30)
    finally:
        session.close()


@pytest.mark.parametrize("script", HAVE_BACKWARDS)
def test_a_script_is_the_same_when_every_node_is_held(script: str, tmp_path: Path, ends_plainly: dict[str, Ended]) -> None:
    recording = tmp_path / "run.tscope"
    watched = same_when_watched([sys.executable, FOLDER / "step_everything.py", recording], script, tmp_path, ends_plainly)
    told = summary_of(recording)
    assert told["held_ns"] > 0
    assert_sound(told)
    assert_counts_as_declared(told, watched.stdout)


def test_a_script_is_the_same_where_every_warning_is_an_error_and_freed_memory_is_overwritten(tmp_path: Path) -> None:
    recording = tmp_path / "run.tscope"
    strict = {"PYTHONWARNINGS": "error", "PYTHONMALLOC": "debug", "MALLOC_PERTURB_": "66"}
    plain, watched = plain_and([*COMMAND, "record", "-o", recording], [SCRIPTS / "loops.py"], tmp_path, strict)
    assert_same(plain, watched)
    assert plain.code == 0
    assert_sound(summary_of(recording))


ENDS = {
    "os_exit": 3,
    "abort": -signal.SIGABRT,
    "killed": -signal.SIGKILL,
    "terminated": -signal.SIGTERM,
    "segmentation_fault": -signal.SIGSEGV,
    "fault_told_by_faulthandler": -signal.SIGSEGV,
    "own_excepthook": 1,
    "exit_with_text": 1,
    "interrupted_in_a_backward": -signal.SIGINT,
    "daemon_thread_alive": 0,
    "atexit_handler_trains": 0,
    "descriptors_closed": 0,
    "another_program": 0,
    "forked_child_trains_on": 5,
}
"""How a process ends, and the code with which it does."""


@pytest.mark.parametrize("end", ENDS)
def test_a_process_ends_as_it_would_and_what_came_before_is_on_record(end: str, tmp_path: Path) -> None:
    recording = tmp_path / "run.tscope"
    plain, watched = plain_and([*COMMAND, "record", "-o", recording], [SCRIPTS / "ends.py", end], tmp_path)
    assert plain.code == ENDS[end]
    assert lines(watched.stdout) == lines(plain.stdout)
    assert lines(watched.stderr) == lines(plain.stderr)
    as_a_shell_has_it = plain.code if plain.code >= 0 else 128 - plain.code
    assert watched.code == (plain.code if plain.code == -signal.SIGINT else as_a_shell_has_it)
    told = summary_of(recording)
    assert told["backwards"] >= 2
    assert told["iterations"] >= 1
    assert told["operators"] > 0
    assert told["exit_code"] == as_a_shell_has_it
    assert told["last_operator"]["name"].startswith("SumBackward0" if end == "interrupted_in_a_backward" else "aten::")  # ended after what it ran
    assert_sound(told)
