"""Accumulation, loss scale, clipping and skipped steps are what the script says it did; a module's norm is that of its gradients laid end to end."""

from contextlib import closing
from pathlib import Path

import pytest

from tensorscope.session.replay import ReplaySession
from tensorscope.viewmodel.gradient_rows import exact_norm, fold_rows, folds_at
from tensorscope.viewmodel.gradient_state import GradientRequest, compute_gradients
from tests.truth.harness import SCRIPTS, Recording, record


@pytest.fixture(scope="module")
def recording(tmp_path_factory: pytest.TempPathFactory) -> Recording:
    return record(SCRIPTS / "training_marks.py", tmp_path_factory.mktemp("marks"))


def test_what_each_iteration_did_is_what_the_script_says(recording: Recording) -> None:
    rows = recording.query("iterations")
    assert len(rows) == len(recording.truth)
    for truth, row in zip(recording.truth, rows, strict=True):
        for name in ("accumulated_backwards", "loss_scale", "clip_limit", "is_step_skipped", "learning_rate"):
            assert row[name] == truth[name], (name, truth, row)
        assert row["clip_norm"] == (None if truth["clip_norm"] is None else pytest.approx(truth["clip_norm"], rel=1e-6))
    assert [row["is_step_skipped"] for row in rows].count(True) == 2


def test_a_modules_norm_is_that_of_its_gradients_laid_end_to_end(recording: Recording) -> None:
    with closing(ReplaySession(Path(recording.file))) as session:
        with_modules = compute_gradients(session.snapshot(), GradientRequest(stage=2), None)
    row = next(row for row in fold_rows(with_modules.map, folds_at(with_modules.table.modules, -1)).rows if row.name == "0")
    for iteration, truth in enumerate(recording.truth):
        if truth["clip_limit"] is None and not truth["is_step_skipped"]:
            norm, count, nonfinite = exact_norm(with_modules.map, row.members, iteration)
            assert (norm, count, nonfinite) == (pytest.approx(truth["module_norm"], rel=1e-9), 2, 0)
