"""After detaching, nothing of TensorScope stands in torch's places any more: no patch, no hook, no finder, no thread."""

import json
import sys
from pathlib import Path

from tests.truth.harness import SCRIPTS, record, run


def test_detaching_leaves_torch_as_it_was(tmp_path: Path) -> None:
    plain = tmp_path / "plain.json"
    assert run([sys.executable, SCRIPTS / "detached.py", plain], tmp_path).code == 0
    recording = record(SCRIPTS / "detached.py", tmp_path, options=("--iterations", 2))
    assert "Module.__call__" in recording.truth["replaced_at_first"]
    assert recording.truth["replaced_at_end"] == []
    assert recording.truth["state"] == json.loads(plain.read_text(encoding="utf-8"))["state"]


def test_what_happened_after_detaching_is_not_on_record(tmp_path: Path) -> None:
    recording = record(SCRIPTS / "detached.py", tmp_path, options=("--iterations", 2))
    assert 2 <= recording.query("summary")["iterations"] <= recording.truth["steps_before"]
