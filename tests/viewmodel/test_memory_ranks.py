"""The other ranks' memory beside the shown one's, on a few allocations made by hand."""

import numpy as np

from tensorscope.analysis.rank_memory import memory_across
from tensorscope.trace.snapshot import Snapshot
from tensorscope.viewmodel.memory import view_memory
from tensorscope.viewmodel.memory_cards import moment_facts
from tensorscope.viewmodel.memory_side import category_rows
from tensorscope.viewmodel.memory_state import MemoryRequest, compute_memory
from tests.support.trace_builder import TraceBuilder


def rank(size: int, *, end: int = 10_000, device_index: int = -1) -> Snapshot:
    """``size`` bytes from 1000 to 5000."""
    device_type = 0 if device_index < 0 else 1
    built = TraceBuilder().alloc(address=0x10, size=size, time=1000, device_type=device_type, device_index=device_index)
    built.free(address=0x10, time=5000, device_type=device_type, device_index=device_index)
    return built.message({"type": "exit", "code": 0, "time_ns": end}).snapshot()


def test_each_rank_tells_the_memory_of_its_own_device_of_the_kind() -> None:
    across = memory_across({0: rank(100, device_index=0), 1: rank(300, device_index=1), 2: rank(7)}, "cuda:0")
    assert {number: (one.device, one.allocated_bytes.tolist()) for number, one in across.items()} == {0: ("cuda:0", [100, 0]), 1: ("cuda:1", [300, 0])}


def test_the_other_ranks_stand_below_the_sum_and_in_the_picture_until_their_end() -> None:
    shown, larger, short = rank(100), rank(300), rank(50, end=3000)
    state = compute_memory(shown, MemoryRequest(None, frozenset(), None, None), None, {0: shown, 1: larger, 2: short})
    rows = category_rows(state.model, 2000)
    assert [(row.label, row.at_cursor_bytes, row.at_peak_bytes) for row in rows[-3:]] == [("", 100, 100), ("rank 1", 300, 300), ("rank 2", 50, 50)]
    assert [row.at_cursor_bytes for row in category_rows(state.model, 4000)[-2:]] == [300, 0]  # rank 2 has ended
    assert ("rank 1", "300 B") in moment_facts(state.model, 2000)
    view = view_memory(state.model, (0, 10_000), 10, 100)
    assert [highest.tolist() for highest in view.other_bytes] == [[0, 300, 300, 300, 300, 0, 0, 0, 0, 0], [0, 50, 50, 50, 0, 0, 0, 0, 0, 0]]
    assert view.top_bytes >= 300


def test_without_the_ranks_only_the_shown_one_is_there() -> None:
    shown = rank(100)
    state = compute_memory(shown, MemoryRequest(None, frozenset(), None, None, has_ranks=False), None, {0: shown, 1: rank(300)})
    assert state.model.others == ()
    assert view_memory(state.model, None, 10, 100).top_bytes < 300
    again = compute_memory(shown, MemoryRequest(None, frozenset(), None, None), state, {0: shown, 1: rank(300)})
    assert [other.label for other in again.model.others] == ["rank 1"]
    assert np.array_equal(again.model.others[0].curve.values, [300, 0])
