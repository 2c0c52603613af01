"""The hand-made trace is whole: what is freed was allocated, what a row names is defined."""

import pytest

from tensorscope.protocol.records import AllocationAction
from tensorscope.trace.schema import ALLOCATIONS, MODULE_CALLS, NODES, OPERATORS
from tests.support.demo_trace import demo_snapshot


@pytest.mark.parametrize("is_held", [True, False])
def test_every_free_has_its_allocation_and_every_name_is_known(is_held: bool) -> None:
    snapshot = demo_snapshot(is_held=is_held)
    live: set[int] = set()
    rows = snapshot.table(ALLOCATIONS)
    for action, address in zip(rows.column("action"), rows.column("address"), strict=True):
        if action == AllocationAction.ALLOC:
            assert address not in live
            live.add(address)
        elif action == AllocationAction.FREE:
            live.remove(address)
    operators = snapshot.table(OPERATORS)
    assert all(name in snapshot.strings for name in operators.column("name"))
    assert (operators.column("end_ns") >= operators.column("begin_ns")).all()
    assert set(snapshot.table(MODULE_CALLS).column("module")) <= snapshot.modules.keys()
    assert len(snapshot.backwards) == 8


def test_the_held_run_stands_before_the_second_gelu() -> None:
    snapshot = demo_snapshot()
    (held,) = snapshot.holds
    assert held["name"] == "GeluBackward0"
    assert held["position"] == (snapshot.table(NODES).column("backward") == 8).sum()
