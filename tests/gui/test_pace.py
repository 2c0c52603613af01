"""A panel is computed anew only for something newer, never twice at once, and rests as long as it takes."""

from tensorscope.gui.pace import Pace


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
    pace.see("graph")
    assert not pace.has_stale(["graph"])
    assert not pace.is_due("graph")
    pace.mark_stale()
    assert pace.is_due("graph")
