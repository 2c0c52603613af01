"""Ranks share one memory budget by need."""

import pytest

from tensorscope.trace.ingest import batches_of_records
from tensorscope.trace.retention import Keep
from tensorscope.trace.shares import CALLS, MemoryShares, water_level
from tensorscope.trace.trace import Trace
from tests.support.trace_builder import TraceBuilder

ROWS = 70_000  # more than a block of rows


@pytest.mark.parametrize(
    ("needs", "level"),
    [((), 100), ((30,), 100), ((150,), 100), ((10, 20), 90), ((10, 90, 90), 45), ((90, 90), 50), ((50, 50), 50), ((0, 0, 400), 100)],
)
def test_each_may_take_what_it_needs_while_all_fits_and_an_equal_part_of_the_rest_where_it_does_not(needs: tuple[int, ...], level: int) -> None:
    assert water_level(100, needs) == level


def grown(blocks: int) -> Trace:
    """A trace with some blocks of operators."""
    trace, builder = Trace(Keep(memory_bytes=1 << 40)), TraceBuilder()
    builder.operator("aten::mul", begin=1, end=2)
    ((thread, record),) = builder.blocks()
    trace.add_definitions(builder.definitions())
    for _ in range(blocks):
        batches, _ = batches_of_records(record * ROWS, thread)
        trace.add_batches(batches)
    return trace


def test_a_rank_over_its_part_lets_go_of_detail_and_one_that_needs_little_keeps_all() -> None:
    large, small = grown(6), grown(2)
    budget = large.taken_bytes // 2 + small.taken_bytes
    shares = MemoryShares(budget)
    for _ in range(CALLS - 1):
        shares.settle([small, large])
    assert large.rows == 6 * ROWS  # not looked at yet
    shares.settle([small, large])
    assert small.rows == 2 * ROWS
    assert large.rows < 6 * ROWS
    assert small.taken_bytes + large.taken_bytes <= budget
    assert large.snapshot().health.retired_rows > 0


def test_a_single_rank_has_the_whole_budget() -> None:
    trace = grown(3)
    shares = MemoryShares(1)
    for _ in range(CALLS):
        shares.settle([trace])
    assert trace.rows == 3 * ROWS
