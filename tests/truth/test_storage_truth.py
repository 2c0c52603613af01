"""Storages, and which tensors share them, equal a brute-force walk in the script; live bytes equal the sum over live storages."""

from collections import Counter
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from tests.truth.harness import SCRIPTS, Recording, record

KINDS = ("perceptron", "recurrence", "convolution")
Made = Callable[[str], Recording]


@pytest.fixture(scope="module")
def memory_of(tmp_path_factory: pytest.TempPathFactory, probe_cache: Path) -> Made:
    return cache(lambda kind: record(SCRIPTS / "memory.py", tmp_path_factory.mktemp(kind), kind))


def as_walked(entries: list[dict[str, Any]]) -> Counter[Any]:
    return Counter((entry["nbytes"], frozen(entry["tensors"])) for entry in entries)


def frozen(tensors: list[list[Any]]) -> tuple[Any, ...]:
    return tuple(sorted((tuple(shape), tuple(stride), offset, dtype, version) for shape, stride, offset, dtype, version in tensors))


def as_recorded(rows: list[dict[str, Any]]) -> Counter[Any]:
    """Rows with bytes in them, each with the tensors that have a Python object (a name, or a place in the script's hands)."""
    keys = ("shape", "stride", "offset", "dtype", "version")
    return Counter(
        (row["nbytes"], frozen([[tensor[key] for key in keys] for tensor in row["tensors"]])) for row in rows if row["nbytes"] and not row.get("is_external")
    )


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("iteration", [0, 1, 2])
def test_storages_equal_a_brute_force_walk(memory_of: Made, kind: str, iteration: int) -> None:
    recording = memory_of(kind)
    assert as_recorded(recording.query("storages", "--at", f"iteration:{iteration}")) == as_walked(recording.truth[iteration])


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("iteration", [0, 1, 2])
def test_live_bytes_equal_the_sum_over_live_storages(memory_of: Made, kind: str, iteration: int) -> None:
    recording = memory_of(kind)
    walked = sum(entry["nbytes"] for entry in recording.truth[iteration])
    rows = recording.query("storages", "--at", f"iteration:{iteration}")
    assert sum(row["nbytes"] for row in rows if not row.get("is_external")) == walked
    memory = recording.query("memory", "--at", f"iteration:{iteration}")
    assert memory["allocated_bytes"] == walked
    assert sum(block["size_bytes"] for block in memory["live"]) == walked
    assert sum(memory["by_category"].values()) == walked


def test_views_and_copies_are_what_the_sample_says(recorded: Callable[[str], Recording]) -> None:
    """By hand: five named tensors in the 96 bytes of ``table``, two copies of 96 bytes, and ``rows`` was written last."""
    rows = recorded("views_and_copies.py").query("storages", "--at", "iteration:0")
    by_name = {name: (row, tensor) for row in rows for tensor in row["tensors"] for name in tensor["names"]}
    shared = by_name["table"][0]
    assert shared["nbytes"] == 96
    assert {name for name, (row, _) in by_name.items() if row["id"] == shared["id"]} == {"table", "rows", "columns", "first", "wide"}
    layouts = {
        name: (by_name[name][1]["shape"], by_name[name][1]["stride"], by_name[name][1]["is_contiguous"]) for name in ("rows", "columns", "first", "wide")
    }
    assert layouts == {"rows": ([2, 12], [12, 1], True), "columns": ([6, 4], [1, 6], False), "first": ([6], [1], True), "wide": ([3, 6], [0, 1], False)}
    assert all(by_name[name][1]["version"] == 1 for name in ("table", "rows", "columns", "first", "wide"))
    assert (by_name["first"][1]["begin_byte"], by_name["first"][1]["end_byte"]) == (0, 24)
    assert (by_name["wide"][1]["begin_byte"], by_name["wide"][1]["end_byte"]) == (0, 24)
    assert len({shared["id"], by_name["copy"][0]["id"], by_name["flat"][0]["id"]}) == 3
    assert shared["last_writer"] == "aten::add_"
