"""Names, notes and the folder of served jobs."""

import os
from pathlib import Path

import pytest

from tensorscope.errors import TensorScopeError
from tensorscope.session import jobs as module
from tensorscope.session.jobs import JobNote, find_job, jobs, list_text


@pytest.fixture
def runtime(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TENSORSCOPE_JOBS", str(tmp_path / "tensorscope"))
    return tmp_path / "tensorscope"


def test_a_second_job_of_a_script_gets_a_name_of_its_own(runtime: Path) -> None:
    notes = [JobNote("train.py", Path("a.tscope")), JobNote("train.py", Path("b.tscope")), JobNote("package.train", Path("c.tscope"))]
    assert [note.job.name for note in notes] == ["train", "train-2", "package.train"]
    assert runtime.stat().st_mode & 0o777 == 0o700
    with pytest.raises(TensorScopeError, match="There is a job train already"):
        JobNote("other.py", Path("d.tscope"), "train")
    for note in notes:
        note.close()


def test_a_job_is_found_by_name_and_by_either_pid(runtime: Path) -> None:
    note = JobNote("train.py", Path("a.tscope"), "mine")
    note.update(script_pids=(123456,))
    assert find_job("mine") == find_job(str(os.getpid())) == find_job("123456") == note.job
    assert note.job.is_served
    note.update(outcome="Ended, exit code 3")
    note.close()
    assert not find_job("mine").is_served
    assert list_text(jobs()).split() == ["mine", str(os.getpid()), "train.py", "Ended,", "exit", "code", "3"]
    with pytest.raises(TensorScopeError, match="There is no job other, and none is served"):
        find_job("other")


def test_the_name_of_a_host_that_was_killed_is_free_again(runtime: Path) -> None:
    note = JobNote("train.py", Path("a.tscope"))
    note.job.socket.touch()  # as a killed host leaves it
    os.close(note._fd)
    again = JobNote("train.py", Path("b.tscope"), "train")
    assert not again.job.socket.exists()
    again.close()


def test_only_the_newest_notes_of_ended_jobs_stay(runtime: Path) -> None:
    lasting = JobNote("lasting.py", Path("a.tscope"))
    for number in range(module.KEPT_NOTES + 5):
        JobNote(f"train_{number}.py", Path("a.tscope")).close()
    known = [job.name for job in jobs()]
    assert known[0] == "lasting"
    assert "train_24" in known
    assert "train_0" not in known
    assert len(known) <= module.KEPT_NOTES + 1
    lasting.close()


def test_a_folder_that_others_can_enter_is_not_used(runtime: Path) -> None:
    runtime.mkdir(mode=0o755)
    with pytest.raises(TensorScopeError, match="no private folder"):
        JobNote("train.py", Path("a.tscope"))
    assert jobs() == []


@pytest.mark.parametrize("name", ["", "../up", "a/b", "12", "x" * 41, "a:b"])
def test_a_name_that_would_be_none_is_refused(runtime: Path, name: str) -> None:
    with pytest.raises(TensorScopeError, match="--name needs letters"):
        JobNote("train.py", Path("a.tscope"), name)
