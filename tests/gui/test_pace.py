"""A panel is computed anew only for something newer, never twice at once, and rests as long as it takes."""

from tensorscope.gui.pace import Pace, timed


def test_a_panel_rests_six_times_as_long_as_it_computes() -> None:
    now = [0.0]
    pace = Pace(lambda: now[0])
    assert pace.is_due("memory")
    pace.begin("memory")
    assert not pace.is_due("memory")
    now[0] = 0.1
    pace.end("memory")
    pace.mark_stale()
    now[0] = 0.69
    assert not pace.is_due("memory")
    assert pace.has_stale(["memory"])
    now[0] = 0.71
    assert pace.is_due("memory")


def test_what_has_seen_the_newest_is_not_stale() -> None:
    pace = Pace(lambda: 1.0)
    pace.mark_stale()
    pace.take(pace.newest)
    pace.see("graph")
    assert not pace.has_stale(["graph"])
    assert not pace.is_due("graph")
    pace.mark_stale()
    assert pace.is_due("graph")


def test_what_came_while_the_offered_was_being_taken_is_still_to_be_seen() -> None:
    pace = Pace(lambda: 1.0)
    asked = pace.newest
    pace.mark_stale()
    pace.take(asked)
    pace.see("inspector")
    assert pace.has_stale(["inspector"])
    assert pace.is_due("inspector")


def test_waiting_for_a_busy_machine_is_no_work() -> None:
    now = [0.0]
    pace = Pace(lambda: now[0])
    pace.begin("memory")
    now[0] = 2.0
    pace.end("memory", 0.1)
    pace.mark_stale()
    now[0] = 2.61
    assert pace.is_due("memory")


def test_processor_time_is_told_beside_the_value() -> None:
    value, spent_s = timed(lambda: sum(range(100_000)))()
    assert value == 4_999_950_000
    assert spent_s > 0
