"""An end by SIGKILL: what the finding lays it to."""

import pytest

from tensorscope.analysis.findings.out_of_memory import out_of_memory
from tests.support.trace_builder import TraceBuilder


@pytest.mark.parametrize(
    ("size", "rule", "words"), [(4096, "killed", "4.00 KiB of host memory"), (2 << 30, "out-of-memory", "as the system does when memory runs out")]
)
def test_a_kill_is_laid_to_memory_only_where_much_of_it_was_alive(size: int, rule: str, words: str) -> None:
    end = {"type": "exit", "code": 137, "signal": 9, "time_ns": 9}
    (found,) = out_of_memory(TraceBuilder().alloc(address=64, size=size, time=5).message(end).snapshot())
    assert (found.rule, found.severity, found.evidence["live_bytes"]) == (rule, "error", size)
    assert words in found.message
