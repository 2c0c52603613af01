"""Gradient norms equal the script's own ``p.grad.double().norm()``, and raw and clipped gradients are told apart."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.truth.harness import SCRIPTS, Recording, record

EXACT = 1e-9  # relative


def keyed(rows: list[dict[str, Any]]) -> dict[tuple[str, int, str], dict[str, Any]]:
    found = {(row["stage"], row["backward"], row["parameter"]): row for row in rows}
    assert len(found) == len(rows), "one row a backward, stage and parameter"
    return found


def compared(way: str, folder: Path) -> list[tuple[dict[str, Any], dict[str, Any]]]:
    """(the script's row, the recorded row) of every gradient; none is missing and none is made up."""
    recording = record(SCRIPTS / "gradients.py", folder, way)
    truth, rows = keyed(recording.truth), keyed(recording.query("gradients"))
    assert rows.keys() == truth.keys()
    return [(truth[key], rows[key]) for key in truth]


@pytest.mark.parametrize("way", ["clipping", "range", "half", "retained"])
def test_norms_equal_the_scripts_own(way: str, tmp_path: Path) -> None:
    for truth, row in compared(way, tmp_path):
        assert row["norm"] == pytest.approx(truth["norm"], rel=EXACT), row
        assert row["max_abs"] == pytest.approx(truth["max_abs"], rel=EXACT), row
        assert (row["numel"], row["nonfinite"]) == (truth["numel"], 0)
        assert row["weight_norm"] is None or row["weight_norm"] == pytest.approx(truth["weight_norm"], rel=EXACT)


@pytest.mark.parametrize("way", ["sparse", "complex"])
def test_a_norm_of_an_unusual_gradient_is_right_or_unknown(way: str, tmp_path: Path) -> None:
    for truth, row in compared(way, tmp_path):
        assert row["norm"] is None or row["norm"] == pytest.approx(truth["norm"], rel=EXACT), row


def test_raw_and_clipped_norms_are_told_apart(tmp_path: Path) -> None:
    rows = keyed(record(SCRIPTS / "gradients.py", tmp_path, "clipping").query("gradients"))
    clipped = {key: row for key, row in rows.items() if key[0] == "clipped"}
    assert {backward for _, backward, _ in clipped} == {1, 3, 5}  # every second backward is followed by a clipping call
    for backward in (1, 3, 5):
        total = sum(row["norm"] ** 2 for (_, number, _), row in clipped.items() if number == backward) ** 0.5
        assert total == pytest.approx(0.5, rel=1e-5)
    assert all(row["norm"] < rows["raw", key[1], key[2]]["norm"] for key, row in clipped.items())


def test_the_sample_clips_at_one_and_iterations_match_backwards(recorded: Callable[[str], Recording]) -> None:
    rows = recorded("digits_cnn.py").query("gradients")
    raw = [row for row in rows if row["stage"] == "raw"]
    assert {row["backward"] for row in raw} == set(range(48))  # 2 epochs of 1536 / 64 batches
    assert all(row["iteration"] == row["backward"] for row in rows)
    totals = [sum(row["norm"] ** 2 for row in rows if row["stage"] == "clipped" and row["backward"] == backward) ** 0.5 for backward in range(48)]
    assert max(totals) == pytest.approx(1.0, rel=1e-5)
