"""``--updates``: the update norms are the script's own, and the script computes the same with and without."""

import sys
from pathlib import Path

import pytest

from tests.truth.harness import SCRIPTS, Recording, record, run

SCRIPT = SCRIPTS / "updates.py"
EXACT = 1e-12  # relative


@pytest.fixture(scope="module")
def recording(tmp_path_factory: pytest.TempPathFactory, probe_cache: Path) -> Recording:
    return record(SCRIPT, tmp_path_factory.mktemp("updates"), options=["--updates"])


def test_update_norms_equal_the_scripts_own(recording: Recording) -> None:
    """Of SGD and Adam, one by one, foreach and fused, of half precision; a step that GradScaler skips moves nothing and has none."""
    rows = {(row["backward"], name_of(row["parameter"])): row for row in recording.query("gradients") if row["stage"] == "raw"}
    assert len(rows) == len(recording.truth) == 7 * 3 * 4
    for truth in recording.truth:
        row = rows[truth["backward"], truth["parameter"]]
        assert row["update_norm"] == (pytest.approx(truth["update"], rel=EXACT) if truth["update"] is not None else None), row
        assert row["weight_norm"] == pytest.approx(truth["weight"], rel=EXACT), row
    assert [truth["backward"] for truth in recording.truth if truth["update"] is None] == [19] * 4  # the second of the last three


def test_only_known_stages_are_told(recording: Recording) -> None:
    assert {row["stage"] for row in recording.query("gradients")} == {"raw", "unscaled"}


def test_the_script_computes_the_same(recording: Recording, tmp_path: Path) -> None:
    plain = run([sys.executable, SCRIPT, tmp_path / "truth.json"], tmp_path)
    assert (plain.code, plain.stderr) == (0, b"")
    assert recording.ended.stdout == plain.stdout
    assert plain.stdout.count(b"\n") == 7


def name_of(parameter: str) -> str:
    """Without the root's variable in front."""
    return ".".join(parameter.split(".")[-3:])
