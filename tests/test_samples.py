"""The samples are plain scripts: they run without TensorScope, say the same every time, and what they say is right."""

import json
import re
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any

import pytest

SAMPLES = Path(__file__).resolve().parent.parent / "samples"
NAMES = sorted(path.name for path in SAMPLES.glob("*.py"))

RUN_ALL = """
import contextlib, io, json, runpy, sys
said = {}
for path in sys.argv[1:]:
    out, error = io.StringIO(), ""
    with contextlib.redirect_stdout(out):
        try:
            runpy.run_path(path, run_name="__main__")
        except Exception as problem:
            error = f"{type(problem).__name__}: {problem}"
    said[path.rpartition("/")[2]] = {"lines": out.getvalue().splitlines(), "error": error}
print(json.dumps(said))
"""


@cache
def all_said() -> dict[str, dict[str, Any]]:
    """What every sample prints and raises: one process for all of them, since torch takes longer to load than they run."""
    command = [sys.executable, "-W", "error", "-c", RUN_ALL, *(str(SAMPLES / name) for name in NAMES)]
    result = subprocess.run(command, capture_output=True, text=True, check=False, timeout=600)
    assert result.returncode == 0, result.stderr
    said: dict[str, dict[str, Any]] = json.loads(result.stdout.splitlines()[-1])
    return said


def lines_of(name: str) -> list[str]:
    said = all_said()[name]
    assert said["error"] == ""
    return list(said["lines"])


def values_of(name: str, pattern: str) -> list[float]:
    return [float(value) for value in re.findall(pattern, "\n".join(lines_of(name)))]


@pytest.mark.parametrize("name", ["digits_cnn.py", "small_gpt.py", "views_and_copies.py"])
def test_a_sample_says_the_same_every_time(name: str, tmp_path: Path) -> None:
    alone = subprocess.run([sys.executable, SAMPLES / name], cwd=tmp_path, capture_output=True, text=True, check=False, timeout=240)
    assert (alone.returncode, alone.stderr) == (0, "")
    assert alone.stdout.splitlines() == lines_of(name)


@pytest.mark.parametrize("name", NAMES)
def test_a_sample_says_in_its_first_lines_how_to_run_it_and_what_to_look_at(name: str) -> None:
    text = (SAMPLES / name).read_text(encoding="utf-8")
    assert f"    tensorscope samples/{name}\n" in text
    assert "What to look at:" in text


def test_the_network_learns_to_read_digits() -> None:
    accuracies = values_of("digits_cnn.py", r"test accuracy ([\d.]+)%")
    assert len(accuracies) == 2
    assert accuracies[-1] > 80


def test_the_line_that_was_hidden_in_the_data_is_found() -> None:
    found = re.search(r"weight \[([^\]]+)\] bias (\S+)", "\n".join(lines_of("linear_regression.py")))
    assert found
    values = [*map(float, found[1].split(", ")), float(found[2])]
    assert values == pytest.approx([1.5, -2.0, 0.5, 0.7], abs=0.02)


def test_only_contiguous_and_the_reshape_of_a_transposed_view_copy() -> None:
    kinds = dict(re.findall(r"^(\w+) .* (shares|copied) ", "\n".join(lines_of("views_and_copies.py")), re.MULTILINE))
    assert kinds == {"rows": "shares", "columns": "shares", "first": "shares", "wide": "shares", "copy": "copied", "flat": "copied"}


@pytest.mark.parametrize(
    ("name", "pattern"), [("small_gpt.py", r"loss ([\d.]+)"), ("custom_function.py", r"loss ([\d.]+)"), ("detach_misuse.py", r"loss ([\d.]+)")]
)
def test_the_loss_falls_in_samples_that_train(name: str, pattern: str) -> None:
    losses = values_of(name, pattern)
    assert losses[-1] < 0.9 * losses[0]


def test_the_generator_moves_towards_the_circle() -> None:
    radii = values_of("gan.py", r"radius ([\d.]+)")
    assert abs(radii[-1] - 1) < abs(radii[0] - 1)


def test_the_in_place_conflict_ends_with_torchs_error() -> None:
    error = all_said()["inplace_conflict.py"]["error"]
    assert error.startswith("RuntimeError: one of the variables needed for gradient computation has been modified by an inplace operation")
    assert "[16, 8]], which is output 0 of Sigmoid, is at version 1; expected version 0" in error


def test_broadcasting_compares_every_prediction_with_every_target() -> None:
    broadcast, expanded, meant = (line.split()[0] for line in lines_of("broadcasting.py"))
    assert (broadcast, expanded, meant) == ("broadcast", "expanded", "meant")


def test_many_tensors_and_one_buffer_hold_the_same_numbers() -> None:
    assert values_of("small_tensors.py", r"difference ([\d.]+)") == [0.0] * 5


def test_four_parts_give_the_gradient_of_the_whole_batch() -> None:
    assert lines_of("accumulation.py") == ["four parts give the gradient of the whole batch"]


def test_without_zero_grad_the_loss_comes_back_up() -> None:
    losses = values_of("missing_zero_grad.py", r"loss\s+([\d.]+)")
    lowest = losses.index(min(losses))
    assert max(losses[lowest:]) > 10 * losses[lowest]


def test_the_slopes_come_near_to_one() -> None:
    penalties = values_of("higher_order.py", r"penalty ([\d.]+)")
    assert penalties[-1] < penalties[0]


def test_the_scaler_skips_a_step_whenever_the_scale_is_too_high() -> None:
    lines = lines_of("mixed_precision.py")
    skipped = [index for index, line in enumerate(lines) if line.endswith("skipped")]
    assert skipped == [0, 1, 7]


def test_sigmoids_starve_the_first_layer_and_relus_do_not() -> None:
    sigmoid, relu = values_of("retain_grad.py", r"gets (\S+) of")
    assert sigmoid < 1e-3
    assert relu > 1e-3


def test_the_detached_encoder_never_moves() -> None:
    assert [line.endswith("did not move") for line in lines_of("detach_misuse.py")] == [True] * 6


def test_the_load_unties_the_weights() -> None:
    assert [line.split(" weights, ")[1] for line in lines_of("tied_weights.py")] == ["tied"] * 5 + ["untied"] * 5
    assert values_of("tied_weights.py", r"(\d+) weights") == [512] * 5 + [1024] * 5


def test_the_scripts_own_profiler_sees_every_call() -> None:
    assert lines_of("profiler_inside.py")[0] == "step 4  linear layers called 4 times, backward nodes of them ran 4 times"


def test_checkpointing_computes_the_same_gradients() -> None:
    assert lines_of("checkpointing.py") == ["gradients with and without checkpointing are the same"]


def test_einsum_and_matmul_give_the_same_scores() -> None:
    assert values_of("einsum_matmul.py", r"difference (\S+)") == [0.0] * 3


def test_the_leak_and_the_copies_run_to_their_end() -> None:
    assert len(lines_of("leak.py")) == 1
    assert len(lines_of("copies_in_the_loop.py")) == 2
