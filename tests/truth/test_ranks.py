"""Jobs of two processes: every rank in one recording, with torch's own numbers, and nothing of the jobs changed by it."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tensorscope.cli.query_ops import graph_view
from tensorscope.cli.query_ranks import ranks_view
from tensorscope.cli.query_run import gradients_view
from tensorscope.errors import TensorScopeError
from tensorscope.session.build import find_probe
from tensorscope.session.launch import LaunchOptions
from tensorscope.session.live import LiveSession
from tensorscope.session.replay import ReplaySession
from tests.support.fake_run import is_running, wait_until
from tests.truth.harness import COMMAND, LIMIT_S, Ended, Recording, run, tensorscope

JOB = Path(__file__).parent / "jobs" / "train.py"
FORKED = JOB.with_name("forked.py")
LOADERS = JOB.with_name("loaders.py")
TORCHRUN = ("-m", "torch.distributed.run", "--standalone", "--nproc-per-node", "2")
ONE_THREAD = {"OMP_NUM_THREADS": "1"}


def job_folder(folder: Path, name: str) -> Path:
    made = folder / name
    made.mkdir()
    return made


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> tuple[Ended, Path]:
    """The job under plain torchrun."""
    folder = tmp_path_factory.mktemp("plain")
    return run([sys.executable, *TORCHRUN, JOB, folder], folder, ONE_THREAD), folder


def record_job(folder: Path, *words: object) -> Recording:
    file = folder / "run.tscope"
    return Recording(file, tensorscope("record", "-o", file, *words, folder=folder, variables=ONE_THREAD), None)


def said(ended: Ended) -> str:
    """For an assertion that fails."""
    return f"code {ended.code}\n{ended.stdout.decode()}\n{ended.stderr.decode()}"


def told(folder: Path, rank: int) -> dict[str, Any]:
    return dict(json.loads((folder / f"{rank}.json").read_text()))


def lines_by_rank(output: bytes) -> dict[str, list[str]]:
    """The ranks' lines interleave as they like; each rank's own are in order."""
    lines = output.decode().splitlines()
    return {rank: [line for line in lines if line.startswith(rank)] for rank in ("rank 0", "rank 1")}


def assert_same_job(recording: Recording, folder: Path, plain: tuple[Ended, Path]) -> None:
    ended, plain_folder = plain
    assert ended.code == 0, said(ended)
    assert recording.ended.code == 0, said(recording.ended)
    assert recording.ended.stderr == ended.stderr
    assert lines_by_rank(recording.ended.stdout) == lines_by_rank(ended.stdout)
    for rank in (0, 1):
        ours, theirs = told(folder, rank), told(plain_folder, rank)
        assert (ours["digest"], ours["norms"]) == (theirs["digest"], theirs["norms"])


def assert_norms_are_those_of_each_rank(recording: Recording, folder: Path) -> None:
    session = ReplaySession(recording.file)
    session.close()
    ranks = ranks_view(session)
    assert [(row["rank"], row["label"], row["pid"], row["exit_code"], row["iterations"]) for row in ranks] == [
        (rank, f"rank {rank}", told(folder, rank)["pid"], 0, 5) for rank in (0, 1)
    ]
    for rank in (0, 1):
        rows = {(row["iteration"], row["parameter"]): row["norm"] for row in gradients_view(session.snapshot(rank), None, None)}
        expected = {(step, name): norm for step, name, norm in told(folder, rank)["norms"]}
        assert rows.keys() == expected.keys()
        assert all(rows[key] == pytest.approx(expected[key], rel=1e-9) for key in expected)


def test_a_torchrun_job_is_recorded_rank_by_rank_and_runs_as_without_us(tmp_path: Path, plain: tuple[Ended, Path]) -> None:
    recording = record_job(tmp_path, *TORCHRUN, JOB, tmp_path)
    assert_same_job(recording, tmp_path, plain)
    assert_norms_are_those_of_each_rank(recording, tmp_path)
    across = recording.query("ranks")
    assert {(row["iteration"], row["rank"]) for row in across["iterations"]} == {(step, rank) for step in range(5) for rank in (0, 1)}
    assert all(row["own_ns"] <= row["iteration_ns"] for row in across["iterations"])
    assert [row["rank"] for row in across["memory"]] == [0, 1]
    assert {(row["iteration"], row["parameter"]): row["norms"]["1"] for row in across["gradients"]} == {
        (step, name): pytest.approx(norm, rel=1e-9) for step, name, norm in told(tmp_path, 1)["norms"]
    }
    assert across["desynchronised"] == []  # DDP reduced them all


def test_spawned_processes_of_a_shell_script_are_ranks_of_one_recording(tmp_path: Path, plain: tuple[Ended, Path]) -> None:
    script = tmp_path / "launch.sh"
    script.write_text(f'"{sys.executable}" "{JOB}" "{tmp_path}" --spawn\n')
    recording = record_job(tmp_path, "--", "bash", script)
    assert (plain[0].code, recording.ended.code) == (0, 0), said(plain[0]) + said(recording.ended)
    assert told(tmp_path, 0)["digest"] == told(plain[1], 0)["digest"]
    assert lines_by_rank(recording.ended.stdout) == lines_by_rank(plain[0].stdout)
    assert_norms_are_those_of_each_rank(recording, tmp_path)


def test_a_killed_rank_keeps_all_it_did_and_is_named_with_its_signal(tmp_path: Path) -> None:
    recording = record_job(tmp_path, *TORCHRUN, JOB, tmp_path, "die")
    assert recording.ended.code == 1, said(recording.ended)
    ranks = {row["rank"]: row for row in recording.query("summary")["ranks"]}
    assert (ranks[1]["signal"], ranks[1]["exit_code"], ranks[1]["backwards"]) == (9, 137, 3)
    assert ranks[0]["backwards"] >= 3
    answer = tensorscope("query", recording.file, "summary", "--rank", 7, folder=tmp_path)
    assert (answer.code, answer.stderr) == (2, b"tensorscope: There is no rank 7 on record; there is rank 0, 1.\n")


def begun_job(folder: Path) -> LiveSession:
    """A watched job whose ranks have all come to their fourth step and wait there."""
    options = LaunchOptions(TORCHRUN[1], [*TORCHRUN[2:], str(JOB), str(folder), "wait"], is_module=True)
    session = LiveSession(options, folder / "run.tscope", find_probe(sys.executable))
    wait_until(lambda: all((folder / f"{rank}.waits").exists() for rank in (0, 1)))
    return session


def test_ranks_outlive_a_killed_launcher_and_are_recorded_to_their_own_end(
    tmp_path: Path, plain: tuple[Ended, Path], monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("OMP_NUM_THREADS", "1")
    session = begun_job(tmp_path)
    try:
        assert session.pid is not None
        os.kill(session.pid, signal.SIGKILL)
        (tmp_path / "go").touch()
        assert session.wait(LIMIT_S)
        assert session.status.text.startswith("Killed by SIGKILL")
    finally:
        session.close()
    capfd.readouterr()
    replayed = ReplaySession(tmp_path / "run.tscope")
    replayed.close()
    assert replayed.status.text.startswith("Killed by SIGKILL")
    assert [(row["rank"], row["iterations"], row["pid"]) for row in ranks_view(replayed)] == [(rank, 5, told(tmp_path, rank)["pid"]) for rank in (0, 1)]
    assert [told(tmp_path, rank)["digest"] for rank in (0, 1)] == [told(plain[1], rank)["digest"] for rank in (0, 1)]


def test_ranks_go_on_to_their_end_when_the_recorder_is_killed_and_what_was_recorded_opens(tmp_path: Path, plain: tuple[Ended, Path]) -> None:
    words = [*COMMAND, "record", "-o", tmp_path / "run.tscope", *TORCHRUN, JOB, tmp_path, "wait"]
    with open(tmp_path / "output", "wb") as output:
        host = subprocess.Popen([str(word) for word in words], env={**os.environ, **ONE_THREAD}, stdin=subprocess.DEVNULL, stdout=output, stderr=output)
    wait_until(lambda: all((tmp_path / f"{rank}.waits").exists() for rank in (0, 1)))
    wait_until(lambda: recorded_ranks(tmp_path / "run.tscope") == 2)
    (launcher,) = children_of(host.pid)
    host.kill()
    host.wait()
    (tmp_path / "go").touch()
    wait_until(lambda: not is_running(launcher))
    for rank in (0, 1):
        ours, theirs = told(tmp_path, rank), told(plain[1], rank)
        assert (ours["digest"], ours["norms"]) == (theirs["digest"], theirs["norms"])
        assert not is_running(ours["pid"])
    assert lines_by_rank((tmp_path / "output").read_bytes()) == lines_by_rank(plain[0].stdout)
    session = ReplaySession(tmp_path / "run.tscope")
    session.close()
    assert session.status.exit_code is None
    assert [(row["rank"], row["exit_code"], row["iterations"] >= 1) for row in ranks_view(session)] == [(0, None, True), (1, None, True)]


def recorded_ranks(file: Path) -> int:
    """Ranks that a growing recording has an iteration of."""
    try:
        session = ReplaySession(file)
    except TensorScopeError:
        return 0
    session.close()
    return sum(row["iterations"] >= 1 for row in ranks_view(session))


def children_of(pid: int) -> list[int]:
    """Whichever of its threads started them."""
    return [int(word) for listed in Path(f"/proc/{pid}/task").glob("*/children") for word in listed.read_text().split()]


def test_forked_processes_that_train_are_ranks_and_compute_what_they_compute_without_us(tmp_path: Path) -> None:
    plain = run([sys.executable, FORKED, job_folder(tmp_path, "plain")], tmp_path, ONE_THREAD)
    recording = record_job(tmp_path, FORKED, job_folder(tmp_path, "watched"))
    assert recording.ended == plain
    session = ReplaySession(recording.file)
    session.close()
    rows = ranks_view(session)
    assert [(row["rank"], row["iterations"], row["backwards"], row["exit_code"]) for row in rows] == [(0, 3, 3, 0), (1, 3, 3, 0), (2, 3, 3, 0), (3, 3, 3, 3)]
    for rank in range(4):
        ours, theirs = told(tmp_path / "watched", rank), told(tmp_path / "plain", rank)
        assert (rows[rank]["pid"], ours["digest"], ours["norms"]) == (ours["pid"], theirs["digest"], theirs["norms"])
        snapshot = session.snapshot(rank)
        gradients = gradients_view(snapshot, None, None)
        clipped = {(row["iteration"], row["parameter"]): row["norm"] for row in gradients if row["stage"] == "clipped"}
        assert clipped == {(step, name): pytest.approx(norm, rel=1e-6) for step, name, norm in ours["norms"]}
        nodes = graph_view(snapshot, None, None)["nodes"]
        assert {node["module"] for node in nodes if node["name"] == "AddmmBackward0"} == {"0", "2"}


def test_workers_of_a_data_loader_are_never_ranks_and_give_the_same_batches(tmp_path: Path) -> None:
    plain = run([sys.executable, LOADERS, job_folder(tmp_path, "plain")], tmp_path, ONE_THREAD)
    recording = record_job(tmp_path, LOADERS, job_folder(tmp_path, "watched"))
    assert recording.ended == plain
    session = ReplaySession(recording.file)
    session.close()
    assert [(row["backwards"], row["iterations"]) for row in ranks_view(session)] == [(4, 4)]
    left = json.loads((tmp_path / "watched" / "left.json").read_text())
    assert all(kib <= 8 for kib in left["spawn"]), left  # of 4 MiB
