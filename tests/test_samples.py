"""The samples are plain scripts: they run without TensorScope, say the same every time, and what they say is right."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

SAMPLES = Path(__file__).resolve().parent.parent / "samples"


def output_of(name: str, folder: Path) -> str:
    result = subprocess.run([sys.executable, SAMPLES / name], cwd=folder, capture_output=True, text=True, check=False, timeout=240)
    assert (result.returncode, result.stderr) == (0, "")
    return result.stdout


@pytest.mark.parametrize("name", ["digits_cnn.py", "linear_regression.py", "views_and_copies.py"])
def test_a_sample_says_the_same_every_time(name: str, tmp_path: Path) -> None:
    assert output_of(name, tmp_path) == output_of(name, tmp_path)


def test_the_network_learns_to_read_digits(tmp_path: Path) -> None:
    accuracies = [float(value) for value in re.findall(r"test accuracy ([\d.]+)%", output_of("digits_cnn.py", tmp_path))]
    assert len(accuracies) == 2
    assert accuracies[-1] > 80


def test_the_line_that_was_hidden_in_the_data_is_found(tmp_path: Path) -> None:
    found = re.search(r"weight \[([^\]]+)\] bias (\S+)", output_of("linear_regression.py", tmp_path))
    assert found
    values = [*map(float, found[1].split(", ")), float(found[2])]
    assert values == pytest.approx([1.5, -2.0, 0.5, 0.7], abs=0.02)


def test_only_contiguous_and_the_reshape_of_a_transposed_view_copy(tmp_path: Path) -> None:
    kinds = dict(re.findall(r"^(\w+) .* (shares|copied) ", output_of("views_and_copies.py", tmp_path), re.MULTILINE))
    assert kinds == {"rows": "shares", "columns": "shares", "first": "shares", "wide": "shares", "copy": "copied", "flat": "copied"}
