"""Jobs that Accelerate starts: every process a rank, with the same output and parameters as without us."""

import sys
from pathlib import Path

import pytest

from tensorscope.cli.query_ranks import ranks_view
from tensorscope.session.replay import ReplaySession
from tests.truth.harness import run
from tests.truth.test_ranks import ONE_THREAD, TORCHRUN, job_folder, lines_by_rank, record_job, said, told

pytest.importorskip("accelerate", reason="accelerate is not installed: pip install -c constraints.txt accelerate")

JOB = Path(__file__).parent / "jobs" / "accelerated.py"


@pytest.mark.parametrize(("before", "after"), [(TORCHRUN, ()), ((), ("fork",))], ids=["torchrun", "debug_launcher"])
def test_a_job_of_accelerate_is_recorded_rank_by_rank_and_runs_as_without_us(tmp_path: Path, before: tuple[str, ...], after: tuple[str, ...]) -> None:
    alone, watched = job_folder(tmp_path, "plain"), job_folder(tmp_path, "watched")
    plain = run([sys.executable, *before, JOB, alone, *after], tmp_path, ONE_THREAD)
    recording = record_job(watched, *before, JOB, watched, *after)
    assert (plain.code, recording.ended.code) == (0, 0), said(plain) + said(recording.ended)
    assert lines_by_rank(recording.ended.stdout) == lines_by_rank(plain.stdout)
    assert [told(watched, rank)["digest"] for rank in (0, 1)] == [told(alone, rank)["digest"] for rank in (0, 1)]
    session = ReplaySession(recording.file)
    session.close()
    assert [(row["rank"], row["pid"], row["iterations"], row["exit_code"]) for row in ranks_view(session)] == [
        (rank, told(watched, rank)["pid"], 4, 0) for rank in (0, 1)
    ]
