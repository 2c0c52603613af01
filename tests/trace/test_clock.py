"""Run time: since the script's start, with held time taken out."""

import numpy as np
import pytest

from tensorscope.trace.clock import FOREVER, Clock, ClockView


def test_held_time_is_taken_out_and_a_moment_inside_a_hold_is_its_begin() -> None:
    view = ClockView(1000, ((1100, 1150), (1200, 1300)))
    moments = [0, 1000, 1099, 1100, 1120, 1150, 1160, 1250, 1300, 1310]
    expected = [0, 0, 99, 100, 100, 100, 110, 150, 150, 160]
    assert [view.run_time(moment) for moment in moments] == expected
    assert view.run_times(np.array(moments, np.int64)).tolist() == expected


def test_time_stands_still_in_a_hold_that_still_lasts() -> None:
    clock = Clock()
    clock.set_begin(1000)
    clock.open_hold(1100)
    assert clock.view().run_time(5000) == 100
    clock.add_hold(1100, 1500)
    assert clock.view().run_time(1600) == 200
    assert clock.held_ns == 400


def test_overlapping_holds_count_once() -> None:
    clock = Clock()
    clock.set_begin(0)
    clock.add_hold(100, 200)
    clock.add_hold(150, 250)
    clock.add_hold(10, 20)
    assert clock.view().holds == ((10, 20), (100, 250))
    assert clock.held_ns == 160


def test_a_long_look_of_ours_is_taken_out_but_is_no_hold() -> None:
    clock = Clock()
    clock.set_begin(0)
    clock.add_hold(1_000_000, 5_000_000)
    clock.add_look(2_000_000, 8_000_000)
    clock.add_look(10_000_000, 10_999_999)
    assert clock.view().run_time(11_000_000) == 4_000_000
    assert (clock.held_ns, clock.looked_ns) == (4_000_000, 3_000_000)


def test_a_hold_told_twice_does_not_reopen() -> None:
    clock = Clock()
    clock.set_begin(0)
    clock.add_hold(100, 200)
    clock.open_hold(100)
    assert clock.view().holds == ((100, 200),)


def test_until_the_start_is_known_the_first_moment_stands_in() -> None:
    clock = Clock()
    clock.saw(700)
    clock.saw(500)
    clock.saw(900)
    assert clock.view().run_time(900) == 400
    clock.set_begin(100)
    assert clock.view().run_time(900) == 800


@pytest.mark.parametrize(
    ("one", "other", "until"),
    [
        ((), (), FOREVER),
        ((), ((50, 60),), 50),
        (((50, FOREVER),), ((50, 60),), 60),
        (((50, 60),), ((50, 60), (80, 90)), 80),
        (((50, 60),), ((40, 45), (50, 60)), 40),
    ],
)
def test_clocks_agree_up_to_their_first_difference(one: tuple[tuple[int, int], ...], other: tuple[tuple[int, int], ...], until: int) -> None:
    assert ClockView(1, one).agrees_until(ClockView(1, other)) == until
    assert ClockView(1, other).agrees_until(ClockView(1, one)) == until
    assert ClockView(1, one).agrees_until(ClockView(2, one)) == 0
