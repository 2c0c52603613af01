"""The probe in Python: any script says and computes with it what it does without, byte for byte, and what it cannot know is said to be unknown."""

import sys
from pathlib import Path

import pytest

from tests.truth.harness import COMMAND
from tests.wild.test_wild import SCRIPTS, assert_counts_as_declared, assert_same, plain_and, summary_of

RECORD = (*COMMAND, "record", "--probe", "python", "-o")
HAS_TRANSFORMS = "functional"
"""A script with backwards inside functorch's transforms, where the Python probe stands aside. (All others of the folder were the same too: run by hand.)"""


@pytest.mark.parametrize("script", ["tensors", HAS_TRANSFORMS])
def test_a_script_is_the_same_under_the_python_probe(script: str, tmp_path: Path) -> None:
    recording = tmp_path / "run.tscope"
    plain, watched = plain_and([*RECORD, recording], [SCRIPTS / f"{script}.py"], tmp_path)
    assert_same(plain, watched)
    assert plain.code == 0
    told = summary_of(recording)
    assert (told["probe"], told["dropped_events"], told["damaged_frames"]) == ("python", 0, 0)
    assert told["trackers_off"] == []
    assert (told["devices"], told["allocations"], told["peak_allocated_bytes"]) == ([], 0, {})  # not known, so not said
    if script != HAS_TRANSFORMS:
        assert_counts_as_declared(told, plain.stdout)


@pytest.mark.skipif(sys.version_info < (3, 11), reason="Python 3.10 cannot hide the Python probe's frames")
def test_compiled_code_is_compiled_as_without_it(tmp_path: Path) -> None:
    recording = tmp_path / "run.tscope"
    cases = ["eager_backend", "full_graph_compiled_once"]
    plain, watched = plain_and([*RECORD, recording], [SCRIPTS / "compiled.py", *cases], tmp_path)
    assert_same(plain, watched)
    told = summary_of(recording)
    assert any("torch.compile does not compile under the Python probe" in off["reason"] for off in told["trackers_off"])
