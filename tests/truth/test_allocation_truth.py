"""Allocations, in order, and so the allocation curve, equal torch.profiler's memory events."""

import csv
from itertools import accumulate
from pathlib import Path

import pytest

from tests.truth.harness import SCRIPTS, record, tensorscope

MARKER_BYTES = 54321


def rows_of(file: Path) -> list[dict[str, str]]:
    with file.open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines))


@pytest.mark.parametrize("kind", ["perceptron", "recurrence", "convolution"])
def test_the_allocation_curve_equals_the_profilers_memory_events(kind: str, tmp_path: Path) -> None:
    recording = record(SCRIPTS / "allocations.py", tmp_path, kind)
    blocks, curve = tmp_path / "blocks.csv", tmp_path / "curve.csv"
    assert tensorscope("export", recording.file, "--memory-blocks-csv", blocks, "--memory-csv", curve, folder=tmp_path).code == 0

    lives = [(int(row["address"], 16), int(row["size_bytes"]), int(row["allocated_ns"]), row["freed_ns"]) for row in rows_of(blocks)]
    begin_ns, end_ns = sorted(allocated for _, size, allocated, _ in lives if size == MARKER_BYTES)
    events = [(allocated, address, size) for address, size, allocated, _ in lives]
    events += [(int(freed), address, -size) for address, size, _, freed in lives if freed]
    seen = [[address, size] for time_ns, address, size in sorted(events) if begin_ns < time_ns < end_ns]
    assert len(seen) > 300
    assert seen == recording.truth

    steps = [(int(row["time_ns"]), int(row["allocated_bytes"])) for row in rows_of(curve)]
    before = max(step for step in steps if step[0] <= begin_ns)[1]
    expected = list(accumulate((size for _, size in recording.truth), initial=before))[1:]
    assert [allocated for time_ns, allocated in steps if begin_ns < time_ns < end_ns] == expected
