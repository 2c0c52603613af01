"""Ticks stand at round numbers and say no more than they must."""

from tensorscope.viewmodel.ticks import byte_ticks, count_ticks, exact_bytes, log_ticks, time_decimals, time_ticks

GIB = 2**30


def labels(ticks: tuple[object, ...]) -> list[str]:
    return [tick.label for tick in ticks]  # type: ignore[attr-defined]


def test_time_ticks_are_seconds_with_the_decimals_of_their_step() -> None:
    ticks = time_ticks(17_340_000_000, 17_775_000_000, 9)
    assert labels(ticks) == ["17.35", "17.40", "17.45", "17.50", "17.55", "17.60", "17.65", "17.70", "17.75"]
    assert ticks[1].value == 17_400_000_000


def test_time_ticks_of_a_few_microseconds_tell_them_apart() -> None:
    assert labels(time_ticks(1_000_000_000, 1_000_004_000, 4)) == ["1.000000", "1.000001", "1.000002", "1.000003", "1.000004"]


def test_time_ticks_of_a_long_run_have_thousands_apart() -> None:
    assert labels(time_ticks(0, 4_000_000_000_000, 4)) == ["0", "1,000", "2,000", "3,000", "4,000"]


def test_a_cursor_has_at_least_milliseconds() -> None:
    assert time_decimals(0, 60_000_000_000) == 3
    assert time_decimals(0, 5_000) == 8


def test_byte_ticks_name_the_unit_once_at_the_top() -> None:
    assert labels(byte_ticks(16.6 * GIB, 4)) == ["0", "4", "8", "12", "16 GiB"]
    assert labels(byte_ticks(700 * 1024, 4)) == ["0", "256", "512 KiB"]
    assert labels(byte_ticks(1.5 * GIB, 4)) == ["0", "0.5", "1.0", "1.5 GiB"]


def test_byte_ticks_of_nothing_are_a_zero() -> None:
    assert labels(byte_ticks(0, 4)) == ["0"]


def test_log_ticks_are_powers_of_ten_within_the_range() -> None:
    assert labels(log_ticks(0.004, 30, 9)) == ["0.01", "0.1", "1", "10"]
    assert labels(log_ticks(1e-8, 1e-4, 2)) == ["1e-6"]


def test_count_ticks_are_whole_numbers() -> None:
    assert labels(count_ticks(0, 47, 6)) == ["0", "10", "20", "30", "40"]
    assert labels(count_ticks(3, 5, 9)) == ["3", "4", "5"]


def test_exact_bytes_are_given_where_rounded_ones_are_not() -> None:
    assert exact_bytes(512) == "512 B"
    assert exact_bytes(1_648_361_472) == "1.54 GiB (1,648,361,472 B)"
