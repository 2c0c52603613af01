"""The toolbar's chips and controls and the status bar say what the run does."""

from dataclasses import replace

import pytest

from tensorscope.session.session import Changed, RunState, Status
from tensorscope.trace.snapshot import Health
from tensorscope.viewmodel.run_growth import backward_advice
from tensorscope.viewmodel.run_state import Controls, controls, cost_chip, state_chips, status_items
from tests.support.demo_trace import demo_snapshot

HELD = Status(RunState.HELD, "Held before node 192 of 531")


@pytest.mark.parametrize(
    ("state", "expected"),
    [
        (RunState.STARTING, Controls("pause", False, False, False, True)),
        (RunState.RUNNING, Controls("pause", True, False, True, True)),
        (RunState.PAUSING, Controls("continue", True, False, True, True)),
        (RunState.HELD, Controls("continue", True, True, True, True)),
        (RunState.ENDED, Controls("restart", True, False, False, True, True)),
        (RunState.CRASHED, Controls("restart", True, False, False, True, True)),
        (RunState.REPLAY, Controls("", False, False, False, False, True)),
    ],
)
def test_only_controls_that_do_something_are_offered(state: RunState, expected: Controls) -> None:
    assert controls(Status(state, ""), can_restart=True) == expected


def test_what_cannot_be_started_again_has_no_controls_when_it_is_over() -> None:
    assert not controls(Status(RunState.ENDED, ""), can_restart=False).has_run
    assert controls(Status(RunState.HELD, ""), can_restart=False).has_run


def test_the_state_chip_is_amber_only_at_a_stop() -> None:
    (held,) = state_chips(HELD, None, 17_775_000_000)
    assert (held.strong, held.rest, held.color) == ("Held", "before node 192 of 531", "state.held")
    (running,) = state_chips(Status(RunState.RUNNING, "Running, iteration 48"), None, 0)
    assert running.color == "state.running"


def test_looking_back_is_said_beside_where_the_script_stands() -> None:
    held, back = state_chips(HELD, 17_508_000_000, 17_775_000_000)
    assert (held.strong, held.rest) == ("Held", "at 17.775 s")
    assert (back.strong, back.rest, back.color) == ("Looking back", "17.508 s", "accent.base")


def test_cost_is_a_ratio_until_something_was_dropped() -> None:
    changed = Changed(HELD, True, 10, 0, 1.12, 100)
    cost = cost_chip(changed, demo_snapshot())
    assert cost is not None
    assert (cost.strong, cost.rest) == ("1.12×", "cost")
    dropped = cost_chip(replace(changed, dropped_events=3), demo_snapshot())
    assert dropped is not None
    assert (dropped.icon, dropped.strong) == ("triangle-alert", "3 events")
    assert cost_chip(None, demo_snapshot()) is None
    assert cost_chip(replace(changed, events=0), demo_snapshot()) is None  # nothing has run that could have been slowed down


def test_the_status_bar_names_versions_counts_and_troubles() -> None:
    changed = Changed(HELD, True, 1_284_310, 0, 1.12, 61 * 2**20, "The disk is full.")
    snapshot = replace(demo_snapshot(), health=Health(trackers_off=(("modules", "it failed"),)))
    left, right = status_items(HELD, changed, snapshot)
    assert [item.text for item in left] == [
        "connected", "Python 3.12.4", "torch 2.13.0+cu130", "native probe", "The disk is full.", "modules is off",
    ]  # fmt: skip
    assert [item.text for item in right] == ["1,284,310 events", "0 dropped", "recording 61.0 MiB", "run 1.672 s"]
    assert left[-1].role == "severity.warning"


def test_the_status_bar_names_the_rank_only_where_there_are_several() -> None:
    snapshot = demo_snapshot()
    left, _ = status_items(HELD, None, replace(snapshot, facts={**snapshot.facts, "rank": 1, "world_size": 2}))
    assert left[-1].text == "rank 1 of 2"
    left, _ = status_items(HELD, None, replace(snapshot, facts={**snapshot.facts, "rank": 0, "world_size": 1}))
    assert left[-1].text == "native probe"


@pytest.mark.parametrize(
    ("state", "advice"),
    [
        (RunState.BUILDING, "It appears with the script's first backward()."),
        (RunState.HELD, "Step with F10 or continue with F5."),
        (RunState.CRASHED, "It ended before its first backward was done."),
    ],
)
def test_advice_names_only_keys_that_do_something_now(state: RunState, advice: str) -> None:
    assert backward_advice(Status(state, "")) == advice


def test_several_ranks_are_said_to_share_the_memory_budget() -> None:
    snapshot = replace(demo_snapshot(), facts={**demo_snapshot().facts, "keep": {"memory_bytes": 1 << 30, "disk_bytes": 4 << 30, "first": 3, "last": 20}})
    changed = Changed(HELD, True, 10, 0, None, 100, memory_bytes=1 << 20)
    hints = [[item.hint for item in status_items(HELD, changed, snapshot, count)[1]] for count in (1, 4)]
    assert any("Memory: 1.00 MiB of 1.00 GiB." in hint for hint in hints[0])
    assert any("Memory: 1.00 MiB of 1.00 GiB, shared by 4 ranks." in hint for hint in hints[1])
