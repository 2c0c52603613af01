"""Moments as people write them."""

import pytest

from tensorscope.analysis.moments import moment_ns
from tensorscope.errors import TensorScopeError
from tensorscope.trace.snapshot import Snapshot
from tests.support.trace_builder import TraceBuilder


@pytest.fixture
def run() -> Snapshot:
    builder = TraceBuilder().alloc(address=0x10, size=5, time=20).alloc(address=0x20, size=9, time=30).free(address=0x20, time=40)
    builder.alloc(address=0x20, size=9, time=50).alloc(address=0x10, size=1, time=60, device_type=1, device_index=0)
    return builder.message({"type": "iteration", "index": 0, "time_ns": 80, "learning_rate": None, "optimizers": []}).snapshot()


def test_peak_is_the_first_maximum_of_the_fullest_device(run: Snapshot) -> None:
    assert moment_ns(run, "peak") == 30
    assert moment_ns(run, "peak", "cuda:0") == 60


def test_seconds_iterations_and_the_end(run: Snapshot) -> None:
    assert moment_ns(run, "3e-8") == 30
    assert moment_ns(run, "1.5") == moment_ns(run, "80e-9") == 80, "after the end is the end"
    assert moment_ns(run, "iteration:0") == moment_ns(run, "end") == 80


@pytest.mark.parametrize("text", ["soon", "", "iteration:x", "nan", "inf", "iteration:-1"])
def test_what_is_no_moment_is_named_in_one_sentence(run: Snapshot, text: str) -> None:
    with pytest.raises(TensorScopeError, match="is no moment: give seconds"):
        moment_ns(run, text)


def test_an_iteration_that_is_not_there_is_named_with_those_that_are(run: Snapshot) -> None:
    with pytest.raises(TensorScopeError, match=r"^Iteration 4 is not on record; only iteration 0 is\.$"):
        moment_ns(run, "iteration:4")
