"""Findings on real runs: each mistake is named with its line, and scripts that make none get none."""

import json
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from tensorscope.analysis.findings import find
from tensorscope.analysis.results import Finding
from tensorscope.session.replay import ReplaySession

from .harness import SAMPLES, Recording, tensorscope

CASES = SAMPLES.parent.parent / "shared" / "cases"
MISTAKES = {  # sample: (rule, a piece of the culprit's line)
    "inplace_conflict.py": ("overwritten-saved-tensor", "mask[mask < 0.5] = 0.0"),
    "broadcasting.py": ("outer-broadcast", "(prediction - target)"),
    "missing_zero_grad.py": ("uncleared-gradients", "loss.backward()"),
    "leak.py": ("growing-graph", "total += loss"),
    "detach_misuse.py": ("unreached-parameters", "self.encoder(x)"),
    "tied_weights.py": ("lost-tie", "load_state_dict"),
}
RIGHT = (
    "accumulation.py",
    "checkpointing.py",
    "gan.py",
    "mixed_precision.py",
    "digits_cnn.py",
    "higher_order.py",
    "linear_regression.py",
    "views_and_copies.py",
)
REPORTED = ("01", "05", "11", "13", "15", "17", "23", "27", "31", "35", "45", "59", "61")  # some of the shared cases: recording takes its time


def findings_in(file: Path) -> list[Finding]:
    session = ReplaySession(file)
    try:
        return list(find(session.snapshot()))
    finally:
        session.close()


@cache
def of_cases() -> dict[str, list[Finding]]:
    """The findings of the chosen cases, recorded two at a time."""
    scripts = sorted(path for path in CASES.glob("*.py") if path.name[:2] in REPORTED)
    with TemporaryDirectory() as folder, ThreadPoolExecutor(2) as pool:

        def recorded_and_searched(script: Path) -> list[Finding]:
            file = Path(folder) / f"{script.stem}.tscope"
            tensorscope("record", "-o", file, script, folder=Path(folder))
            return findings_in(file)

        return dict(zip([script.name for script in scripts], pool.map(recorded_and_searched, scripts), strict=True))


@pytest.mark.parametrize("name", MISTAKES)
def test_a_mistake_is_named_with_its_line(name: str, recorded: Callable[[str], Recording]) -> None:
    rule, piece = MISTAKES[name]
    lines = (SAMPLES / name).read_text(encoding="utf-8").splitlines()
    named = [(finding.rule, lines[finding.source.line - 1]) for finding in findings_in(recorded(name).file) if finding.source is not None]
    assert any(one == rule and piece in line for one, line in named), named


@pytest.mark.parametrize("name", RIGHT)
def test_a_script_without_mistakes_gets_no_finding(name: str, recorded: Callable[[str], Recording]) -> None:
    assert findings_in(recorded(name).file) == []


@pytest.mark.skipif(not CASES.exists(), reason="the shared cases are not beside this checkout")
@pytest.mark.parametrize("case", REPORTED)
def test_a_reported_mistake_is_named_at_the_culprits_line(case: str) -> None:
    expected = json.loads((CASES / "expected.json").read_text(encoding="utf-8"))
    name = next(one for one in of_cases() if one.startswith(case))
    first = of_cases()[name][0]
    assert first.source is not None
    assert first.source.line in expected[name]["bug_lines"], first
